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
    from collections.abc import Callable, Iterable, Sequence

Stamp = tuple[int, int, int, int, int]
"""Mode, size, time of change, time of change of anything about it (both in nanoseconds), inode."""
if TYPE_CHECKING:
    Seen = tuple[Stamp | None, bytes]
    KeepState = Callable[["Transcript", "Basis"], None]


class Basis:
    """What is known of an answer that is kept."""

    def __init__(
        self,
        covered: Sequence[str],
        entries: Sequence[tuple[str, Stamp]],
        links: Sequence[str],
        contents: bytes,
        slices: bytes,
    ) -> None:
        self.covered = covered
        """The folders that it rests on."""
        self.entries = entries
        """All that lies there, by path: files, folders and links."""
        self.links = links
        """Each symbolic link, and what it leads to, as a census has them."""
        self.contents = contents
        """The digests of the entries."""
        self.slices = slices
        """A digest of what of the state stands by itself; empty where nothing does."""


STDOUT, STDERR = 1, 2
DIGEST = 16
"""Bytes of a digest."""
UNKNOWN = bytes(DIGEST)
"""In place of a digest that was not taken: such a file is the same only as long as nothing about it has changed."""
INDEX = b"DIRC"
"""How an index of git begins. It changes whenever git looks at the files, so that its bytes say nothing."""


class Transcript:
    """What is noted. A class because it grows."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        """Where what is worth it may be kept."""
        self.at_end: list[Callable[[Transcript, int], None]] = []
        """What is to be called when the run is over, with when it began."""
        self.read: dict[str, Seen] = {}
        """By absolute path: what the file was like when it was opened, None where there was none, and its digest."""
        self.said: list[tuple[int, str]] = []
        """What went to standard output and standard error, in order."""
        self.written: list[tuple[str, bytes]] = []
        """The reports that were written to files, by absolute path."""
        self.covered: tuple[str, ...] = ()
        """The folders and files all of which the answer may rest on; empty where it must not be given again."""
        self.deciding: frozenset[str] = frozenset()
        """By absolute path: the files that decide how what lies there is judged, whatever else they hold."""
        self.pure = False
        """The command does nothing but to look and to say what it sees."""
        self.slices: Callable[[Transcript], bytes] | None = None
        """What of the state that was looked at stands by itself, packed; None where nobody says."""
        self.answer_is_sliced = False
        """The answer says nothing that does not follow from what is said of these."""
        self.keep_state: KeepState | None = None
        """Keeps what was found out of the state that was looked at."""
        self.builds_from: int | None = None
        """How many files there have to be for what is built to be noted as well; None: it is not."""
        self.doubt = ""
        """Why the answer might be another one the next time, though nothing has changed."""


_now: Transcript | None = None


def begin(folder: str) -> None:
    """From here on everything is noted, and `folder` is where what is worth it may be kept."""
    global _now
    _now = Transcript(folder)


def folder() -> str:
    """Where something may be kept; empty where nothing is."""
    return _now.folder if _now is not None else ""


def noted_so_far() -> Transcript | None:
    """What is noted up to now, if anything is."""
    return _now


def at_end(do: Callable[[Transcript, int], None]) -> None:
    """Have something called when the run is over."""
    if _now is not None:
        _now.at_end.append(do)


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


def note_known(path: str, seen: Stamp, digest: bytes) -> None:
    """A file was not opened, since it is what it was when it was read, with this digest."""
    if _now is not None:
        _note(os.path.abspath(path), (seen, digest))


def digest_read(path: str) -> bytes:
    """The digest of a file that was read; empty where it was not, or none was taken."""
    _, content = _now.read.get(os.path.abspath(path), (None, UNKNOWN)) if _now is not None else (None, UNKNOWN)
    return b"" if content == UNKNOWN else content


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


def note_said(stream: int, text: str) -> None:
    """Something was printed."""
    if _now is not None:
        _now.said.append((stream, text))


def note_written(path: str, data: bytes) -> None:
    """A report was written to a file."""
    if _now is not None:
        _now.written.append((os.path.abspath(path), data))


def note_covered(paths: Iterable[str]) -> None:
    """The answer rests on these folders and files, on what is noted as read, and on nothing else. What was read up to
    here decides how they are judged."""
    if _now is not None:
        _now.covered, _now.deciding = tuple(dict.fromkeys(paths)), frozenset(_now.read)


def want_builds(least: int) -> None:
    """What is built from here on is to be noted, with what it was built from, if there are at least so many files."""
    if _now is not None:
        _now.builds_from = least


def wants_builds(files: int) -> bool:
    """Whether that is so for a repository of so many files."""
    return _now is not None and _now.builds_from is not None and files >= _now.builds_from


def note_slices(make: Callable[[Transcript], bytes], *, of_answer: bool) -> None:
    """What of the state that was looked at stands by itself is what this returns, if the answer is kept; `of_answer`:
    the answer is true as long as the same is said of that."""
    if _now is not None:
        _now.slices, _now.answer_is_sliced = make, of_answer


def note_state(keep: KeepState) -> None:
    """What was found out of the state that was looked at is kept by this, if the answer is kept."""
    if _now is not None:
        _now.keep_state = keep


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
