"""Go's values as templates see them, how Go writes them, and how far functions walk through them.

A number that comes from JSON or YAML is a float64 in Go, so it is a float here; an int is what a template itself
has written or counted. Those two do not compare, and some functions take only one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from quotalint.text.lazy_patterns import lazy_pattern

_Result = TypeVar("_Result")

MAX_TEXT = 1_000_000
"""How many characters a text may have, so also what a template may write."""

MAX_DEPTH = 100
"""How deep values may lie in each other to be written or converted."""


Implementation = Callable[..., object]
"""What does the work of a function of templates."""


NO_ENTRY = "map has no entry for key"
"""How Go begins to say that a key is missing."""


# What shares its parts can be larger than memory: sixty times `$l = list $l $l`, and a list has 2^60 parts. So each
# part that a function looks at is counted, against what is left of the steps of the template.
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


class GoError(Exception):
    """Go would stop here, or this interpreter does rather than guess."""


class Int64(int):
    """An int64, which sprig's arithmetic gives; parameters of type int refuse it."""


class StringMap(dict[str, str]):
    """A map[string]string, such as labels: other functions refuse it, and what it lacks is "" rather than nothing."""


class Missing:
    """The value of a key that a map does not have; written `<no value>`."""

    def __repr__(self) -> str:
        return "<no value>"


MISSING = Missing()


def join_limited(pieces: Iterable[str]) -> str:
    """The pieces as one text. Raises GoError when it grows too long."""
    parts: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > MAX_TEXT:
            raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
        parts.append(piece)
    return "".join(parts)


def go_text(value: object) -> str:
    """The value as Go's `%v` writes it. Raises GoError when that is too long or too deep."""
    return value if isinstance(value, str) else join_limited(_text_pieces(value, 0))


def _text_pieces(value: object, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(1 + depth // 8)  # what lies deep is handed up through all that it lies in
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
    """strconv.FormatFloat(value, 'g', -1, 64), as `%v` writes a float64: 1000000 becomes 1e+06."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = _shortest_digits(value)
    if exponent < -4 or exponent >= 6:  # strconv/ftoa.go, `formatDigits`: 6 for the shortest form
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    return sign + _plain_notation(digits, exponent)


def json_float(value: float) -> str:
    """A float64 as encoding/json writes it."""
    if math.isnan(value) or math.isinf(value):
        raise GoError(f"JSON has no number {go_float(value)}")
    sign, digits, exponent = _shortest_digits(value)
    if value and (abs(value) < 1e-6 or abs(value) >= 1e21):
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent)}"
    return sign + _plain_notation(digits, exponent)


def _shortest_digits(value: float) -> tuple[str, str, int]:
    """Sign, shortest digits and the decimal exponent of the first of them."""
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
    """The text as strconv.Quote writes it."""
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
    """The type as `%T` names it."""
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
    """Whether `if` takes the value for true: anything but false, 0, "", nothing and what is empty."""
    return value is not MISSING and bool(value)


def as_decoded(value: object) -> object:
    """A value of the reader as encoding/json gives it to Go: every number a float64.

    Raises GoError on a number beyond float64, or nesting beyond MAX_DEPTH.
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
    known_value = copies_by_id.get(id(value))  # what YAML's aliases share stays shared, so that it cannot multiply
    if known_value is None:
        known_value = (
            {key: _decode_numbers(below, copies_by_id, depth + 1) for key, below in value.items()}
            if isinstance(value, dict)
            else [_decode_numbers(below, copies_by_id, depth + 1) for below in value]
        )
        copies_by_id[id(value)] = known_value
    return known_value
