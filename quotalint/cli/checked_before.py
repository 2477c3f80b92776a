"""Whether a state of a repository is what `check` looked at in an earlier run.

That run knew the names and modes of all files, and what was in those that it read. What git called these contents it
asked the index; of the others it is found out of the work tree, which may have them still, and of git itself.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import TYPE_CHECKING

from quotalint import transcript
from quotalint.cache.answers import seen_again
from quotalint.cache.census import WIDTH, content_bytes
from quotalint.cache.folder import entry
from quotalint.cache.kept_answer import KeptAnswer, unpack_answer
from quotalint.cli.noted_by_check import kept_check, key_of_check, note_of
from quotalint.cli.state_notes import StateNote
from quotalint.diff.trees import Side, looking_at
from quotalint.diff.work_tree import content_id
from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content
from quotalint.text.guards import MAX_BYTES
from quotalint.text.sources import counts
from quotalint.text.unwritten import UnwrittenFile
from quotalint.transcript import DIGEST, UNKNOWN, digest

if TYPE_CHECKING:
    from quotalint.cli.unchanged import ComparedBy

_MOST = 400
"""Files that the work tree has not as the state has them; to read more takes longer than is worth it."""


class _Entry(NamedTuple):
    """What a check knew of a file, a link or a folder."""

    mode: int
    size: int
    digest: bytes


def note_of_check(asked: ComparedBy, side: Side) -> StateNote | None:
    """What a check kept of a state; None where it looked at another one."""
    folder, root, options = transcript.folder(), asked.of.root, asked.request.options
    if side.folder is None or side.left_out or not asked.is_by_state(side):
        return None
    key = key_of_check(root, asked.here, asked.paths, options)
    check = kept_check(folder, key) if key else None
    body = entry(folder, check.answer) if check is not None else None
    if check is None or body is None:
        return None
    try:
        answer = unpack_answer(body)
    except (ValueError, IndexError):
        return None
    if list(answer.covered) != [root] or digest(answer.digests) != check.contents:
        return None
    note, leaves = note_of(check, folder), dict(side.folder.tree.listing())
    entries = _entries(answer, root)
    if note is None or not _is_as_it_was(answer, leaves, root) or not _has_same_names(answer, entries, leaves, root):
        return None
    read = {way: known for way, known in entries.items() if way in note.read}
    if not _has_same_contents(read, side, leaves, asked, check.ids):
        return None
    # What may be looked at by its name counts as read, though it was of no use to that run.
    return note._replace(read=note.read.union(way for way in leaves if _is_looked_at(way.rpartition("/")[2])))


def _is_looked_at(name: str) -> bool:
    return counts(name) or name.startswith(".git")


def _is_as_it_was(answer: KeptAnswer, leaves: Mapping[str, UnwrittenFile], root: str) -> bool:
    """Whether what a check looked at beside the files of the repository is as it was: git's own folder, and what was
    not there."""
    own = os.path.join(root, ".git", "")
    for path, seen in answer.outside:
        if path == f"{own}index" and seen[0] is not None:
            # What git ignores is read where it is tracked: that is what it was for.
            if seen[1] != digest(b"\0".join(sorted(map(os.fsencode, leaves)))):
                return False
        elif (seen[0] is not None and not path.startswith(own)) or seen_again(path, seen) is None:
            return False
    return True


def _has_same_names(
    answer: KeptAnswer, entries: Mapping[str, _Entry], leaves: Mapping[str, UnwrittenFile], root: str
) -> bool:
    """Whether there are the same files, links and folders, of the same modes."""
    folders = {way for way, known in entries.items() if stat.S_ISDIR(known.mode)}
    if leaves.keys() != entries.keys() - folders or folders != _folders_above(leaves):
        return False
    links = dict(zip(answer.census.links[::2], answer.census.links[1::2], strict=True))
    for way, leaf in leaves.items():
        known = entries[way]
        if leaf.target is not None:
            target, real, _ = (*links.get(_path(root, way), "").split("\0"), "", "")[:3]
            if target != leaf.target or not real.startswith(os.path.join(root, "")):
                return False
        elif (
            not leaf.id
            or not stat.S_ISREG(known.mode)
            or _about(leaf.is_executable, leaf.size) != _about(bool(known.mode & stat.S_IXUSR), known.size)
        ):
            return False
    return True


def _about(is_executable: bool, size: int) -> tuple[bool, bool]:
    """What is known of a file without reading it."""
    return is_executable, size > MAX_BYTES


def _has_same_contents(
    read: Mapping[str, _Entry],
    side: Side,
    leaves: Mapping[str, UnwrittenFile],
    asked: ComparedBy,
    ids: Mapping[str, str],
) -> bool:
    """Whether what the check read is what the state has there. Where git knew what it read, its `ids` tell."""
    root = asked.of.root
    files = [(way, known) for way, known in read.items() if way in leaves and leaves[way].target is None]
    if any(known.digest == UNKNOWN or known.size != leaves[way].size for way, known in files):
        return False
    hashed = content_id(next((len(leaf.id) for leaf in leaves.values() if leaf.id), 40))
    elsewhere: list[tuple[str, _Entry]] = []
    for way, known in files:
        if way in ids:
            if ids[way] != leaves[way].id:
                return False
            continue
        data = content_bytes(_path(root, way))
        if data is None or len(data) != known.size or hashed(data) != leaves[way].id:
            elsewhere.append((way, known))
        elif digest(data) != known.digest:
            return False
    if len(elsewhere) > _MOST:
        return False
    side.fetch(side.path_of(way) for way, _ in elsewhere)
    with looking_at(side, asked.here):
        return all(digest(content(side.path_of(way), MAX_BYTES) or b"") == known.digest for way, known in elsewhere)


def _entries(answer: KeptAnswer, root: str) -> dict[str, _Entry]:
    """What a check saw in the repository, by its path from there; git's own folder is nothing of it."""
    numbers, digests, inside = answer.census.numbers, answer.digests, len(os.path.join(root, ""))
    ways = (path[inside:].replace(os.sep, "/") for path in answer.census.paths())
    of_each = (digests[at : at + DIGEST] for at in range(0, len(digests), DIGEST))
    entries = dict(zip(ways, map(_Entry, numbers[::WIDTH], numbers[1::WIDTH], of_each), strict=True))
    entries.pop(".git", None)
    return entries


def _folders_above(leaves: Mapping[str, UnwrittenFile]) -> set[str]:
    """The folders that files are in."""
    folders: set[str] = set()
    for way in leaves:
        above = way.rpartition("/")[0]
        while above and above not in folders:
            folders.add(above)
            above = above.rpartition("/")[0]
    return folders


def _path(root: str, way: str) -> str:
    return os.path.join(root, *way.split("/"))
