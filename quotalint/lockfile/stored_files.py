"""The files of a vendored source on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator

from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content


def files_below(top: str) -> Iterator[tuple[str, bytes]]:
    """The files below a folder, with their paths from there. Raises OSError, also for what is no regular file."""
    for folder, folders, names in os.walk(top, onerror=_raise_error):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            if name in folders and not os.path.islink(path):
                continue
            data = content(path, MAX_BYTES, follow=False)
            if data is None:
                raise OSError(f"{path} is no regular file")
            yield os.path.relpath(path, top).replace(os.sep, "/"), data


def _raise_error(error: OSError) -> None:
    raise error
