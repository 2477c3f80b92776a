"""The file contents that are read before a state is judged: as few as possible."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from quotalint.diff.blobs import Blobs
from quotalint.diff.git import GITLINK, LINK, Git, GitEntry, Refused
from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content
from quotalint.text.guards import GIT_CRYPT, LFS_POINTER, MAX_BYTES

LFS = "in Git LFS, so git has only a pointer to it"
_LONGEST_POINTER = 1023  # bytes
_ATTRIBUTES = ".gitattributes"
_LARGEST_ATTRIBUTES = 1 << 20


class ContentFacts(NamedTuple):
    """Facts about file contents that are needed before a folder is filled."""

    pointers: frozenset[str]
    """The ids of Git LFS pointers."""
    encrypted: frozenset[str]
    links: Mapping[str, str]
    """The targets of links, by id, or by path in the working tree."""


class EntryChanges(NamedTuple):
    """The difference between two lists of git entries."""

    went: tuple[GitEntry, ...]
    """Entries of the first list that the second lacks or has changed."""
    came: tuple[GitEntry, ...]
    """Entries of the second list that are new or changed."""
    has_doubles: bool
    """Whether a path is listed twice."""


def entry_changes(before: Sequence[GitEntry], after: Sequence[GitEntry]) -> EntryChanges:
    """The entries that differ between two states."""
    if before is after:
        return EntryChanges((), (), False)
    was, now = ({entry.path: entry for entry in entries} for entries in (before, after))
    went = tuple(entry for entry in before if now.get(entry.path) != entry)
    came = tuple(entry for entry in after if was.get(entry.path) != entry)
    return EntryChanges(went, came, len(was) < len(before) or len(now) < len(after))


def contents_of(
    of: Git, before: Sequence[GitEntry], changes: EntryChanges, blobs: Blobs, *, both: bool
) -> ContentFacts | Refused:
    """The targets of links, and the changed files that are LFS pointers or encrypted. Unchanged files are read only if
    `.gitattributes` names LFS or git-crypt."""
    files = [
        entry for entry in (*before, *changes.came) if entry.id and entry.mode != GITLINK and entry.size <= MAX_BYTES
    ]
    changed = {(entry.path, entry.id) for entry in changes.went} ^ {(entry.path, entry.id) for entry in changes.came}
    attributes = {
        entry.id: entry.size
        for entry in files
        if entry.path.endswith(_ATTRIBUTES)
        and entry.path.rpartition("/")[2] == _ATTRIBUTES
        and entry.size <= _LARGEST_ATTRIBUTES
    }
    attribute_texts = [own_file(of.own, "info/attributes")]
    for item in blobs.fetch(attributes):
        if isinstance(item, Refused):
            return item
        attribute_texts.append(item[1])
    has_pointers = any(b"lfs" in text for text in attribute_texts)
    is_encrypted = both and any(b"git-crypt" in text for text in attribute_texts)
    links = {entry.id for entry in files if entry.mode == LINK}
    wanted = {
        entry.id: max(entry.size, 0)
        for entry in files
        if entry.mode == LINK
        or (entry.path, entry.id) in changed
        or (has_pointers and entry.size <= _LONGEST_POINTER)
        or is_encrypted
    }
    pointers: set[str] = set()
    encrypted: set[str] = set()
    targets: dict[str, str] = {}
    for item in blobs.fetch(wanted):
        if isinstance(item, Refused):
            return item
        name, data = item
        if name in links:
            targets[name] = os.fsdecode(data)
        if is_pointer(data):
            pointers.add(name)
        elif data.startswith(GIT_CRYPT):
            encrypted.add(name)
    return ContentFacts(frozenset(pointers), frozenset(encrypted), targets)


def is_pointer(data: bytes) -> bool:
    return data.startswith(LFS_POINTER) and len(data) <= _LONGEST_POINTER


def own_file(folder: str, name: str) -> bytes:
    """A file in git's own folder; empty if there is none."""
    try:
        return content(os.path.join(folder, *name.split("/")), 1 << 20) or b""
    except (OSError, ValueError):
        return b""
