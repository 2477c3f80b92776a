"""What `kubectl get … -o yaml` shows of a cluster, or the JSON report of another repository says that it deploys, as
the surroundings of what a repository deploys to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from quotalint.gitops.rendering import Unseen
from quotalint.gitops.snapshot_header import About, about_of, is_header
from quotalint.kube.fields import Body, integer, mapping, sequence, strings, text
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Failure, read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place

MAX_SNAPSHOT = 256 * 1024 * 1024
"""The size above which a file is refused unread."""

_HEAD = 400  # bytes in which a report says whose it is
_WHOLE = 4 * 1024 * 1024
_LIST = lazy_pattern(rb"\A(?:#.*\r?\n)*(?:apiVersion: v1\r?\n)?items:\r?\n- ")
_ITEM = lazy_pattern(rb"(?m)^- ")
_KEY = lazy_pattern(rb"(?m)^[a-z]")
_OVER = ("Succeeded", "Failed")  # a pod in one of these phases is charged to no quota (core/pods.go, QuotaV1Pod)


class Snapshot(NamedTuple):
    """One file of it."""

    objects: tuple[Object, ...]
    environment: str = ""
    """The only environment that it shows; empty: every one."""
    about: About = About()
    """What it says of itself."""
    name: str = ""
    """Its file, as a report names it."""
    earlier: tuple[Snapshot, ...] = ()
    """What the same cluster held before, the oldest first."""
    unseen: tuple[Unseen, ...] = ()
    """Of the report of another repository: what that could not see."""
    lines: Mapping[tuple[str, int], int] = MappingProxyType({})
    """Of a report: where each object stands, by the source and the document of its place."""
    is_report: bool = False
    """It is what another repository deploys, and not all that a cluster holds."""

    @property
    def when_taken(self) -> str:
        """When it was taken, or what its file is called."""
        return self.about.taken or self.name.rpartition("/")[2]

    def shows_namespace(self, namespace: str) -> bool:
        """Whether it was to hold what is in a namespace."""
        return not self.about.namespaces or namespace in self.about.namespaces


def shown_by(data: bytes, name: str, environment: str = "", called: str = "") -> tuple[Snapshot, ...] | Failure:
    """What a file shows: a snapshot, or each environment of the report of a repository, which is `called` as the file
    if nothing else is given."""
    if b'"quotalint"' not in data[:_HEAD]:
        snapshot_or_failure = read_snapshot(data, name, environment)
        return snapshot_or_failure if isinstance(snapshot_or_failure, Failure) else (snapshot_or_failure,)
    reading = read(data, json=True)
    if reading.failures:
        return reading.failures[0]
    value = reading.documents[0].value if reading.documents else None
    if not _is_report(value):
        snapshot_or_failure = read_snapshot(data, name, environment)
        return snapshot_or_failure if isinstance(snapshot_or_failure, Failure) else (snapshot_or_failure,)
    called = called or name.rpartition("/")[2].rpartition(".")[0] or name
    listed = mapping(value).get("deploys")
    if not isinstance(listed, list) or not listed:
        return Failure("it does not say what its repository deploys: `usage` wrote it, or an older version", 1, 1)
    return tuple(_published_environment(written, called, name) for written in map(mapping, listed))


def _snapshot_of_objects(objects: Iterable[Object], name: str, environment: str) -> Snapshot:
    all_objects = tuple(objects)
    header = next((obj for obj in all_objects if is_header(obj)), None)
    about = About() if header is None else about_of(header)
    return Snapshot(tuple(obj for obj in all_objects if not is_header(obj)), environment, about, name)


def read_snapshot(data: bytes, name: str, environment: str = "") -> Snapshot | Failure:
    """The objects of a file, `name` in reports; or why it cannot be read."""
    if len(data) > _WHOLE and _LIST.search(data):
        return _read_long_list(data, name, environment)
    reading = read(data, json=name.lower().endswith(".json"))
    if reading.failures:
        return reading.failures[0]
    objects_by_document = (_live_objects(document.value, Place(name, document.index)) for document in reading.documents)
    return _snapshot_of_objects(
        (obj for document_objects in objects_by_document for obj in document_objects), name, environment
    )


def _read_long_list(data: bytes, name: str, environment: str) -> Snapshot | Failure:
    """A long List as kubectl prints it, read item by item: whole it would need a gigabyte of memory."""
    text = data.replace(b"\r\n", b"\n")
    starts = [match.start() for match in _ITEM.finditer(text)]
    line, number = 1 + text.count(b"\n", 0, starts[0]), 0
    listed_objects: list[Object] = []
    for start, end in zip(starts, [*starts[1:], _end_of_items(text, starts[-1])], strict=True):
        reading = read(text[start:end])
        if reading.failures:
            failure = reading.failures[0]
            return failure._replace(line=line + failure.line - 1)
        for document in reading.documents:
            for item in sequence(document.value):
                listed_objects += _live_objects(item, Place(name, 0, ("items", number)))
                number += 1
        line += text.count(b"\n", start, end)
    return _snapshot_of_objects(listed_objects, name, environment)


def _end_of_items(text: bytes, start: int) -> int:
    """Where the items end: at the next key of the List."""
    next_key = _KEY.search(text, start)
    return next_key.start() if next_key else len(text)


def _live_objects(value: object, place: Place) -> Iterator[Object]:
    for obj in objects(value, place):
        over = obj.kind == "Pod" and text(mapping(obj.body.get("status")).get("phase")) in _OVER
        if not over:
            yield obj._replace(foreign=True)


def _is_report(value: object) -> bool:
    """Whether a document is a JSON report of quotalint."""
    return mapping(mapping(value).get("tool")).get("name") == "quotalint"


def _published_environment(written: Body, repository: str, name: str) -> Snapshot:
    """What a repository deploys to one environment, by its report."""
    deployed_objects: list[Object] = []
    lines: dict[tuple[str, int], int] = {}
    for number, entry in enumerate(map(mapping, sequence(written.get("objects")))):
        place = Place(f"{repository}:{text(entry.get('file'))}", number)
        lines[place.source, number] = max(1, integer(entry.get("line")) or 1)
        guesses = tuple(_published_guesses(entry))
        deployed_objects += (
            obj._replace(foreign=True, guesses=guesses) for obj in objects(entry.get("manifest"), place)
        )
    unseen = (
        Unseen(
            text(unseen_entry.get("namespace")),
            f"{repository}: {text(unseen_entry.get('reason'))}",
            strings(unseen_entry.get("kinds")),
        )
        for unseen_entry in map(mapping, sequence(written.get("unseen")))
    )
    return Snapshot(
        tuple(deployed_objects),
        text(written.get("environment")),
        About(repository),
        name,
        unseen=tuple(unseen),
        lines=lines,
        is_report=True,
    )


def _published_guesses(entry: Body) -> Iterator[Guess]:
    for guess in map(mapping, sequence(entry.get("assumptions"))):
        yield Guess(text(guess.get("about")), text(guess.get("reason")), text(guess.get("cure")))
