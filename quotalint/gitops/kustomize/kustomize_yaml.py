"""Reads files as Kustomize does where that differs from kubectl.

kubectl reads a file line by line and ends each line with a line break, so a block scalar at the end keeps it
(apimachinery pkg/util/yaml/decoder.go, `YAMLReader`). Kustomize passes the bytes to the parser unchanged.

For objects Kustomize uses go.yaml.in/yaml/v3 (resolve.go), kubectl uses v2. In v3 a mapping's own keys always override
merged ones. The words `yes`, `on`, `n` and the like are strings in v3 unless a boolean is expected; in v2 they are
booleans. Dates are timestamps in v3, which prints them in full; in v2 they are strings. Kustomize also refuses some
keys that kubectl accepts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Reading, parts, read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.loader import Loaded, load
from quotalint.text.tree import Tree

_SIGN = lazy_pattern(rb">[-+0-9]*[ \t]*(?:#.*)?$", re.MULTILINE)  # a fast first check for _FOLDS
_FOLDS = lazy_pattern(rb"[:-][ \t]+>[-+0-9]*[ \t]*(?:#.*)?$", re.MULTILINE)


def read_objects(tree: Tree, name: str) -> Reading | None:
    """The documents of a manifest file as Kustomize reads them."""
    if is_common(tree, name):
        return read_operations(tree, name)
    data = tree.data(name)
    if data is None:
        return read_operations(tree, name)
    quoted = quote_words(data) if may_hold_misread_word(data) else data
    # Most of these words are inside strings, where they are harmless.
    if b"<<" not in data and (quoted is data or (quoted == data and not name.lower().endswith(".json"))):
        return read_operations(tree, name)
    return _adjust_last_line(quoted, read(quoted, merges_first=True))


def read_operations(tree: Tree, name: str) -> Reading | None:
    """The documents of a JSON patch file. Kustomize reads it as kubectl does, except for the last line break and the
    file's extension."""
    reading = tree.reading(name)
    if reading is not None and reading.is_common and not _ends_in_text(reading.documents[-1].value):
        return reading
    data = tree.data(name)
    if reading is not None and data is not None and reading.failures and name.lower().endswith(".json"):
        return raw_operations(data)
    return reading if reading is None or data is None else _adjust_last_line(data, reading)


def read_inline(data: bytes) -> Reading:
    """The documents of an inline object or patch, as Kustomize reads them."""
    data = quote_words(data) if may_hold_misread_word(data) else data
    return _adjust_last_line(data, read(data, merges_first=True))


def read_first_keys(data: bytes) -> Reading:
    """The documents of a patch with repeated keys, each key with its first value (`repeated_keys.py` says when this
    applies)."""
    data = quote_words(data) if may_hold_misread_word(data) else data
    return read(data, merges_first=True, first_keys=True)


def raw_operations(data: bytes) -> Reading:
    """The documents of an inline JSON patch, as Kustomize reads them."""
    return _adjust_last_line(data, read(data))


def _adjust_last_line(data: bytes, reading: Reading) -> Reading:
    last_line = data[data.rfind(b"\n") + 1 :]
    # A document that ends with a separator keeps its line break.
    if not last_line or last_line.startswith(b"---") or not reading.documents:
        return reading
    # With a merge key (`<<`) the mapping's last value need not be last in the text.
    may_end_in_text = b"<<" in data or _ends_in_text(reading.documents[-1].value)
    return _without_last_line_break(data, reading) if may_end_in_text else reading


def is_common(tree: Tree, name: str) -> bool:
    """Whether Kustomize and kubectl read a file in the same way."""
    reading = tree.reading(name)
    return reading is not None and reading.is_common


def is_folded(tree: Tree, name: str) -> bool:
    """Whether a file has a folded string with indented lines; Kustomize's YAML writer adds line breaks to it."""
    data = tree.data(name)
    return data is not None and bool(_SIGN.search(data) and _FOLDS.search(data)) and _folds_indented(data)


def _folds_indented(data: bytes) -> bool:
    """Whether any folded string has an indented line. Each line is read once: all lines of a string share their margin,
    so no header inside one is missed."""
    lines = data.split(b"\n")
    at = 0
    while at < len(lines):
        end = at + 1
        if _FOLDS.search(lines[at]):
            while end < len(lines) and not lines[end].strip(b" \t"):
                end += 1
            if end == len(lines):
                return False
            margin = lines[end][: len(lines[end]) - len(lines[end].lstrip(b" "))]
            end += 1
            while end < len(lines) and (not lines[end] or lines[end].startswith(margin)):
                unindented = lines[end][len(margin) :]
                if unindented.startswith(b" ") and unindented.strip(b" "):
                    return True
                end += 1
        at = end
    return False


