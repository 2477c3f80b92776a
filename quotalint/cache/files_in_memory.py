"""Files that earlier looks of this process read, while the file system says that they are the same."""

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
    """What this process has read; None where it looks once."""
    memory = memory_in_use()
    return None if memory is None else memory.lasting("files", FilesInMemory)


class FilesInMemory(Learning):
    """The very same values for files that have not changed, so that what is made of them is found as well. A class
    because it grows."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Stamp, File]] = {}
        """By path: what the file was like before it was read, and what was read."""
        self._asked: dict[str, Stamp] = {}

    def __call__(self, source: Source) -> File | None:
        """What is in a file, if that is known."""
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
        # A file that was written a moment ago may be written again without another time.
        if changed_at(now) < time.time_ns():
            self._asked[source.path] = now
        return None

    def learn(self, file: File) -> File:
        """Remember what was read in a file."""
        asked = self._asked.pop(file.source.path, None)
        self._read.pop(file.source.path, None)
        if asked is not None:
            self._read[file.source.path] = asked, file
        return file
