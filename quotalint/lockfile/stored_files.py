"""The files of a vendored source."""

from __future__ import annotations

import os
from collections.abc import Iterator

from quotalint.text.disk import entries_of
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content


def files_below(top: str) -> Iterator[tuple[str, bytes]]:
    """The files below a folder, with their paths from there. Raises OSError, also for what is no regular file."""
    waiting = [top]
    while waiting:
        for entry in entries_of(waiting.pop()):
            if entry.is_dir() and not entry.is_symlink():
                waiting.append(entry.path)
                continue
            data = content(entry.path, MAX_BYTES, follow=False)
            if data is None:
                raise OSError(f"{entry.path} is no regular file")
            yield os.path.relpath(entry.path, top).replace(os.sep, "/"), data
