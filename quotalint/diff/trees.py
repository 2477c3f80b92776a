"""Two states of a repository → two folders that look like it, so that everything works on them unchanged.

Each lies below a private folder at the path that the repository has (`/tmp/…/base/home/me/repo`), so that what is named
relative to the working directory has one name on both sides. What both have is written once and linked: the same file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import NamedTuple

from quotalint.diff import git
from quotalint.diff.folders import EXECUTABLE, Folder, Store, hollow, written
from quotalint.diff.folders import LeftOut as LeftOut
from quotalint.diff.git import Git, GitEntry, Refused
from quotalint.diff.revisions import Revision
from quotalint.text.files import content, lies_in
from quotalint.text.guards import GIT_CRYPT, MAX_BYTES

_LINK, _SUBMODULE = "120000", "160000"
_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
_MAX_DEPTH = 200  # folders in each other; what Python removes again without losing its breath
_BATCH = 64 * 1024 * 1024  # bytes of files that are in memory at once


WORKING_TREE = "the working tree"
"""The name of what is in no revision yet."""
STAGED = "what is staged"
"""The name of what the next commit will hold."""
NOTHING = "an empty repository"
"""The name of what was there before the first commit."""
SUBMODULE, LFS = "a submodule, which is another repository", "in Git LFS, so git has only a pointer to it"
CRYPT = "encrypted by git-crypt, and compared with nothing in the working tree"


class Side(NamedTuple):
    """A state of the repository in a folder of its own."""

    name: str
    """The revision as it was asked for, or WORKING_TREE."""
    commit: str
    """Empty for the working tree."""
    top: str
    """What stands for `/`."""
    root: str
    """What stands for the root of the repository."""
    ids: Mapping[str, str]
    """By path from the root: the same for files that hold the same."""
    left_out: tuple[LeftOut, ...]

    def stand_in(self, path: str) -> str:
        """What stands for an absolute path."""
        return self.top + os.path.splitdrive(path)[1]


def sides(
    of: Git, base: Revision | None, head: Revision | None, folder: str, here: str, staged: bool = False
) -> tuple[Side, Side] | Refused:
    """Both states; without a `head` the second is the working tree as it would be committed: with new files, without
    those that are ignored; or what is `staged`. Without a `base` there was nothing before. `folder` is private and
    empty, `here` the path of the working directory, which both get."""
    before = git.tree(of, base.tree) if base else ()
    if isinstance(before, Refused):
        return before
    after = _index(of) if staged else _working_tree(of) if head is None else git.tree(of, head.tree)
    if isinstance(after, Refused):
        return after
    length = next((len(one.id) for one in (*before, *after) if one.id), 40)
    store = Store(_hashed(length))
    first, second = (Folder(of.root, os.path.join(folder, name), here) for name in ("base", "head"))
    _own(of, first, second)
    is_in = cache(partial(_is_in, root=of.root))
    links: list[tuple[Folder, str, str]] = []
    wanted: dict[str, list[tuple[Folder, GitEntry]]] = {}
    sizes: dict[str, int] = {}
    for to, entries in ((second, after), (first, before)):
        for one in entries:
            if one.mode == _SUBMODULE:
                to.left_out.append(LeftOut(one.path, SUBMODULE))
            elif not _is_safe(one.path):
                to.left_out.append(LeftOut(one.path, "its name may not be that of a file in a repository"))
            elif not one.id:
                _copy(of, to, one, store, links, is_in)
            elif one.size > MAX_BYTES:
                # As unreadable as the file itself, for the same reason, and empty on the disk.
                to.write(one, partial(hollow, size=one.size))
            elif one.mode == _LINK or not store.link(to, one):
                wanted.setdefault(one.id, []).append((to, one))
                sizes[one.id] = max(one.size, 0)
    for batch in _batches(sizes):
        found = git.blobs(of, batch)
        if isinstance(found, Refused):
            return found
        for name, data in found:
            for to, one in wanted[name]:
                if one.mode == _LINK:
                    links.append((to, one.path, os.fsdecode(data)))
                elif _is_pointer(data):
                    to.left_out.append(LeftOut(one.path, LFS))
                elif head is None and not staged and to is first and data.startswith(GIT_CRYPT):
                    to.left_out.append(LeftOut(one.path, CRYPT))
                elif not store.link(to, one):
                    store.write(to, one, data)
    # What one side cannot have the other must not: all that is in it would be new, or gone.
    for to, other in ((first, second), (second, first)):
        to.without(one for one in tuple(other.left_out) if one.reason != SUBMODULE)
    for to, path, target in links:  # last, so that nothing is written through one
        to.write(GitEntry(path, _LINK, "", 0), partial(os.symlink, target))
    if first.is_full or second.is_full:
        return Refused(f"no space is left in {os.path.dirname(folder)} for the files of both states")
    return (
        _side(first, base.name if base else NOTHING, base.commit if base else ""),
        _side(second, head.name if head else STAGED if staged else WORKING_TREE, head.commit if head else ""),
    )


@contextmanager
def standing_in(folder: str) -> Iterator[None]:
    """With another working directory: every name is relative to it."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _side(of: Folder, name: str, commit: str) -> Side:
    return Side(name, commit, of.top, of.root, of.ids, tuple(sorted(of.left_out)))


