"""The files in a packed chart, under Helm's names (3.18, pkg/chart/loader/archive.go)."""

from __future__ import annotations

import gzip
import io
import posixpath
import zlib
from collections.abc import Iterator
from typing import BinaryIO

_MAX_LEVELS = 5  # nested packed charts


class PackedChartError(Exception):
    """A packed chart is broken or too large. The message follows the chart's name."""


def packed_files(packed: BinaryIO, most: int, levels: int = _MAX_LEVELS) -> Iterator[tuple[str, bytes]]:
    """The files of a packed chart with their paths in its folder; a packed subchart is followed by its own files, up to
    `levels` deep. Raises PackedChartError if more than `most` bytes would be unpacked."""
    import tarfile

    unpacked = 0
    try:
        # tarfile's `r|gz` fails on an extra field in Helm's gzip header.
        with tarfile.open(fileobj=gzip.GzipFile(fileobj=packed), mode="r|") as members:
            for member in members:
                unpacked += member.size
                if unpacked > most:
                    raise PackedChartError(f"unpacks to more than {most // 1024 // 1024} MiB")
                file = members.extractfile(member) if member.isfile() else None
                if file is None:
                    continue
                name, data = _name_below(member.name), file.read()
                yield name, data
                if name.endswith(".tgz"):
                    if not levels:
                        raise PackedChartError("has too many charts packed in each other")
                    for inner_name, inner_data in packed_files(io.BytesIO(data), most - unpacked, levels - 1):
                        unpacked += len(inner_data)
                        yield f"{name}/{inner_name}", inner_data
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, KeyError) as error:
        raise PackedChartError("cannot be unpacked") from error


def _name_below(written: str) -> str:
    """The path without its first folder. Archives made on Windows may use backslashes."""
    separator = "\\" if "\\" in written else "/"
    return posixpath.normpath("/".join(written.split(separator)[1:]))
