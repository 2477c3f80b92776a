"""Splits a file's bytes into documents and reads them like kubectl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.text import guards
from quotalint.text.guards import MAX_BYTES as MAX_BYTES
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.loader import LARGE, Loaded, Repeat, Trouble, load
from quotalint.text.place import Path
from quotalint.text.plain_scalars import DeclinedError
from quotalint.text.plain_yaml import plain_value


class Failure(NamedTuple):
    """A document or file that Kubernetes cannot read. Line and column count from 1 within the file."""

    message: str
    line: int
    column: int


class DuplicateKey(NamedTuple):
    """A repeated key in the mapping at `path`. The last one wins, but strict decoding, the default of `kubectl apply`,
    refuses the object. Lines and columns count from 1 within the file."""

    path: Path
    key: str
    line: int
    column: int
    first_line: int


class Document(NamedTuple):
    """One document with content."""

    index: int  # type: ignore[assignment]  # hides tuple.index, which is not used
    """Its number in the file, from 0; empty and unreadable documents count too."""
    line: int
    """The line of the file, from 1, at which its text starts."""
    value: object
    """Plain dicts, lists and scalars, as Kubernetes gets them after YAML is converted to JSON."""
    duplicates: tuple[DuplicateKey, ...]


class Reading(NamedTuple):
    """The content of a file."""

    documents: tuple[Document, ...]
    """The readable documents, without empty ones."""
    failures: tuple[Failure, ...]
    """The errors, in order. Other documents are read nevertheless."""
    dropped: tuple[int, ...]
    """The lines of content that Kubernetes drops silently, because it is after the end of a document (usually a line
    `...`) and before the next `---`."""
    is_common: bool = False
    """Every YAML parser reads the file in the same way (`plain_yaml.plain_value`); False if that is unknown."""


class DocumentPart(NamedTuple):
    """The text of one document in a file, and its start in the file (line and column from 1)."""

    line: int
    column: int
    text: bytes
    loaded: Loaded | Trouble | None = None
    """The result without libyaml: the value of a JSON document, or why the file cannot be split here."""


def read(data: bytes, *, json: bool = False, merges_first: bool = False, first_keys: bool = False) -> Reading:
    """Reads the bytes of a file; with `json` only as JSON. `merges_first` and `first_keys`: see `load`.

    Without `json`, a file is JSON if it starts with `{` and is valid JSON, else YAML (apimachinery
    pkg/util/yaml/decoder.go, `YAMLOrJSONDecoder`). Takes any bytes and raises nothing.
    """
    declined = None
    if not json and len(data) <= LARGE and b"\n---" not in data:
        declined = data if data.endswith(b"\n") else data + b"\n"
        try:  # nearly every file is one plain document
            value, is_common = plain_value(declined)
            documents = () if value is None else (Document(0, 1, value, ()),)
            return Reading(documents, (), (), is_common and value is not None)
        except DeclinedError:
            pass
    cut = enumerate(parts(data, json=json))
    return read_parts(cut, merges_first=merges_first, first_keys=first_keys, declined=declined)


def read_parts(
    numbered: Iterable[tuple[int, DocumentPart]],
    *,
    merges_first: bool = False,
    first_keys: bool = False,
    declined: bytes | None = None,
) -> Reading:
    """Reads documents of a file, each with its number. `declined` is a text that is known not to be plain."""
    documents: list[Document] = []
    failures: list[Failure] = []
    dropped: list[int] = []
    is_common = True
    for index, part in numbered:
        loaded = part.loaded or load(
            part.text, merges_first=merges_first, first_keys=first_keys, is_declined=part.text == declined
        )
        if isinstance(loaded, Trouble):
            hint = "; the `{{` suggests a template, to be rendered first" if b"{{" in part.text else ""
            failures.append(Failure(loaded.message + hint, *in_file(part, loaded.line, loaded.column)))
            if len(failures) == guards.MAX_FAILURES:
                reason = f"{guards.MAX_FAILURES} documents before this one cannot be read, so no other was tried"
                failures.append(Failure(f"{guards.TOO_EXPENSIVE}: {reason}", part.line, part.column))
                break
            continue
        is_common = is_common and loaded.is_common
        if loaded.value is not None:
            duplicates = tuple(_duplicate_key(part, repeat) for repeat in loaded.repeats) if loaded.repeats else ()
            documents.append(Document(index, part.line, loaded.value, duplicates))
        if loaded.dropped is not None:
            dropped.append(part.line + loaded.dropped)
    return Reading(tuple(documents), tuple(failures), tuple(dropped), is_common and bool(documents) and not failures)


def parts(data: bytes, *, json: bool = False) -> list[DocumentPart]:
    """The documents of a file, split but (for YAML) not yet read, including empty ones."""
    foreign = guards.why_foreign(data)
    if foreign:
        return [DocumentPart(1, 1, b"", Trouble(foreign, 0, 0))]
    text = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if json or _BRACE.match(text):
        return _json_parts(text, strictly=json)
    return _yaml_parts(text, 1, 1)


def in_file(part: DocumentPart, line: int, column: int) -> tuple[int, int]:
    """Line and column in the file, from 1, for those in a part's text, from 0."""
    return part.line + line, column + (part.column if line == 0 else 1)


