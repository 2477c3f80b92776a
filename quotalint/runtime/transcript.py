"""What a run reads and says, noted while it goes on, so that its answer can be given again where nothing has changed.

Nothing is noted unless `begin` was called. Imported by a run that is answered from memory, so that this imports nothing
that costs time.
"""

from __future__ import annotations

import os
import stat

try:  # `hashlib` loads OpenSSL, which takes longer than to look at a thousand files
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Stamp = tuple[int, int, int, int, int]
"""Mode, size, time of change, time of change of anything about it (both in nanoseconds), inode."""
Said = tuple[int, str, bool, str]
"""The stream, the format (empty for a line on standard error), whether colours are wanted, and the text."""
if TYPE_CHECKING:
    Seen = tuple[Stamp | None, bytes]

STDOUT, STDERR = 1, 2
DIGEST = 16
"""Bytes of a digest."""
UNKNOWN = bytes(DIGEST)
"""In place of a digest that was not taken: such a file is the same only as long as nothing about it has changed."""
INDEX = b"DIRC"
"""How an index of git begins. It changes whenever git looks at the files, so that its bytes say nothing."""


class Transcript:
    """What is noted. A class because it grows."""

    def __init__(self) -> None:
        self.read: dict[str, Seen] = {}
        """By absolute path: what the file was like when it was opened, None where there was none, and its digest."""
        self.said: list[Said] = []
        """What went to standard output and standard error, in order."""
        self.written: list[tuple[str, str, str]] = []
        """The reports that were written to files: the path as the command line has it, the format, the text."""
        self.covered: tuple[str, ...] = ()
        """All folders and files that the answer may depend on; empty if it must not be reused."""
        self.pure = False
        """The command does nothing but to look and to say what it sees."""
        self.doubt = ""
        """Why the answer might be another one the next time, though nothing has changed."""


_now: Transcript | None = None


def begin() -> None:
    """From here on everything is noted."""
    global _now
    _now = Transcript()


def end() -> Transcript | None:
    """What was noted, which is forgotten."""
    global _now
    ended, _now = _now, None
    return ended


def digest(data: bytes) -> bytes:
    """What stands for the content of a file."""
    return blake2b(data, digest_size=DIGEST).digest()


def key_of(data: bytes, size: int) -> str:
    """A digest of so many bytes, in hexadecimal digits."""
    return blake2b(data, digest_size=size).hexdigest()


def stamp(status: os.stat_result) -> Stamp:
    """What changes when a file changes, as far as a file system tells."""
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & (1 << 63) - 1)


def note_read(path: str, status: os.stat_result, data: bytes, *, whole: bool) -> None:
    """A file was opened and read."""
    if _now is not None:
        known = whole and data[:4] != INDEX
        _note(os.path.abspath(path), (stamp(status), digest(data) if known else UNKNOWN))


def note_other(path: str, status: os.stat_result) -> None:
    """Something that is no regular file was opened, and closed again."""
    if _now is not None:
        _note(os.path.abspath(path), ((stat.S_IFMT(status.st_mode), 0, 0, 0, 0), UNKNOWN))


def note_failure(path: str, error: Exception) -> None:
    """A file could not be read."""
    if _now is not None:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            _note(os.path.abspath(path), (None, UNKNOWN))
        else:
            note_doubt(f"{path} cannot be read")


def _note(path: str, seen: Seen) -> None:
    if _now is None:
        return
    before = _now.read.setdefault(path, seen)
    if before[0] != seen[0] or (before[1] != seen[1] and UNKNOWN not in (before[1], seen[1])):
        note_doubt(f"{path} has changed meanwhile")
    elif before[1] == UNKNOWN:
        _now.read[path] = seen


def note_said(said: Said) -> None:
    """Something was printed."""
    if _now is not None:
        _now.said.append(said)


def note_written(path: str, kind: str, text: str) -> None:
    """A report of a format was written to a file."""
    if _now is not None:
        _now.written.append((path, kind, text))


def note_covered(paths: Iterable[str]) -> None:
    """The answer rests on these folders and files, on what is noted as read, and on nothing else."""
    if _now is not None:
        _now.covered = tuple(dict.fromkeys(paths))


def note_pure() -> None:
    """The command does nothing but to look and to say what it sees."""
    if _now is not None:
        _now.pure = True


def note_doubt(why: str) -> None:
    """The answer depends on something that is not looked at again: a program that ran out of time."""
    if _now is not None:
        _now.doubt = _now.doubt or why


def handed_over() -> tuple[list[tuple[str, Seen]], str]:
    """In a process that was forked: what it noted, in plain values, for the one that waits for it."""
    if _now is None:
        return [], ""
    return list(_now.read.items()), _now.doubt


def begin_share() -> None:
    """In a process that was forked: from here on its own share is noted."""
    if _now is not None:
        _now.read.clear()


def take_over(read: list[tuple[str, Seen]], doubt: str) -> None:
    """What a process that was forked has noted."""
    if _now is not None:
        for path, seen in read:
            _note(path, seen)
        _now.doubt = _now.doubt or doubt
