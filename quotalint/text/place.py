"""Where something stands: a symbolic place that rules carry, and the concrete span it becomes once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from quotalint.named_tuples import NamedTuple

Path = tuple[str | int, ...]
"""The way from the root of a document to a value: mapping keys and sequence indexes."""


class Place(NamedTuple):
    """A value in a file, named without line numbers; the only thing rules know of position."""

    source: str
    """The file as the report names it (relative, `/`-separated), or `<stdin>`."""
    document: int = 0
    """Which document of the file, counted from 0."""
    path: Path = ()
    made: Derivation | None = None
    """Of a value in an object that was put together from several files: how. `path` then leads through the object,
    not through the file; `real` is where the value is written."""

    def at(self, *path: str | int) -> Place:
        """The place of something below this one."""
        return Place(self.source, self.document, self.path + path, self.made)

    @property
    def real(self) -> Place:
        """Where the value is written."""
        return place_of(self.origin)

    @property
    def file(self) -> str:
        """The file that the value is written in."""
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
    """The origin of a value of which some parts stand elsewhere than the value itself."""

    place: Place
    below: Mapping[str | int, Origin]
    """By key or index; what is not listed stands below `place` under the same key."""


class Whole(NamedTuple):
    """The origin of a value whose parts nobody can tell apart: what a template comes to."""

    place: Place


Origin = Union[Place, Mixed, Whole]  # noqa: UP007 - `|` between a name and a forward reference fails at run time


class Derivation:
    """How an object was made. Each is equal to itself alone: two objects made of one file are not in one place."""

    __slots__ = ("depth", "origin", "patches", "via")

    def __init__(
        self, origin: Origin, depth: int = 0, via: tuple[Place, ...] = (), patches: tuple[Place, ...] = ()
    ) -> None:
        self.origin = origin
        self.depth = depth
        """How much of a path leads to the object itself: an item of a List."""
        self.via = via
        """Through which entries of kustomizations, Flux and Argo CD objects it comes, the outermost first."""
        self.patches = patches
        """What changed it, in order."""

    def __repr__(self) -> str:
        return "Derivation"  # the same in every run


def inner_document(number: int) -> str:
    """The step of a path that leads into text, to one of the documents in it."""
    return f"---{number}"


def document_number(step: str | int) -> int | None:
    """Which document of a text a step leads to; None where it leads elsewhere."""
    if not isinstance(step, str) or not step.startswith("---") or not step[3:12].isdecimal():
        return None
    return int(step[3:]) if len(step) <= 12 else None


def place_of(origin: Origin) -> Place:
    """Where a value as a whole stands."""
    return origin if isinstance(origin, Place) else origin.place


def step(origin: Origin, key: str | int) -> Origin:
    """The origin of what stands below a key or index."""
    if isinstance(origin, Place):  # nearly always
        return origin.at(key)
    return origin.below.get(key) or origin.place.at(key) if isinstance(origin, Mixed) else origin


class Span(NamedTuple):
    """A stretch of a file. Lines and columns count from 1; the end is exclusive, as editors show it."""

    line: int
    column: int
    end_line: int
    end_column: int
