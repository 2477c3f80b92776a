"""The scalars of plain YAML: on one line, as a block of text, or in a short flow collection.

A text must be read as libyaml reads it, or it is declined. See `plain_yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.scalars import Memo, Scalar, plain, plain_keys


class DeclinedError(Exception):
    """The text is not plain enough to be read here; libyaml reads it."""


def _scalar_value(rest: str) -> Scalar:
    first = rest[0]
    if first in PLAIN_STARTS or (first == "-" and rest[1:2] not in ("", " ")):
        return plain[plain_text(rest)]
    if first == '"' or first == "'":
        return _quoted_value(rest, first)
    raise DeclinedError


one_line: Memo[Scalar] = Memo(_scalar_value)
"""Values by the text of a line after `key: ` or `- `."""


PLAIN_STARTS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/.$(+~^=;<\\)")


def plain_text(rest: str) -> str:
    """A scalar without quotes and without its comment."""
    comment = rest.find(" #")
    if comment >= 0:
        rest = rest[:comment]
    rest = rest.rstrip(" ")
    if ": " in rest or rest[-1] == ":":
        raise DeclinedError
    return rest


def _quoted_value(rest: str, quote: str) -> str:
    if rest[-1] == quote and rest.count(quote) == 2 and "\\" not in rest:
        return rest[1:-1]
    return quoted_text((), 0, 0, rest)[0]


def opens_quote(rest: str) -> bool:
    """Whether a quoted text begins here that does not end on the same line."""
    return rest[0] in _QUOTES and rest[0] not in _without_escapes(rest[1:], rest[0])


def quoted_text(lines: Sequence[str], number: int, column: int, rest: str) -> tuple[str, int]:
    """The quoted text that begins with the `rest` of line `number`, and the number of the next line. It is a value in a
    collection at `column`."""
    quote, line, deeper = rest[0], rest[1:], " " * (column + 1)
    parts = []
    while True:
        text, end, behind = _without_escapes(line, quote).partition(quote)
        number += 1
        if quote == '"' and "\\" in text:
            if end or text.find("\\") < len(text) - 1:
                raise DeclinedError
            text = text[:-1] + _ESCAPED_BREAK
        if end:
            break
        if number >= len(lines):
            raise DeclinedError
        parts.append(text.rstrip(" "))
        line = lines[number].lstrip(" ")
        if line and not lines[number].startswith(deeper):
            raise DeclinedError
    if behind.strip(" ") and (behind[0] != " " or behind.lstrip(" ")[0] != "#"):
        raise DeclinedError
    return _fold_breaks([*parts, text]).translate(_MEANT), number


def _without_escapes(line: str, quote: str) -> str:
    """The line with control characters in place of escapes."""
    if quote == "'":
        return line.replace("''", "\1")
    if "\\" in line:
        for escape, sign in _ESCAPES:
            line = line.replace(escape, sign)
    return line


_QUOTES: Final = "\"'"
# Characters that no text here contains; the backslash is first, because it can be escaped too.
_ESCAPES: Final = (("\\\\", "\2"), ('\\"', "\3"), ("\\n", "\4"), ("\\t", "\5"), ("\\ ", "\6"))
_MEANT: Final = str.maketrans({"\1": "'", "\2": "\\", "\3": '"', "\4": "\n", "\5": "\t", "\6": " "})
_ESCAPED_BREAK: Final = "\7"


def block_text(lines: Sequence[str], number: int, column: int, header: str) -> tuple[str, int]:
    """The block text that begins on line `number`, and the number of the next line. It is a value in a collection at
    `column`."""
    header = header.rstrip(" ")
    if header not in _HEADERS:
        raise DeclinedError
    first = number
    while first < len(lines) and not lines[first].strip(" "):
        first += 1
    if first == len(lines):
        raise DeclinedError
    indent = len(lines[first]) - len(lines[first].lstrip(" "))
    if indent <= column or any(len(lines[index]) > indent for index in range(number, first)):
        raise DeclinedError
    pad, content = " " * indent, []
    while number < len(lines) and (lines[number].startswith(pad) or not lines[number].strip(" ")):
        content.append(lines[number][indent:])
        number += 1
    content_end = len(content)
    while not content[content_end - 1]:
        content_end -= 1
    body = _fold_lines(content[:content_end]) if header[0] == ">" else "\n".join(content[:content_end])
    ending = "" if header[1:] == "-" else "\n" * (len(content) - content_end) + "\n" if header[1:] == "+" else "\n"
    return body + ending, number


_HEADERS: Final = frozenset(("|", "|-", "|+", ">", ">-", ">+"))


def _fold_lines(lines: Sequence[str]) -> str:
    if any(line[:1] == " " for line in lines) or not lines[0]:
        raise DeclinedError
    return _fold_breaks(lines)


def _fold_breaks(lines: Sequence[str]) -> str:
    """Folds lines: an empty line is a line break; other line breaks become spaces, unless they are escaped."""
    return _BREAKS.sub(
        lambda breaks: breaks[1][1:] or ("" if breaks[0][0] == _ESCAPED_BREAK else " "), "\n".join(lines)
    )


_BREAKS = lazy_pattern(f"{_ESCAPED_BREAK}?(\n+)")


def brackets(rest: str) -> Any:
    """The flow collection after `key: ` or `- `. Collections of scalars are cached, because they repeat."""
    flat_value = _FLAT.get(rest)
    if flat_value is not None:
        return flat_value.copy()
    value, end = _collection_value(rest, 0, 0)
    if end < len(rest) and not (rest[end] == "#" and rest[end - 1] == " "):
        raise DeclinedError
    if len(rest) < 100 and len(_FLAT) < 20_000:
        inner = value.values() if value.__class__ is dict else value
        if not any(item.__class__ in (dict, list) for item in inner):
            _FLAT[rest] = value.copy()
    return value


_FLAT: dict[str, Any] = {}

# A part of a flow collection, the colon of a key, and the spaces after them.
_PART = lazy_pattern(
    r"""([\[\]{},]|"[^"\\]*"|'[^']*'|(?:[A-Za-z0-9_./$+]|-(?=[\w.]))[\w./$+()=~\ -]*)(:\ )?\ *""",
    re.VERBOSE | re.ASCII,
)
_SIGNS: Final = frozenset("[]{},")
_LONGEST_KEY: Final = 250
_DEEPEST: Final = 20


