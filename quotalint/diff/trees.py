"""Two states of a repository → two virtual folders, so that all other code reads them like the repository itself.

Both use the same path below a private folder (`/tmp/…/tree/home/me/repo`), each while it is being read. So a file has
the same name in both, and results from unchanged files can be reused. Nothing is written to the disk: names, links and
sizes come from git, and a content is read by its id on demand (`text/disk.py`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial

from quotalint.diff import git
from quotalint.diff.blobs import Blobs
from quotalint.diff.contents import LFS as LFS
from quotalint.diff.contents import ContentFacts, EntryChanges, contents_of, entry_changes, own_file
from quotalint.diff.folders import CANNOT_BE, Folder, is_safe
from quotalint.diff.folders import LeftOut as LeftOut
from quotalint.diff.git import (
    ABSENT,
    GITLINK,
    LINK,
    Git,
    GitEntry,
    Refused,
    TreeListing,
    absent_of,
    not_here,
)
from quotalint.diff.revisions import Revision
from quotalint.diff.work_tree import copied_entries, index_entries, working_entries
from quotalint.named_tuples import NamedTuple
from quotalint.programs import inside
from quotalint.text.disk import exists_at, is_there, with_stand_ins
from quotalint.text.guards import MAX_BYTES

WORKING_TREE = "the working tree"
"""The name of a state that is not committed."""
STAGED = "what is staged"
"""The name of the state in the index, which the next commit will have."""
NOTHING = "an empty repository"
"""The name of the empty state before the first commit."""
SUBMODULE = "a submodule, which is another repository"
CRYPT = "encrypted by git-crypt, and compared with nothing in the working tree"


class Side(NamedTuple):
    """A state of the repository in a folder of its own."""

    name: str
    """The revision as written on the command line, or WORKING_TREE."""
    commit: str
    """Empty for the working tree."""
    top: str
    """The folder that replaces `/`."""
    root: str
    """The folder that replaces the root of the repository."""
    ids: Mapping[str, str]
    """The ids of contents, by path from the root."""
    left_out: tuple[LeftOut, ...]
    folder: Folder | None = None
    """The virtual folder; None for a state that is not read as files."""
    listing: TreeListing | None = None
    """The entries that git lists, with those that are left out; its id is empty if the state is not committed."""

    def stand_in(self, path: str) -> str:
        """The path in this state that replaces an absolute path."""
        return self.top + os.path.splitdrive(path)[1]

    def id_at(self, path: str) -> str:
        """The id of the content of a file, by its absolute path in this state; empty if there is none."""
        return self.ids.get(path.removeprefix(os.path.join(self.root, "")).replace(os.sep, "/"), "")

    def path_of(self, way: str) -> str:
        """The absolute path in this state for a path from the root."""
        return os.path.join(self.root, *way.split("/"))

    def has_path(self, path: str) -> bool:
        """Whether this state has an absolute path; a link may lead out of it."""
        with self.laid_out():
            return is_there(self.stand_in(path))

    def holds_path(self, path: str, here: str) -> bool:
        """Whether this state has a path, from the working directory `here`, that does not lead out of it."""
        at = os.path.normpath(os.path.join(self.stand_in(here), path))
        with self.laid_out():
            return is_there(at) and (not exists_at(at) or inside(at, self.root))

    def laid_out(self) -> AbstractContextManager[None]:
        """Make this the state that is read, within the block."""
        return with_stand_ins(self.folder.tree) if self.folder is not None else nullcontext()

    def fetch(self, paths: Iterable[str]) -> None:
        """Read the contents of files in advance, by their absolute paths."""
        if self.folder is not None:
            self.folder.fetch(filter(None, map(self.id_at, paths)))

    def without_files(self, paths: Collection[str]) -> Side:
        """The state without some files, by their paths from the root."""
        if self.folder is None:
            return self
        folder = self.folder.copy_without(paths)
        return self._replace(folder=folder, ids=folder.ids, listing=None)

    def put_file(self, path: str, data: bytes) -> None:
        """Add a file that is in no revision. Raises OSError."""
        if self.folder is not None and self.folder.tree.covers(path):
            self.folder.bring(os.path.relpath(path, self.root).replace(os.sep, "/"), data)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)


class States(NamedTuple):
    """Two states, and the reader of their contents."""

    base: Side
    head: Side
    blobs: Blobs


def sides(
    of: Git, base: Revision | None, head: Revision | None, folder: str, here: str, *, staged: bool = False
) -> States | Refused:
    """The states of the base and the head. Without a `head` the second is the working tree with new files and without
    ignored ones, or the index if `staged`. Without a `base` the first is empty. `folder`: a private, empty folder;
    `here`: the working directory, which both states get. Equal states share one folder."""
    absent = absent_of(of, *(revision.tree for revision in (base, head) if revision is not None))
    before = git.tree(of, base.tree, absent) if base else ()
    if isinstance(before, Refused):
        return before
    is_same = base is not None and head is not None and base.tree == head.tree
    is_of_files = head is None and not staged
    after = before if is_same else _second_entries(of, base, head, before, absent, staged=staged)
    if isinstance(after, Refused):
        return after
    blobs = Blobs(of, absent)
    new_folder = partial(Folder, of.root, os.path.join(folder, "tree"), here, blobs)
    first, second = new_folder(), new_folder()
    _lay_out_own(of, first.root)
    targets: dict[str, str] = {}
    """The targets of links in the working tree."""
    if is_of_files:
        after = tuple(copied_entries(of, after, second, before, blobs, targets))
    changes = entry_changes(before, after)
    contents = contents_of(of, before, changes, blobs, both=is_of_files)
    if isinstance(contents, Refused):
        blobs.close()
        return contents
    contents = contents._replace(links={**contents.links, **targets})
    _fill(first, before, contents, is_compared_with_files=is_of_files)
    is_filled = is_same or (not is_of_files and _fill_beside(second, first, changes, contents))
    if not is_filled:
        second = second if is_of_files else new_folder()  # unreadable files are already left out of it
        _fill(second, after, contents, is_compared_with_files=False)
    # Files that one side lacks are removed from the other too: else they would count as added or removed.
    if not is_same:
        for to, other in ((first, second), (second, first)):
            to.without(file for file in tuple(other.left_out) if file.reason != SUBMODULE)
    denied = {entry.path for entry in (*before, *after) if entry.id in absent and entry.mode != GITLINK}
    for to in (first, second):
        to.deny(denied)
    old = _side(first, base or Revision(NOTHING, "", ""), before)
    named = head or Revision(STAGED if staged else WORKING_TREE, "", "")
    new = old._replace(name=named.name, commit=named.commit) if is_same else _side(second, named, after)
    return States(old, new, blobs)


def _second_entries(
    of: Git,
    base: Revision | None,
    head: Revision | None,
    before: Sequence[GitEntry],
    absent: Collection[str],
    *,
    staged: bool,
) -> Sequence[GitEntry] | Refused:
    if head is not None:
        return git.tree(of, head.tree, absent, TreeListing(base.tree, tuple(before)) if base else None)
    return index_entries(of, absent) if staged else working_entries(of, absent)


def with_absent(base: Side, head: Side) -> tuple[Side, Side] | Refused:
    """Both states after they were read, with files left out that the clone lacks. Refused if one of these files is part
    of the change."""
    sought = {path for side in (base, head) if side.folder is not None for path in side.folder.sought}
    changed = [path for path in sought if base.ids.get(path) != head.ids.get(path)]
    if changed:
        return not_here(changed)
    more = tuple(LeftOut(path, ABSENT) for path in sought)
    old, new = (side._replace(left_out=tuple(sorted((*side.left_out, *more)))) for side in (base, head))
    return old, new


def _fill(to: Folder, entries: Iterable[GitEntry], contents: ContentFacts, *, is_compared_with_files: bool) -> None:
    links: list[tuple[GitEntry, str]] = []
    pointers = contents.pointers
    for entry in entries:
        path, mode, object_id, size, _ = entry
        if mode == GITLINK:
            to.left_out.append(LeftOut(path, SUBMODULE))
        elif not is_safe(path):
            to.left_out.append(LeftOut(path, "git does not allow its name in a repository"))
        elif size > MAX_BYTES:
            to.add(entry)  # as unreadable as the file itself, for the same reason
        elif mode == LINK:
            target = contents.links.get(object_id or path)
            if target is None:
                to.left_out.append(LeftOut(path, ABSENT))
            else:
                links.append((entry, target))
        elif object_id in pointers:
            to.left_out.append(LeftOut(path, LFS))
        elif is_compared_with_files and object_id in contents.encrypted:
            to.left_out.append(LeftOut(path, CRYPT))
        else:
            to.add(entry)
    for entry, target in links:  # last, so that no link replaces a folder
        to.add(entry, target)


def _fill_beside(to: Folder, other: Folder, changes: EntryChanges, contents: ContentFacts) -> bool:
    """Fill a folder from another one and the differences; False if the result may differ from a folder filled by
    itself."""
    if changes.has_doubles or any(entry.mode == LINK for entry in (*changes.went, *changes.came)) or _is_short(other):
        return False
    to.copy_from(other, {entry.path for entry in changes.went})
    _fill(to, changes.came, contents, is_compared_with_files=False)
    return not _is_short(to)


def _is_short(folder: Folder) -> bool:
    """Whether a file was skipped because of another one: a file and a folder cannot have the same path."""
    return any(CANNOT_BE in file.reason for file in folder.left_out)


@contextmanager
def standing_in(folder: str) -> Iterator[None]:
    """Change the working directory within the block; file names are relative to it."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def looking_at(side: Side, here: str) -> Iterator[None]:
    """Read a state from its working directory `here` within the block."""
    with side.laid_out(), standing_in(side.stand_in(here)):
        yield


def _side(of: Folder, named: Revision, entries: Sequence[GitEntry]) -> Side:
    listing = TreeListing(named.tree, tuple(entries))
    return Side(named.name, named.commit, of.top, of.root, of.ids, tuple(sorted(of.left_out)), of, listing)


def _lay_out_own(of: Git, root: str) -> None:
    """Copy the files of `.git` that are read: the exclude patterns, and the configuration with the remotes. Without a
    HEAD, git does not see a repository there."""
    os.makedirs(os.path.join(root, ".git", "info"))
    for name in ("info/exclude", "config"):
        with suppress(OSError), open(os.path.join(root, ".git", *name.split("/")), "xb") as file:
            file.write(own_file(of.own, name))
