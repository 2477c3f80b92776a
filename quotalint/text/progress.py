"""The protocol for reporting the progress of a run."""

from __future__ import annotations

from typing import Protocol


class Tell(Protocol):
    """Called often with the next step, so it must be cheap."""

    def __call__(self, what: str, done: int = 0, of: int = 0) -> None:
        """`what` names the step (`reading files`); `of` is 0 if the total is unknown."""


def tell_nobody(what: str, done: int = 0, of: int = 0) -> None:
    """Reports nothing, for runs without a progress display."""