_BRACE = lazy_pattern(rb"\s*\{")


def _duplicate_key(part: DocumentPart, repeat: Repeat) -> DuplicateKey:
    line, column = in_file(part, repeat.line, repeat.column)
    return DuplicateKey(repeat.path, repeat.key, line, column, part.line + repeat.first_line)


def _yaml_parts(text: bytes, line: int, column: int) -> list[DocumentPart]:
    """Splits like apimachinery pkg/util/yaml/decoder.go, `YAMLReader.Read`: a separator belongs to the document before
    it, or to the next one if it is first.

    At a separator with content on its line, Kubernetes refuses the whole file. Here a failed document begins with that
    content, and the others are read.
    """
    if b"\n---" not in text and (text.startswith(b"---\n") or not text.startswith(b"---")):
        return [DocumentPart(line, column, text if text.endswith(b"\n") else text + b"\n")] if text else []
    document_parts: list[DocumentPart] = []
    begin = 0
    trouble: Trouble | None = None

    def cut(end: int, resume: int) -> None:
        nonlocal begin, line, column
        body = text[begin:end]
        document_parts.append(DocumentPart(line, column, body if body.endswith(b"\n") else body + b"\n", trouble))
        line, column = line + text.count(b"\n", begin, resume), 1
        begin = resume

    for start, end in _separator_lines(text):
        if len(document_parts) == guards.MAX_DOCUMENTS:
            return [*document_parts, _uncut_part(line, column)]
        after_separator = text[start + 3 : end]
        content = after_separator.lstrip()
        refused = content and not content.startswith(b"#")
        if start > begin:
            cut(start, resume=start if refused else end)
            trouble = None
        if refused:
            trouble = Trouble(_BESIDE, 0, 3 + len(after_separator) - len(content))
    if begin < len(text):
        cut(len(text), resume=len(text))
    return document_parts


def _uncut_part(line: int, column: int) -> DocumentPart:
    """The part for everything after the largest number of documents that is read."""
    reason = f"the file has more than {guards.MAX_DOCUMENTS} documents; those that follow are not read"
    return DocumentPart(line, column, b"", Trouble(f"{guards.TOO_EXPENSIVE}: {reason}", 0, 0))


_BESIDE = "Kubernetes allows nothing but a comment beside the separator `---`"


def _separator_lines(text: bytes) -> Iterator[tuple[int, int]]:
    """The starts and ends of lines that begin with `---`, even inside a block scalar."""
    start = 0 if text.startswith(b"---") else text.find(b"\n---") + 1 or len(text)
    while start < len(text):
        end = text.find(b"\n", start) + 1 or len(text)
        yield start, end
        start = text.find(b"\n---", end - 1) + 1 or len(text)


def _json_parts(text: bytes, *, strictly: bool) -> list[DocumentPart]:
    """Splits like `YAMLOrJSONDecoder.Decode`: after at most one JSON document the rest may be YAML."""
    from quotalint.text.json_reader import as_yaml, json_stream

    try:
        decoded = text.decode()
        stream = json_stream(decoded)
    except (UnicodeDecodeError, RecursionError):  # the YAML reader gives the position, and does not recurse
        return _yaml_parts(text, 1, 1)
    if stream.problem and not stream.documents and not strictly:
        return _yaml_parts(text, 1, 1)
    document_parts = []
    line, line_start, reached = 1, 0, 0

    def place(offset: int) -> tuple[int, int]:
        nonlocal line, line_start, reached
        line += decoded.count("\n", reached, offset)
        line_start = decoded.rfind("\n", reached, offset) + 1 or line_start
        reached = offset
        return line, offset - line_start + 1

    for document in stream.documents[: guards.MAX_DOCUMENTS]:
        body = decoded[document.start : document.end]
        repeats = load(as_yaml(body).encode()) if document.repeats else None
        loaded = Loaded(document.value, repeats.repeats if isinstance(repeats, Loaded) else ())
        document_parts.append(DocumentPart(*place(document.start), body.encode(), loaded))
    if len(stream.documents) > guards.MAX_DOCUMENTS:
        return [*document_parts, _uncut_part(*place(stream.documents[guards.MAX_DOCUMENTS].start))]
    if stream.problem and (strictly or len(document_parts) > 1):
        document_parts.append(DocumentPart(*place(stream.stop), b"", Trouble(stream.problem, 0, 0)))
    elif stream.problem:
        line_end = _TO_NEXT_LINE.match(decoded, stream.documents[-1].end)
        at = line_end.end() if line_end else len(decoded)
        document_parts += _yaml_parts(decoded[at:].encode(), *place(at))
    return document_parts


_TO_NEXT_LINE = lazy_pattern(r"[^\S\n]*\n?")