def _collection_value(rest: str, at: int, depth: int) -> tuple[Any, int]:
    """The flow collection that opens at an index, and the index after it and its spaces."""
    is_mapping = rest[at] == "{"
    close = "}" if is_mapping else "]"
    value: Any = {} if is_mapping else []
    sign, _, at = _part_at(rest, at)
    while sign != close:
        token, colon, end = _part_at(rest, at)
        if token == close and sign in "[{":
            return value, end
        name: Any = None
        if is_mapping:
            if not colon or len(token) > _LONGEST_KEY:
                raise DeclinedError
            name = token[1:-1] if token[0] in "\"'" else plain_keys[token.rstrip(" ")]
            if name in value:
                raise DeclinedError
            at = end
            token, colon, end = _part_at(rest, at)
        if colon or token in _CLOSING or depth > _DEEPEST:
            raise DeclinedError
        item: object
        if token in _SIGNS:
            item, end = _collection_value(rest, at, depth + 1)
        else:
            item = token[1:-1] if token[0] in "\"'" else plain[token.rstrip(" ")]
        if is_mapping:
            value[name] = item
        else:
            value.append(item)
        sign, _, at = _part_at(rest, end)
        if sign not in (",", close):
            raise DeclinedError
    return value, at


_CLOSING: Final = frozenset("]},")


def _part_at(rest: str, at: int) -> tuple[str, str | None, int]:
    match = _PART.match(rest, at)
    if match is None or (match[2] and match[1] in _SIGNS):
        raise DeclinedError
    return match[1], match[2], match.end()


def is_disputed_key(key: str) -> bool:
    """Whether some parsers may read the key as something other than text."""
    return key[:1] in _DOUBTFUL and (key[0] in _NUMERIC or key.lower() in _DISPUTED_KEYS)


def is_disputed_value(rest: str) -> bool:
    """Whether parsers may differ about the text after `key: ` or `- `: a date, a word that is a boolean only for some,
    or a key in brackets that looks like a number. An alias counts too, because it may expand."""
    if rest[:1] not in _DOUBTFUL:
        return False
    if rest[0] not in "{[":
        return (
            rest[0] == "*"
            or (rest[4:5] == "-" and rest[:4].isdecimal())
            or rest.partition(" ")[0].lower() in _DISPUTED_WORDS
        )
    return bool(re.search(_DISPUTED_WITHIN, rest) or ("{" in rest and re.search(_DISPUTED_KEY_WITHIN, rest)))


_NUMERIC: Final = frozenset("-+.0123456789")
_DOUBTFUL: Final = _NUMERIC | frozenset("yYnNoOtTfF*{[")
_DISPUTED_WORDS: Final = frozenset(("y", "yes", "n", "no", "on", "off"))
_DISPUTED_KEYS: Final = _DISPUTED_WORDS | {"true", "false"}
# Not compiled before a flow collection occurs: compiling takes as long as reading a file.
_DISPUTED_WITHIN: Final = r"(?i)\b(?:y|yes|n|no|on|off)\b|[0-9]{4}-[0-9]"
_DISPUTED_KEY_WITHIN: Final = r"(?i)[{,] *(?:[-+.0-9]|true\b|false\b)"