def _without_last_line_break(data: bytes, reading: Reading) -> Reading:
    last = parts(data)[-1]
    loaded = load(last.text.removesuffix(b"\n"), merges_first=True)
    if not isinstance(loaded, Loaded) or loaded.value is None:
        return reading
    document = reading.documents[-1]._replace(value=loaded.value)
    return reading._replace(documents=(*reading.documents[:-1], document))


def _ends_in_text(value: object) -> bool:
    """Whether a document's last value ends in a line break, so that it may be a block scalar."""
    while isinstance(value, (dict, list)) and value:
        value = list(value.values())[-1] if isinstance(value, dict) else value[-1]
    return isinstance(value, str) and value.endswith("\n")


_BOOLEANS = "y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF"
# Where a scalar may begin: after an indicator, an anchor or a tag. Words inside a string follow other words.
_BEFORE = rb"(?:(?:\A|[\r\n\[{,:?-])[ \t]*|[&!][^\s&!]*[ \t]+)"
_BEFORE_IN_BLOCK = rb"(?:(?:\A|[\r\n:?-])[ \t]*|[&!][^\s&!]*[ \t]+)"
_WORD_ALONE = rb"(?:" + _BOOLEANS.encode() + rb")[ \t]*(?:[:,\]}#\r\n]|\Z)"
_DATE = rb"[0-9]{4}-[0-9]{1,2}-[0-9]"
_WORD, _WORD_IN_BLOCK = lazy_pattern(_BEFORE + _WORD_ALONE), lazy_pattern(_BEFORE_IN_BLOCK + _WORD_ALONE)
_DAY, _DAY_IN_BLOCK = lazy_pattern(_BEFORE + _DATE), lazy_pattern(_BEFORE_IN_BLOCK + _DATE)
_BRACKET = lazy_pattern(rb"[\[{](?![\]}])")
_TAG = 100  # length limit, in bytes, for the search of a tag or anchor before a value
# Byte classes: first letters of such words, digits, bytes that may precede a scalar, all others. Searching for a pair
# of classes is much faster than a regular expression.
_KINDS_OF_BYTES = bytes(
    ord("w" if byte in b"yYnNoO" else "0" if byte in b"0123456789" else " " if byte in b" \t\r\n\v\f[{,:?-" else "x")
    for byte in range(256)
)
_WORD_HERE, _DAY_HERE = lazy_pattern(_WORD_ALONE), lazy_pattern(_DATE)
_BOOLEAN = lazy_pattern(_BOOLEANS)
_TIME = lazy_pattern(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:[Tt]| +)(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9})\d*)?(?:(Z)|([-+]\d\d:\d\d))?)?",
    re.ASCII,
)


def may_hold_misread_word(data: bytes) -> bool:
    """Whether a text may hold a word that kubectl reads as a boolean or string and Kustomize otherwise. False is
    certain."""
    kinds = b" " + data.translate(_KINDS_OF_BYTES)
    return _has_match(data, kinds, b" w", _WORD_HERE, (_WORD, _WORD_IN_BLOCK)) or _has_match(
        data, kinds, b" 0000 0", _DAY_HERE, (_DAY, _DAY_IN_BLOCK)
    )


def _has_match(
    data: bytes,
    kinds: bytes,
    begin: bytes,
    here: re.Pattern[bytes],
    in_line: tuple[re.Pattern[bytes], re.Pattern[bytes]],
) -> bool:
    """Whether a match of `here` starts at bytes of these classes, at a position where a scalar may begin. The second
    pattern of `in_line` applies outside brackets."""
    anywhere, in_block = in_line
    unopened = 0  # offset up to which no flow list or mapping opens
    at = kinds.find(begin)
    while at >= 0:
        if here.match(data, at):  # `kinds` has one extra byte at the start
            start, end = max(data.rfind(b"\n", 0, at), 0), data.find(b"\n", at) + 1 or len(data)
            line = data[start:end]
            # CRDs of kinds with pods contain "If unset or false, no", so matches inside text are common.
            if anywhere.search(line):
                if in_block.search(line) or _opens_bracket(data, unopened, end):
                    return True
                unopened = end
            at = end - 1  # continue on the next line
        at = kinds.find(begin, at + 1)
    return False


