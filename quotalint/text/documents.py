"""A file's bytes as documents, cut and read as kubectl cuts and reads them."""

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
    """A document, or a whole file, that Kubernetes could not read. Line and column count from 1 within the file."""

    message: str
    line: int
    column: int


class DuplicateKey(NamedTuple):
    """A key given again in the mapping at `path`: the last one wins, but strict decoding, the default of
    `kubectl apply`, refuses the object. Lines and columns count from 1 within the file.
    """

    path: Path
    key: str
    line: int
    column: int
    first_line: int


class Document(NamedTuple):
    """One document that says something."""

    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody asks of a document
    """Its number in the file, from 0; empty and unreadable documents count too."""
    line: int
    """The line of the file, from 1, at which its text starts."""
    value: object
    """Plain dicts, lists and scalars, as they reach Kubernetes after YAML has become JSON."""
    duplicates: tuple[DuplicateKey, ...]


class Reading(NamedTuple):
    """All that a file says."""

    documents: tuple[Document, ...]
    """What could be read; documents without content are left out."""
    failures: tuple[Failure, ...]
    """What could not be read, in order. The rest is read nonetheless."""
    dropped: tuple[int, ...]
    """The lines at which content begins that Kubernetes drops without a word, because it stands behind the
    end of a document (mostly a line `...`) and before the next `---`.
    """
    is_common: bool = False
    """Every parser reads all of it alike (`plain_yaml.plain_value`); otherwise that is not known."""


class DocumentPart(NamedTuple):
    """The text of one document of a file, and where in the file it starts (line and column from 1)."""

    line: int
    column: int
    text: bytes
    loaded: Loaded | Trouble | None = None
    """What is known without libyaml: the value of a JSON document, or why the file cannot be cut here."""


def read(data: bytes, *, json: bool = False, merges_first: bool = False, first_keys: bool = False) -> Reading:
    """What the bytes of a file say; with `json`, in JSON only. `merges_first` and `first_keys`: see `load`.

    Otherwise a file is JSON if it starts with `{` and can be read so, and YAML if not (apimachinery
    pkg/util/yaml/decoder.go, `YAMLOrJSONDecoder`). Takes any bytes and raises nothing.
    """
    declined = None
    if not json and len(data) <= LARGE and b"\n---" not in data:
        declined = data if data.endswith(b"\n") else data + b"\n"
        try:  # nearly every file is one document, and plain
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
    """What some documents of a file say, each with its number in the file. What was `declined` is not plain."""
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
    """The documents of a file, cut but (in YAML) not yet read, empty ones included."""
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
    """Line and column of the file, from 1, for those of a part's text, from 0."""
    return part.line + line, column + (part.column if line == 0 else 1)


_BRACE = lazy_pattern(rb"\s*\{")


def _duplicate_key(part: DocumentPart, repeat: Repeat) -> DuplicateKey:
    line, column = in_file(part, repeat.line, repeat.column)
    return DuplicateKey(repeat.path, repeat.key, line, column, part.line + repeat.first_line)


def _yaml_parts(text: bytes, line: int, column: int) -> list[DocumentPart]:
    """apimachinery pkg/util/yaml/decoder.go, `YAMLReader.Read`: a separator ends what precedes it in its file;
    where nothing does, it belongs to what follows.

    Kubernetes gives up the whole file at a separator with content on its line; here such content begins a
    document that failed, and the others are read.
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
    """All that follows after as many documents as are read."""
    reason = f"the file has more than {guards.MAX_DOCUMENTS} documents; those that follow are not read"
    return DocumentPart(line, column, b"", Trouble(f"{guards.TOO_EXPENSIVE}: {reason}", 0, 0))


_BESIDE = "Kubernetes allows nothing but a comment beside the separator `---`"


def _separator_lines(text: bytes) -> Iterator[tuple[int, int]]:
    """Where lines that begin with `---` start and end, be it inside a block scalar."""
    start = 0 if text.startswith(b"---") else text.find(b"\n---") + 1 or len(text)
    while start < len(text):
        end = text.find(b"\n", start) + 1 or len(text)
        yield start, end
        start = text.find(b"\n---", end - 1) + 1 or len(text)


def _json_parts(text: bytes, *, strictly: bool) -> list[DocumentPart]:
    """`YAMLOrJSONDecoder.Decode`: up to one JSON document what follows may still be YAML, after two no longer."""
    from quotalint.text.json_reader import as_yaml, json_stream

    try:
        decoded = text.decode()
        stream = json_stream(decoded)
    except (UnicodeDecodeError, RecursionError):  # the YAML reader says where, and does not recurse
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
