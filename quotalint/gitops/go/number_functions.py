"""sprig's functions for numbers, which are int64 and overflow silently, and versions (github.com/Masterminds/sprig
3.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from quotalint.gitops.go.values import GoError, Implementation, Int64
from quotalint.text.semver import SemverError, satisfies


def integer_of(value: object) -> int:
    """The integer of a value as in spf13/cast, `ToInt64`; 0 if it is not a number."""
    if isinstance(value, bool) or value is None:
        return int(bool(value))
    if isinstance(value, float):
        if not abs(value) < 2**63:
            raise GoError("a number is too large to become an integer")
        return int(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        written = re.sub(r"\.0*$", "", value)
        if re.fullmatch(r"[+-]?0[0-9]+", written):
            raise GoError(f"{value!r} is one number in some releases and another in others")
        try:
            number = int(written, 0) if re.fullmatch(r"[+-]?\w+", written, re.ASCII) else 0
        except ValueError:
            return 0
        return number if -(2**63) <= number < 2**63 else 0
    return 0


def wrap_int64(value: int) -> Int64:
    """The value as int64, with silent overflow."""
    return Int64((value + 2**63) % 2**64 - 2**63)


def _divide_integers(first: object, second: object) -> tuple[int, int]:
    """Quotient and remainder of Go's integer division, which truncates."""
    numerator, denominator = integer_of(first), integer_of(second)
    if denominator == 0:
        raise GoError("division by zero")
    quotient = abs(numerator) // abs(denominator) * (1 if (numerator < 0) == (denominator < 0) else -1)
    return quotient, numerator - quotient * denominator


def _multiply_integers(first: object, *others: object) -> Int64:
    result = wrap_int64(integer_of(first))
    for other in others:
        result = wrap_int64(result * integer_of(other))
    return result


def _steps_between(start: int, stop: int, step: int) -> list[object]:
    if (stop < start and step >= 0) or (stop >= start and step <= 0):
        return []
    steps = range(start, stop, step)
    if len(steps) > 100_000:
        raise GoError("a list grows too long")
    return list(steps)


def _rounding_function(how: str) -> Callable[[object], float]:
    def round_number(value: object) -> float:
        import math

        if not isinstance(value, (int, float)):
            raise GoError(f"{how} of something that is not a number is not supported here")
        return float(math.floor(value) if how == "floor" else math.ceil(value))

    return round_number


def _semver_compare(constraint: str, version: str) -> bool:
    try:
        return satisfies(constraint, version)
    except SemverError as error:
        raise GoError(str(error)) from error


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "atoi": ("s", lambda value: int(value) if re.fullmatch(r"[+-]?[0-9]{1,18}", value) else 0),
    "int": ("a", integer_of),
    "int64": ("a", lambda value: wrap_int64(integer_of(value))),
    "add1": ("a", lambda value: wrap_int64(integer_of(value) + 1)),
    "add": ("a*", lambda *all_: wrap_int64(sum(map(integer_of, all_)))),
    "sub": ("aa", lambda first, second: wrap_int64(integer_of(first) - integer_of(second))),
    "mul": ("aa*", _multiply_integers),
    "div": ("aa", lambda first, second: wrap_int64(_divide_integers(first, second)[0])),
    "mod": ("aa", lambda first, second: wrap_int64(_divide_integers(first, second)[1])),
    "max": ("aa*", lambda *all_: wrap_int64(max(map(integer_of, all_)))),
    "min": ("aa*", lambda *all_: wrap_int64(min(map(integer_of, all_)))),
    "floor": ("a", _rounding_function("floor")),
    "ceil": ("a", _rounding_function("ceil")),
    "until": ("i", lambda count: _steps_between(0, count, 1 if count >= 0 else -1)),
    "untilStep": ("iii", _steps_between),
    "semverCompare": ("ss", _semver_compare),
}
