"""One edit of a document as the smallest change of its text. Comments, quotes and indentation stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from quotalint.fixes.fix import Add, Drop, Edit, Rename, Replace
from quotalint.fixes.tree import MAPPING, SCALAR, Entry, Spot, entry, find, said, token
from quotalint.text.place import Path
from quotalint.text.scalars import UnreadableError, plain, plain_keys


class Splice(NamedTuple):
    """What stands in a text between two offsets gives way to something else, and what the document means then."""

    start: int
    end: int
    text: str
    change: Callable[[object], object]
    """The value of the document before → after."""


def splice(edit: Edit, text: str, root: Spot, json: bool) -> Splice | str:
    """The change of a text that an edit comes to, or why there is none. `text` is the whole document, YAML or JSON; its
    file, its number and how its object was made do not matter here."""
    writer = _Writer(text, json)
    if isinstance(edit, Add):
        return _added(edit, writer, root)
    found = find(root, edit.place.path)
    if found is None:
        return NOT_WRITTEN
    if isinstance(edit, Replace):
        return _replaced(edit, writer, found)
    if found.key is None or said(found.key) != edit.place.path[-1]:
        return NOT_WRITTEN
    return _renamed(edit, writer, found) if isinstance(edit, Rename) else _dropped(edit, writer, found)


NOT_WRITTEN = "the file does not say it in these words: it is rendered or substituted"


def at(value: object, path: Path) -> object:
    """What stands in a document at a path; raises LookupError where nothing does."""
    for step in path:
        below = value.get(step, _NOTHING) if isinstance(value, dict) else _NOTHING
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            below = value[step]
        if below is _NOTHING:
            raise LookupError(step)
        value = below
    return value


_NOTHING = object()


def with_value(value: object, path: Path, change: Callable[[object], object]) -> object:
    """A document with another value at a path; what it shares with the old one is not copied."""
    if not path:
        return change(value)
    step, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: with_value(value[step], rest, change)}
    if isinstance(value, list) and isinstance(step, int):
        return [*value[:step], with_value(value[step], rest, change), *value[step + 1 :]]
    raise LookupError(step)


class _Writer(NamedTuple):
    text: str
    json: bool

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line break is, or the text ends."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def begins_line(self, offset: int) -> bool:
        return not self.text[self.line_start(offset) : offset].strip()

    def is_one_line(self, start: int, end: int) -> bool:
        return "\n" not in self.text[start:end]

    def key(self, name: str, quote: str = "") -> str:
        """A key, in quotes where they are asked for or needed."""
        if self.json or quote == '"':
            return _double(name)
        if quote == "'":
            return _single(name)
        return name if _PLAIN.fullmatch(name) and plain_keys[name] == name else _double(name)

    def scalar(self, value: object, quote: str = "") -> str:
        """A value; one that would not stay itself without quotes gets them."""
        if not isinstance(value, str):
            return str(value)
        if self.json or quote == '"':
            return _double(value)
        if quote == "'":
            return _single(value)
        return value if _PLAIN.fullmatch(value) and _plainly(value) == value else _double(value)

    def flow(self, value: object) -> str:
        if not isinstance(value, Mapping):
            return self.scalar(value)
        return "{" + ", ".join(f"{self.key(key)}: {self.flow(below)}" for key, below in value.items()) + "}"

    def block(self, key: str, value: object, column: int) -> str:
        """The lines of an entry; the first one is indented already, and no line break ends the last."""
        if not isinstance(value, Mapping):
            return f"{self.key(key)}: {self.scalar(value)}"
        below = (self.block(one, under, column + 2) for one, under in value.items())
        return f"{self.key(key)}:" + "".join(f"\n{' ' * (column + 2)}{line}" for line in below)


_PLAIN = re.compile(r"[A-Za-z0-9/][A-Za-z0-9/._-]*")


def _plainly(value: str) -> object:
    try:
        return plain[value]
    except UnreadableError:
        return None


def _double(value: str) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _single(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _renamed(edit: Rename, writer: _Writer, found: Entry) -> Splice | str:
    key, (*way, old) = found.key, edit.place.path
    assert key is not None
    if entry(found.parent, edit.new) is not None:
        return f"{edit.new} is there already"
    start, end = token(writer.text, key)
    if key.kind != SCALAR or key.style in ("|", ">") or not writer.is_one_line(start, end):
        return "the key is not written on one line"

    def change(mapping: object) -> object:
        assert isinstance(mapping, dict)
        return {edit.new if name == old else name: value for name, value in mapping.items()}

    return Splice(start, end, writer.key(edit.new, key.style), lambda value: with_value(value, tuple(way), change))


def _replaced(edit: Replace, writer: _Writer, found: Entry) -> Splice | str:
    spot = found.value
    start, end = token(writer.text, spot)
    after: object = edit.after
    if spot.target.kind != SCALAR or spot.style in ("|", ">") or start == end or not writer.is_one_line(start, end):
        return "the value is not written on one line"
    if spot.style or spot.tag:
        after = str(after)
        written = writer.scalar(after, spot.style)
    else:
        # Where no quotes stand, `4` may become `6`: to Kubernetes, amounts mean the same with and without.
        number = _plainly(str(after))
        after = number if isinstance(number, int) and str(number) == str(after) else after
        written = writer.scalar(after)
    return Splice(start, end, written, lambda value: with_value(value, edit.place.path, lambda _: after))


def _dropped(edit: Drop, writer: _Writer, found: Entry) -> Splice | str:
    *way, old = edit.place.path
    cut = _cut(writer, found)
    if isinstance(cut, str):
        return cut

    def change(mapping: object) -> object:
        assert isinstance(mapping, dict)
        return {name: value for name, value in mapping.items() if name != old}

    return Splice(*cut, "", lambda value: with_value(value, tuple(way), change))


def _cut(writer: _Writer, found: Entry) -> tuple[int, int] | str:
    """What has to go with an entry: its line, or the comma beside it."""
    key, pairs = found.key, found.parent.pairs
    assert key is not None
    if len(pairs) == 1:
        return "it is the only entry there"
    if found.value.style in ("|", ">"):
        return "the value is not written on one line"
    end = max(key.end, found.value.end)
    following = pairs[found.position + 1][0].start if found.position + 1 < len(pairs) else None
    if found.parent.style == "{":
        if following is not None:
            return key.start, following
        before = max(spot.end for spot in pairs[found.position - 1])
        return _COMMENT if "#" in writer.text[before : key.start] else (before, end)
    if not writer.begins_line(key.start):  # behind the `-` of an item
        if following is None or re.search(r"^\s*#", writer.text[writer.line_end(end) : following], re.MULTILINE):
            return _COMMENT
        return key.start, following
    start, behind = writer.line_start(key.start), writer.line_end(end)
    return start, min(behind + 1, len(writer.text))


_COMMENT = "a comment stands in between"


def _added(edit: Add, writer: _Writer, root: Spot) -> Splice | str:
    found = find(root, edit.place.path) if edit.place.path else None
    mapping = found.value.target if found else root
    if (found is None and edit.place.path) or mapping.kind != MAPPING:
        return NOT_WRITTEN
    if entry(mapping, edit.key) is not None:
        return f"{edit.key} is there already"

    def change(before: object) -> object:
        assert isinstance(before, dict)
        return {**before, edit.key: edit.value}

    where, text = (_into_flow if mapping.style == "{" else _into_block)(edit, writer, mapping)
    return Splice(where, where, text, lambda value: with_value(value, edit.place.path, change))


def _into_flow(edit: Add, writer: _Writer, mapping: Spot) -> tuple[int, str]:
    new = f"{writer.key(edit.key)}: {writer.flow(edit.value)}"
    if not mapping.pairs:
        return mapping.start + 1, new
    key, value = _neighbour(mapping, edit.after) or mapping.pairs[0]
    indent = f"\n{' ' * writer.column(key.start)}" if writer.begins_line(key.start) else " "
    return max(key.end, value.end), f",{indent}{new}"


def _into_block(edit: Add, writer: _Writer, mapping: Spot) -> tuple[int, str]:
    first, _ = mapping.pairs[0]
    column = writer.column(first.start)
    new, indent = writer.block(edit.key, edit.value, column), " " * column
    # Behind an entry of one line, so that no comment comes between an entry and what it speaks of.
    for key, value in filter(None, (_neighbour(mapping, edit.after), mapping.pairs[0])):
        end = max(key.end, value.end)
        if value.style not in ("|", ">") and writer.is_one_line(key.start, end):
            return writer.line_end(end), f"\n{indent}{new}"
    return first.start, f"{new}\n{indent}"


def _neighbour(mapping: Spot, key: str) -> tuple[Spot, Spot] | None:
    return next((pair for pair in mapping.pairs if said(pair[0]) == key), None) if key else None
