"""Changes parts of a file's bytes; all other lines stay byte for byte."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

from quotalint.fixes.document_tree import Spot, parse_spots
from quotalint.fixes.fix import Edit
from quotalint.fixes.text_edits import Splice, splice_edit
from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import DocumentPart, Reading, in_file, parts, read_parts
from quotalint.text.json_reader import as_yaml
from quotalint.text.loader import Loaded, Trouble

BOM = b"\xef\xbb\xbf"


class EditedFile(NamedTuple):
    """A file after an edit."""

    data: bytes
    also: tuple[Edit, ...]
    """Other edits that the change includes: they share its text through an anchor."""


def write_edit(data: bytes, edit: Edit, wanted: Iterable[Edit], *, json: bool) -> EditedFile | str:
    """The bytes of a file after an edit, or why the edit is not possible.

    The result is read again: the document must have the value that the edit asks for, and other documents their old
    values. If an anchor shares the text with other places, edits for all of these must be in `wanted`.
    """
    cut = parts(data, json=json)
    part = cut[edit.place.document] if edit.place.document < len(cut) else None
    if part is None or isinstance(part.loaded, Trouble):
        return "the document cannot be read"
    is_json = isinstance(part.loaded, Loaded)
    text = part.text.decode()
    try:
        root = parse_spots(as_yaml(text) if is_json else text)
    except yaml.YAMLError:  # JSON may have longer keys than YAML
        return "the document cannot be read as YAML"
    if root is None:
        return "the document is empty"
    change = splice_edit(edit, text, root, json=is_json)
    if isinstance(change, str):
        return change
    new = _splice_document(data, part, text, change)
    if new is None:
        return "the text of the document cannot be found in the file"
    before, after = _both_readings(cut, parts(new, json=json), edit.place.document)
    changes = [change]
    if _is_meant(before, after, edit.place.document, changes):
        return EditedFile(new, ())
    other_edits = []
    for other, other_change in _same_edits(edit, change, wanted, text, root, json=is_json):
        other_edits.append(other)
        changes.append(other_change)
    if other_edits and _is_meant(before, after, edit.place.document, changes):
        return EditedFile(new, tuple(other_edits))
    return "an anchor, an alias or a key that is given twice would let it change something else as well"


def _both_readings(before: list[DocumentPart], after: list[DocumentPart], changed: int) -> tuple[Reading, Reading]:
    """The readings of a file before and after; only of one document if all others are equal."""
    same = len(before) == len(after) and all(
        part.text == other.text and part.loaded == other.loaded
        for number, (part, other) in enumerate(zip(before, after, strict=True))
        if number != changed
    )
    if not same:
        return read_parts(enumerate(before)), read_parts(enumerate(after))
    return read_parts([(changed, before[changed])]), read_parts([(changed, after[changed])])


def _same_edits(
    edit: Edit, change: Splice, wanted: Iterable[Edit], text: str, root: Spot, *, json: bool
) -> Iterable[tuple[Edit, Splice]]:
    """The other edits of the document that make the same change of its text."""
    for other in wanted:
        if other != edit and other.place[:2] == edit.place[:2]:
            other_change = splice_edit(other, text, root, json=json)
            if isinstance(other_change, Splice) and other_change[:3] == change[:3]:
                yield other, other_change


def _is_meant(before: Reading, after: Reading, document: int, changes: Iterable[Splice]) -> bool:
    if (len(before.failures), len(before.dropped)) != (len(after.failures), len(after.dropped)):
        return False
    if sum(len(document.duplicates) for document in after.documents) > sum(
        len(document.duplicates) for document in before.documents
    ):
        return False
    expected = {document.index: document.value for document in before.documents}
    try:
        for change in changes:
            expected[document] = change.change(expected[document])
    except LookupError:
        return False
    return expected == {document.index: document.value for document in after.documents}


def _splice_document(data: bytes, part: DocumentPart, text: str, change: Splice) -> bytes | None:
    """The bytes after a splice in a document. Its text may differ from the file in line breaks, and in a line break at
    its end."""
    bom = BOM if data.startswith(BOM) else b""
    # Other documents of the file may contain invalid UTF-8.
    raw = data[len(bom) :].decode("utf-8", "surrogateescape")
    starts = [0]
    while (following := raw.find("\n", starts[-1]) + 1) > 0:
        starts.append(following)

    def in_raw(offset: int) -> int:
        before = text.rfind("\n", 0, offset) + 1
        line, column = in_file(part, text.count("\n", 0, offset), offset - before)
        return min(starts[line - 1] + column - 1, len(raw)) if line <= len(starts) else len(raw)

    start, end = in_raw(change.start), in_raw(change.end)
    old = raw[start:end].replace("\r\n", "\n")
    if old not in (text[change.start : change.end], text[change.start : change.end].removesuffix("\n")):
        return None
    replacement = change.text
    if end == len(raw) and not old.endswith("\n"):
        # Without its last line, the file again ends without a line break.
        replacement = replacement.removesuffix("\n")
        start = len(raw[:start].rstrip("\r\n")) if not replacement and raw[:start].endswith("\n") else start
    line_end = raw.find("\n", start)
    line_end = raw.rfind("\n") if line_end < 0 else line_end
    crlf = line_end > 0 and raw[line_end - 1] == "\r"
    new = replacement.replace("\n", "\r\n") if crlf else replacement
    return bom + (raw[:start] + new + raw[end:]).encode("utf-8", "surrogateescape")
