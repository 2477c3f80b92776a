"""Folders that are filled with the files of a state; what two of them have in common is written once, and linked."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from quotalint.diff.git import GitEntry

EXECUTABLE = "100755"


class LeftOut(NamedTuple):
    """What is in a state of the repository and not in the folder."""

    path: str
    """From the root of the repository."""
    reason: str


class Folder:
    """A folder that is filled."""

    def __init__(self, root: str, top: str, here: str) -> None:
        """`root` and `here`, the repository and the working directory, are stood for by what is below `top`."""
        self.top = top
        self.root = top + os.path.splitdrive(root)[1]
        self.ids: dict[str, str] = {}
        self.left_out: list[LeftOut] = []
        self.is_full = False
        self._made: set[str] = set()
        os.makedirs(top + os.path.splitdrive(here)[1])

    def write(self, entry: GitEntry, make: Callable[[str], object]) -> bool:
        """Make a file; where that is not possible it is left out."""
        path = os.path.join(self.root, *entry.path.split("/"))
        try:
            folder = os.path.dirname(path)
            if folder not in self._made:
                os.makedirs(folder, exist_ok=True)
                self._made.add(folder)
            make(path)
        except (OSError, ValueError) as error:
            if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
                self.is_full = True
            self.left_out.append(LeftOut(entry.path, f"cannot be copied: {getattr(error, 'strerror', None) or error}"))
            return False
        if entry.id:
            self.ids[entry.path] = entry.id
        return True

    def without(self, files: Iterable[LeftOut]) -> None:
        """Take files out again."""
        for one in files:
            if self.ids.pop(one.path, None):
                os.unlink(os.path.join(self.root, *one.path.split("/")))
                self.left_out.append(one)


class Store:
    """Where what was written first; a class because of that alone."""

    def __init__(self, hashed: Callable[[bytes], str]) -> None:
        self.hashed = hashed
        self._first: dict[tuple[str, bool], str] = {}

    def link(self, to: Folder, entry: GitEntry) -> bool:
        """Whether the file was written before and is there now too, or cannot be."""
        first = self._first.get((entry.id, entry.mode == EXECUTABLE))
        if first is None:
            return False

        def linked(path: str) -> None:
            try:
                os.link(first, path)
            except FileExistsError:
                raise
            except OSError:  # too many links, or a file system without any
                with open(first, "rb") as file:
                    written(path, file.read(), entry.mode == EXECUTABLE)

        to.write(entry, linked)
        return True

    def write(self, to: Folder, entry: GitEntry, data: bytes) -> None:
        executable = entry.mode == EXECUTABLE
        if to.write(entry, lambda path: written(path, data, executable)):
            self._first[entry.id, executable] = os.path.join(to.root, *entry.path.split("/"))


def written(path: str, data: bytes, executable: bool) -> None:
    """Make a file, where there is none."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o700 if executable else 0o600), "wb") as file:
        file.write(data)


def hollow(path: str, size: int) -> None:
    """Make an empty file that seems to have a size."""
    written(path, b"", False)
    os.truncate(path, size)
