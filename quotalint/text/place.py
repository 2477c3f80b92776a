"""The places of values: symbolic places for rules, and their line and column spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from quotalint.named_tuples import NamedTuple

Path = tuple[str | int, ...]
"""The keys and indexes from the root of a document to a value."""


class Place(NamedTuple):
    """A value in a file, without line numbers; rules know only this kind of position."""

    source: str
    """The file as the report names it (relative, with `/`), or `<stdin>`."""
    document: int = 0
    """The number of the document in the file, from 0."""
    path: Path = ()
    made: Derivation | None = None
    """For an object that was rendered from several files: how. `path` is then the path in the object, not in the file;
    `real` is where the value is written."""

    def at(self, *path: str | int) -> Place:
        """The place of a value below this one."""
        return Place(self.source, self.document, self.path + path, self.made)

    @property
    def real(self) -> Place:
        """Where the value is written."""
        return place_of(self.origin)

    @property
    def file(self) -> str:
        """The file in which the value is written."""
        return self.source if self.made is None else self.real.source

    @property
    def origin(self) -> Origin:
        """Where the value and its parts are written."""
        if self.made is None:
            return self
        origin = self.made.origin
        for key in self.path[self.made.depth :]:
            origin = step(origin, key)
        return origin


class Mixed(NamedTuple):
    """The origin of a value with parts that are written elsewhere."""

    place: Place
    below: Mapping[str | int, Origin]
    """By key or index; other parts are below `place` under the same key."""


class Whole(NamedTuple):
    """The origin of a value whose parts have no places of their own, such as the output of a template."""

    place: Place


Origin = Union[Place, Mixed, Whole]  # noqa: UP007 - `|` between a name and a forward reference fails at run time


class Derivation:
    """How an object was rendered. Each value is only equal to itself: two objects from one file are in different
    places."""

    __slots__ = ("depth", "origin", "patches", "via")

    def __init__(
        self, origin: Origin, depth: int = 0, via: tuple[Place, ...] = (), patches: tuple[Place, ...] = ()
    ) -> None:
        self.origin = origin
        self.depth = depth
        """The number of path steps that lead to the object itself, such as an item of a List."""
        self.via = via
        """The entries of kustomizations, Flux and Argo CD objects through which it comes, the outermost first."""
        self.patches = patches
        """The patches that changed it, in order."""

    def __repr__(self) -> str:
        return "Derivation"  # the same in every run


def inner_document(number: int) -> str:
    """The path step into a document of a text."""
    return f"---{number}"


def document_number(step: str | int) -> int | None:
    """The number of the text's document that a step leads to; None for other steps."""
    if not isinstance(step, str) or not step.startswith("---") or not (step.isascii() and step[3:12].isdecimal()):
        return None
    return int(step[3:]) if len(step) <= 12 else None


def place_in_text(name: str, span: Span) -> Place:
    """The place of a range in a file that is not YAML. Paths below it mean the same range."""
    return Place(name, 0, (-len(span), *span))


def place_of_lines(name: str, first: int, last: int) -> Place:
    """The place of YAML in some lines of another file. The path continues with a document of it."""
    return Place(name, 0, (-2, first, last))


def range_of(path: Path) -> tuple[int, ...]:
    """The numbers with which such a path begins; empty for a path in YAML, which has no negative index."""
    first = path[0] if path else 0
    if not isinstance(first, int) or first >= 0:
        return ()
    return tuple(number for number in path[1 : 1 - first] if isinstance(number, int))


def place_of(origin: Origin) -> Place:
    """The place of a value as a whole."""
    return origin if isinstance(origin, Place) else origin.place


def step(origin: Origin, key: str | int) -> Origin:
    """The origin of the value below a key or index."""
    if isinstance(origin, Place):  # the common case
        return origin.at(key)
    return origin.below.get(key) or origin.place.at(key) if isinstance(origin, Mixed) else origin


class Span(NamedTuple):
    """A range in a file. Lines and columns count from 1; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
