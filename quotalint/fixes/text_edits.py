"""Makes one edit as the smallest change of a document's text. Comments, quotes and indentation stay; new text is
written like its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile

from quotalint.fixes.document_tree import (
    ALIAS,
    MAPPING,
    SCALAR,
    Spot,
    TreeEntry,
    find_entry,
    key_text,
    mapping_entry,
    token_span,
    with_value,
)
from quotalint.fixes.fix import Add, Drop, Edit, Rename, Replace
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.scalars import UnreadableError, plain, plain_keys


class Splice(NamedTuple):
    """A replacement of the text between two offsets, and its effect on the document's value."""

    start: int
    end: int
    text: str
    change: Callable[[object], object]
    """Returns the document's new value for its old value."""


def splice_edit(edit: Edit, text: str, root: Spot, *, json: bool) -> Splice | str:
    """The text change for an edit, or why there is none. `text` is the whole document, YAML or JSON; the file and
    document number of the edit's place are ignored."""
    writer = Writer(text, json)
    if isinstance(edit, Add):
        return _splice_add(edit, writer, root)
    at_place = find_entry(root, edit.place.path)
    if at_place is None:
        return NOT_WRITTEN
    if isinstance(edit, Replace):
        return _splice_replace(edit, writer, at_place)
    if at_place.key is None or key_text(at_place.key) != edit.place.path[-1]:
        return NOT_WRITTEN
    return _splice_rename(edit, writer, at_place) if isinstance(edit, Rename) else _splice_drop(edit, writer, at_place)


NOT_WRITTEN = "the file does not say it in these words: it is rendered or substituted"


def _splice_rename(edit: Rename, writer: Writer, at_place: TreeEntry) -> Splice | str:
    key, (*parent_path, old) = at_place.key, edit.place.path
    assert key is not None
    if mapping_entry(at_place.parent, edit.new) is not None:
        return f"{edit.new} is there already"
    start, end = token_span(writer.text, key)
    if key.kind != SCALAR or key.style in ("|", ">") or not writer.is_one_line(start, end):
        return "the key is not written on one line"

    def change(mapping: object) -> object:
        assert isinstance(mapping, dict)
        return {edit.new if name == old else name: value for name, value in mapping.items()}

    return Splice(
        start, end, writer.key(edit.new, key.style), lambda value: with_value(value, tuple(parent_path), change)
    )


def _splice_replace(edit: Replace, writer: Writer, at_place: TreeEntry) -> Splice | str:
    spot = at_place.value
    start, end = token_span(writer.text, spot)
    after: object = edit.after
    if spot.target.kind != SCALAR or spot.style in ("|", ">") or start == end or not writer.is_one_line(start, end):
        return "the value is not written on one line"
    if spot.style or spot.tag:
        after = str(after)
        written = writer.scalar(after, spot.style)
    else:
        # Without quotes, `4` may become `6`: Kubernetes reads amounts equally with and without quotes.
        number = plain_meaning(str(after))
        after = number if isinstance(number, int) and str(number) == str(after) else after
        written = writer.scalar(after)
    return Splice(start, end, written, lambda value: with_value(value, edit.place.path, lambda _: after))


def _splice_drop(edit: Drop, writer: Writer, at_place: TreeEntry) -> Splice | str:
    *parent_path, old = edit.place.path
    cut = drop_entry(writer, at_place)
    if isinstance(cut, str):
        return cut

    def change(mapping: object) -> object:
        assert isinstance(mapping, dict)
        return {name: value for name, value in mapping.items() if name != old}

    return Splice(*cut, lambda value: with_value(value, tuple(parent_path), change))


def _splice_add(edit: Add, writer: Writer, root: Spot) -> Splice | str:
    at_place = find_entry(root, edit.place.path) if edit.place.path else None
    mapping = at_place.value.target if at_place else root
    if (at_place is None and edit.place.path) or mapping.kind != MAPPING:
        return NOT_WRITTEN
    if mapping_entry(mapping, edit.key) is not None:
        return f"{edit.key} is there already"

    def change(before: object) -> object:
        assert isinstance(before, dict)
        return {**before, edit.key: edit.value}

    where, text = (_into_flow if mapping.style == "{" else _into_block)(edit, writer, mapping)
    return Splice(where, where, text, lambda value: with_value(value, edit.place.path, change))


def _into_flow(edit: Add, writer: Writer, mapping: Spot) -> tuple[int, str]:
    new = f"{writer.key(edit.key)}: {writer.flow(edit.value)}"
    if not mapping.pairs:
        return mapping.start + 1, new
    key, value = _neighbour_pair(mapping, edit.after) or mapping.pairs[0]
    indent = f"\n{' ' * writer.column(key.start)}" if writer.begins_line(key.start) else " "
    return max(key.end, value.end), f",{indent}{new}"


def _into_block(edit: Add, writer: Writer, mapping: Spot) -> tuple[int, str]:
    first, _ = mapping.pairs[0]
    column = writer.column(first.start)
    new, indent = writer.block(edit.key, edit.value, column), " " * column
    # After an entry on one line, so that no comment is separated from its entry.
    for key, value in filter(None, (_neighbour_pair(mapping, edit.after), mapping.pairs[0])):
        end = max(key.end, value.end)
        if value.style not in ("|", ">") and writer.is_one_line(key.start, end):
            return writer.line_end(end), f"\n{indent}{new}"
    if not edit.place.path or not writer.begins_line(first.start):
        return first.start, f"{new}\n{indent}"
    above = sum(len(line) + 1 for line in writer.comments_above(first.start))
    return writer.line_start(first.start) - above, f"{indent}{new}\n"


