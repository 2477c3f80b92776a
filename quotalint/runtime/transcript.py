"""Records what a run reads and prints, so that its answer can be given again while nothing has changed.

Nothing is recorded before `begin` is called. A run that is answered from the cache imports this module, so it imports
nothing that costs time.
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
"""Mode, size, mtime and ctime in nanoseconds, inode."""
Said = tuple[int, str, bool, str]
"""The stream, the format (empty for a line on standard error), whether colours are wanted, and the text."""
if TYPE_CHECKING:
    Seen = tuple[Stamp | None, bytes]

STDOUT, STDERR = 1, 2
DIGEST = 16
"""Bytes of a digest."""
UNKNOWN = bytes(DIGEST)
"""Instead of a digest that was not computed: such a file counts as unchanged only while its stamp is equal."""
INDEX = b"DIRC"
"""The first bytes of a git index. Its content changes whenever git looks at the files, so no digest is computed."""


class Transcript:
    """What was recorded. A class because it grows."""

    def __init__(self) -> None:
        self.read: dict[str, Seen] = {}
        """By absolute path: the stamp of the file when it was opened (None if it did not exist), and its digest."""
        self.said: list[Said] = []
        """The output on standard output and standard error, in order."""
        self.written: list[tuple[str, str, str]] = []
        """The reports that were written to files: path as on the command line, format, text."""
        self.covered: tuple[str, ...] = ()
        """All folders and files that the answer may depend on; empty if it must not be reused."""
        self.pure = False
        """The command only reads and prints."""
        self.doubt = ""
        """Why the answer might differ next time, although no file has changed."""


_now: Transcript | None = None


def begin() -> None:
    """Begin to record."""
    global _now
    _now = Transcript()


def end() -> Transcript | None:
    """Stop recording, and return the record."""
    global _now
    ended, _now = _now, None
    return ended


def digest(data: bytes) -> bytes:
    """The digest of the content of a file."""
    return blake2b(data, digest_size=DIGEST).digest()


def key_of(data: bytes, size: int) -> str:
    """A digest of so many bytes, in hexadecimal digits."""
    return blake2b(data, digest_size=size).hexdigest()


def stamp(status: os.stat_result) -> Stamp:
    """The file system data that changes when a file changes."""
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & (1 << 63) - 1)


def note_read(path: str, status: os.stat_result, data: bytes, *, whole: bool) -> None:
    """Record that a file was opened and read; `whole`: to its end."""
    if _now is not None:
        known = whole and data[:4] != INDEX
        _note(os.path.abspath(path), (stamp(status), digest(data) if known else UNKNOWN))


def note_other(path: str, status: os.stat_result) -> None:
    """Record that something that is not a regular file was opened."""
    if _now is not None:
        _note(os.path.abspath(path), ((stat.S_IFMT(status.st_mode), 0, 0, 0, 0), UNKNOWN))


def note_failure(path: str, error: Exception) -> None:
    """Record that a file could not be read."""
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
    """Record printed text."""
    if _now is not None:
        _now.said.append(said)


def note_written(path: str, kind: str, text: str) -> None:
    """Record that a report was written to a file."""
    if _now is not None:
        _now.written.append((path, kind, text))


def note_covered(paths: Iterable[str]) -> None:
    """Record that the answer depends only on these folders and files, and on the files that were read."""
    if _now is not None:
        _now.covered = tuple(dict.fromkeys(paths))


def note_pure() -> None:
    """Record that the command only reads and prints."""
    if _now is not None:
        _now.pure = True


def note_doubt(why: str) -> None:
    """Record that the answer depends on something that no later run can compare, such as a program that timed out."""
    if _now is not None:
        _now.doubt = _now.doubt or why


def handed_over() -> tuple[list[tuple[str, Seen]], str]:
    """The record of a forked process, in plain values for its parent."""
    if _now is None:
        return [], ""
    return list(_now.read.items()), _now.doubt


def begin_share() -> None:
    """Begin the record of a forked process."""
    if _now is not None:
        _now.read.clear()


def take_over(read: list[tuple[str, Seen]], doubt: str) -> None:
    """Add the record of a forked process."""
    if _now is not None:
        for path, seen in read:
            _note(path, seen)
        _now.doubt = _now.doubt or doubt
