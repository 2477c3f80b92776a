"""How Kustomize reads files where it differs from kubectl: it sees the text as it is.

kubectl cuts a file line by line and ends each line with a line break, also the last (apimachinery
pkg/util/yaml/decoder.go, `YAMLReader`); a block of text at the very end keeps it. Kustomize hands the bytes to the
parser, and for objects that is another one (go.yaml.in/yaml/v3). There what a mapping itself gives always overrides
what it merges, and plain words are something else: `yes`, `on`, `n` and their like are text unless a boolean is asked
for, and dates are points in time, which it prints in full (resolve.go); v2, which kubectl uses, takes the former for
booleans, the latter for text. And some keys that kubectl takes it does not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from quotalint.gitops.tree import Tree
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import Reading, parts, read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.loader import Loaded, load

_SIGN = lazy_pattern(rb">[-+0-9]*[ \t]*(?:#.*)?$", re.MULTILINE)  # found many times as fast as what has to be before it
_FOLDS = lazy_pattern(rb"[:-][ \t]+>[-+0-9]*[ \t]*(?:#.*)?$", re.MULTILINE)


def read_objects(tree: Tree, name: str) -> Reading | None:
    """What a file of objects says, as Kustomize reads it."""
    if is_common(tree, name):
        return read_operations(tree, name)
    data = tree.data(name)
    if data is None:
        return read_operations(tree, name)
    quoted = quote_words(data) if may_hold_misread_word(data) else data
    # Such a word is mostly one of a text, in which it may be.
    if b"<<" not in data and (quoted is data or (quoted == data and not name.lower().endswith(".json"))):
        return read_operations(tree, name)
    return _to_the_end(quoted, read(quoted, merges_first=True))


def read_operations(tree: Tree, name: str) -> Reading | None:
    """What a file of operations (a JSON patch) says: Kustomize reads it as kubectl does, but for the last line, and
    whatever it is called."""
    reading = tree.reading(name)
    if reading is not None and reading.is_common and not _ends_in_text(reading.documents[-1].value):
        return reading
    data = tree.data(name)
    if reading is not None and data is not None and reading.failures and name.lower().endswith(".json"):
        return raw_operations(data)
    return reading if reading is None or data is None else _to_the_end(data, reading)


def read_inline(data: bytes) -> Reading:
    """What text in a kustomization says, as Kustomize reads it where it is an object."""
    data = quote_words(data) if may_hold_misread_word(data) else data
    return _to_the_end(data, read(data, merges_first=True))


def read_first_keys(data: bytes) -> Reading:
    """What a patch says that gives a key twice, by the first of them (`repeated_keys.py` says where that counts)."""
    data = quote_words(data) if may_hold_misread_word(data) else data
    return read(data, merges_first=True, first_keys=True)


def raw_operations(data: bytes) -> Reading:
    """What text in a kustomization says, as Kustomize reads it where it is a JSON patch."""
    return _to_the_end(data, read(data))


def _to_the_end(data: bytes, reading: Reading) -> Reading:
    last_line = data[data.rfind(b"\n") + 1 :]
    # What a separator ends has its line break.
    if not last_line or last_line.startswith(b"---") or not reading.documents:
        return reading
    # With a merge the last value of a mapping need not be the last of the text.
    may_end_in_text = b"<<" in data or _ends_in_text(reading.documents[-1].value)
    return _without_last_line_break(data, reading) if may_end_in_text else reading


def is_common(tree: Tree, name: str) -> bool:
    """Whether a file holds nothing that Kustomize may read otherwise than kubectl."""
    reading = tree.reading(name)
    return reading is not None and reading.is_common


def is_folded(tree: Tree, name: str) -> bool:
    """Whether a file folds text with indented lines, to which its YAML writer adds line breaks."""
    data = tree.data(name)
    return data is not None and bool(_SIGN.search(data) and _FOLDS.search(data)) and _folds_indented(data)


def _folds_indented(data: bytes) -> bool:
    """Line by line, each once: lines of a text that are no header of one with indented lines are none inside it either,
    since all of them have the same indentation."""
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
    """Whether the last value of a document ends in a line break, so that it could be a block of text."""
    while isinstance(value, (dict, list)) and value:
        value = list(value.values())[-1] if isinstance(value, dict) else value[-1]
    return isinstance(value, str) and value.endswith("\n")


_BOOLEANS = "y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF"
# Where a scalar may begin: behind a sign, an anchor or a tag. Inside of text, words stand behind other words.
_BEFORE = rb"(?:(?:\A|[\r\n\[{,:?-])[ \t]*|[&!][^\s&!]*[ \t]+)"
_BEFORE_IN_BLOCK = rb"(?:(?:\A|[\r\n:?-])[ \t]*|[&!][^\s&!]*[ \t]+)"
_WORD_ALONE = rb"(?:" + _BOOLEANS.encode() + rb")[ \t]*(?:[:,\]}#\r\n]|\Z)"
_DATE = rb"[0-9]{4}-[0-9]{1,2}-[0-9]"
_WORD, _WORD_IN_BLOCK = lazy_pattern(_BEFORE + _WORD_ALONE), lazy_pattern(_BEFORE_IN_BLOCK + _WORD_ALONE)
_DAY, _DAY_IN_BLOCK = lazy_pattern(_BEFORE + _DATE), lazy_pattern(_BEFORE_IN_BLOCK + _DATE)
_BRACKET = lazy_pattern(rb"[\[{](?![\]}])")
_TAG = 100  # bytes of a word that are looked at; a longer one may be a tag
# What a text is made of: letters that such a word begins with, digits, and what may stand before either. Neighbours of
# two kinds are found many times as fast as any expression is.
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
_DATED_KEY = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_KEY = f"(?:{_NUMBER}|{_BASED}|{_DATED_KEY}|true|True|TRUE|false|False|FALSE)"
_SEEN = lazy_pattern(rf"(?m)(?:^[ \t]*|[-?{{,][ \t]*){_KEY}[ \t]*(?::(?:[ \t\r]|$)|\n[ \t]*:)".encode())
_ODD = lazy_pattern(_KEY)
# The last word of such a key, wherever it stands. What begins with characters and looks back is found several times as
# fast, and what begins with the same ones is found faster still; there is none in most files.
_END = rb"[ \t]*(?:\n[ \t]*)?:(?:[ \t\r\n]|\Z)"
_NUMBER_BEFORE_COLON = lazy_pattern(rb"[+0-9.](?<![^\s{,?-].)[0-9a-zA-Z_.+]*" + _END)
_BOOLEANS_BEFORE_COLON = tuple(
    (rest, lazy_pattern(rest + _END), before)
    for rest, before in ((b"rue", b"tT"), (b"RUE", b"T"), (b"alse", b"fF"), (b"ALSE", b"F"))
)
_OPENING = frozenset(b"\n{,?-")


@lru_cache
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
