"""The YAML that people write most: block mappings and lists, one entry a line, read without libyaml.

Nearly every file of a repository is of this kind. Line by line it is read in half the time that libyaml takes for its
nodes, and without importing PyYAML. Whatever is not plainly of this kind is declined, never guessed: tags, merges,
tabs, rare escapes, keys that are given again, and any indentation that is not obvious. What is read here must be what
`node_values` reads with libyaml: `tests/text/test_plain_yaml.py` compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.plain_scalars import (
    PLAIN_STARTS,
    DeclinedError,
    block_text,
    brackets,
    is_disputed_key,
    is_disputed_value,
    one_line,
    opens_quote,
    plain_text,
    quoted_text,
)
from quotalint.text.scalars import Memo, Scalar, UnreadableError, plain, plain_keys


def plain_value(text: bytes) -> tuple[object, bool]:
    """The value of a document that ends with a line break (None where there are only comments), and whether everybody
    reads it alike: no key is a number, no word is a boolean to some parsers alone, no line of folded text is indented,
    and nothing is an alias. Raises `DeclinedError`."""
    if text[-1:] != b"\n" or (b"<<" in text and _MERGE.search(text)):
        raise DeclinedError
    try:
        return _value_of_text(_decode_text(text)[:-1])
    except UnreadableError:  # to be said with its place
        raise DeclinedError from None


_MERGE = lazy_pattern(rb"<<[\"']? *:")  # a script in a block of text has `<<` as well


def _decode_text(text: bytes) -> str:
    if text.isascii():
        if text.translate(None, _PRINTABLE):
            raise DeclinedError
        return text.decode("ascii")
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        raise DeclinedError from None
    if not decoded.replace("\n", "").isprintable():
        raise DeclinedError
    return decoded


_PRINTABLE: Final = bytes((10, *range(32, 127)))

# Indentation, `- `, a key, and the rest of the line.
_LINE = lazy_pattern(
    r"""(\ *)(-\ +|-$)?(?:([A-Za-z0-9_./$][\w./$@+-]{0,250}|"[^"\\\n]{0,250}"|'[^'\n]{0,250}'):(?:\ +|$))?(.*)""",
    re.VERBOSE | re.ASCII,
)
_ANCHOR = lazy_pattern(r"[&*][\w-]{1,100}", re.ASCII)
_MAX_DEPTH: Final = 100
_MAX_ALIASES: Final = 4

# What stands on a line behind its indentation, `- ` and key.
_SCALAR, _NOTHING, _SIGN, _NO_ENTRY, _DECLINED = range(5)
_DISPUTED = 8
"""Added where not everybody may read the line alike (`words.py` and `keys.py` of Kustomize look for such words)."""

_Line = tuple[int, int, str | None, int, Any]
"""What a line says, whatever stands around it: the column in which it begins, how wide the `- ` of an entry of a list
is (0: it is none), the key, the kind of what follows, and that: a value where it is a scalar, else text."""


def _line(text: str) -> _Line:
    blanks, dash, key, rest = _groups(text)
    at, width = len(blanks), len(dash)
    if not (dash or key):
        return at, 0, None, _NO_ENTRY, rest
    # A line of a block of text may look like an entry that nobody could read.
    disputed = _DISPUTED if is_disputed_key(key) or is_disputed_value(rest) else 0
    try:
        name = (key[1:-1] if key[0] in "\"'" else plain_keys[key]) if key else None
        if not rest or rest[0] == "#":
            return at, width, name, _NOTHING + disputed, ""
        if rest[0] in "{[|>&*" or opens_quote(rest):
            return at, width, name, _SIGN + disputed, rest
        return at, width, name, _SCALAR + disputed, one_line[rest]
    except (DeclinedError, UnreadableError):
        return at, width, None, _DECLINED, rest


def _groups(text: str) -> tuple[str, ...]:
    match = _LINE.match(text)
    if match is None:
        raise DeclinedError
    return match.groups("")


_lines: Memo[_Line] = Memo(_line)
"""Manifests repeat their lines."""


