"""Reading a file that somebody else put there: never a pipe or a device, never more than was asked for."""

from __future__ import annotations

import os
import stat


def content(path: str, limit: int, follow: bool = True) -> bytes | None:
    """The bytes of a regular file, cut after `limit` + 1; None for everything else that can be opened.

    Raises OSError when it cannot be opened or read, so for a symbolic link unless `follow`, and ValueError for a path
    that no file system can hold.
    """
    # Without O_NONBLOCK the opening of a named pipe waits for somebody to write into it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags if follow else flags | getattr(os, "O_NOFOLLOW", 0))
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            return None
        data = os.read(file, min(status.st_size, limit) + 1)
        while len(data) <= limit and (more := os.read(file, limit + 1 - len(data))):
            data += more
        return data
    finally:
        os.close(file)
