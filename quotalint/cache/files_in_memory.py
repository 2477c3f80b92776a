"""Files that this process read earlier, reused while the file system shows no change."""

from __future__ import annotations

import os
import time

from quotalint.cache.census import changed_at
from quotalint.runtime.recall import memory_in_use
from quotalint.runtime.resource_limits import take_in
from quotalint.runtime.transcript import Stamp, stamp
from quotalint.text.reading import File, Learning
from quotalint.text.sources import Source


def files_in_memory() -> FilesInMemory | None:
    """The files that this process has read; None in a process that runs once."""
    memory = memory_in_use()
    return None if memory is None else memory.lasting("files", FilesInMemory)


class FilesInMemory(Learning):
    """A cache that returns the identical values for unchanged files, so that values derived from them are found too. It
    is a class because it grows."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Stamp, File]] = {}
        """By path: the file's stamp before reading, and its content."""
        self._asked: dict[str, Stamp] = {}

    def __call__(self, source: Source) -> File | None:
        """The file for a source, if it is cached."""
        if not source.path:
            return None
        try:
            now = stamp(os.stat(source.path))
        except (OSError, ValueError):
            self._read.pop(source.path, None)
            return None
        before, file = self._read.get(source.path, (None, None))
        if file is not None and before == now:
            take_in(now[1])
            return file if file.source == source else file._replace(source=source)
        self._asked.pop(source.path, None)
        # A file that was just written may be written again with the same time.
        if changed_at(now) < time.time_ns():
            self._asked[source.path] = now
        return None

    def learn(self, file: File) -> File:
        """Caches a file that was read."""
        asked = self._asked.pop(file.source.path, None)
        self._read.pop(file.source.path, None)
        if asked is not None:
            self._read[file.source.path] = asked, file
        return file
