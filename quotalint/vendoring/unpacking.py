"""The files of an archive that is not trusted: regular files with plain paths, within limits."""

from __future__ import annotations

import gzip
import io
import zlib

from quotalint.text.guards import MAX_BYTES
from quotalint.vendoring import MIB, FetchError, Limits

_MOST_HEADERS = 4
"""How much larger than its files an archive may be, with headers and padding."""
_LONGEST = 255
_DEEPEST = 60


class _BoundedReader:
    """Reads up to a number of unpacked bytes, whatever an archive claims; tarfile also reads headers into memory."""

    def __init__(self, packed: bytes, most: int) -> None:
        self._file = gzip.GzipFile(fileobj=io.BytesIO(packed))
        self._left = most

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(self._left + 1 if size < 0 else min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise FetchError("its archive unpacks to more than quotalint takes")
        return data


def unpacked_chart(packed: bytes, limits: Limits) -> dict[str, bytes]:
    """The files of a packed chart, below the chart's folder. Raises FetchError."""
    import tarfile

    files: dict[str, bytes] = {}
    size = 0
    try:
        reader = _BoundedReader(packed, _MOST_HEADERS * limits.unpacked)
        with tarfile.open(fileobj=reader, mode="r|") as members:  # type: ignore[call-overload]  # it only reads
            for number, member in enumerate(members):
                size += member.size
                if number >= limits.files or size > limits.unpacked:
                    most = f"{limits.files} files or {limits.unpacked // MIB} MiB"
                    raise FetchError(f"its archive unpacks to more than {most}")
                if member.isdir():
                    continue
                if not member.isreg():
                    raise FetchError(f"its archive has something that is no regular file: {member.name[:80]!r}")
                content = members.extractfile(member)
                top, _, path = member.name.removeprefix("./").partition("/")
                add_file(files, path if top else "/", content.read() if content else b"")
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, KeyError) as error:
        raise FetchError("its archive is broken") from error
    if "Chart.yaml" not in files:
        raise FetchError("its archive has no Chart.yaml")
    return files


def add_file(files: dict[str, bytes], path: str, data: bytes) -> None:
    """Add a file if its path is plain, and no other file is in its way. Raises FetchError."""
    parts = path.split("/")
    plain = all(_is_plain(part) for part in parts) and len(parts) <= _DEEPEST
    if not plain or path in files or any("/".join(parts[:depth]) in files for depth in range(1, len(parts))):
        raise FetchError(f"it has a path that is not allowed: {path[:80]!r}")
    if len(data) > MAX_BYTES:
        raise FetchError(f"it has a file of more than {MAX_BYTES // MIB} MiB: {path[:80]!r}")
    files[path] = data


def _is_plain(part: str) -> bool:
    """Whether a name may be that of a file or folder on any disk."""
    return (
        part not in ("", ".", "..")
        and part.lower() != ".git"
        and part.isprintable()
        and len(part.encode("utf-8", "surrogateescape")) <= _LONGEST
        and "\\" not in part
        and ":" not in part  # a stream of a file on Windows
    )
