"""What lies below some folders: each name, and what the file system tells of it that changes when it changes.

This is all of a repository, and not what a run is known to have looked at: a question that a program asks, or that
somebody adds to quotalint, cannot be forgotten. Of git's own folder nothing is here; what is read of it is noted when
it is read.
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
"""Numbers for each entry: mode, size, time of change, time of change of anything about it, inode."""
_LARGEST = 8 << 20  # bytes of a file whose content is looked at
_COARSE = 2_000_000_000  # nanoseconds between two times that old file systems can tell apart
_FINE = 30_000_000  # the same of others; kernels look at the clock a hundred times a second


class Census:
    """The entries of some folders in an order that depends on nothing but their names."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The path of each folder, with a separator at its end, followed by the names of what lies in it."""
        self.numbers = array("q")
        """WIDTH for each name that is no path."""
        self.links: list[str] = []
        """Each symbolic link, and what it leads to."""
        self.latest = 0
        """When something changed last, in nanoseconds; more than that where the file system cannot tell exactly."""

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
    """What lies below these real folders, or is one of these files; None where that are more than `most` entries, or
    not all of it can be seen."""
    result = Census()
    waiting = list(reversed(covered))
    try:
        while waiting:
            folder = waiting.pop()
            _look_at(folder, result, waiting, covered)
            if len(result.names) > most:
                return None
    except (OSError, ValueError):
        return None
    return result


def _look_at(folder: str, result: Census, waiting: list[str], covered: Sequence[str]) -> None:
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
        # Of a folder its entries are looked at, of a link where it leads.
        numbers.extend((status.st_mode, 0, 0, 0, 0))
        if kind == stat.S_IFDIR:
            if entry.name != ".git":
                below.append(entry.path)
        elif kind == stat.S_IFLNK:
            result.links += (entry.path, _led_to(entry.path, covered))
    waiting += reversed(below)


def changed_at(seen: Stamp) -> int:
    """When anything about a file changed last; later than that where the file system cannot tell exactly."""
    # On Windows the other time is the one at which a file was made.
    time = seen[2] if os.name == "nt" else seen[3]
    return time + (_FINE if time % 1_000_000_000 else _COARSE)


def _led_to(link: str, covered: Sequence[str]) -> str:
    """What a link says, and what it leads to; of what lies elsewhere more, since nobody else looks at it."""
    real = os.path.realpath(link)
    try:
        status = os.stat(link)
    except OSError as error:
        return f"{os.readlink(link)}\0{real}\0{error.errno}"
    elsewhere = stat.S_ISREG(status.st_mode) and not is_covered(real, covered)
    return f"{os.readlink(link)}\0{real}\0{stamp(status) if elsewhere else stat.S_IFMT(status.st_mode)}"


def is_covered(path: str, covered: Sequence[str]) -> bool:
    """Whether a census of these folders says all about a path."""
    inside = any(path == folder or path.startswith(os.path.join(folder, "")) for folder in covered)
    return inside and ".git" not in path.split(os.sep)


def content_digest(path: str, *, follow: bool = False) -> bytes:
    """What stands for what is in a file now; UNKNOWN where that cannot be said."""
    data = _content_bytes(path, follow=follow)
    return UNKNOWN if data is None else digest(data)


def _content_bytes(path: str, *, follow: bool = False) -> bytes | None:
    """What is in a file now; None where that cannot be said, or takes too long."""
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
