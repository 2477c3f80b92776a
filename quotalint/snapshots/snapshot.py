"""Reads snapshots: the output of `kubectl get … -o yaml`, or the JSON report of another repository. Their objects are
the surroundings of what this repository deploys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.kube.fields import Body, integer, mapping, sequence, strings, text
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.snapshots.snapshot_header import About, about_of, is_header
from quotalint.text.documents import Failure, read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.unknowns.unseen import Unseen

MAX_SNAPSHOT = 256 * 1024 * 1024
"""The size in bytes above which a file is refused unread."""

_HEAD = 400  # the first bytes, in which a report names its tool
_WHOLE = 4 * 1024 * 1024
_LIST = lazy_pattern(rb"\A(?:#.*\r?\n)*(?:apiVersion: v1\r?\n)?items:\r?\n- ")
_KEYS = lazy_pattern(r"\[[^\]]*\]")
_ITEM = lazy_pattern(rb"(?m)^- ")
_KEY = lazy_pattern(rb"(?m)^[a-z]")
_OVER = ("Succeeded", "Failed")  # pods in these phases use no quota (core/pods.go, QuotaV1Pod)


class Snapshot(NamedTuple):
    """A snapshot of one environment, from one file."""

    objects: tuple[Object, ...]
    environment: str = ""
    """The environment that it shows; empty: all."""
    about: About = About()
    """Its header."""
    name: str = ""
    """Its file name in reports."""
    earlier: tuple[Snapshot, ...] = ()
    """Earlier snapshots of the same cluster, oldest first."""
    unseen: tuple[Unseen, ...] = ()
    """For another repository's report: what it could not see."""
    lines: Mapping[tuple[str, int], int] = MappingProxyType({})
    """For a report: the line of each object, by source and document of its place."""
    is_report: bool = False
    """Whether it is another repository's report, which does not show the whole cluster."""
    planned: frozenset[str] = frozenset()
    """For a plan of Terraform: the addresses of its resources, without keys of instances."""

    @property
    def when_taken(self) -> str:
        """The time it was taken, else its file name."""
        return self.about.taken or self.name.rpartition("/")[2]

    def shows_namespace(self, namespace: str) -> bool:
        """Whether it includes a namespace."""
        return not self.about.namespaces or namespace in self.about.namespaces


def shown_by(data: bytes, name: str, environment: str = "", called: str = "") -> tuple[Snapshot, ...] | Failure:
    """The snapshots in a file: one, or one per environment of another repository's report. `called` is that
    repository's name; by default the file's."""
    value: object = None
    if b'"quotalint"' in data[:_HEAD]:
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
        return Failure(
            "it does not say what its repository deploys: it is a report of `usage` or of an older version", 1, 1
        )
    return tuple(_published_environment(written, called, name) for written in map(mapping, listed))


def _snapshot_of_objects(objects: Iterable[Object], name: str, environment: str) -> Snapshot:
    all_objects = tuple(objects)
    header = next((obj for obj in all_objects if is_header(obj)), None)
    about = About() if header is None else about_of(header)
    return Snapshot(tuple(obj for obj in all_objects if not is_header(obj)), environment, about, name)


def read_snapshot(data: bytes, name: str, environment: str = "") -> Snapshot | Failure:
    """The snapshot in a file, which reports call `name`; or why it cannot be read."""
    if len(data) > _WHOLE and _LIST.search(data):
        return _read_long_list(data, name, environment)
    reading = read(data, json=name.lower().endswith(".json"))
    if reading.failures:
        return reading.failures[0]
    places = [(document.value, Place(name, document.index)) for document in reading.documents]
    if any("format_version" in mapping(value) for value, _ in places):
        return _read_plan(places, name, environment)
    return _snapshot_of_objects(
        (obj for value, place in places for obj in _live_objects(value, place)), name, environment
    )


def _read_plan(places: Sequence[tuple[object, Place]], name: str, environment: str) -> Snapshot:
    """The snapshot of what a plan of Terraform applies."""
    from quotalint.terraform.plan import is_plan, planned

    resources = [resource for value, place in places if is_plan(value) for resource in planned(value, place)]
    objects = [obj._replace(foreign=True) for resource in resources for obj in resource.applied.objects]
    addresses = frozenset(without_keys(resource.address) for resource in resources)
    return _snapshot_of_objects(objects, name, environment)._replace(planned=addresses)


def without_keys(address: str) -> str:
    """The address of a resource of Terraform without the keys of its instances."""
    return _KEYS.sub("", address)


def _read_long_list(data: bytes, name: str, environment: str) -> Snapshot | Failure:
    """A long List as printed by kubectl, read item by item: at once it would need a gigabyte of memory."""
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
    """The end of the items: the next key of the List."""
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
    """The snapshot of one environment in another repository's report."""
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
