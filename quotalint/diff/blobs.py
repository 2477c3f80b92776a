"""The contents of files by their ids in git, read on demand."""

from __future__ import annotations

import errno
import os
import selectors
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from quotalint.diff import git
from quotalint.diff.git import ABSENT, TIMEOUT, Git, Refused
from quotalint.programs import Stopped

if TYPE_CHECKING:
    from subprocess import Popen

_BATCH = 64 * 1024 * 1024  # bytes of files in one request to git
_ROOM = 128 * 1024 * 1024  # bytes of files that stay in memory


class Blobs:
    """The contents read so far, and the git process that reads more."""

    def __init__(self, of: Git, absent: frozenset[str] = frozenset()) -> None:
        """`absent`: the ids that the clone lacks."""
        self._of = of
        self._absent = absent
        self._here: dict[str, bytes] = {}
        self._room = _ROOM
        self._files: dict[str, str] = {}
        """By id: the temporary files with contents that git lacks."""
        self._reader: Popen[bytes] | None = None
        self._owner = 0

    def read(self, name: str) -> bytes:
        """The content with this id. Raises OSError if it cannot be read."""
        data = self._here.get(name)
        if data is not None:
            return data
        if name in self._files:
            with open(self._files[name], "rb") as file:
                return file.read()
        if name in self._absent:
            raise FileNotFoundError(errno.ENOENT, ABSENT)
        return self._ask_reader(name)

    def give(self, name: str, data: bytes) -> None:
        """Add a content that git lacks."""
        if name in self._files or name in self._here:
            return
        path = os.path.join(self._of.home, name)
        with open(path, "xb") as file:
            file.write(data)
        self._files[name] = path

    def fetch(self, sizes: Mapping[str, int]) -> Iterator[tuple[str, bytes] | Refused]:
        """The available contents with these ids; they are kept if there is room."""
        yield from ((name, self.read(name)) for name in sizes if name in self._here or name in self._files)
        elsewhere = {*self._absent, *self._files, *self._here}
        for batch in _batches({name: size for name, size in sizes.items() if name not in elsewhere}):
            contents = git.blobs(self._of, batch)
            if isinstance(contents, Refused):
                yield contents
                return
            for name, data in contents:
                if len(data) <= self._room:
                    self._room -= len(data)
                    self._here[name] = data
                yield name, data

    def close(self) -> None:
        """End the git process."""
        reader, self._reader = self._reader, None
        if reader is not None and self._owner == os.getpid():
            with suppress(OSError):
                reader.kill()
            reader.wait()
            for pipe in (reader.stdin, reader.stdout):
                if pipe is not None:
                    pipe.close()

    def _ask_reader(self, name: str) -> bytes:
        reader = self._running()
        if reader.stdin is None or reader.stdout is None:
            raise OSError(errno.EIO, "git does not run")
        deadline = time.monotonic() + TIMEOUT
        try:
            reader.stdin.write(name.encode("ascii") + b"\n")
            head = b""
            while b"\n" not in head:
                head += _next_bytes(reader.stdout.fileno(), _HEAD, deadline)
            line, _, data = head.partition(b"\n")
            _, kind, *size = line.decode("ascii", "replace").split()
            if kind != "blob":
                raise FileNotFoundError(errno.ENOENT, ABSENT)
            parts, bytes_left = [data], int(size[0]) + 1 - len(data)
            while bytes_left > 0:
                parts.append(_next_bytes(reader.stdout.fileno(), bytes_left, deadline))
                bytes_left -= len(parts[-1])
        except ValueError:
            self.close()
            raise OSError(errno.EIO, "git gave an unexpected answer") from None
        except BaseException:
            self.close()  # or the next request would get the answer to this one
            raise
        return b"".join(parts)[:-1]

    def _running(self) -> Popen[bytes]:
        # A forked process must not use the pipes of its parent.
        if self._reader is None or self._owner != os.getpid():
            reader = git.start_reader(self._of)
            if isinstance(reader, Stopped):
                raise OSError(errno.EIO, f"git {reader.reason}")
            self._reader, self._owner = reader, os.getpid()
        return self._reader


_HEAD = 4096


def _next_bytes(pipe: int, most: int, deadline: float) -> bytes:
    """The next bytes, at least one. Raises OSError at the end."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        if not selector.select(max(deadline - time.monotonic(), 0)):
            raise OSError(errno.ETIMEDOUT, f"git took longer than {TIMEOUT:g} s")
    data = os.read(pipe, min(most, 1 << 20))
    if not data:
        raise OSError(errno.EIO, "git ended without an answer")
    return data


def _batches(sizes: Mapping[str, int]) -> Iterable[list[str]]:
    batch: list[str] = []
    total = 0
    for name, size in sizes.items():
        if batch and total + size > _BATCH:
            yield batch
            batch, total = [], 0
        batch.append(name)
        total += size
    if batch:
        yield batch
