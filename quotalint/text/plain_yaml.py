"""The YAML that people write most: block mappings and lists, one entry a line, read without libyaml.

Nearly every file of a repository is of this kind. Line by line it is read in half the time that libyaml takes for its
nodes, and without importing PyYAML. Whatever is not plainly of this kind is declined, never guessed: tags, merges,
escapes, tabs, keys that are given again, and any indentation that is not obvious. What is read here must be what
`node_values` reads with libyaml: `tests/text/test_plain_yaml.py` compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quotalint.text.plain_scalars import DeclinedError, block_text, brackets, continued_text, one_line
from quotalint.text.scalars import UnreadableError, plain_keys


def plain_value(text: bytes) -> object:
    """The value of a document that ends with a line break; raises `DeclinedError`."""
    if b"<<" in text or text[-1:] != b"\n":
        raise DeclinedError
    try:
        return _value(_decoded(text)[:-1])
    except UnreadableError:  # to be said with its place
        raise DeclinedError from None


def _decoded(text: bytes) -> str:
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
_LINE = re.compile(
    r"""^(\ *)(-\ +|-$)?(?:([A-Za-z0-9_./$][\w./$@+-]{0,250}|"[^"\\\n]{0,250}"|'[^'\n]{0,250}'):(?:\ +|$))?(.*)$""",
    re.MULTILINE | re.VERBOSE | re.ASCII,
)
_ANCHOR = re.compile(r"[&*][\w-]{1,100}", re.ASCII)
_MAX_DEPTH: Final = 100
_MAX_ALIASES: Final = 4


def _value(text: str) -> object:
    """The hot path of every run, hence one long function and bare loops."""
    lines: list[tuple[str, str, str, str]] = _LINE.findall(text)
    raw: list[str] = []
    number, count = 0, len(lines)
    block_end = 0  # the number of the line behind the last block of text
    root: Any = None
    top: Any = None  # the collection whose entries stand in `column`, and those around it
    column = -1
    around: list[tuple[Any, int]] = []
    name: Any = None  # of the last entry of `top`
    waiting = False  # for the value of this entry, which may stand on the next lines
    anchors: dict[str, tuple[Any, Any]] = {}  # the collections and entries of what has one
    aliases = 0
    while number < count:
        blanks, dash, key, rest = lines[number]
        number += 1
        at = len(blanks)
        if not (key or dash):
            if rest and rest[0] != "#" and not (number == 1 and rest == "---" and not blanks):
                if waiting or at <= column or number - 1 == block_end or top is None:
                    raise DeclinedError
                value, number = continued_text(lines, number - 1, column)
                top[name] = value
            continue
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
        waiting = False
        if dash:
            name = len(top)
            top.append(None)
            if key:
                around.append((top, column))
                top[name] = opened = {}
                top, column = opened, at + len(dash)
        if key:
            name = key[1:-1] if key[0] in "\"'" else plain_keys[key]
            if name in top:
                raise DeclinedError
            top[name] = None
        if not rest or rest[0] == "#":
            waiting = True
        elif rest[0] in "{[":
            top[name] = brackets(rest)
        elif rest[0] in "|>":
            raw = raw or text.split("\n")
            top[name], number = block_text(raw, number, column, rest)
            block_end = number
        elif rest[0] == "&":
            if rest[1:] in anchors or not _ANCHOR.fullmatch(rest):
                raise DeclinedError
            anchors[rest[1:]] = top, name
            waiting = True
        elif rest[0] == "*":
            aliases += 1
            open_now = [top, *(collection for collection, _ in around)]
            top[name] = _aliased(rest, anchors, open_now, aliases)
        else:
            top[name] = one_line[rest]
    if root is None:
        raise DeclinedError
    return root


def _aliased(rest: str, anchors: Mapping[str, tuple[Any, Any]], around: Sequence[Any], number: int) -> object:
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
