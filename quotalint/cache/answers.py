"""Cached answers of whole runs: their output, written files and exit status, valid while everything they depend on is
unchanged.

An answer is reused if the census of everything it depends on is the same: names, modes, sizes, times and inodes. If
only times and inodes differ, as after a fresh checkout, contents are compared. An answer is stored only if nothing
changed during the run, or so shortly before that the file system might not show it.
"""

from __future__ import annotations

import os
import stat
import time

from quotalint.cache.census import Census, census, content_digest, is_covered
from quotalint.cache.folder import cache_folder, entry, is_trusted, keep
from quotalint.cache.identity import identity
from quotalint.cache.kept_answer import KeptAnswer, pack_answer, unpack_answer
from quotalint.runtime.transcript import DIGEST, UNKNOWN, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from quotalint.runtime.transcript import Seen, Transcript

OFF = "--no-cache"
_WITHOUT = ("QUOTALINT_NO_CACHE", "QUOTALINT_DEBUG", "_QUOTALINT_COMPLETE")
_OTHERS = (("diff",), ("rules",), ("explain",), ("init",), ("completion",), ("schema",), ("cache",), ("lsp",))
_SPARE = 2_000  # extra entries allowed in a small repository
_SHARE = 20  # entries allowed for each one that is read, in a large repository
_BUDGET = 64 << 20  # bytes of files that are read only for their digests


class Question:
    """A command line whose answer may be cached."""

    def __init__(self, folder: str, key: str, began: int) -> None:
        self.folder = folder
        self.key = key
        self.began = began
        """The start of the run, in nanoseconds."""


def question(arguments: Sequence[str]) -> Question | None:
    """The question of a command line; None if its answer must not be cached."""
    began = time.time_ns()
    if OFF in arguments or "-" in arguments or any(map(os.environ.get, _WITHOUT)) or tuple(arguments[:1]) in _OTHERS:
        return None
    folder = cache_folder()
    if not folder:
        return None
    try:
        if _is_in_repository(folder, arguments):
            return None
        key = identity(arguments)
    except (OSError, ValueError):
        return None
    return Question(folder, key, began) if key else None


def _is_in_repository(folder: str, arguments: Sequence[str]) -> bool:
    """Whether the cache folder is in a repository of this run, which could then supply its own answers."""
    real = os.path.realpath(folder)
    for named in (".", *arguments):
        start = os.path.realpath(named) if "\0" not in named and os.path.lexists(named) else ""
        repository = start
        while repository and not os.path.lexists(os.path.join(repository, ".git")):
            repository = os.path.dirname(repository) if os.path.dirname(repository) != repository else ""
        for enclosing_folder in filter(None, (start, repository)):
            if real == enclosing_folder or real.startswith(os.path.join(enclosing_folder, "")):
                return True
    return False


def named_files(arguments: Sequence[str]) -> frozenset[str]:
    """The report files that a command line names, as `--output FORMAT=FILE` and `-o FORMAT=FILE`."""
    files = set()
    is_value = False
    for argument in arguments:
        if argument == "--":
            break
        if is_value or argument.startswith(("--output=", "-o")):
            written = argument if is_value else argument.removeprefix("--output=").removeprefix("-o")
            files.add(written.partition("=")[2])
        is_value = not is_value and argument in ("--output", "-o")
    return frozenset(files)


def kept_answer(question_asked: Question) -> KeptAnswer | None:
    """The cached answer, if everything it depends on is unchanged."""
    if not is_trusted(question_asked.folder):
        return None
    body = entry(question_asked.folder, question_asked.key)
    if body is None:
        return None
    try:
        cached = unpack_answer(body)
    except (ValueError, IndexError):
        return None
    census_time = time.time_ns()
    current_census = census(cached.covered, 2 * len(cached.census.names) + _SPARE)
    if (
        current_census is None
        or current_census.names != cached.census.names
        or current_census.links != cached.census.links
    ):
        return None
    same = current_census.numbers == cached.census.numbers
    if not same and not _has_same_contents(cached, current_census):
        return None
    outside = [seen_again(path, seen) for path, seen in cached.outside]
    outside_now = [entry for entry in outside if entry is not None]
    if len(outside_now) < len(outside):
        return None
    if (not same or outside_now != list(cached.outside)) and current_census.latest < census_time:
        cached.census, cached.outside = current_census, outside_now
        keep(question_asked.folder, question_asked.key, pack_answer(cached))
    return cached


