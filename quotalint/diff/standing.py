"""What is told of two states without having judged either again: that nothing of it has changed."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class Standing(NamedTuple):
    """What both states have alike."""

    quotas: int = 0
    """How many there are."""
    number: int = 0
    """How many findings."""
    findings: str = "[]"
    """These, as a report in JSON has them."""


SAME_FILES = Standing(-1)
"""Of two states that hold the same files: nobody has looked at them."""
