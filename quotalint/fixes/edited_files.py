"""Splices in the bytes of a file, of which each line that is not meant stays as it is, to the last byte."""

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
    """The other edits that came with it: they share its text through an anchor."""


def write_edit(data: bytes, edit: Edit, wanted: Iterable[Edit], *, json: bool) -> EditedFile | str:
    """The bytes of a file with an edit made, or why that cannot be.

    What is written is read again: the document must mean what the edit asks for, the others what they meant. Where the
    text serves several places, through an anchor, all of them must be among `wanted`.
    """
    cut = parts(data, json=json)
    part = cut[edit.place.document] if edit.place.document < len(cut) else None
    if part is None or isinstance(part.loaded, Trouble):
        return "the document cannot be read"
    is_json = isinstance(part.loaded, Loaded)
    text = part.text.decode()
    try:
        root = parse_spots(as_yaml(text) if is_json else text)
    except yaml.YAMLError:  # JSON may have keys that are longer than those of YAML
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
    together = [change]
    if _is_meant(before, after, edit.place.document, together):
        return EditedFile(new, ())
    also = []
    for other, its in _same_edits(edit, change, wanted, text, root, json=is_json):
        also.append(other)
        together.append(its)
    if also and _is_meant(before, after, edit.place.document, together):
        return EditedFile(new, tuple(also))
    return "an anchor, an alias or a key that is given twice would let it change something else as well"


def _both_readings(before: list[DocumentPart], after: list[DocumentPart], changed: int) -> tuple[Reading, Reading]:
    """What a file says before and after: of a document alone, where all others are the same to the last byte."""
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
    """The other edits of the document that come to the same change of its text."""
    for other in wanted:
        if other != edit and other.place[:2] == edit.place[:2]:
            its = splice_edit(other, text, root, json=json)
            if isinstance(its, Splice) and its[:3] == change[:3]:
                yield other, its


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
    """The bytes after a splice in a document, whose text has other line breaks than the file may have, and one at its
    end that the file need not have."""
    bom = BOM if data.startswith(BOM) else b""
    # Another document of the file may hold bytes that are no UTF-8.
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
    come = change.text
    if end == len(raw) and not old.endswith("\n"):
        # The last line goes, and what ends the file now does it as that did: without a line break.
        come = come.removesuffix("\n")
        start = len(raw[:start].rstrip("\r\n")) if not come and raw[:start].endswith("\n") else start
    line_end = raw.find("\n", start)
    line_end = raw.rfind("\n") if line_end < 0 else line_end
    crlf = line_end > 0 and raw[line_end - 1] == "\r"
    new = come.replace("\n", "\r\n") if crlf else come
    return bom + (raw[:start] + new + raw[end:]).encode("utf-8", "surrogateescape")
