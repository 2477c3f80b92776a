"""Why a text cannot be read."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class Trouble(NamedTuple):
    """Why a text cannot be read, and where in it: lines and columns count from 0."""

    message: str
    line: int
    column: int
