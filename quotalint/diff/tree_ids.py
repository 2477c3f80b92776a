"""The id that git would give to the tree of a work tree, if all that lies there were committed as it is.

Of files that are as they were when git looked at them its index tells the ids; the others are read. A run that looked
at the work tree so knows of which revision what it found out is true, whether that is there already or not.
"""

from __future__ import annotations

import os
import stat
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING, Any

from quotalint.cache.census import content_bytes
from quotalint.diff.git import EXECUTABLE, LINK, PLAIN
from quotalint.hashes import hash_function
from quotalint.named_tuples import NamedTuple
from quotalint.text.git_index import content_ids
from quotalint.transcript import DIGEST, UNKNOWN, digest

if TYPE_CHECKING:
    from quotalint.transcript import Stamp

_MOST_READ = 2_000
"""Files that the index does not tell of; to read more takes longer than is worth it."""


class NamedTree(NamedTuple):
    """A tree."""

    id: str
    names: tuple[bytes, ...]
    """The paths of all files and links, in the order of git."""
    sizes: array[int]
    """How many bytes each has, there in the work tree: what git does to the ends of lines, or to an encoding, changes
    that."""


def lying_tree(
    root: str, seen_entries: Iterable[tuple[str, Stamp]], seen_links: Sequence[str], digests: bytes
) -> NamedTree | None:
    """The tree of what a census has seen in a repository: entries by path, and links. `digests` are those of contents,
    one for each entry; a file whose content is another by now has none, nor has anything that git cannot have: an empty
    folder, a link out of the repository."""
    files, folders = _files_and_folders(root, seen_entries)
    links = _links(root, seen_links)
    if links is None or folders != _folders_above(files):
        return None
    stamps = {way: seen for way, (_, seen) in files.items() if stat.S_ISREG(seen[0])}
    ids = content_ids(root, stamps)
    unknown = stamps.keys() - ids.keys()
    if len(stamps) + len(links) < len(files) or len(unknown) > _MOST_READ:
        return None
    blob = blob_id(next((len(name) for name in ids.values()), 40))
    for way in unknown:
        number, seen = files[way]
        data = content_bytes(os.path.join(root, *way.split("/")))
        if data is None or len(data) != seen[1] or digests[number : number + DIGEST] not in (UNKNOWN, digest(data)):
            return None
        ids[way] = blob(data)
    entries = {os.fsencode(way): (mode_in_git(seen[0]), ids[way]) for way, (_, seen) in files.items() if way in stamps}
    entries.update((os.fsencode(way), (LINK, blob(os.fsencode(target)))) for way, target in links.items())
    names = tuple(sorted(entries))
    sizes = (len(os.fsencode(links[way])) if way in links else files[way][1][1] for way in map(os.fsdecode, names))
    return NamedTree(tree_id({name: entries[name] for name in names}), names, array("q", sizes))


def _files_and_folders(
    root: str, seen_entries: Iterable[tuple[str, Stamp]]
) -> tuple[dict[str, tuple[int, Stamp]], set[str]]:
    """What lies in a repository, by the path from there: files and links with where their digest begins, and folders;
    git's own folder is neither."""
    files: dict[str, tuple[int, Stamp]] = {}
    folders: set[str] = set()
    inside = len(os.path.join(root, ""))
    for number, (path, seen) in enumerate(seen_entries):
        way = path[inside:].replace(os.sep, "/")
        if stat.S_ISDIR(seen[0]):
            folders.add(way)
        else:
            files[way] = number * DIGEST, seen
    files.pop(".git", None)
    folders.discard(".git")
    return files, folders


def _links(root: str, seen_links: Sequence[str]) -> dict[str, str] | None:
    """Where each link in a repository leads to; None where one leads out of it."""
    inside = os.path.join(root, "")
    targets = {}
    for path, about in zip(seen_links[::2], seen_links[1::2], strict=True):
        target, real = (*about.split("\0"), "")[:2]
        way = path[len(inside) :].replace(os.sep, "/")
        if not real.startswith(inside) or not _stays_within(way, target):
            return None
        targets[way] = target
    return targets


def _stays_within(way: str, target: str) -> bool:
    """Whether a link leads nowhere but through folders of the repository: what is around these, and git's own folder,
    is another one for who looks at a revision. Links on its way have a target of their own."""
    names = [name for name in target.replace(os.sep, "/").split("/") if name != "."]
    below = list(dropwhile("..".__eq__, names))
    rises = len(names) - len(below)
    return rises <= way.count("/") and not any(name in ("", "..") or name.lower() == ".git" for name in below)


def _folders_above(files: Iterable[str]) -> set[str]:
    """The folders that files are in."""
    folders: set[str] = set()
    for way in files:
        above = way.rpartition("/")[0]
        while above and above not in folders:
            folders.add(above)
            above = above.rpartition("/")[0]
    return folders


def mode_in_git(mode: int) -> str:
    """What git calls the mode of a file."""
    return EXECUTABLE if mode & stat.S_IXUSR else PLAIN


def tree_id(entries: Mapping[bytes, tuple[str, str]]) -> str:
    """The id of a tree (gitformat-pack(5)) of files with these paths, in the order of git, each with its mode and id.
    Raises ValueError where an id is none."""
    length = next((len(name) for _, name in entries.values()), 40)
    algorithm = _algorithm(length)
    texts: dict[bytes, list[tuple[bytes, bytes]]] = {b"": []}
    """By folder: how each entry is ordered, and its bytes."""
    for path, (mode, name) in entries.items():
        above, _, own = path.rpartition(b"/")
        texts.setdefault(above, []).append((own, b"%s %s\0%s" % (mode.encode(), own, bytes.fromhex(name))))
        while above and (above := above.rpartition(b"/")[0]) not in texts:
            texts[above] = []
    for folder in sorted(texts, reverse=True):  # a folder comes after all that are in it
        body = b"".join(text for _, text in sorted(texts[folder]))
        of = algorithm(b"tree %d\0" % len(body) + body)
        if not folder:
            return str(of.hexdigest())
        above, _, own = folder.rpartition(b"/")
        texts[above].append((own + b"/", b"40000 %s\0%s" % (own, of.digest())))
    raise AssertionError("the root is a folder")


def blob_id(length: int) -> Callable[[bytes], str]:
    """The id of so many digits that git gives to a file."""
    algorithm = _algorithm(length)

    def id_of(data: bytes) -> str:
        own: str = algorithm(b"blob %d\0" % len(data) + data).hexdigest()
        return own

    return id_of


def _algorithm(length: int) -> Callable[[bytes], Any]:
    return hash_function("sha1" if length == 40 else "sha256")
