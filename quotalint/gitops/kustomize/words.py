"""Plain words that the parser of Kustomize takes for something else than that of kubectl.

go.yaml.in/yaml/v3 (resolve.go) reads `yes`, `on`, `n` and their like as text unless a boolean is asked for, and dates
as points in time, which it prints in full; v2, which kubectl uses, takes the former for booleans, the latter for text.
"""

from __future__ import annotations

import re

from quotalint.gitops.kustomize.keys import PlainScalar, plain_scalars

_BOOLEANS = "y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF"
# Where a scalar may begin: behind a sign, an anchor or a tag. Inside of text, words stand behind other words.
_BEFORE = rb"(?:(?:\A|[\r\n\[{,:?-])[ \t]*|[&!][^\s&!]*[ \t]+)"
_BEFORE_IN_BLOCK = rb"(?:(?:\A|[\r\n:?-])[ \t]*|[&!][^\s&!]*[ \t]+)"
_WORD_ALONE = rb"(?:" + _BOOLEANS.encode() + rb")[ \t]*(?:[:,\]}#\r\n]|\Z)"
_DATE = rb"[0-9]{4}-[0-9]{1,2}-[0-9]"
_WORD, _WORD_IN_BLOCK = re.compile(_BEFORE + _WORD_ALONE), re.compile(_BEFORE_IN_BLOCK + _WORD_ALONE)
_DAY, _DAY_IN_BLOCK = re.compile(_BEFORE + _DATE), re.compile(_BEFORE_IN_BLOCK + _DATE)
_BRACKET = re.compile(rb"[\[{](?![\]}])")
_TAG = 100  # bytes of a word that are looked at; a longer one may be a tag
# What a text is made of: letters that such a word begins with, digits, and what may stand before either. Neighbours of
# two kinds are found many times as fast as any expression is.
_KINDS_OF_BYTES = bytes(
    ord("w" if byte in b"yYnNoO" else "0" if byte in b"0123456789" else " " if byte in b" \t\r\n\v\f[{,:?-" else "x")
    for byte in range(256)
)
_WORD_HERE, _DAY_HERE = re.compile(_WORD_ALONE), re.compile(_DATE)
_BOOLEAN = re.compile(_BOOLEANS)
_TIME = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:[Tt]| +)(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9})\d*)?(?:(Z)|([-+]\d\d:\d\d))?)?",
    re.ASCII,
)


def may_hold_misread_word(data: bytes) -> bool:
    """Whether there may be such a word; no is certain."""
    kinds = b" " + data.translate(_KINDS_OF_BYTES)
    return _is_held(data, kinds, b" w", _WORD_HERE, (_WORD, _WORD_IN_BLOCK)) or _is_held(
        data, kinds, b" 0000 0", _DAY_HERE, (_DAY, _DAY_IN_BLOCK)
    )


def _is_held(
    data: bytes,
    kinds: bytes,
    begin: bytes,
    here: re.Pattern[bytes],
    in_line: tuple[re.Pattern[bytes], re.Pattern[bytes]],
) -> bool:
    """Whether something is where these kinds of bytes begin it, and stands behind what may be before it in its line:
    anywhere, and where no bracket is open."""
    anywhere, in_block = in_line
    unopened = 0  # no list or mapping in brackets begins before this
    at = kinds.find(begin)
    while at >= 0:
        if here.match(data, at):  # `kinds` has one byte more, before all others
            start, end = max(data.rfind(b"\n", 0, at), 0), data.find(b"\n", at) + 1 or len(data)
            line = data[start:end]
            # "If unset or false, no" stands in the definition of every kind that has pods.
            if anywhere.search(line):
                if in_block.search(line) or _opens_bracket(data, unopened, end):
                    return True
                unopened = end
            at = end - 1  # the next one is in another line
        at = kinds.find(begin, at + 1)
    return False


def _opens_bracket(data: bytes, start: int, end: int) -> bool:
    """Whether a list or a mapping in brackets may begin there, as it does where a value begins: elsewhere brackets are
    a part of text. No is certain."""
    return any(_may_begin_value(data, match.start()) for match in _BRACKET.finditer(data, start, end))


def _may_begin_value(data: bytes, at: int) -> bool:
    before = at
    while before and data[before - 1] in b" \t":
        before -= 1
    if not before or data[before - 1] in b"\r\n:?-" or data[before - 1] > 127:  # other bytes may end a line as well
        return True
    word = data[max(before - _TAG, 0) : before].split()[-1]
    return before < at and (b"&" in word or b"!" in word or len(word) == _TAG)


def quote_words(data: bytes) -> bytes:
    """The same text with such words in quotes, as Kustomize reads them; what cannot be parsed stays as it is."""
    scalars = plain_scalars(data)
    if not scalars:
        return data
    text = data.decode("utf-8-sig")
    for scalar in reversed(scalars):
        begin = scalar.end - len(scalar.text)
        if text[begin : scalar.end] == scalar.text and (word := _misread_word(scalar)) is not None:
            text = f'{text[:begin]}"{word}"{text[scalar.end :]}'
    return text.encode()


def _misread_word(plain_scalar: PlainScalar) -> str | None:
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
