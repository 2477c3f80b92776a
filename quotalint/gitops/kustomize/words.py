"""Plain words that the parser of Kustomize takes for something else than that of kubectl.

go.yaml.in/yaml/v3 (resolve.go) reads `yes`, `on`, `n` and their like as text unless a boolean is asked for, and dates
as points in time, which it prints in full; v2, which kubectl uses, takes the former for booleans, the latter for text.
"""

from __future__ import annotations

import re

from quotalint.gitops.kustomize.scalars import PlainScalar, plain_scalars

_BOOLEANS = "y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF"
_BEFORE = rb"(?:\A|[ \t\n\[{,:?-])"
_WORD = re.compile(_BEFORE + rb"(?:" + _BOOLEANS.encode() + rb")[ \t]*(?:[:,\]}#\r\n]|\Z)")
_DAY = re.compile(_BEFORE + rb"[0-9]{4}-[0-9]{1,2}-[0-9]")
_WORDS = frozenset(word.encode() for word in _BOOLEANS.split("|"))
_SPACED = bytes(32 if byte in b":,[]{}#?&-\t\r\n" else byte for byte in range(256))
_BOOLEAN = re.compile(_BOOLEANS)
_TIME = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:[Tt]| +)(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9})\d*)?(?:(Z)|([-+]\d\d:\d\d))?)?",
    re.ASCII,
)


def found(data: bytes) -> bool:
    """Whether there may be such a word; no is certain."""
    # Most files hold no such word at all, which takes a fifth of the time to see.
    has_words = not _WORDS.isdisjoint(data.translate(_SPACED).split())
    return (has_words and _WORD.search(data) is not None) or _DAY.search(data) is not None


def quoted(data: bytes) -> bytes:
    """The same text with such words in quotes, as Kustomize reads them; what cannot be parsed stays as it is."""
    scalars = plain_scalars(data)
    if not scalars:
        return data
    text = data.decode("utf-8-sig")
    for scalar in reversed(scalars):
        begin = scalar.end - len(scalar.text)
        if text[begin : scalar.end] == scalar.text and (word := _read(scalar)) is not None:
            text = f'{text[:begin]}"{word}"{text[scalar.end :]}'
    return text.encode()


def _read(plain_scalar: PlainScalar) -> str | None:
    """What Kustomize makes of a word; None where both parsers agree."""
    if _BOOLEAN.fullmatch(plain_scalar.text):
        return plain_scalar.text
    match = None if plain_scalar.is_key else _TIME.fullmatch(plain_scalar.text)
    return _in_full(match) if match is not None else None


def _in_full(match: re.Match[str]) -> str | None:
    """A point in time as encoding/json writes it (RFC 3339)."""
    from datetime import datetime

    year, month, day, hour, minute, second, fraction, utc, zone = match.groups()
    if hour is not None and (" " in match[0]) == bool(utc or zone):
        return None  # with `T` a zone is needed, with a space there must be none
    try:
        time = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    except ValueError:
        return None
    digits = (fraction or "").rstrip("0")
    return time.isoformat() + (f".{digits}" if digits else "") + ("Z" if zone in (None, "+00:00", "-00:00") else zone)
