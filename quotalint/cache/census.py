"""A census of folders: each name, with the file system data that changes when the entry changes.

It has everything in a repository, not only what a run is known to read, so no dependency can be forgotten. git's own
folder is left out; files in it are recorded when they are read.
"""

from __future__ import annotations

import os
import stat
from array import array

from quotalint.runtime.transcript import UNKNOWN, digest, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from quotalint.runtime.transcript import Stamp

WIDTH = 5
"""Numbers for each entry: mode, size, modification time, status change time, inode."""
_LARGEST = 8 << 20  # bytes of a file whose content is read
_COARSE = 2_000_000_000  # nanoseconds: the resolution of old file systems
_FINE = 30_000_000  # the same for other file systems; kernels update their clock a hundred times a second


class Census:
    """The entries of some folders in an order that only depends on their names."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The path of each folder, ending with a separator, followed by the names in it."""
        self.numbers = array("q")
        """WIDTH numbers for each name that is no path."""
        self.links: list[str] = []
        """Each symbolic link, and its target."""
        self.latest = 0
        """The time of the last change, in nanoseconds; later if the file system is not exact."""

    def paths(self) -> Iterator[str]:
        """The path of each entry."""
        folder = ""
        for name in self.names:
            if os.sep in name:
                folder = name
            else:
                yield folder + name

    def stamps(self) -> Iterator[Stamp]:
        """The numbers of each entry."""
        each = iter(self.numbers)
        return zip(each, each, each, each, each, strict=True)


def census(covered: Sequence[str], most: int) -> Census | None:
    """The census of these real folders and files; None if they have more than `most` entries, or if something cannot be
    read."""
    result = Census()
    waiting = list(reversed(covered))
    try:
        while waiting:
            folder = waiting.pop()
            _add_entries(folder, result, waiting, covered)
            if len(result.names) > most:
                return None
    except (OSError, ValueError):
        return None
    return result


def _add_entries(folder: str, result: Census, waiting: list[str], covered: Sequence[str]) -> None:
    status = os.lstat(folder)
    result.latest = max(result.latest, changed_at(stamp(status)))
    if not stat.S_ISDIR(status.st_mode):
        result.names += (os.path.join(os.path.dirname(folder), ""), os.path.basename(folder))
        result.numbers.extend(stamp(status))
        return
    with os.scandir(folder) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    names, numbers = result.names, result.numbers
    names.append(os.path.join(folder, ""))
    below = []
    for entry in entries:
        names.append(entry.name)
        status = entry.stat(follow_symlinks=False)
        kind = stat.S_IFMT(status.st_mode)
        if kind == stat.S_IFREG:
            seen = stamp(status)
            numbers.extend(seen)
            result.latest = max(result.latest, changed_at(seen))
            continue
        # For a folder, its entries are recorded, for a link its target.
        numbers.extend((status.st_mode, 0, 0, 0, 0))
        if kind == stat.S_IFDIR:
            if entry.name != ".git":
                below.append(entry.path)
        elif kind == stat.S_IFLNK:
            result.links += (entry.path, _link_target(entry.path, covered))
    waiting += reversed(below)


def changed_at(seen: Stamp) -> int:
    """The time of a file's last change; later if the file system is not exact."""
    # On Windows the other time is the creation time.
    time = seen[2] if os.name == "nt" else seen[3]
    return time + (_FINE if time % 1_000_000_000 else _COARSE)


def _link_target(link: str, covered: Sequence[str]) -> str:
    """A link's text and target; for a file outside the census also its stamp, because nothing else records it."""
    real = os.path.realpath(link)
    try:
        status = os.stat(link)
    except OSError as error:
        return f"{os.readlink(link)}\0{real}\0{error.errno}"
    elsewhere = stat.S_ISREG(status.st_mode) and not is_covered(real, covered)
    return f"{os.readlink(link)}\0{real}\0{stamp(status) if elsewhere else stat.S_IFMT(status.st_mode)}"


def is_covered(path: str, covered: Sequence[str]) -> bool:
    """Whether a census of these folders contains a path."""
    inside = any(path == folder or path.startswith(os.path.join(folder, "")) for folder in covered)
    return inside and ".git" not in path.split(os.sep)


def content_digest(path: str, *, follow: bool = False) -> bytes:
    """The digest of a file's content; UNKNOWN if it cannot be read."""
    data = _content_bytes(path, follow=follow)
    return UNKNOWN if data is None else digest(data)


def _content_bytes(path: str, *, follow: bool = False) -> bytes | None:
    """The content of a file; None if it cannot be read, or is too large."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        file = os.open(path, flags if follow else flags | getattr(os, "O_NOFOLLOW", 0))
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return None
        data = os.read(file, status.st_size + 1)
        while more := os.read(file, 1 << 16):
            data += more
            if len(data) > _LARGEST:
                return None
    except OSError:
        return None
    finally:
        os.close(file)
    return data
