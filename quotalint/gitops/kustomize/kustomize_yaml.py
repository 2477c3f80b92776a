"""How Kustomize reads files where it differs from kubectl: it sees the text as it is.

kubectl cuts a file line by line and ends each line with a line break, also the last (apimachinery
pkg/util/yaml/decoder.go, `YAMLReader`); a block of text at the very end keeps it. Kustomize hands the bytes to the
parser, and for objects that is another one (go.yaml.in/yaml/v3): see `words`. There what a mapping itself gives always
overrides what it merges.
"""

from __future__ import annotations

import re

from quotalint.gitops.kustomize import words
from quotalint.gitops.tree import Tree
from quotalint.text.documents import Reading, parts, read
from quotalint.text.loader import Loaded, load

_SIGN = re.compile(rb">[-+0-9]*[ \t]*(?:#.*)?$", re.MULTILINE)  # found many times as fast as what has to be before it
_FOLDS = re.compile(rb"[:-][ \t]+>[-+0-9]*[ \t]*(?:#.*)?$", re.MULTILINE)


def read_objects(tree: Tree, name: str) -> Reading | None:
    """What a file of objects says, as Kustomize reads it."""
    if is_common(tree, name):
        return read_operations(tree, name)
    data = tree.data(name)
    if data is None:
        return read_operations(tree, name)
    quoted = words.quote_words(data) if words.may_hold_misread_word(data) else data
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
    data = words.quote_words(data) if words.may_hold_misread_word(data) else data
    return _to_the_end(data, read(data, merges_first=True))


def raw_operations(data: bytes) -> Reading:
    """What text in a kustomization says, as Kustomize reads it where it is a JSON patch."""
    return _to_the_end(data, read(data))


def _to_the_end(data: bytes, reading: Reading) -> Reading:
    if data.endswith(b"\n") or not reading.documents:
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