def _neighbour_pair(mapping: Spot, key: str) -> tuple[Spot, Spot] | None:
    return next((pair for pair in mapping.pairs if key_text(pair[0]) == key), None) if key else None


def drop_entry(writer: Writer, entry: TreeEntry) -> tuple[int, int, str] | str:
    """The offsets and replacement text for removing an entry; or why it cannot be removed."""
    cut = _cut_entry(writer, entry)
    if isinstance(cut, str):
        return cut
    start, end = cut
    indent = " " * writer.column(entry.key.start if entry.key else start)
    comments = "".join(f"{comment}\n{indent}" for comment in _kept_comments(writer.text, start, end, entry))
    if comments and start == writer.line_start(start):
        comments = indent + comments.removesuffix(indent)
    return start, end, comments


def _cut_entry(writer: Writer, entry: TreeEntry) -> tuple[int, int] | str:
    """The range of an entry with its line, or with the adjacent comma."""
    key, pairs = entry.key, entry.parent.pairs
    assert key is not None
    if len(pairs) == 1:
        return "it is the only entry of its mapping"
    if entry.value.style in ("|", ">"):
        return "the value is not written on one line"
    begins_line = writer.begins_line(key.start)
    if begins_line and any(_DIRECTIVE in line for line in writer.comments_above(key.start)):
        return "a comment above it tells quotalint what to ignore, and would then apply to the next entry"
    end = max(key.end, entry.value.end)
    following = pairs[entry.position + 1][0].start if entry.position + 1 < len(pairs) else None
    if entry.parent.style == "{":
        if following is not None:
            return key.start, following
        before = max(spot.end for spot in pairs[entry.position - 1])
        return _COMMENT if "#" in writer.text[before : key.start] else (before, end)
    if not begins_line:  # after the `-` of an item
        return _COMMENT if following is None else (key.start, following)
    start, behind = writer.line_start(key.start), writer.line_end(end)
    return start, min(behind + 1, len(writer.text))


_COMMENT = "there is a comment in between"
_DIRECTIVE = "quotalint:"


def _kept_comments(text: str, start: int, end: int, entry: TreeEntry) -> Iterator[str]:
    """The comments inside a removed entry, except those for quotalint."""
    scalars = [scalar for spot in (entry.key, entry.value) if spot is not None for scalar in _scalar_spots(spot)]
    inside = {at: scalar.end for scalar in scalars for at in range(scalar.start, scalar.end)}
    sign = _SIGN.search(text, start, end)
    while sign is not None:
        behind = inside.get(sign.start())
        if behind is None and _DIRECTIVE not in sign[0]:
            yield sign[0].rstrip()
        sign = _SIGN.search(text, behind or sign.end(), end)


_SIGN = lazy_pattern(r"(?<=[ \t\n])#.*")


def _scalar_spots(spot: Spot) -> Iterator[Spot]:
    for child in spot.children if spot.kind != ALIAS else ():
        yield from _scalar_spots(child)
    if spot.kind == SCALAR:
        yield spot


class Writer(NamedTuple):
    """A text that is edited, with its writing style."""

    text: str
    json: bool

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The offset of the line break, or of the end of the text."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def begins_line(self, offset: int) -> bool:
        return not self.text[self.line_start(offset) : offset].strip()

    def comments_above(self, offset: int) -> list[str]:
        """The comment lines directly above the line of an offset, from the lowest up."""
        lines = self.text[: self.line_start(offset)].split("\n")[-2::-1]
        return [*takewhile(lambda line: line.lstrip().startswith("#"), lines)]

    def is_one_line(self, start: int, end: int) -> bool:
        return "\n" not in self.text[start:end]

    def key(self, name: str, quote: str = "") -> str:
        """A key, quoted if requested or needed."""
        if self.json or quote == '"':
            return _double_quoted(name)
        if quote == "'":
            return _single_quoted(name)
        return name if _PLAIN.fullmatch(name) and plain_keys[name] == name else _double_quoted(name)

    def scalar(self, value: object, quote: str = "") -> str:
        """A value, quoted if it would change without quotes."""
        if not isinstance(value, str):
            return str(value)
        if self.json or quote == '"':
            return _double_quoted(value)
        if quote == "'":
            return _single_quoted(value)
        return value if _PLAIN.fullmatch(value) and plain_meaning(value) == value else _double_quoted(value)

    def flow(self, value: object) -> str:
        if not isinstance(value, Mapping):
            return self.scalar(value)
        return "{" + ", ".join(f"{self.key(key)}: {self.flow(below)}" for key, below in value.items()) + "}"

    def block(self, key: str, value: object, column: int) -> str:
        """The lines of an entry, without the first line's indentation and the last line break."""
        if not isinstance(value, Mapping):
            return f"{self.key(key)}: {self.scalar(value)}"
        below = (self.block(inner_key, under, column + 2) for inner_key, under in value.items())
        return f"{self.key(key)}:" + "".join(f"\n{' ' * (column + 2)}{line}" for line in below)


def plain_meaning(value: str) -> object:
    """The value of an unquoted text; None if it is unreadable."""
    try:
        return plain[value]
    except UnreadableError:
        return None


_PLAIN = lazy_pattern(r"[A-Za-z0-9/][A-Za-z0-9/._-]*")


def _double_quoted(value: str) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _single_quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
