"""Reads sources into files, with several processes if there are many."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from time import process_time
from typing import Any

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.faults import attempt, noted_faults
from quotalint.runtime.resource_limits import note_stop, start_ticking, take_in, was_stopped
from quotalint.runtime.transcript import begin_share, handed_over, take_over
from quotalint.text.disk import error_words
from quotalint.text.documents import Document, DuplicateKey, Failure, Reading, read
from quotalint.text.fences import read_fenced
from quotalint.text.files import content
from quotalint.text.guards import GIT_CRYPT, MAX_BYTES
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.progress import Tell, tell_nobody
from quotalint.text.sources import MANIFEST_SUFFIXES, TEMPLATE_SUFFIXES, Source, Unreadable

_PARALLEL_FROM = 800  # files; with fewer, forking costs more than it saves
_TRIED = 400  # files that are read first, to estimate the time for the others
_WORTH_A_FORK = 1  # second of remaining work; with less, two processes are no faster than one
_CLAIMS = (lazy_pattern(rb'(?m)^[ \t]*"?apiVersion"?[ \t]*:'), lazy_pattern(rb'(?m)^[ \t]*"?kind"?[ \t]*:'))


_STOPPED = 3  # the exit status of a process that stopped at its CPU limit

YTT = "this is a template of ytt"
"""The error for a ytt template."""
STATEMENT = "this is a statement of a template, to be rendered first"
"""The error for a line that begins with `{%`, which is never valid YAML."""
SOPS = "the file is encrypted with SOPS, its kind too; decrypt it to have it read"
_SOPS_SECRETS = "the file is encrypted with SOPS, its kind too; it holds Secrets; decrypt it to have it read"
_SOPS_DATA = "the file is encrypted with SOPS, its kind too; it holds Secrets or ConfigMaps; decrypt it to read it"
_SOPS_KINDS = {SOPS: (), _SOPS_SECRETS: ("Secret",), _SOPS_DATA: ("ConfigMap", "Secret")}
"""The possible kinds of objects in such files, by the error; empty: any. SOPS does not encrypt keys."""
_KEYS_OF_DATA = frozenset(("apiVersion", "kind", "metadata", "data", "binaryData", "immutable", "type", "sops"))
_YTT = lazy_pattern(rb"(?m)(?:^[ \t]*|[:-][ \t]+)#@[ \t/]*[a-z]")
_SOPS = lazy_pattern(rb"""(?m)^[ \t{]*["']?kind["']?[ \t]*:[ \t]*["']?ENC\[AES256_GCM,""")
# A variable that stands for whole lines is text before it is YAML: `envsubst` and similar tools write such variables;
# installers that replace text write `<TLS>`, `@TLS@` and `__TLS__`. FreeMarker has `<#if …>` and `</#if>`, ERB and
# similar `<% … %>`.
_FILLED_LINE = lazy_pattern(
    rb"(?m)^[ \t]*(?:\$\{\w+\}|\$[A-Z_][A-Z0-9_]*|<[A-Z][A-Z0-9_]*>|@[A-Z][A-Z0-9_]*@|__[A-Z][A-Z0-9_]*__)[ \t]*\r?$"
    rb"|^[ \t]*</?#[a-z]|^[ \t]*<%"
)
# Neither `%` nor `@` can begin a value, so such a file is no YAML before installers replace it.
_VARIABLE = lazy_pattern(rb"\$\{\w+\}|%[A-Z][A-Z0-9_]*%|@[A-Z][A-Z0-9_]*@")
_TEMPLATES_OF_MANIFESTS = (*TEMPLATE_SUFFIXES, ".ftl", ".mako", ".template", ".vm")
"""Suffixes before the manifest's suffix."""


class File(NamedTuple):
    """One file and its content."""

    source: Source
    reading: Reading
    claims: bool = True
    """It contains apiVersion and kind, or other files or an earlier revision show that it is a manifest. Set only if
    reading failed."""
    templated: bool = False
    """Its name is that of a template, it contains `{{`, `{%` or `#@`, or a template variable makes it invalid YAML: it
    is no manifest. Set only if reading failed."""
    encrypted: bool = False
    marked: bool = False
    """It may contain a comment or annotation that suppresses findings."""
    limiting: bool = False
    """It contains the word ResourceQuota or LimitRange."""


class Learning:
    """A cache of files that also learns the files that are read now."""

    def __call__(self, source: Source) -> File | None:
        """The file for a source, if it is cached."""
        raise NotImplementedError

    def learn(self, file: File) -> File:
        """Takes a file that was read, before anybody else, and returns the file to use."""
        raise NotImplementedError


def read_all(
    sources: Sequence[Source],
    stdin: Callable[[], bytes],
    jobs: int,
    known: Callable[[Source], File | None] | None = None,
    tell: Tell = tell_nobody,
) -> list[File | Unreadable]:
    """The content of each source, in their order; `known` sources are not read again. No file content raises an
    error."""
    if known is not None:
        known_files = [known(source) for source in sources]
        new = [source for source, file in zip(sources, known_files, strict=True) if file is None]
        read_now = read_all(new, stdin, jobs, tell=tell)
        if isinstance(known, Learning):
            read_now = [known.learn(file) if isinstance(file, File) else file for file in read_now]
        unread_files = iter(read_now)
        return [next(unread_files) if file is None else file for file in known_files]
    jobs = min(jobs, len(sources) // (_PARALLEL_FROM // 2)) if hasattr(os, "fork") else 1
    collecting = gc.isenabled()
    gc.disable()  # documents have no cycles, and millions of values
    try:
        return (
            _read_shared(sources, stdin, jobs, tell)
            if jobs > 1
            else list(_read_share(sources, stdin, tell, len(sources)))
        )
    finally:
        if collecting:
            gc.enable()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read_shared(
    sources: Sequence[Source], stdin: Callable[[], bytes], jobs: int, tell: Tell
) -> list[File | Unreadable]:
    """Reads with several processes, unless the files after the first few take little time."""
    begin = process_time()
    before = 0

    def tell_of_all(what: str, done: int = 0, of: int = 0) -> None:
        tell(what, before + done, len(sources))

    first = list(_read_share(sources[:_TRIED], stdin, tell_of_all, _TRIED))
    before, remaining_sources = _TRIED, sources[_TRIED:]

    if (process_time() - begin) / _TRIED * len(remaining_sources) < _WORTH_A_FORK:
        return [*first, *_read_share(remaining_sources, stdin, tell_of_all, len(remaining_sources))]
    return [*first, *_read_forked(remaining_sources, stdin, jobs, tell_of_all)]


def _read_share(
    sources: Sequence[Source], stdin: Callable[[], bytes], tell: Tell, of: int
) -> Iterator[File | Unreadable]:
    """Reads a share of all files; progress assumes that other shares are as far."""
    for number, source in enumerate(sources):
        tell("reading files", number * of // len(sources), of)
        yield _read_file(source, stdin)


def read_bytes(source: Source, stdin: Callable[[], bytes]) -> bytes | Unreadable:
    """The bytes of a source; `stdin` is called for `-`. At most MAX_BYTES + 1 bytes of a file are in memory."""
    try:
        data = content(source.path, MAX_BYTES) if source.path else stdin()
    except (OSError, ValueError) as error:
        return Unreadable(source.name, f"cannot be read: {error_words(error)}")
    if data is None:
        return Unreadable(source.name, "is no longer a regular file")
    return data if len(data) <= MAX_BYTES else Unreadable(source.name, f"is larger than {MAX_BYTES >> 20} MiB")


def _read_file(source: Source, stdin: Callable[[], bytes]) -> File | Unreadable:
    data = read_bytes(source, stdin)
    if isinstance(data, Unreadable):
        return data
    take_in(len(data))
    reading = attempt("reading", source.name, lambda: read(data, json=source.name[-5:].lower() == ".json"), _not_read)
    if isinstance(reading, str):
        return Unreadable(source.name, reading)
    if b"#@" in data and _YTT.search(data):
        first = data.count(b"\n", 0, next(_YTT.finditer(data)).start()) + 1
        reading = Reading((), (Failure(YTT, first, 1),), ())
    elif b"ENC[" in data and (encrypted_kind := _SOPS.search(data)):
        first = data.count(b"\n", 0, encrypted_kind.start()) + 1
        reading = Reading((), (Failure(_sops_words(reading), first, 1),), ())
    elif reading.failures and b"{%" in data:
        reading = _with_statements(data, reading)
    marked = b"uotalint" in data and (b"uotalint:" in data or b"quotalint.dev/ignore" in data)
    # A search for a single byte is ten times as fast, and most files have neither.
    limiting = (b"Q" in data and b"ResourceQuota" in data) or (b"L" in data and b"LimitRange" in data)
    if not reading.failures:
        return File(source, reading, marked=marked, limiting=limiting)
    plain = data.replace(b"\0", b"").lstrip(b"\xff\xfe\xef\xbb\xbf")  # UTF-16 contains the ASCII letters
    claims = all(pattern.search(plain) for pattern in _CLAIMS)
    templated = any(mark in data for mark in (b"{{", b"{%", b"#@")) or _fails_at_filled_line(plain, reading)
    templated = templated or _is_read_when_filled(plain, source.name)
    stem, suffix = os.path.splitext(source.name.lower())
    templated = templated or (suffix in MANIFEST_SUFFIXES and stem.endswith(_TEMPLATES_OF_MANIFESTS))
    encrypted = data.startswith(GIT_CRYPT) or is_sops(reading)
    fenced = read_fenced(data, reading) if b"```" in data else None
    if fenced is not None:
        reading, claims = fenced.reading, claims and not fenced.is_text
    return File(source, reading, claims, templated, encrypted, marked, limiting)


def _with_statements(data: bytes, reading: Reading) -> Reading:
    """The reading with errors at template statements reported as such."""
    lines = data.split(b"\n")
    failures = (
        failure._replace(message=STATEMENT)
        if lines[failure.line - 1 : failure.line] and lines[failure.line - 1].lstrip().startswith(b"{%")
        else failure
        for failure in reading.failures
    )
    return reading._replace(failures=tuple(failures))


def _sops_words(reading: Reading) -> str:
    """The error for a file that SOPS has encrypted. Only these kinds have `data` and no `spec`."""
    bodies = [document.value if isinstance(document.value, dict) else {} for document in reading.documents]
    if reading.failures or not bodies or not all({"data", "stringData"} & body.keys() for body in bodies):
        return SOPS
    if all("stringData" in body for body in bodies):
        return _SOPS_SECRETS
    return _SOPS_DATA if all(body.keys() <= _KEYS_OF_DATA | {"stringData"} for body in bodies) else SOPS


def is_sops(reading: Reading) -> bool:
    """Whether SOPS has encrypted a whole file, so that its kind is unknown."""
    return any(failure.message in _SOPS_KINDS for failure in reading.failures)


def sops_kinds(reading: Reading) -> tuple[str, ...]:
    """The possible kinds of objects that SOPS has encrypted, from the keys; empty: any."""
    return _SOPS_KINDS.get(reading.failures[0].message, ()) if reading.failures else ()


def _fails_at_filled_line(data: bytes, reading: Reading) -> bool:
    """Whether the error is at or next to a variable that stands for lines. Scripts in a ConfigMap have such lines too,
    and do not hide other errors."""
    if not _FILLED_LINE.search(data):
        return False
    lines = data.split(b"\n")
    around = (line for failure in reading.failures for line in lines[max(failure.line - 2, 0) : failure.line + 1])
    return any(map(_FILLED_LINE.match, around))


def _is_read_when_filled(data: bytes, name: str) -> bool:
    """Whether a file is valid YAML after its variables are replaced: `{app: ${NAME}}`."""
    if not _VARIABLE.search(data):
        return False
    filled = attempt("reading", name, lambda: read(_VARIABLE.sub(b"x", data), json=False), _not_read)
    return isinstance(filled, Reading) and not filled.failures


def _not_read(reason: str, is_expensive: bool) -> str | Reading:
    return f"not judged: {reason}" if is_expensive else f"cannot be read: {reason}"


def _read_forked(
    sources: Sequence[Source], stdin: Callable[[], bytes], jobs: int, tell: Tell
) -> list[File | Unreadable]:
    """Child processes read every `jobs`-th source and send plain values back; the parent reads its own share."""
    import marshal

    children = []
    for share in range(1, jobs):
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:  # pragma: no cover - runs in the child
            status = 1
            try:
                os.close(receive)
                begin_share()
                start_ticking()
                with os.fdopen(send, "wb") as pipe:
                    read = [pack_file(_read_file(source, stdin)) for source in sources[share::jobs]]
                    marshal.dump((read, *handed_over()), pipe)
                # Faults in a child would be lost, so the parent reads this share again.
                status = 1 if noted_faults() else _STOPPED if was_stopped() else 0
            finally:
                os._exit(status)
        os.close(send)
        children.append((child, receive, share))
    files: list[File | Unreadable | None] = [None] * len(sources)
    files[0::jobs] = _read_share(sources[0::jobs], stdin, tell, len(sources))
    for child, receive, share in children:
        with os.fdopen(receive, "rb") as pipe:
            data = pipe.read()
        take_in(len(data))
        _, status = os.waitpid(child, 0)
        share_sources = sources[share::jobs]
        code = os.waitstatus_to_exitcode(status)
        if code in (0, _STOPPED):
            read_there, *notes = marshal.loads(data)
            files[share::jobs] = [
                unpack_file(packed_file, source) for packed_file, source in zip(read_there, share_sources, strict=True)
            ]
            take_over(*notes)
            if code == _STOPPED:
                note_stop()
        else:  # the child died (out of memory, killed): read its share here
            files[share::jobs] = [_read_file(source, stdin) for source in share_sources]
    return [file for file in files if file is not None]


def pack_file(file: File | Unreadable) -> tuple[Any, ...]:
    """The file as plain values, for another process or another run."""
    # marshal does not support NamedTuples.
    if isinstance(file, Unreadable):
        return tuple(file)
    documents = tuple(
        (document.index, document.line, document.value, tuple(map(tuple, document.duplicates)))
        for document in file.reading.documents
    )
    failures = tuple(map(tuple, file.reading.failures))
    return (
        documents,
        failures,
        file.reading.dropped,
        file.reading.is_common,
        file.claims,
        file.templated,
        file.encrypted,
        file.marked,
        file.limiting,
    )


def unpack_file(packed_file: tuple, source: Source) -> File | Unreadable:  # type: ignore[type-arg]  # plain marshalled data
    """The file that was packed."""
    if len(packed_file) == len(Unreadable._fields):
        return Unreadable(*packed_file)
    documents, failures, dropped, is_common, *flags = packed_file
    reading = Reading(
        tuple(
            Document(index, line, value, tuple(DuplicateKey(*duplicate) for duplicate in duplicates))
            for index, line, value, duplicates in documents
        ),
        tuple(Failure(*failure) for failure in failures),
        dropped,
        is_common,
    )
    return File(source, reading, *flags)