def _value_of_text(text: str) -> tuple[object, bool]:
    """The hot path of every run, hence one long function and bare loops."""
    lines = text.split("\n")
    read_to = 0  # the number of the line behind the last one that was read as part of a text
    block_end = 0  # the number of the line behind the last block of text, or the last text in quotes of several lines
    root: Any = None
    top: Any = None  # the collection whose entries stand in `column`, and those around it
    column = -1
    around: list[tuple[Any, int]] = []
    name: Any = None  # of the last entry of `top`
    waiting = False  # for the value of this entry, which may stand on the next lines
    anchors: dict[str, tuple[Any, Any]] = {}  # the collections and entries of what has one
    aliases = 0
    is_common = True
    for number, line in enumerate(lines):
        if number < read_to:
            continue
        at, dash, key, kind, rest = _lines[line]
        if kind == _NO_ENTRY:
            if rest and rest[0] != "#" and not (number == 0 and rest == "---" and not at):
                if waiting or at <= column or number == block_end or top is None:
                    raise DeclinedError
                top[name], read_to = _continued_text(lines, number, column)
            continue
        if kind >= _DECLINED:
            if kind == _DECLINED:
                raise DeclinedError
            kind, is_common = kind - _DISPUTED, False
        if at <= column:
            while at < column:
                top, column = around.pop()
                waiting = False
            if at != column:
                raise DeclinedError
            if not dash and top.__class__ is list:
                top, column = around.pop()
                if at != column:
                    raise DeclinedError
        # What opens here was waited for: deeper, or a list in the column of its key.
        if at > column or (dash and top.__class__ is dict):
            opened: Any = [] if dash else {}
            if top is None:
                root = opened
            elif waiting and len(around) < _MAX_DEPTH:
                top[name] = opened
            else:
                raise DeclinedError
            around.append((top, column))
            top, column = opened, at
        if dash:
            name = len(top)
            top.append(None)
            if key is not None:
                around.append((top, column))
                top[name] = opened = {}
                top, column = opened, at + dash
        if key is not None:
            name = key
            if name in top:
                raise DeclinedError
        waiting = kind == _NOTHING
        if kind == _SCALAR:
            top[name] = rest
        elif waiting:
            top[name] = None
        elif rest[0] in "{[":
            top[name] = brackets(rest)
        elif rest[0] in "|>":
            top[name], read_to = block_text(lines, number + 1, column, rest)
            block_end = read_to
        elif rest[0] in "\"'":
            top[name], read_to = quoted_text(lines, number, column, rest)
            block_end = read_to
        elif rest[0] == "&":
            if rest[1:] in anchors or not _ANCHOR.fullmatch(rest):
                raise DeclinedError
            anchors[rest[1:]] = top, name
            top[name] = None
            waiting = True
        else:
            aliases += 1
            open_now = [top, *(collection for collection, _ in around)]
            top[name] = _aliased_value(rest, anchors, open_now, aliases)
    if root is None and lines[0].startswith("---"):  # a document that is there and says null
        raise DeclinedError
    return root, is_common


def _continued_text(lines: Sequence[str], number: int, column: int) -> tuple[Scalar, int]:
    """The plain scalar that goes on in a line, and the number of the line behind it. It began in the line before, which
    has an entry of a collection in `column`."""
    _, dash, key, text = _groups(lines[number - 1])
    if not (dash or key) or not text or text[0] not in PLAIN_STARTS:
        raise DeclinedError
    parts = [text.rstrip(" ")]
    deeper = " " * (column + 1)
    while number < len(lines) and lines[number].startswith(deeper) and (text := lines[number].strip(" ")):
        parts.append(text)
        number += 1
    whole = " ".join(parts)
    if " #" in whole:
        raise DeclinedError
    return plain[plain_text(whole)], number


def _aliased_value(rest: str, anchors: Mapping[str, tuple[Any, Any]], around: Sequence[Any], number: int) -> object:
    """What an alias stands for: a collection that is complete. A few aliases, none of them in what others stand for,
    cannot multiply beyond what Kubernetes accepts (`knots`)."""
    inside = any(collection is holder[name] for holder, name in anchors.values() for collection in around)
    if number > _MAX_ALIASES or inside or rest[1:] not in anchors:
        raise DeclinedError
    holder, name = anchors[rest[1:]]
    value = holder[name]
    if value.__class__ not in (dict, list):
        raise DeclinedError
    return value
