"""The form in which slices are kept with an answer."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from quotalint.cache.packing import first_part, frame_values, join_texts, parts, split_texts
from quotalint.deployed import Reason, Unseen, cause_of
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Scenario, Settings
from quotalint.slices.text_notes import TextNote
from quotalint.text.place import Derivation, Path, Place, Whole
from quotalint.transcript import DIGEST

_FIELDS = (
    *("root", "file", "exclude", "fail_on", "namespaces", "kube_version", "nearly_full", "environments"),
    *("enforcement", "repository"),
)
"""What of the settings may be other than usual, but for the scenario."""

Home = tuple[int, int]
"""Where an object is: the number of its slice, and its own in that."""
Homes = tuple[Home, ...]
"""All of them; none where nobody applies an object."""
ShownLines = Mapping[str, tuple[tuple[int, Path, int], ...]]
"""By file: the numbers of documents, the ways in them to what is shown, and the lines in which that begins."""


class ShownOfFiles(NamedTuple):
    """What reports of sums show of files."""

    lines: ShownLines
    documents: Mapping[str, int]
    """How many there are in each, where a report says how many there are in all."""


class Slice(NamedTuple):
    """What one namespace of one environment holds, or the quotas and LimitRanges of all."""

    surroundings: int
    """The number of what is around it in its environment."""
    namespace: str
    """Empty of what compares namespaces."""
    objects: tuple[Object, ...]
    """In their order."""
    unseen: tuple[Unseen, ...]
    """Why it may hold more."""
    sums: bytes
    """What stands for what is known of the sums of its quotas."""


SliceAt = Callable[[int], Slice]
"""Gives the slice of a number."""


class NamespaceSurroundings(NamedTuple):
    """What all namespaces of an environment have in common."""

    environment: str
    objects: tuple[Object, ...]
    """Those of no namespace that decide anything elsewhere."""
    kinds: tuple[tuple[Any, ...], ...]
    """The custom ones."""
    groups: tuple[str, ...]


class Unit(NamedTuple):
    """A folder that is built, and the objects that it comes to."""

    recipe: tuple[Any, ...]
    """What it takes to build it."""
    rest: bytes
    """What stands for all that came of it beside objects and what was read for it (`remaking.rest_of`)."""
    read: tuple[str, ...]
    """The files and folders that are a part of it, in order."""
    outlines: bytes
    """A digest for each object: of which it is, and of what decides more than its namespace (`outline.py`)."""
    contents: bytes
    """A digest for each object: of all that it says, where the outline has not all of it."""
    homes: tuple[Homes | None, ...]
    """Of each object; None where something rests on it of which nobody can say what."""
    told_objects: tuple[int, ...] = ()
    """The numbers of the objects of which lines are told."""
    lines: bytes = b""
    """Two digests for each of these (`told_lines.lines_digests`)."""
    places: bytes = b""
    """What stands for where all objects are written; empty where no report shows that."""

    @property
    def files(self) -> Iterator[str]:
        """The files that are a part of it."""
        return (name for name in self.read if not name.endswith("/"))


class NotedFiles(NamedTuple):
    """The files that nothing looks at but what is said of them here."""

    names: list[str]
    outlines: bytes
    """A digest for each file: of what decides more than the objects that are made of it."""
    listings: bytes
    """A digest for each file: of which others it names to be read."""
    contents: bytes
    """A digest for each file: of all that it says."""
    texts: tuple[TextNote, ...]
    """Of each file: what of its text counts beside that."""
    written: tuple[tuple[Homes, ...], ...]
    """Of each file: the homes of each of its documents, where all are applied as they are written."""
    users: tuple[tuple[int, ...], ...]
    """Of each file: the numbers of the units that are built from it."""
    units: list[bytes]
    repaired: AbstractSet[int] = frozenset()
    """The numbers of the files that the repair of a finding would change."""
    data: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    """By the name of a file that is no manifest, and that nothing but units reads: the numbers of these."""
    slices: AbstractSet[int] = frozenset()
    """The numbers of those in which any of their objects are, while that matters."""


class Deploying(NamedTuple):
    """What of a repository makes objects of some kinds decide more: it deploys more than is written, and who may do
    what."""

    others: bool
    """Objects deploy others, and may fill in what they deploy."""
    charts: bool
    """Some of these are charts that are in view."""
    quota_writers: tuple[tuple[str, str], ...]
    """The kinds and names of the roles by which anybody may write quotas, in some environment at least."""
    looked_up: frozenset[tuple[str, str]] | None = frozenset()
    """The kinds and names of the objects that they take values from, whether these are there or not, without a name
    where they may be any of a kind; None where that is not known."""


class Slices(NamedTuple):
    """Those of a repository."""

    settings: Settings
    deploys: Deploying
    files: NotedFiles
    surroundings: list[bytes]
    slices: list[bytes]
    apart: AbstractSet[str] = frozenset()
    """The namespaces of which some environment has one that is not among these."""
    calm: AbstractSet[int] = frozenset()
    """The numbers of those in which nothing is refused, whatever is rolled out."""
    tree: bytes = b""
    """What decides whether more than they hold depends on which files there are (`tree_notes.py`); empty where nobody
    knows."""
    shown: ShownOfFiles | None = None
    """None where no report shows sums."""
    folders: bytes = b""
    """What those came to that kustomizations list among many."""


def digest_at(digests: bytes, number: int) -> bytes:
    """One of several."""
    return digests[number * DIGEST : (number + 1) * DIGEST]


def usual_settings(settings: Settings) -> Settings | None:
    """The settings that would be read back; None where they are others."""
    again = _settings(*_values(settings))
    return again if again == settings else None


def _values(settings: Settings) -> tuple[Any, ...]:
    return (settings.scenario.value, *(getattr(settings, field) for field in _FIELDS))


def _settings(scenario: str, *values: Any) -> Settings:
    return Settings("", None)._replace(scenario=Scenario(scenario), **dict(zip(_FIELDS, values, strict=True)))


def _plain_object(obj: Object) -> tuple[Any, ...]:
    guesses = [tuple(guess) for guess in obj.guesses]
    real = None if obj.place.made is None else tuple(obj.place.real[:3])
    return (*obj[:6], *obj.place[:3], real, guesses, obj.homeless)


def _object_of(plain: tuple[Any, ...]) -> Object:
    group, version, kind, namespace, name, body, source, document, path, real, guesses, homeless = plain
    # Each is made by itself: two objects of one file are not in one place.
    made = None if real is None else Derivation(Whole(Place(*real)), len(path))
    place = Place(source, document, path, made)
    assumed = tuple(Guess(*guess) for guess in guesses)
    return Object(group, version, kind, namespace, name, body, place, assumed, homeless)


def _plain_reason(unseen: Unseen) -> tuple[Any, ...]:
    return (unseen.namespace, str(unseen.reason), tuple(cause_of(unseen.reason) or ()), unseen.kinds, unseen.owners)


def _unseen_of(plain: tuple[Any, ...]) -> Unseen:
    namespace, words, cause, kinds, owners = plain
    return Unseen(namespace, Reason(words, *cause) if cause else words, kinds, owners)


def pack_slice(of: Slice) -> bytes:
    """One slice as bytes. Raises ValueError where something in it is no plain value."""
    objects, unseen = tuple(map(_plain_object, of.objects)), tuple(map(_plain_reason, of.unseen))
    return frame_values((marshal.dumps((of.surroundings, of.namespace)), marshal.dumps((objects, unseen, of.sums))))


@lru_cache(maxsize=8)  # what compares all namespaces is asked for several times
def unpack_slice(data: bytes) -> Slice:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    surroundings, namespace = unpack_slice_name(data)
    objects, unseen, sums = marshal.loads(parts(data)[1])
    return Slice(surroundings, namespace, tuple(map(_object_of, objects)), tuple(map(_unseen_of, unseen)), sums)


def unpack_slice_name(data: bytes) -> tuple[int, str]:
    """Of a packed slice the number of what is around it, and its namespace."""
    surroundings, namespace = marshal.loads(first_part(data))
    return surroundings, namespace


def pack_surroundings(of: NamespaceSurroundings) -> bytes:
    """They as bytes. Raises ValueError where something in them is no plain value."""
    return marshal.dumps((of.environment, tuple(map(_plain_object, of.objects)), of.kinds, of.groups))


def unpack_surroundings(data: bytes) -> NamespaceSurroundings:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    environment, objects, kinds, groups = marshal.loads(data)
    return NamespaceSurroundings(environment, tuple(map(_object_of, objects)), kinds, groups)


def pack_unit(of: Unit) -> bytes:
    """One unit as bytes. Raises ValueError where something in it is no plain value."""
    return marshal.dumps((*of,))


def unpack_unit(data: bytes) -> Unit:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    return Unit(*marshal.loads(data))


def pack_slices(of: Slices) -> bytes:
    """All of them as bytes."""
    files = of.files
    return frame_values(
        (
            marshal.dumps((*_plain_head(of), *_values(of.settings))),
            *(join_texts(files.names), files.outlines, files.listings, files.contents, frame_values(files.units)),
            *(frame_values(of.surroundings), frame_values(of.slices), of.tree, of.folders),
        )
    )


def unpack_slices(data: bytes) -> Slices:
    """What was packed. Raises ValueError, TypeError or EOFError where it has not this form."""
    head, names, outlines, listings, contents, units, surroundings, slices, tree, folders = parts(data)
    deploys, texts, written, users, repaired, texts_read, apart, calm, shown, *values = marshal.loads(head)
    texts_by_file = tuple(TextNote(*texts.get(number, ())) for number in range(len(written)))
    notes = texts_by_file, written, users, parts(units), repaired, texts_read
    files = NotedFiles(split_texts(names), outlines, listings, contents, *notes)
    of_settings = _settings(*values), _deploying(*deploys)
    of_reports = None if shown is None else ShownOfFiles(*shown)
    of_all = Slices(*of_settings, files, parts(surroundings), parts(slices), apart, calm, tree, of_reports)
    return of_all._replace(folders=folders)


def _plain_deploying(of: Deploying) -> tuple[Any, ...]:
    """They in an order that depends on nothing but what they are."""
    return (*of[:3], None if of.looked_up is None else tuple(sorted(of.looked_up)))


def _deploying(others: bool, charts: bool, quota_writers: tuple[tuple[str, str], ...], looked_up: Any) -> Deploying:
    return Deploying(others, charts, quota_writers, None if looked_up is None else frozenset(looked_up))


def _plain_head(of: Slices) -> tuple[Any, ...]:
    files = of.files
    of_files = _plain_texts(files), files.written, files.users, files.repaired, files.data
    return _plain_deploying(of.deploys), *of_files, of.apart, of.calm, of.shown and (*of.shown,)


def _plain_texts(files: NotedFiles) -> dict[int, tuple[Any, ...]]:
    """By number of file; hardly any has something that counts."""
    return {number: (*note,) for number, note in enumerate(files.texts) if note != TextNote()}
