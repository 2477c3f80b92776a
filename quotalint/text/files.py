"""Reads files without blocking on a pipe, and writes them completely or not at all."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

from quotalint.runtime.transcript import note_failure, note_other, note_read
from quotalint.text.disk import entries_of, is_there, open_file, real_path, stand_in_at

_Made = TypeVar("_Made")


def content(path: str, limit: int, *, follow: bool = True) -> bytes | None:
    """The bytes of a regular file, cut after `limit` + 1; None for any other kind of entry.

    Raises OSError if it cannot be opened or read, also for a symbolic link unless `follow`, and ValueError for an
    invalid path.
    """
    if _PRETENDED and (pretended := _pretended_at(path)) is not None:
        return pretended[: limit + 1]
    stand_in = stand_in_at(path)
    if stand_in is not None:
        path = os.path.join(os.getcwd(), path)
        above, name = os.path.split(path)
        path = stand_in.real_path(path, False) if follow else os.path.join(stand_in.real_path(above, False), name)
        if stand_in.covers(path):
            return stand_in.read(path, limit)
    try:
        file = os.open(path, _FLAGS if follow else _FLAGS | getattr(os, "O_NOFOLLOW", 0))
    except (OSError, ValueError) as error:
        note_failure(path, error)
        raise
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            note_other(path, status)
            return None
        data = os.read(file, min(status.st_size, limit) + 1)
        # One extra byte was requested: if the size is as reported, the file is complete.
        is_whole = bool(data) and len(data) == status.st_size
        while not is_whole and len(data) <= limit:
            more = os.read(file, min(limit + 1 - len(data), max(_PIECE, len(data))))
            data += more
            is_whole = not more
        note_read(path, status, data, whole=len(data) <= limit)
        return data
    finally:
        os.close(file)


# Without O_NONBLOCK, opening a named pipe waits for a writer.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_COPIED = 1 << 20
"""The bytes that are copied at a time."""
_PIECE = 1 << 16
"""The bytes that are requested beyond the reported size."""

_PRETENDED: dict[str, bytes] = {}
_REAL_PATHS: list[Callable[[str], str]] = []  # functions that give real paths


@contextmanager
def pretend_contents(files: Mapping[str, bytes], real_path: Callable[[str], str] = os.path.realpath) -> Iterator[None]:
    """Lets files, by their paths, have other contents for readers in this process, to check a change before it is
    written. `real_path` may be a cached version of that function."""
    _PRETENDED.update((real_path(path), data) for path, data in files.items())
    _REAL_PATHS.append(real_path)
    try:
        yield
    finally:
        _PRETENDED.clear()
        _REAL_PATHS.pop()


def _pretended_at(path: str) -> bytes | None:
    return _PRETENDED.get(_REAL_PATHS[-1](path))


def is_as_on_disk(folder: str) -> bool:
    """Whether the files in a folder, given by its real path, are read from the disk."""
    return stand_in_at(folder) is None and not any(lies_in(path, folder) for path in _PRETENDED)


def copy(path: str, target: str) -> None:
    """Copies a file with the bytes that `content` reads."""
    pretended = _pretended_at(path) if _PRETENDED else None
    if pretended is None and stand_in_at(path) is None:
        # Only small files are copied: this is faster than `shutil`, which checks both files.
        with open(path, "rb", buffering=0) as original, open(target, "wb") as new:
            while piece := original.read(_COPIED):
                new.write(piece)
        return
    with open(target, "xb") as file:
        if pretended is None:
            with open_file(path) as original:
                pretended = original.read()
        file.write(pretended)


def copy_folder(folder: str, target: str) -> None:
    """Copies a folder without `.git`, following links, which must not lead to a folder around them."""
    pending_folders = [(folder, target)]
    while pending_folders:
        source_folder, target_folder = pending_folders.pop()
        os.makedirs(target_folder)
        for entry in entries_of(source_folder):
            target_path = os.path.join(target_folder, entry.name)
            if entry.name == ".git":
                continue
            if entry.is_dir():
                pending_folders.append((entry.path, target_path))
            elif entry.is_file():
                copy(entry.path, target_path)


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or something in it, by the names alone."""
    return (path + os.sep).startswith(folder.rstrip(os.sep) + os.sep)


def lies_in_repository(path: str, root: str) -> bool:
    """Whether a path is the root of a repository or in it, by the names alone, but not in its `.git`. Commits cannot
    write there, and CI keeps a token in it."""
    path_below = path[len(root.rstrip(os.sep)) :]
    return bool(path) and lies_in(path, root) and _GIT not in f"{path_below}{os.sep}".lower()