def _opens_bracket(data: bytes, start: int, end: int) -> bool:
    """Whether a flow list or mapping may begin in this range. Brackets inside text do not count. False is certain."""
    return any(_may_begin_value(data, match.start()) for match in _BRACKET.finditer(data, start, end))


def _may_begin_value(data: bytes, at: int) -> bool:
    before = at
    while before and data[before - 1] in b" \t":
        before -= 1
    if not before or data[before - 1] in b"\r\n:?-" or data[before - 1] > 127:  # non-ASCII bytes may be line breaks
        return True
    word = data[max(before - _TAG, 0) : before].split()[-1]
    return before < at and (b"&" in word or b"!" in word or len(word) == _TAG)


def quote_words(data: bytes) -> bytes:
    """The text with such words in quotes, as Kustomize reads them; text that cannot be parsed is unchanged."""
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
    """Kustomize's string for a plain scalar; None if both parsers agree."""
    if _BOOLEAN.fullmatch(plain_scalar.text):
        return plain_scalar.text
    match = None if plain_scalar.is_key else _TIME.fullmatch(plain_scalar.text)
    return _as_rfc3339(match) if match is not None else None


def _as_rfc3339(match: re.Match[str]) -> str | None:
    """A timestamp in the format of encoding/json (RFC 3339); None if it is not one."""
    from datetime import datetime

    year, month, day, hour, minute, second, fraction, utc, zone = match.groups()
    if hour is not None and (" " in match[0]) == bool(utc or zone):
        return None  # `T` requires a time zone, a space excludes it
    try:
        time = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    except ValueError:
        return None
    digits = (fraction or "").rstrip("0")
    return time.isoformat() + (f".{digits}" if digits else "") + ("Z" if zone in (None, "+00:00", "-00:00") else zone)


# Plain scalars of a YAML text, without quotes or tag: the parser guesses their type.
class PlainScalar(NamedTuple):
    """A plain scalar."""

    text: str
    end: int
    """Offset of its end in the text, in characters."""
    is_key: bool


def plain_scalars(data: bytes) -> list[PlainScalar]:
    """The plain scalars of all documents; empty if the text cannot be parsed."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    scalars = []
    awaits_key: list[bool | None] = [None]  # per open collection: whether a key comes next; None in a list
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


# Each digit matches in one way only, so a long near-number takes no extra time.
_NUMBER = r"[-+]?(?:\.?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.nan|\.NaN|\.NAN"
_BASED = r"[-+]?0(?:[xX][0-9a-fA-F_]+|[bB][01_]+|o[0-7_]+)"
_DATED_KEY = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_KEY = f"(?:{_NUMBER}|{_BASED}|{_DATED_KEY}|true|True|TRUE|false|False|FALSE)"
_POSSIBLE_KEY = lazy_pattern(rf"(?m)(?:^[ \t]*|[-?{{,][ \t]*){_KEY}[ \t]*(?::(?:[ \t\r]|$)|\n[ \t]*:)".encode())
_MISREAD_KEY = lazy_pattern(_KEY)
# Matches the last word of such a key. Patterns that start with fixed characters and look behind are much faster, and
# most files have no match.
_END = rb"[ \t]*(?:\n[ \t]*)?:(?:[ \t\r\n]|\Z)"
_NUMBER_BEFORE_COLON = lazy_pattern(rb"[+0-9.](?<![^\s{,?-].)[0-9a-zA-Z_.+]*" + _END)
_BOOLEANS_BEFORE_COLON = tuple(
    (rest, lazy_pattern(rest + _END), before)
    for rest, before in ((b"rue", b"tT"), (b"RUE", b"T"), (b"alse", b"fF"), (b"ALSE", b"F"))
)
_OPENING = frozenset(b"\n{,?-")


@lru_cache
def find_misread_key(data: bytes) -> str:
    """The first key that Kustomize reads as a number, boolean or date and cannot print; empty if there is none."""
    if not _may_hold_misread_key(data) or _POSSIBLE_KEY.search(data) is None:
        return ""
    return next(
        (
            plain_scalar.text
            for plain_scalar in plain_scalars(data)
            if plain_scalar.is_key and _MISREAD_KEY.fullmatch(plain_scalar.text)
        ),
        "",
    )


def _may_hold_misread_key(data: bytes) -> bool:
    """Whether a word before a colon looks like such a key, at a position where a key may begin. False is certain."""
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
