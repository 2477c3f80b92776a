"""The repair of a finding as edits at places, without text and lines."""

from __future__ import annotations

from typing import NewType

from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place


class Rename(NamedTuple):
    """Renames the key of an entry, in every file that sets the entry of the object."""

    place: Place
    new: str


class Drop(NamedTuple):
    """Removes an entry, from every file that sets it for the object."""

    place: Place
    before: object
    """The entry's value in the object."""


class Replace(NamedTuple):
    """Replaces a scalar by another one."""

    place: Place
    before: object
    """The value in the object. If the file has another value, it was generated and is not changed."""
    after: str | int
    size: int = 0
    """If several edits concern one place, the one with the largest size is written."""


class Add(NamedTuple):
    """Adds an entry to a mapping; an existing entry is not changed."""

    place: Place
    key: str
    value: object
    """A string, a number, or a mapping of these."""
    after: str = ""
    """The key after which it is inserted, if that exists."""
    size: int = 0
    """See `Replace`."""


Edit = Rename | Drop | Replace | Add


FixId = NewType("FixId", int)
"""The identity of a fix: two findings may need equal fixes, and one of these may be refused."""


class Fix(NamedTuple):
    """A repair: all its edits are made, or none."""

    edits: tuple[Edit, ...]
    safe: bool
    """It only writes what was certainly meant. Other fixes make a decision, and are made only on request."""
    words: str
    """The fix as an instruction: `write limits.memory in place of memory.limit`."""
    obstacle: str = ""
    """Why it is not made; then its edits are not made by other fixes either."""
    otherwise: Fix | None = None
    """The alternative if these edits cannot be made."""
    others: tuple[Rename | Drop, ...] = ()
    """The same edits for other objects without findings that share the text. A change of the text affects them too: an
    overlay may remove the entry by its current name."""

    @property
    def identity(self) -> FixId:
        """The key under which its outcome is found."""
        return FixId(id(self))
