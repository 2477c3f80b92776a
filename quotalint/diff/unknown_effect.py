"""A changed line whose effect on quotas is not known."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class Unknown(NamedTuple):
    """A changed line whose effect is not known, and why."""

    file: str
    line: int
    namespace: str
    """The namespace of its object; empty if that is not known."""
    reason: str
    """A clause."""
    cure: str
    """How to find out."""
    family: str = ""
    """The family of the cause, if several causes have the same remedy."""
