"""Go values in templates: their representation, their text form, and limits on traversing them.

A number from JSON or YAML is a float64 in Go, so it is a float here; an int was written or counted by the template. The
two cannot be compared, and some functions accept only one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from quotalint.text.lazy_patterns import lazy_pattern

_Result = TypeVar("_Result")

MAX_TEXT = 1_000_000
"""The largest number of characters in a string, and in a template's output."""

MAX_DEPTH = 100
"""The largest nesting of values that are printed or converted."""


Implementation = Callable[..., object]
"""The implementation of a template function."""


NO_ENTRY = "map has no entry for key"
"""The beginning of Go's message for a missing key."""


# Values with shared parts can be larger than memory: after sixty times `$l = list $l $l`, a list has 2^60 parts. So
# each part that a function visits is counted against the template's remaining steps.
PARTS_A_STEP = 8
"""About as much work as one template step."""


class TooFarError(Exception):
    """A function visits more parts than its template has steps left. No template function may catch it."""


class _Walk:
    """Counts the parts visited by running calls; a class because the count is shared and mutable."""

    def __init__(self) -> None:
        self.walked = 0
        self.most: float = math.inf


_WALK = _Walk()


def walk(parts: int) -> None:
    """Count visited or created parts of a value. Raises TooFarError."""
    _WALK.walked += parts
    if _WALK.walked > _WALK.most:
        raise TooFarError("it walks through too many values")


def walked_parts() -> int:
    """The number of parts visited since the program began."""
    return _WALK.walked


def call_walking(function: Callable[..., _Result], arguments: Sequence[object], most_parts: int) -> _Result:
    """The result of a function. Raises TooFarError if it visits more than `most_parts`."""
    before = _WALK.most
    _WALK.most = min(before, _WALK.walked + most_parts)
    try:
        return function(*arguments)
    finally:
        _WALK.most = before


class GoError(Exception):
    """Go would fail here, or this interpreter does not know what Go would do."""


class Int64(int):
    """An int64, the result of sprig's arithmetic; int parameters refuse it."""


class StringMap(dict[str, str]):
    """A map[string]string such as labels. Other functions refuse it, and a missing key gives "" instead of nil."""


class Missing:
    """The value of a missing map key; printed as `<no value>`."""

    def __repr__(self) -> str:
        return "<no value>"


MISSING = Missing()


def join_limited(pieces: Iterable[str]) -> str:
    """The pieces joined into one string. Raises GoError above MAX_TEXT."""
    parts: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > MAX_TEXT:
            raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
        parts.append(piece)
    return "".join(parts)


def go_text(value: object) -> str:
    """The value as printed by Go's `%v`. Raises GoError if it is too long or too deep."""
    return value if isinstance(value, str) else join_limited(_text_pieces(value, 0))


def _text_pieces(value: object, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(1 + depth // 8)  # each nested piece passes through all outer generators
    if isinstance(value, str):
        yield value
    elif value is None:
        yield "<nil>"
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, float):
        yield go_float(value)
    elif isinstance(value, dict):
        yield "map["
        for index, key in enumerate(sorted(value)):
            yield f"{' ' if index else ''}{key}:"
            yield from _text_pieces(value[key], depth + 1)
        yield "]"
    elif isinstance(value, (list, tuple)):
        yield "["
        for index, item in enumerate(value):
            if index:
                yield " "
            yield from _text_pieces(item, depth + 1)
        yield "]"
    else:
        yield str(value)


def go_float(value: float) -> str:
    """A float64 printed as by strconv.FormatFloat(value, 'g', -1, 64) and `%v`: 1000000 becomes 1e+06."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = _shortest_digits(value)
    if exponent < -4 or exponent >= 6:  # strconv/ftoa.go, `formatDigits`: 6 for the shortest form
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    return sign + _plain_notation(digits, exponent)


def json_float(value: float) -> str:
    """A float64 as encoding/json writes it. Raises GoError for NaN and infinity."""
    if math.isnan(value) or math.isinf(value):
        raise GoError(f"JSON has no number {go_float(value)}")
    sign, digits, exponent = _shortest_digits(value)
    if value and (abs(value) < 1e-6 or abs(value) >= 1e21):
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent)}"
    return sign + _plain_notation(digits, exponent)


def _shortest_digits(value: float) -> tuple[str, str, int]:
    """Sign, shortest digits, and decimal exponent of the first digit."""
    mantissa, _, exponent = f"{value!r}".lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    at = len(whole) - 1 - (len(whole + fraction) - len(digits)) + int(exponent or 0)
    stripped = digits.rstrip("0") or "0"
    return "-" if math.copysign(1, value) < 0 else "", stripped, at if digits else 0


def _plain_notation(digits: str, exponent: int) -> str:
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{whole}.{digits[exponent + 1 :]}" if len(digits) > exponent + 1 else whole


def go_quoted(value: str) -> str:
    """The string as strconv.Quote writes it."""
    walk(len(value) // 8)
    return '"' + _UNQUOTABLE.sub(_escape_character, value) + '"'


_NAMED = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
_UNQUOTABLE = lazy_pattern(r'["\\]|[^ -~]')


def _escape_character(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character in '"\\':
        return "\\" + character
    if character in _NAMED:
        return _NAMED[character]
    if character.isprintable():
        return character
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def type_name(value: object) -> str:
    """The type name that `%T` prints."""
    for kind, name in _TYPES:
        if isinstance(value, kind):
            return name
    return "<nil>"


_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "bool"),
    (str, "string"),
    (Int64, "int64"),
    (int, "int"),
    (float, "float64"),
    (StringMap, "map[string]string"),
    (dict, "map[string]interface {}"),
    (list, "[]interface {}"),
)


def is_true(value: object) -> bool:
    """Whether `if` treats the value as true: anything but false, 0, "", nil and empty collections."""
    return value is not MISSING and bool(value)


def as_decoded(value: object) -> object:
    """A parsed value as encoding/json decodes it: every number is a float64.

    Raises GoError for a number beyond float64 or nesting beyond MAX_DEPTH.
    """
    return _decode_numbers(value, {}, 0)


def _decode_numbers(value: object, copies_by_id: dict[int, object], depth: int) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise GoError("a number is too large for Go") from None
    if not isinstance(value, (dict, list)):
        return value
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    known_value = copies_by_id.get(id(value))  # values shared by YAML aliases stay shared, which bounds the size
    if known_value is None:
        known_value = (
            {key: _decode_numbers(below, copies_by_id, depth + 1) for key, below in value.items()}
            if isinstance(value, dict)
            else [_decode_numbers(below, copies_by_id, depth + 1) for below in value]
        )
        copies_by_id[id(value)] = known_value
    return known_value
