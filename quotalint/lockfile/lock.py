"""The entries of `quotalint.lock`: one for each remote source, version and all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.hashes import hash_function
from quotalint.text.documents import Reading
from quotalint.text.lazy_patterns import lazy_pattern

VERSION = 1


class RemoteSource(NamedTuple):
    """A source as a repository asks for it."""

    url: str
    """The address of a chart repository, a registry (`oci://…`) or a git repository, without credentials."""
    chart: str = ""
    """The name of the chart; empty for a git repository."""
    version: str = ""
    """The version, range, branch, tag or commit as written; empty: the newest, or the default branch."""

    @property
    def words(self) -> str:
        """The source in messages."""
        asked = f" {self.version}" if self.version else ""
        return f"chart {self.chart}{asked} of {self.url}" if self.chart else f"{self.url}{asked and f' at{asked}'}"


class LockedSource(NamedTuple):
    """A source, and what it was resolved to."""

    source: RemoteSource
    resolved: str
    """The version of the chart, or the commit."""
    digest: str
    """`sha256:` and the digest of the files (`digest_of`)."""

    @property
    def folder(self) -> str:
        """The name of the folder with the files: for people, and unique for each content."""
        name = self.source.chart or self.source.url.removesuffix(".git")
        version = self.resolved[: 40 if self.source.chart else 12]
        plain = _NOT_PLAIN.sub("-", f"{name.rpartition('/')[2]}-{version}").strip("-.")
        return f"{plain}-{self.digest.rpartition(':')[2][:16]}"


_NOT_PLAIN = lazy_pattern(r"[^A-Za-z0-9.]+")
_DIGEST = lazy_pattern(r"sha256:[0-9a-f]{64}")
_FIELDS = ("source", "chart", "asked", "resolved", "digest")


class LockError(Exception):
    """The lock cannot be read. The message completes "quotalint.lock "."""


def locked_sources(reading: Reading) -> dict[RemoteSource, LockedSource]:
    """The entries of the lock by source. Raises LockError."""
    for failure in reading.failures:
        raise LockError(f"cannot be read: line {failure.line}: {failure.message}")
    value = reading.documents[0].value if reading.documents else {}
    if not isinstance(value, dict) or value.get("version") != VERSION or not isinstance(value.get("sources"), list):
        raise LockError("is not a lock of this version of quotalint")
    return {entry.source: entry for entry in map(_entry_of, value["sources"])}


def _entry_of(value: object) -> LockedSource:
    fields = value if isinstance(value, dict) else {}
    source, chart, asked, resolved, digest = (fields.get(name, "") for name in _FIELDS)
    texts = all(isinstance(field, str) for field in (source, chart, asked, resolved, digest))
    if not texts or not source or not _DIGEST.fullmatch(digest):
        raise LockError("has an entry without source or digest")
    return LockedSource(RemoteSource(source, chart, asked), resolved, digest)


def lock_text(entries: Iterable[LockedSource]) -> str:
    """The text of the lock: sorted, and the same for the same entries."""
    return "".join(("# Written by `quotalint vendor`; not to be edited.\n", f"version: {VERSION}\n", *_lines(entries)))


def _lines(entries: Iterable[LockedSource]) -> Iterator[str]:
    import json

    ordered = sorted(entries)
    yield "sources:\n" if ordered else "sources: []\n"
    for entry in ordered:
        values = (*entry.source, entry.resolved, entry.digest)
        written = [f"{name}: {json.dumps(value)}\n" for name, value in zip(_FIELDS, values, strict=True) if value]
        yield f"- {'  '.join(written)}"


def digest_of(files: Iterable[tuple[str, bytes]]) -> str:
    """The digest of files: that of a list of their names and digests, sorted by name."""
    sha256 = hash_function("sha256")
    digests = sorted((name, sha256(data).hexdigest()) for name, data in files)
    lines = "".join(f"{digest}  {name}\n" for name, digest in digests)
    return f"sha256:{sha256(lines.encode('utf-8', 'surrogateescape')).hexdigest()}"


def replaced_contents(before: Reading, after: Reading) -> tuple[tuple[int, LockedSource], ...]:
    """The entries of a lock that have another digest than before and the same version, with their positions. A lock
    that cannot be read has none."""
    try:
        old, new = locked_sources(before), locked_sources(after)
    except LockError:
        return ()
    return tuple(
        (number, entry)
        for number, (source, entry) in enumerate(new.items())
        if source in old and old[source].resolved == entry.resolved and old[source].digest != entry.digest
    )


_USER = lazy_pattern(r"^([a-z][a-z0-9+.-]*://)[^/@]*@", re.IGNORECASE)


def without_credentials(url: str) -> str:
    """An address without user and password; only `git@`, which is no secret, is left to ssh."""
    url = url.strip()
    if url.lower().startswith("ssh://"):
        return re.sub(r"^(ssh://[^/@:]*):[^/@]*@", r"\1@", url, flags=re.IGNORECASE)
    return _USER.sub(r"\1", url).rstrip("/")
