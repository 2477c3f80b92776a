"""Files that somebody else put there: read without waiting for a pipe, written as a whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from quotalint.runtime.transcript import note_failure, note_other, note_read
from quotalint.text.disk import entries_of, is_there, open_file, real_path, stand_in_at


def content(path: str, limit: int, *, follow: bool = True) -> bytes | None:
    """The bytes of a regular file, cut after `limit` + 1; None for everything else that can be opened.

    Raises OSError when it cannot be opened or read, so for a symbolic link unless `follow`, and ValueError for a path
    that no file system can hold.
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
        # One byte more than there are was asked for: where they are as many as the system said, there is no more.
        is_whole = bool(data) and len(data) == status.st_size
        while not is_whole and len(data) <= limit:
            more = os.read(file, min(limit + 1 - len(data), max(_PIECE, len(data))))
            data += more
            is_whole = not more
        note_read(path, status, data, whole=len(data) <= limit)
        return data
    finally:
        os.close(file)


# Without O_NONBLOCK the opening of a named pipe waits for somebody to write into it.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_COPIED = 1 << 20
"""Bytes that are copied at once."""
_PIECE = 1 << 16
"""Bytes that are asked for beside what the file was said to hold: room for them is made before any is there."""

_PRETENDED: dict[str, bytes] = {}
_REAL_PATHS: list[Callable[[str], str]] = []  # who knows real paths meanwhile


@contextmanager
def pretend_contents(files: Mapping[str, bytes], real_path: Callable[[str], str] = os.path.realpath) -> Iterator[None]:
    """Have files, by their paths, hold something else for whoever reads them here meanwhile: what is to be written can
    be looked at before it is. `real_path` is for who knows the real paths of most files."""
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
    """Whether what lies in a folder, given by its real path, is read as it is on the disk."""
    return stand_in_at(folder) is None and not any(lies_in(path, folder) for path in _PRETENDED)


def copy(path: str, target: str) -> None:
    """Copy a file as `content` reads it."""
    pretended = _pretended_at(path) if _PRETENDED else None
    if pretended is None and stand_in_at(path) is None:
        # Nothing that is copied is large: bytes come and go faster than `shutil` looks at what both files are.
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
    """Copy a folder without git's own, and what links in it lead to, which must not be a folder around them."""
    pending_folders = [(folder, target)]
    while pending_folders:
        here, there = pending_folders.pop()
        os.makedirs(there)
        for entry in entries_of(here):
            at = os.path.join(there, entry.name)
            if entry.name == ".git":
                continue
            if entry.is_dir():
                pending_folders.append((entry.path, at))
            elif entry.is_file():
                copy(entry.path, at)


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or something in it, going by the names alone."""
    return (path + os.sep).startswith(folder.rstrip(os.sep) + os.sep)


def lies_in_repository(path: str, root: str) -> bool:
    """Whether a path is the root of a repository or something of it, going by the names alone: git's own folder is not.
    Nothing that is committed gets there, and runners keep a token in it."""
    way = path[len(root.rstrip(os.sep)) :]
    return bool(path) and lies_in(path, root) and _GIT not in f"{way}{os.sep}".lower()


_GIT = f"{os.sep}.git{os.sep}"


def write_whole(path: str, data: bytes, *, new: bool = False) -> str:
    """Give a file these bytes, by way of another file beside it; why that failed, or nothing.

    A symbolic link stays one, also one that leads nowhere yet. What is there keeps its mode and, where that is allowed,
    its owner; a pipe or a device is written into. With `new` nothing may be there, be it since a moment ago. The file
    is whole after a process that was killed, not after a power failure: nothing waits for the disk.
    """
    try:
        if new and os.path.lexists(path):
            return os.strerror(errno.EEXIST)
        if is_stream(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _put_file(os.path.realpath(path), data, new=new)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""


LED_OUT = "a symbolic link leads out of the repository there"


def leads_out(path: str) -> bool:
    """Whether a path of a repository leads out of it by a symbolic link: a change may bring the link, and whoever names
    the path to write there has not named what it leads to."""
    full = os.path.abspath(path)
    # Without a repository of git: where whoever starts the run stands.
    top = _repository_around(full) or os.getcwd()
    return lies_in(full, top) and not lies_in(os.path.realpath(full), os.path.realpath(top))


def leads_out_of_git(path: str) -> bool:
    """Whether a path leads out of the git repository that it is a name in: what it leads to may be anybody's, and
    would be shown. Without a repository nobody else brings links."""
    full = os.path.abspath(path)
    real = real_path(full)
    if real == full:
        return False
    top = _repository_around(full)
    return bool(top) and not lies_in_repository(real, real_path(top))


def _repository_around(full: str) -> str:
    """The folder above an absolute path that git keeps a repository in, empty where there is none."""
    top = os.path.dirname(full)
    while not is_there(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            return ""
        top = os.path.dirname(top)
    return top


def is_stream(path: str) -> bool:
    """Whether there is a pipe or a device, which is there to be written to and not to be replaced by a file."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    # Below these folders even a regular file is one that somebody holds open: `/dev/stdout`.
    return not stat.S_ISREG(mode) or os.path.abspath(path).startswith(("/dev/", "/proc/"))


def _put_file(path: str, data: bytes, *, new: bool) -> None:
    temporary, file = _temporary_file(os.path.dirname(path))
    try:
        with open(file, "wb") as stream:
            stream.write(data)
        if os.path.exists(path) and not new:
            _resemble_file(temporary, os.stat(path))
        if not (new and _link_file(temporary, path)):
            os.replace(temporary, path)
    finally:  # also of an interruption by the keyboard
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _link_file(file: str, path: str) -> bool:
    """Give a file a second name, which is refused where something has it; not every file system can."""
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        return False
    return True


def _temporary_file(folder: str) -> tuple[str, int]:
    """A new file in a folder; runs that were killed may have left theirs."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(_LEFTOVERS):
        # Not made of the name of the file, which may be as long as a name can be.
        path = os.path.join(folder, f".quotalint.{os.getpid()}.{number}.tmp")
        try:
            return path, os.open(path, flags, 0o666)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, f"{os.strerror(errno.EEXIST)}: {path}")


_LEFTOVERS = 100


def _resemble_file(path: str, status: os.stat_result) -> None:
    own = os.stat(path)
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        # In a container whoever repairs is often root, and whoever owns the files is not. Before the mode, which loses
        # its set-user-ID bit here.
        with suppress(OSError, AttributeError):  # others may not; Windows cannot
            os.chown(path, status.st_uid, status.st_gid)
    os.chmod(path, stat.S_IMODE(status.st_mode))