def _index(of: Git) -> tuple[GitEntry, ...] | Refused:
    """What the next commit will hold; of a file in conflict one side."""
    known = git.index(of)
    if isinstance(known, Refused):
        return known
    sizes = git.sizes(of, [one.id for one in known if one.mode != _SUBMODULE])
    if isinstance(sizes, Refused):
        return sizes
    return tuple({one.path: one._replace(size=sizes.get(one.id, -1)) for one in known}.values())


def _working_tree(of: Git) -> tuple[GitEntry, ...] | Refused:
    """What could be committed. Without an id: what is in the work tree."""
    known = git.index(of)
    if isinstance(known, Refused):
        return known
    new = git.untracked(of)
    if isinstance(new, Refused):
        return new
    sizes = git.sizes(of, [one.id for one in known if one.skipped])
    if isinstance(sizes, Refused):
        return sizes
    found = {
        one.path: one._replace(size=sizes.get(one.id, -1))
        if one.skipped
        else one
        if one.mode == _SUBMODULE
        else one._replace(id="")
        for one in known
    }
    for path in new:
        if path.endswith("/"):
            found[path[:-1]] = GitEntry(path[:-1], _SUBMODULE, "", -1)
        else:
            found.setdefault(path, GitEntry(path, "", "", -1))
    return tuple(found.values())


def _copy(
    of: Git,
    to: Folder,
    entry: GitEntry,
    store: Store,
    links: list[tuple[Folder, str, str]],
    is_in: Callable[[str], bool],
) -> None:
    """A file of the work tree as it is; what was deleted is nowhere."""
    path = os.path.join(of.root, *entry.path.split("/"))
    try:
        status = os.lstat(path)
        if not is_in(os.path.dirname(path)):
            return
        if stat.S_ISLNK(status.st_mode):
            links.append((to, entry.path, os.readlink(path)))
            return
        data = content(path, MAX_BYTES, follow=False)
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        to.left_out.append(LeftOut(entry.path, f"cannot be read: {getattr(error, 'strerror', None) or error}"))
        return
    if data is None:
        return
    if _is_pointer(data):
        to.left_out.append(LeftOut(entry.path, LFS))
        return
    mode = EXECUTABLE if status.st_mode & stat.S_IXUSR else "100644"
    if len(data) > MAX_BYTES:
        to.write(entry, partial(hollow, size=max(status.st_size, MAX_BYTES + 1)))
        return
    one = entry._replace(mode=mode, id=store.hashed(data))
    if not store.link(to, one):
        store.write(to, one, data)


def _is_in(folder: str, root: str) -> bool:
    """Whether no symbolic link leads there: git takes what is behind one for deleted."""
    return os.path.realpath(folder) == folder and lies_in(folder, root)


def _is_pointer(data: bytes) -> bool:
    return data.startswith(_POINTER) and len(data) < 1024


def _is_safe(path: str) -> bool:
    parts = path.split("/")
    return len(parts) <= _MAX_DEPTH and not any(
        part in ("", ".", "..") or part.lower() == ".git" or (os.sep != "/" and os.sep in part) for part in parts
    )


def _hashed(length: int) -> Callable[[bytes], str]:
    """The id that git gives to a file."""
    import hashlib

    algorithm = hashlib.sha1 if length == 40 else hashlib.sha256
    return lambda data: algorithm(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _batches(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    batch: list[str] = []
    total = 0
    for one, size in sizes.items():
        if batch and total + size > _BATCH:
            yield batch
            batch, total = [], 0
        batch.append(one)
        total += size
    if batch:
        yield batch


def _own(of: Git, *to: Folder) -> None:
    """What of the repository's own folder is looked at: the patterns of its own, and the names of its remotes. Without
    a HEAD it is no repository to git."""
    found = {name: git.git_path(of, name) for name in ("info/exclude", "config")}
    for one in to:
        os.makedirs(os.path.join(one.root, ".git", "info"))
    for name, path in found.items():
        with suppress(OSError, ValueError):
            data = content(path, 1 << 20)
            for one in to if data is not None else ():
                written(os.path.join(one.root, ".git", *name.split("/")), data or b"", False)
