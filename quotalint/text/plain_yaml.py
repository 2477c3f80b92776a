"""Reads the most common YAML without libyaml: block mappings and lists with one entry per line.

Nearly every file of a repository is of this kind. Reading it by lines takes half the time of libyaml's nodes, and does
not import PyYAML. All other YAML is declined, never guessed: tags, merges, tabs, rare escapes, repeated keys, and
unusual indentation. The result must equal that of `node_values` with libyaml: `tests/text/test_plain_yaml.py` compares
the two.
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
    """The value of a document that ends with a line break (None if it has only comments), and whether every parser
    reads it in the same way: no number as key, no word that only some parsers read as a boolean, no indented folded
    text, no alias. Raises `DeclinedError`."""
    if text[-1:] != b"\n" or (b"<<" in text and _MERGE.search(text)):
        raise DeclinedError
    try:
        return _value_of_text(_decode_text(text)[:-1])
    except UnreadableError:  # libyaml's reader reports it with its place
        raise DeclinedError from None


_MERGE = lazy_pattern(rb"<<[\"']? *:")  # a script in a block text contains `<<` too


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

# The indentation, `- `, a key, and the rest of the line.
_LINE = lazy_pattern(
    r"""(\ *)(-\ +|-$)?(?:([A-Za-z0-9_./$][\w./$@+-]{0,250}|"[^"\\\n]{0,250}"|'[^'\n]{0,250}'):(?:\ +|$))?(.*)""",
    re.VERBOSE | re.ASCII,
)
_ANCHOR = lazy_pattern(r"[&*][\w-]{1,100}", re.ASCII)
_MAX_DEPTH: Final = 100
_MAX_ALIASES: Final = 4

# The kinds of text after the indentation, `- ` and key of a line.
_SCALAR, _NOTHING, _SIGN, _NO_ENTRY, _DECLINED = range(5)
_DISPUTED = 8
"""Added if parsers may differ about the line (`words.py` and `keys.py` of Kustomize search for such words)."""

_Line = tuple[int, int, str | None, int, Any]
"""A parsed line, independent of its context: its column, the width of its `- ` (0: none), its key, the kind of the
rest, and the rest: a value for a scalar, else text."""


def _line(text: str) -> _Line:
    blanks, dash, key, rest = _groups(text)
    at, width = len(blanks), len(dash)
    if not (dash or key):
        return at, 0, None, _NO_ENTRY, rest
    # A line of a block text may look like an invalid entry.
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
"""Cached, because manifests repeat their lines."""


def _value_of_text(text: str) -> tuple[object, bool]:
    """The hot path of every run, so it is one long function with plain loops."""
    lines = text.split("\n")
    read_to = 0  # the number of the line after the last line that belongs to a text
    block_end = 0  # the number of the line after the last block text or multi-line quoted text
    root: Any = None
    top: Any = None  # the collection at `column`; `around` has those that contain it
    column = -1
    around: list[tuple[Any, int]] = []
    name: Any = None  # the last entry's name in `top`
    waiting = False  # whether that entry's value may be on the next lines
    anchors: dict[str, tuple[Any, Any]] = {}  # the collection and name of the entry of each anchor
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
        # A new collection belongs to the waiting entry: it is deeper, or a list in the column of its key.
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
    if root is None and lines[0].startswith("---"):  # a document that is null
        raise DeclinedError
    return root, is_common


def _continued_text(lines: Sequence[str], number: int, column: int) -> tuple[Scalar, int]:
    """The plain scalar that continues on a line, and the number of the next line. It began on the line before, in an
    entry of a collection at `column`."""
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
    """The value of an alias, which must be a complete collection. A few aliases that are not nested cannot expand
    beyond Kubernetes' limit (`node_values.alias_tangle`)."""
    inside = any(collection is holder[name] for holder, name in anchors.values() for collection in around)
    if number > _MAX_ALIASES or inside or rest[1:] not in anchors:
        raise DeclinedError
    holder, name = anchors[rest[1:]]
    value = holder[name]
    if value.__class__ not in (dict, list):
        raise DeclinedError
    return value