def _has_same_contents(known: KeptAnswer, now: Census) -> bool:
    """Whether entries with different times or inodes have their old mode and content."""
    stamps = zip(known.census.stamps(), now.stamps(), now.paths(), strict=True)
    for number, (before, after, path) in enumerate(stamps):
        if before != after:
            digest = known.digests[number * DIGEST : (number + 1) * DIGEST]
            if before[0] != after[0] or digest == UNKNOWN or content_digest(path) != digest:
                return False
    return True


def seen_again(path: str, seen: Seen) -> tuple[str, Seen] | None:
    """The new state of a file outside the census; None if its content changed."""
    before, digest = seen
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return (path, seen) if before is None else None
    except (OSError, ValueError):
        return None
    if before is None:
        return None
    if not stat.S_ISREG(before[0]):
        return (path, seen) if stat.S_IFMT(status.st_mode) == before[0] else None
    now = stamp(status)
    if now == before:
        return path, seen
    if now[0] != before[0] or digest == UNKNOWN or _digest_beside(path) != digest:
        return None
    return path, (now, digest)


def _digest_beside(path: str) -> bytes:
    """The digest of a file outside the census; for a git index, of its names only, because git updates the rest when it
    reads files."""
    if os.path.basename(path) == "index":
        from quotalint.text.git_index import names_digest

        return names_digest(path)
    return content_digest(path, follow=True)


def keep_answer(question_asked: Question, noted: Transcript, status: int) -> None:
    """Caches the answer of a run if it would be repeated."""
    if not (noted.pure and noted.covered) or noted.doubt or status not in (0, 1):
        return
    covered = _outermost(os.path.realpath(path) for path in noted.covered)
    real = os.path.realpath(question_asked.folder)
    # A file that a run writes into the repository is read by the next run.
    if any(is_covered(os.path.realpath(path), covered) for path, _, _ in noted.written):
        return
    if is_covered(real, covered) or any(path.startswith(os.path.join(real, "")) for path in covered):
        return
    now = census(covered, _SPARE + _SHARE * len(noted.read))
    if now is None or now.latest >= question_asked.began:
        return
    paths = list(now.paths())
    digests = _digests(now, paths, noted.read)
    inside = set(paths)
    outside = _seen_outside(
        {path: seen for path, seen in noted.read.items() if path not in inside}, covered, question_asked.began
    )
    if digests is None or outside is None:
        return
    answer = KeptAnswer(covered, now, digests, outside)
    answer.said, answer.written, answer.status = noted.said, noted.written, status
    keep(question_asked.folder, question_asked.key, pack_answer(answer))


def _outermost(paths: Iterator[str]) -> tuple[str, ...]:
    outermost: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(os.path.join(outer, "")) for outer in outermost):
            outermost.append(path)
    return tuple(outermost)


def _digests(now: Census, paths: Sequence[str], read: dict[str, Seen]) -> bytes | None:
    """The digest of each entry; None if a file changed since it was read."""
    digests: list[bytes] = []
    bytes_left = _BUDGET
    for path, numbers in zip(paths, now.stamps(), strict=True):
        before, digest = read.get(path, _UNREAD)
        is_file = stat.S_ISREG(numbers[0])
        if is_file and before is not None and before != numbers:
            return None
        if digest == UNKNOWN and is_file and numbers[1] <= bytes_left:
            bytes_left -= numbers[1]
            digest = content_digest(path)
        digests.append(digest)
    return b"".join(digests)


_UNREAD = (None, UNKNOWN)


def _seen_outside(read: dict[str, Seen], covered: Sequence[str], began: int) -> list[tuple[str, Seen]] | None:
    """The files that were read and are not in the census; None if one changed since."""
    outside: list[tuple[str, Seen]] = []
    for path, (before, digest) in read.items():
        # The names in its folder show that it does not exist.
        if before is None and is_covered(path, covered):
            continue
        seen = (before, _digest_beside(path) if digest == UNKNOWN and before and stat.S_ISREG(before[0]) else digest)
        if seen_again(path, seen) != (path, seen) or (before and max(before[2:4]) + 30_000_000 >= began):
            return None
        outside.append((path, seen))
    return outside
