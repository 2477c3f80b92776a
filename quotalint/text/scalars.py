"""The value of a YAML scalar in Go: the resolver of go.yaml.in/yaml/v2, then JSON, as sigs.k8s.io/yaml combines
them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Generic, TypeVar

from quotalint.text.lazy_patterns import lazy_pattern

Scalar = str | int | float | bool | None


class UnreadableError(Exception):
    """Kubernetes refuses this scalar as a value; the message explains why."""


class UnreadableKeyError(UnreadableError):
    """Kubernetes refuses this scalar as the key of a mapping."""


def tagged_value(tag: str, text: str) -> Scalar:
    """The value of a scalar with a tag (resolve.go, `resolve`; decode.go, `scalar`).

    Tags outside YAML's core are ignored, and the value is then always a string.
    """
    return _json_scalar(_tagged_scalar(tag, text))


def tagged_key(tag: str, text: str) -> str:
    """The JSON key of a tagged scalar."""
    return _key_text(_tagged_scalar(tag, text), text)


def number_value(text: str) -> int | float | None:
    """The value of a plain number; None if Go does not read it as a number."""
    value = _parse_number(text)
    return None if value is None else _shortest_number(value)


_Kept = TypeVar("_Kept")


class Memo(dict[str, _Kept], Generic[_Kept]):
    """A bounded cache: manifests repeat their scalars, and a lookup costs a tenth of resolving."""

    def __init__(self, resolve: Callable[[str], _Kept]) -> None:
        super().__init__()
        self.resolve = resolve

    def __missing__(self, text: str) -> _Kept:
        value = self.resolve(text)
        if len(text) < 100:
            if len(self) >= 50_000:
                self.clear()  # repeated texts are cached again; a full cache would resolve every later line anew
            self[text] = value
        return value


plain: Memo[Scalar] = Memo(lambda text: _json_scalar(_resolve_plain(text)))
"""Values by the text of an untagged, unquoted scalar; raises `UnreadableError`."""

plain_keys: Memo[str] = Memo(lambda text: _key_text(_resolve_plain(text), text))
"""Mapping keys by the text of an untagged, unquoted scalar; raises `UnreadableKeyError`."""

_CONSTANTS: dict[str, Scalar] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}

_CORE = "tag:yaml.org,2002:"
_INTEGER = lazy_pattern(
    r"""(?P<sign>[-+]?)(?:
        0[xX](?P<hex>[0-9a-fA-F]+)
      | 0[bB](?P<binary>[01]+)
      | 0[oO]?(?P<octal>[0-7]+)     # a leading zero alone makes it octal, as in YAML 1.1 and in Go
      | (?P<decimal>0|[1-9][0-9]*)
    )""",
    re.VERBOSE,
)
_BASES = {"hex": 16, "binary": 2, "octal": 8, "decimal": 10}
_FLOAT = lazy_pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_TIME = r"[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?"
_TIMESTAMP = lazy_pattern(
    rf"[0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,2}}(?:[Tt]{_TIME}(?:Z|[-+][0-9]{{2}}:[0-9]{{2}})| {_TIME})?"
)


def _resolve_plain(text: str) -> Scalar:
    """The value of an untagged, unquoted scalar. Dates stay strings: Go puts the text into an untyped value."""
    if text[:1] in "0123456789+-.":  # also true for "", which is a constant
        value = _parse_number(text)
        if value is not None:
            return value
    return _CONSTANTS.get(text, text)


def _parse_number(text: str) -> int | float | None:
    """strconv.ParseInt and ParseUint with base 0, then strconv.ParseFloat; None outside their ranges."""
    digits = text if text.startswith(".") else text.replace("_", "")
    match = _INTEGER.fullmatch(digits)
    if match and match.lastgroup and len(match[match.lastgroup].lstrip("0")) <= 64:
        value = int(match["sign"] + match[match.lastgroup], _BASES[match.lastgroup])
        if -(2**63) <= value < (2**63 if match["sign"] else 2**64):
            return value
    if _FLOAT.fullmatch(digits):
        inexact = float(digits)
        return inexact if abs(inexact) != float("inf") else None
    return None


def _tagged_scalar(tag: str, text: str) -> Scalar:
    name = tag.removeprefix(_CORE) if tag.startswith(_CORE) else ""
    if name == "binary":
        return _binary_value(text)
    if name not in ("bool", "int", "float", "null", "timestamp"):
        return text
    value = _resolve_plain(text)
    if name == "float" and type(value) is int and value < 2**63:
        return float(value)
    fits = {
        "bool": type(value) is bool,
        "int": type(value) is int,
        "float": type(value) is float,
        "null": value is None,
        "timestamp": value == text and _TIMESTAMP.fullmatch(text) is not None,
    }
    if not fits[name]:
        raise UnreadableError(f"cannot read `{_shortened_text(text)}` as !!{name}")
    return value


def _binary_value(text: str) -> str:
    import binascii

    packed = text.replace("\n", "").replace("\r", "")
    if len(packed) % 4 or not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", packed):
        raise UnreadableError("!!binary value is not base64")
    return binascii.a2b_base64(packed).decode("utf-8", "replace")  # encoding/json writes U+FFFD for invalid UTF-8


def _json_scalar(value: Scalar) -> Scalar:
    """The value after json.Marshal, which has no infinity and writes 1.0 as 1."""
    if type(value) is not float:
        return value
    if value - value != 0:
        raise UnreadableError("infinity and not-a-number have no form in JSON, so Kubernetes refuses them")
    return _shortest_number(value)


def _shortest_number(value: float) -> int | float:
    """The number as encoding/json writes it: a float with the fewest digits, without an exponent below 1e21."""
    if type(value) is int or not value.is_integer() or abs(value) >= 1e21:
        return value
    if abs(value) < 1e16:
        return int(value)
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    return int((whole + fraction).ljust(len(whole) + int(exponent), "0"))


def _key_text(value: Scalar, text: str) -> str:
    """The key for a value, or an error (sigs.k8s.io/yaml, `convertToJSONableObject`)."""
    if isinstance(value, str):
        return value
    if value is None:
        raise UnreadableKeyError("a key cannot be null")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float_key(value)
    if value >= 2**63:
        raise UnreadableKeyError(f"the number {_shortened_text(text)} is too large for a key; quote it")
    return str(value)


def _float_key(value: float) -> str:
    """strconv.FormatFloat(value, 'g', -1, 32): the fewest digits that distinguish it from other 32-bit floats."""
    import struct

    def narrow(wide: float) -> float:
        try:
            (single,) = struct.unpack("f", struct.pack("f", wide))
        except OverflowError:
            return float("inf") if wide > 0 else float("-inf")
        return float(single)

    single = narrow(value)
    if single - single != 0:
        return ".nan" if value != value else ".inf" if single > 0 else "-.inf"
    digits = next(count for count in range(9) if count == 8 or narrow(float(f"{single:.{count}e}")) == single)
    exponent = int(f"{single:.{digits}e}".partition("e")[2])
    return f"{single:.{max(digits - exponent, 0)}f}" if -4 <= exponent < 6 else f"{single:.{digits}e}"


def _shortened_text(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
