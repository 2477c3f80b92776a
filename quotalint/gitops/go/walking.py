"""How far the functions of templates walk through values. What shares its parts can be larger than memory: sixty times
`$l = list $l $l`, and a list has 2^60 parts. So each part that a function looks at is counted, against what is left of
the steps of the template."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

_Result = TypeVar("_Result")

PARTS_A_STEP = 8
"""About as much work as a step of a template."""


class TooFarError(Exception):
    """A function walks through more values than its template has steps left for. No function may answer to it."""


class _Walk:
    """What the calls that are under way have looked at. A class because of that alone."""

    def __init__(self) -> None:
        self.walked = 0
        self.most: float = math.inf


_WALK = _Walk()


def walk(parts: int) -> None:
    """So many parts of a value are looked at, or made. Raises TooFarError."""
    _WALK.walked += parts
    if _WALK.walked > _WALK.most:
        raise TooFarError("it walks through too many values")


def walked_parts() -> int:
    """How many parts were looked at since the program began."""
    return _WALK.walked


def call_walking(function: Callable[..., _Result], arguments: Sequence[object], most_parts: int) -> _Result:
    """What a function gives. Raises TooFarError when it walks through more than `most_parts`."""
    before = _WALK.most
    _WALK.most = min(before, _WALK.walked + most_parts)
    try:
        return function(*arguments)
    finally:
        _WALK.most = before
