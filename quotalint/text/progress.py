"""What a run is busy with, told to whoever wants to show it."""

from __future__ import annotations

from typing import Protocol


class Tell(Protocol):
    """Called with what comes next, often: it must cost next to nothing."""

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        """`what` has no end (`reading files`); `of` is 0 where nobody knows how many there will be."""


def tell_nobody(what: str, done: int = 0, of: int = 0) -> None:
    """For runs that nobody watches."""