_GIT = f"{os.sep}.git{os.sep}"


def write_whole(path: str, data: bytes, *, new: bool = False) -> str:
    """Writes a file through a temporary file in its folder; returns the error, or an empty text.

    A symbolic link stays a link, even a broken one. The mode stays and, if allowed, the owner; pipes and devices are
    written to directly. With `new`, nothing may exist at the path, not even since a moment ago. The file is complete if
    the process is killed, but not after a power failure: nothing waits for the disk.
    """
    try:
        if new and os.path.lexists(path):
            return os.strerror(errno.EEXIST)
        if is_stream(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            put_file(os.path.realpath(path), data, new=new)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


LED_OUT = "a symbolic link leads out of the repository there"


def leads_out(path: str) -> bool:
    """Whether a path in a repository leads out of it through a symbolic link. A change may contain the link, and
    the user who names the path does not mean its target."""
    full = os.path.abspath(path)
    # Without a git repository, the working directory counts.
    top = _repository_around(full) or os.getcwd()
    return lies_in(full, top) and not lies_in(os.path.realpath(full), os.path.realpath(top))


def leads_out_of_git(path: str) -> bool:
    """Whether a path leads out of its git repository: the target may be private, and would be shown. Outside
    repositories, nobody else creates links."""
    full = os.path.abspath(path)
    real = real_path(full)
    if real == full:
        return False
    top = _repository_around(full)
    return bool(top) and not lies_in_repository(real, real_path(top))


def _repository_around(full: str) -> str:
    """The git repository around an absolute path; empty if there is none."""
    top = os.path.dirname(full)
    while not is_there(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            return ""
        top = os.path.dirname(top)
    return top


def is_stream(path: str) -> bool:
    """Whether the path is a pipe or device, which is written to and not replaced."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    # In these folders even a regular file may be open in another process: `/dev/stdout`.
    return not stat.S_ISREG(mode) or os.path.abspath(path).startswith(("/dev/", "/proc/"))


def put_file(path: str, data: bytes, *, new: bool = False, mode: int | None = None) -> None:
    """Replaces a file with a new one. It has this mode, or else that of the old one. Raises OSError."""
    temporary, file = make_temporary(os.path.dirname(path), partial(_create_file, mode=0o666 if mode is None else mode))
    try:
        with open(file, "wb") as stream:
            stream.write(data)
        if mode is None and not new and os.path.exists(path):
            _resemble_file(temporary, os.stat(path))
        if not (new and _link_file(temporary, path)):
            os.replace(temporary, path)
    finally:  # also after a keyboard interrupt
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _create_file(path: str, *, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)


def _link_file(file: str, path: str) -> bool:
    """Creates a hard link, which fails if the name exists; returns False if the file system has none."""
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        return False
    return True


def make_temporary(folder: str, make: Callable[[str], _Made]) -> tuple[str, _Made]:
    """The path of a new temporary file or folder, and what made it. Removes those that killed runs left. Raises
    OSError."""
    drop_leftovers(folder)
    for number in range(_LEFTOVERS):
        # The name does not contain the file's, which may have the maximum length.
        path = os.path.join(folder, f"{_TEMPORARY[0]}{os.getpid()}.{number}{_TEMPORARY[1]}")
        try:
            return path, make(path)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, f"{os.strerror(errno.EEXIST)}: {path}")


_LEFTOVERS = 100
_TEMPORARY = (".quotalint.", ".tmp")
_ABANDONED = 600
"""The seconds after which nobody writes to a temporary file any more."""


def drop_leftovers(folder: str) -> None:
    """Removes temporary files and folders that killed runs left in a folder."""
    with suppress(OSError):  # others may have removed them, or own them
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            is_ours = name.startswith(_TEMPORARY[0]) and name.endswith(_TEMPORARY[1])
            if is_ours and time.time() - os.lstat(path).st_mtime > _ABANDONED:
                remove_path(path)


def remove_path(path: str) -> None:
    """Removes a file, a link, or a folder with all that is in it, if it is there. Raises OSError."""
    if os.path.isdir(path) and not os.path.islink(path):
        import shutil

        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def _resemble_file(path: str, status: os.stat_result) -> None:
    own = os.stat(path)
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        # In a container, the process is often root and the owner is not. Before the mode, because chown clears the
        # set-user-ID bit.
        with suppress(OSError, AttributeError):  # others may not; Windows cannot
            os.chown(path, status.st_uid, status.st_gid)
    os.chmod(path, stat.S_IMODE(status.st_mode))
