"""Files and folders, on the disk or in a virtual folder that replaces one.

All reading of a repository goes through these functions, so a git revision can be read like a folder on the disk. The
words for kinds of entries and errors are here too.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO, Protocol


class FolderEntry(Protocol):
    """An entry of a folder, like `os.DirEntry`."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    def is_symlink(self) -> bool: ...
    def is_dir(self) -> bool: ...
    def is_file(self) -> bool: ...
    def stat(self) -> os.stat_result: ...


class StandIn(Protocol):
    """A virtual folder that replaces a folder of the disk. All paths are absolute."""

    def covers(self, path: str) -> bool:
        """Whether a path is in the folder by its name, so that the disk is not used."""

    def real_path(self, path: str, strict: bool) -> str:
        """Like `os.path.realpath`."""

    def status(self, path: str, follow: bool) -> os.stat_result:
        """Like `os.stat`."""

    def plain_mode(self, path: str) -> int | None:
        """The mode at a path, zero if nothing is there; None if the name alone does not decide it."""

    def entries(self, path: str) -> Sequence[FolderEntry]:
        """The entries of a folder. Raises OSError."""

    def read(self, path: str, limit: int) -> bytes | None:
        """The bytes of a file in the folder, by its real path, cut after `limit` + 1; None for a folder. Raises
        OSError."""


@contextmanager
def with_stand_ins(*folders: StandIn) -> Iterator[None]:
    """Lets virtual folders replace their folders on the disk, before those that were set earlier."""
    _STAND_INS[:0] = folders
    try:
        yield
    finally:
        del _STAND_INS[: len(folders)]


_STAND_INS: list[StandIn] = []


def stand_in_at(path: str) -> StandIn | None:
    """The virtual folder for a path; nearly always None."""
    stand_in, _ = _stand_in_for(path)
    return stand_in


def _stand_in_for(path: str) -> tuple[StandIn | None, str]:
    """The virtual folder for a path, and the absolute path to use with it."""
    if not _STAND_INS:
        return None, path
    full = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    for folder in _STAND_INS:
        if folder.covers(full):
            return folder, full
    plain = os.path.normpath(full)
    # A path with `..` out of the folder and into it again is only recognised without the dots.
    return next((folder for folder in _STAND_INS if folder.covers(plain)), None), plain


def real_path(path: str, *, strict: bool = False) -> str:
    """The path with all symbolic links followed. Raises ValueError for an invalid path and, if `strict`, OSError if
    nothing is there."""
    folder, full = _stand_in_for(path)
    if folder is not None:
        return folder.real_path(full, strict)
    if strict:  # os.path.realpath treats a file as a folder in `file/..`; the system does not
        os.stat(path)
    return os.path.realpath(path, strict=strict)


def status_of(path: str, *, follow: bool = True) -> os.stat_result:
    """Kind, mode and size of an entry. Raises OSError."""
    folder, full = _stand_in_for(path)
    return os.stat(path, follow_symlinks=follow) if folder is None else folder.status(full, follow)


def is_file(path: str) -> bool:
    """Whether a path leads to a regular file."""
    return stat.S_ISREG(_mode_of(path, follow=True)) if _STAND_INS else os.path.isfile(path)


def is_folder(path: str) -> bool:
    """Whether a path leads to a folder."""
    return stat.S_ISDIR(_mode_of(path, follow=True)) if _STAND_INS else os.path.isdir(path)


def is_link(path: str) -> bool:
    """Whether a path is a symbolic link."""
    return stat.S_ISLNK(_mode_of(path, follow=False)) if _STAND_INS else os.path.islink(path)


def is_there(path: str) -> bool:
    """Whether an entry exists, including a broken symbolic link."""
    return bool(_mode_of(path, follow=False)) if _STAND_INS else os.path.lexists(path)


def exists_at(path: str) -> bool:
    """Whether an entry exists, with symbolic links followed."""
    return bool(_mode_of(path, follow=True)) if _STAND_INS else os.path.exists(path)


def entries_of(folder: str) -> Sequence[FolderEntry]:
    """The entries of a folder, in no order. Raises OSError."""
    stand_in, full = _stand_in_for(folder)
    if stand_in is not None:
        return stand_in.entries(full)
    with os.scandir(folder) as entries:
        return list(entries)


def names_in(folder: str) -> list[str]:
    """The names in a folder, in no order; empty if it is no folder."""
    try:
        return [entry.name for entry in entries_of(folder)]
    except OSError:
        return []


def open_file(path: str) -> BinaryIO:
    """Opens a file that is known to be regular, for reading. Raises OSError."""
    stand_in, full = _stand_in_for(path)
    if stand_in is None:
        return open(path, "rb")
    real = stand_in.real_path(full, strict=True)
    if not stand_in.covers(real):
        return open(real, "rb")
    return BytesIO(stand_in.read(real, stand_in.status(real, follow=True).st_size) or b"")


def _mode_of(path: str, *, follow: bool) -> int:
    """The mode of an entry; zero if there is none."""
    folder, full = _stand_in_for(path)
    mode = folder.plain_mode(full) if folder is not None else None
    if mode is not None:
        return mode
    try:
        return status_of(path, follow=follow).st_mode
    except (OSError, ValueError):
        return 0


def why_broken(error: OSError) -> str:
    """Why a symbolic link is broken, as a clause."""
    if error.errno == errno.ELOOP:
        return "is a symbolic link that leads back to itself"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return "is a symbolic link to nothing"
    return f"is a symbolic link that cannot be followed: {error_words(error)}"


def kind_of_entry(mode: int) -> str:
    """The words for an entry that is neither file nor folder."""
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "no regular file"


def error_words(error: Exception) -> str:
    """The system's message for an error."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def printable_name(name: str) -> str:
    """A name that can be printed anywhere: bytes that are not UTF-8 become U+FFFD, control characters escapes."""
    if name.isprintable():
        return name
    try:
        text = os.fsencode(name).decode("utf-8", "replace")
    except UnicodeEncodeError:  # a surrogate without a byte
        text = name.encode("utf-8", "replace").decode()
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", lambda match: ascii(match[0])[1:-1], text)
