"""What repairs a finding, in terms of places: no text and no lines yet."""

from __future__ import annotations

from typing import NewType

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place


class Rename(NamedTuple):
    """The entry at a place gets another key, in every file that gives the object this entry."""

    place: Place
    new: str


class Drop(NamedTuple):
    """The entry at a place goes, from every file that gives it to the object."""

    place: Place
    before: object
    """Its value in the object."""


class Replace(NamedTuple):
    """The scalar at a place becomes another one."""

    place: Place
    before: object
    """The value in the object. Where the file says something else, it was generated, and is left alone."""
    after: str | int
    size: int = 0
    """Of several that are asked for one place, the one with the largest size is written."""


class Add(NamedTuple):
    """The mapping at a place gets another entry; one that it has already is left alone."""

    place: Place
    key: str
    value: object
    """A string, a number, or a mapping of these."""
    after: str = ""
    """The key that it is to stand behind, where there is one."""
    size: int = 0
    """As in `Replace`."""


Edit = Rename | Drop | Replace | Add


FixId = NewType("FixId", int)
"""Which value a fix is: two findings may ask for the same, and one of them may be refused."""


class Fix(NamedTuple):
    """A repair: all of its edits are made, or none."""

    edits: tuple[Edit, ...]
    safe: bool
    """It only writes what was meant. Otherwise it decides something, and is made only if it is asked for."""
    words: str
    """What it does, as an order: `write limits.memory in place of memory.limit`."""
    obstacle: str = ""
    """Why it is not made after all; then nothing else may make its edits either."""
    otherwise: Fix | None = None
    """What to do where these edits cannot be made."""
    others: tuple[Rename | Drop, ...] = ()
    """Its edits in other objects, of which nothing was found, and which share text with those that it is about. What
    becomes of that text is true of them too: an overlay may have removed the entry, by the name that it has."""

    @property
    def identity(self) -> FixId:
        """By which what becomes of it is found."""
        return FixId(id(self))
