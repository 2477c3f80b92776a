"""What has to be known of the contents of files before anybody looks at a state: as little as possible."""

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
    """What had to be read before anybody looks at anything."""

    pointers: frozenset[str]
    """The ids of what is in Git LFS."""
    encrypted: frozenset[str]
    links: Mapping[str, str]
    """By id, or by path in the working tree: where a link leads to."""


class EntryChanges(NamedTuple):
    """In what two lists of entries differ."""

    went: tuple[GitEntry, ...]
    """Those that the first alone has like this."""
    came: tuple[GitEntry, ...]
    """Those that the second has."""
    has_doubles: bool
    """A path is there twice."""


def entry_changes(before: Sequence[GitEntry], after: Sequence[GitEntry]) -> EntryChanges:
    """What an other state has otherwise."""
    if before is after:
        return EntryChanges((), (), False)
    was, now = ({entry.path: entry for entry in entries} for entries in (before, after))
    went = tuple(entry for entry in before if now.get(entry.path) != entry)
    came = tuple(entry for entry in after if was.get(entry.path) != entry)
    return EntryChanges(went, came, len(was) < len(before) or len(now) < len(after))


def contents_of(
    of: Git, before: Sequence[GitEntry], changes: EntryChanges, blobs: Blobs, *, both: bool
) -> ContentFacts | Refused:
    """What is to be known of files beforehand: where links lead to, and which files of those that changed stand for
    something else. Of all others that is asked only if the repository says that it does such things."""
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
    """A file in git's own folder, empty where there is none."""
    try:
        return content(os.path.join(folder, *name.split("/")), 1 << 20) or b""
    except (OSError, ValueError):
        return b""
