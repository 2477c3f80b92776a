"""Numbers and strings as Go writes them."""

from __future__ import annotations

import re

from quotalint.gitops.go.values import GoError


def string_of(written: str) -> str:
    """strconv.Unquote."""
    if written[0] == "`":
        return written[1:-1].replace("\r", "")
    return _ESCAPE.sub(_unescaped, written[1:-1])


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|(.))", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"', "'": "'"}


def _unescaped(match: re.Match[str]) -> str:
    byte, short, long, octal, named = match.groups()
    code = int(octal, 8) if octal else int(byte or short or long or "-1", 16)
    if named:
        if named not in _NAMED:
            raise GoError(f"there is no escape {match[0]}")
        return _NAMED[named]
    if code > 0x10FFFF or 0xD800 <= code < 0xE000 or ((byte or octal) and code > 0x7F):
        raise GoError(f"the escape {match[0]} is not supported here")
    return chr(code)


def number_of(written: str) -> int | float:
    if re.fullmatch(r"[+-]?0[0-9_]*[89][0-9_]*", written):
        raise GoError(f"{written} is not a number")
    try:
        value = int(written, 0) if not _OLD_OCTAL.match(written) else int(written, 8)
    except ValueError:
        return _float(written)
    if not -(2**63) <= value < 2**63:
        raise GoError(f"the number {written} is too large")
    return value


_OLD_OCTAL = re.compile(r"[+-]?0[0-7_]+$")


def _float(written: str) -> float:
    if re.fullmatch(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", written) is None:
        raise GoError(f"{written} is not a number supported here")
    value = float(written.replace("_", ""))
    if value in (float("inf"), float("-inf")):
        raise GoError("a number is too large")
    return value
