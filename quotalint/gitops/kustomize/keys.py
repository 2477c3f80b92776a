"""Keys that kubectl takes and that the parser of Kustomize (go.yaml.in/yaml/v3) does not."""

from __future__ import annotations

import re

from quotalint.named_tuples import NamedTuple


# The scalars of a YAML text that are written plainly, without quotes or a tag: those that a parser interprets.
class PlainScalar(NamedTuple):
    """One of them."""

    text: str
    end: int
    """Where in the text it ends, in characters."""
    is_key: bool


def plain_scalars(data: bytes) -> list[PlainScalar]:
    """Those of all documents; none where the text cannot be parsed as a whole."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    scalars = []
    awaits_key: list[bool | None] = [None]  # of each mapping that is open; None of what is none
    try:
        for event in yaml.parse(data.decode("utf-8-sig"), loader):
            if isinstance(event, yaml.CollectionEndEvent):
                awaits_key.pop()
            if not isinstance(event, yaml.NodeEvent):
                continue
            is_key = awaits_key[-1]
            if is_key is not None:
                awaits_key[-1] = not is_key
            if isinstance(event, yaml.MappingStartEvent):
                awaits_key.append(True)
            elif isinstance(event, yaml.SequenceStartEvent):
                awaits_key.append(None)
            elif isinstance(event, yaml.ScalarEvent) and not event.style and event.tag is None and event.end_mark:
                scalars.append(PlainScalar(event.value, event.end_mark.index, is_key is True))
    except (UnicodeDecodeError, yaml.YAMLError):
        return []
    return scalars


# Each digit can be read in one way alone: a long number that is none after all takes no time.
_NUMBER = r"[-+]?(?:\.?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.nan|\.NaN|\.NAN"
_BASED = r"[-+]?0(?:[xX][0-9a-fA-F_]+|[bB][01_]+|o[0-7_]+)"
_DAY = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_KEY = f"(?:{_NUMBER}|{_BASED}|{_DAY}|true|True|TRUE|false|False|FALSE)"
_SEEN = re.compile(rf"(?m)(?:^[ \t]*|[-?{{,][ \t]*){_KEY}[ \t]*(?::(?:[ \t\r]|$)|\n[ \t]*:)".encode())
_ODD = re.compile(_KEY)
# The last word of such a key, wherever it stands. What begins with characters and looks back is found several times as
# fast, and what begins with the same ones is found faster still; there is none in most files.
_END = rb"[ \t]*(?:\n[ \t]*)?:(?:[ \t\r\n]|\Z)"
_NUMBER_BEFORE_COLON = re.compile(rb"[+0-9.](?<![^\s{,?-].)[0-9a-zA-Z_.+]*" + _END)
_BOOLEANS_BEFORE_COLON = tuple(
    (rest, re.compile(rest + _END), before)
    for rest, before in ((b"rue", b"tT"), (b"RUE", b"T"), (b"alse", b"fF"), (b"ALSE", b"F"))
)
_OPENING = frozenset(b"\n{,?-")


def find_misread_key(data: bytes) -> str:
    """The first key that Kustomize takes for a number, a boolean or a date, which it cannot print; else empty."""
    if not _may_be_odd(data) or _SEEN.search(data) is None:
        return ""
    return next(
        (
            plain_scalar.text
            for plain_scalar in plain_scalars(data)
            if plain_scalar.is_key and _ODD.fullmatch(plain_scalar.text)
        ),
        "",
    )


def _may_be_odd(data: bytes) -> bool:
    """Whether any word before a colon looks like such a key and stands where a key may; no is certain."""
    if any(_is_behind_opening(data, match.start()) for match in _NUMBER_BEFORE_COLON.finditer(data)):
        return True
    return any(
        data[match.start() - 1 : match.start()] in first and _is_behind_opening(data, match.start() - 1)
        for other_letters, expression, first in _BOOLEANS_BEFORE_COLON
        if other_letters in data
        for match in expression.finditer(data)
        if match.start()
    )


def _is_behind_opening(data: bytes, before: int) -> bool:
    while before and data[before - 1] in b" \t":
        before -= 1
    return not before or data[before - 1] in _OPENING
