"""What is told of two states without having judged either again: that nothing of it has changed."""

from __future__ import annotations

from typing import Any

from quotalint.named_tuples import NamedTuple

QuotaDoubt = tuple[str, str, tuple[str, int, tuple[Any, ...]]]
"""What is said of a quota, the file that it is in, and its place."""


class Standing(NamedTuple):
    """What both states have alike."""

    quotas: int = 0
    """How many there are."""
    number: int = 0
    """How many findings."""
    findings: str = "[]"
    """These, as a report in JSON has them."""
    doubts: tuple[QuotaDoubt, ...] = ()
    """Of quotas of which not everything is in view."""


SAME_FILES = Standing(-1)
"""Of two states that hold the same files: nobody has looked at them."""
