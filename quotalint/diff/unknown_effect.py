"""A line of a change of which nobody can tell what it does to quotas."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class Unknown(NamedTuple):
    """It, and why."""

    file: str
    line: int
    namespace: str
    """Where it goes; empty where that is not known either."""
    reason: str
    """A clause."""
    cure: str
    """What would settle it."""
    family: str = ""
    """What kind of cause it is, where several are settled in one way."""
