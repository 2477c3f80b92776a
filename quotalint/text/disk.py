"""What lies where: what the disk has, or what stands in for a folder that was never written to it.

Whoever looks at a repository asks here, so that a state of it that git alone has is looked at like one on the disk. How
its entries are spoken of is here, too.
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
    """Something in a folder, as `os.DirEntry` has it."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    def is_symlink(self) -> bool: ...
    def is_dir(self) -> bool: ...
    def is_file(self) -> bool: ...
    def stat(self) -> os.stat_result: ...


class StandIn(Protocol):
    """What is looked at in place of a folder of the disk. All paths are absolute."""

    def covers(self, path: str) -> bool:
        """Whether a path lies in the folder, going by its name, so that the disk says nothing of it."""

    def real_path(self, path: str, strict: bool) -> str:
        """As `os.path.realpath`."""

    def status(self, path: str, follow: bool) -> os.stat_result:
        """As `os.stat`."""

    def plain_mode(self, path: str) -> int | None:
        """The mode of what is at a path, zero where nothing is; None where it takes more than its name to say so."""

    def entries(self, path: str) -> Sequence[FolderEntry]:
        """What is in a folder. Raises OSError."""

    def read(self, path: str, limit: int) -> bytes | None:
        """The bytes of a file that it covers, by its real path, cut after `limit` + 1; None for a folder. Raises
        OSError."""


@contextmanager
def standing_in_for(*folders: StandIn) -> Iterator[None]:
    """While this lasts, what lies in these folders is what these say, and no other that stood in for them before."""
    _STAND_INS[:0] = folders
    try:
        yield
    finally:
        del _STAND_INS[: len(folders)]


_STAND_INS: list[StandIn] = []


def stand_in_at(path: str) -> StandIn | None:
    """What stands in for the disk at a path; None nearly always."""
    stand_in, _ = _standing_at(path)
    return stand_in


def _standing_at(path: str) -> tuple[StandIn | None, str]:
    """What stands in for the disk at a path, and the absolute path to ask it for."""
    if not _STAND_INS:
        return None, path
    full = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    for folder in _STAND_INS:
        if folder.covers(full):
            return folder, full
    plain = os.path.normpath(full)
    # What goes up beside the folder and down into it is told by the plain path alone.
    return next((folder for folder in _STAND_INS if folder.covers(plain)), None), plain


def real_path(path: str, *, strict: bool = False) -> str:
    """Where a path leads, all symbolic links followed. Raises ValueError for what is no path, and, where it is
    `strict`, OSError where it leads nowhere."""
    folder, full = _standing_at(path)
    if folder is not None:
        return folder.real_path(full, strict)
    if strict:  # os.path.realpath goes up from a file as if it were a folder; the system does not
        os.stat(path)
    return os.path.realpath(path, strict=strict)


def status_of(path: str, *, follow: bool = True) -> os.stat_result:
    """What is known of what is there: kind, mode and size. Raises OSError."""
    folder, full = _standing_at(path)
    return os.stat(path, follow_symlinks=follow) if folder is None else folder.status(full, follow)


def is_file(path: str) -> bool:
    """Whether a path leads to a regular file."""
    return stat.S_ISREG(_mode_of(path, follow=True)) if _STAND_INS else os.path.isfile(path)


def is_folder(path: str) -> bool:
    """Whether a path leads to a folder."""
    return stat.S_ISDIR(_mode_of(path, follow=True)) if _STAND_INS else os.path.isdir(path)


def is_link(path: str) -> bool:
    """Whether a path is that of a symbolic link."""
    return stat.S_ISLNK(_mode_of(path, follow=False)) if _STAND_INS else os.path.islink(path)


def is_there(path: str) -> bool:
    """Whether there is something, be it a symbolic link that leads nowhere."""
    return bool(_mode_of(path, follow=False)) if _STAND_INS else os.path.lexists(path)


def leads_somewhere(path: str) -> bool:
    """Whether there is something, symbolic links followed."""
    return bool(_mode_of(path, follow=True)) if _STAND_INS else os.path.exists(path)


def entries_of(folder: str) -> Sequence[FolderEntry]:
    """What is in a folder, in no order. Raises OSError."""
    stand_in, full = _standing_at(folder)
    if stand_in is not None:
        return stand_in.entries(full)
    with os.scandir(folder) as entries:
        return list(entries)


def names_in(folder: str) -> list[str]:
    """The names in a folder, in no order; none where it is no folder."""
    try:
        return [entry.name for entry in entries_of(folder)]
    except OSError:
        return []


def open_file(path: str) -> BinaryIO:
    """A file that is trusted to be a regular one, to be read. Raises OSError."""
    stand_in, full = _standing_at(path)
    if stand_in is None:
        return open(path, "rb")
    real = stand_in.real_path(full, strict=True)
    if not stand_in.covers(real):
        return open(real, "rb")
    return BytesIO(stand_in.read(real, stand_in.status(real, follow=True).st_size) or b"")


def _mode_of(path: str, *, follow: bool) -> int:
    """Zero where there is nothing."""
    folder, full = _standing_at(path)
    mode = folder.plain_mode(full) if folder is not None else None
    if mode is not None:
        return mode
    try:
        return status_of(path, follow=follow).st_mode
    except (OSError, ValueError):
        return 0


def why_broken(error: OSError) -> str:
    """Why a symbolic link leads nowhere, as a clause."""
    if error.errno == errno.ELOOP:
        return "is a symbolic link that leads back to itself"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return "is a symbolic link to nothing"
    return f"is a symbolic link that cannot be followed: {error_words(error)}"


def kind_of_entry(mode: int) -> str:
    """What an entry of this mode is that is neither file nor folder."""
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "no regular file"


def error_words(error: Exception) -> str:
    """What the system says of it."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def printable_name(name: str) -> str:
    """A name that can be written anywhere: bytes that are not UTF-8 become U+FFFD, control characters escapes."""
    if name.isprintable():
        return name
    try:
        text = os.fsencode(name).decode("utf-8", "replace")
    except UnicodeEncodeError:  # a surrogate that stands for no byte
        text = name.encode("utf-8", "replace").decode()
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", lambda match: ascii(match[0])[1:-1], text)
