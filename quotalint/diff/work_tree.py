"""The files of the work tree or the index, as the entries of a git tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from quotalint.diff import git
from quotalint.diff.blobs import Blobs
from quotalint.diff.contents import LFS, is_pointer
from quotalint.diff.folders import Folder, LeftOut, is_safe
from quotalint.diff.git import EXECUTABLE, GITLINK, LINK, PLAIN, Git, GitEntry, Refused
from quotalint.runtime.hashes import hash_function
from quotalint.text.files import content, lies_in
from quotalint.text.guards import MAX_BYTES


def index_entries(of: Git, absent: Collection[str]) -> tuple[GitEntry, ...] | Refused:
    """What the next commit will hold; of a file in conflict one side. Git is not asked about what is `absent`."""
    index = git.index(of)
    if isinstance(index, Refused):
        return index
    sizes = git.sizes(of, [entry.id for entry in index if entry.mode != GITLINK and entry.id not in absent])
    if isinstance(sizes, Refused):
        return sizes
    return tuple({entry.path: entry._replace(size=sizes.get(entry.id, -1)) for entry in index}.values())


def working_entries(of: Git, absent: Collection[str]) -> tuple[GitEntry, ...] | Refused:
    """What could be committed. Without an id: what is in the work tree."""
    index = git.index(of)
    if isinstance(index, Refused):
        return index
    new = git.untracked_paths(of)
    if isinstance(new, Refused):
        return new
    sizes = git.sizes(of, [entry.id for entry in index if entry.skipped and entry.id not in absent])
    if isinstance(sizes, Refused):
        return sizes
    entries = {entry.path: _as_it_lies(entry, sizes) for entry in index}
    for path in new:
        if path.endswith("/"):
            entries[path[:-1]] = GitEntry(path[:-1], GITLINK, "", -1)
        else:
            entries.setdefault(path, GitEntry(path, "", "", -1))
    return tuple(entries.values())


def _as_it_lies(entry: GitEntry, sizes: Mapping[str, int]) -> GitEntry:
    """An entry of the index without its id, where its file is in the work tree."""
    if entry.skipped:
        return entry._replace(size=sizes.get(entry.id, -1))
    return entry if entry.mode == GITLINK else entry._replace(id="")


def copied_entries(
    of: Git,
    entries: Iterable[GitEntry],
    to: Folder,
    before: Sequence[GitEntry],
    blobs: Blobs,
    targets: dict[str, str],
) -> Iterator[GitEntry]:
    """The files of the work tree as they are, with the ids that git would give them; what was deleted is nowhere. Where
    links lead to is put into `targets`."""
    ids = {entry.id for entry in before}
    hashed = _blob_id(next((len(entry.id) for entry in (*before, *entries) if entry.id), 40))
    is_in = cache(partial(_is_in, root=of.root))
    for entry in entries:
        if entry.id or entry.mode == GITLINK or not is_safe(entry.path):
            yield entry
            continue
        path = os.path.join(of.root, *entry.path.split("/"))
        try:
            status = os.lstat(path)
            if not is_in(os.path.dirname(path)):
                continue
            if stat.S_ISLNK(status.st_mode):
                targets[entry.path] = os.readlink(path)
                yield entry._replace(mode=LINK)
                continue
            data = content(path, MAX_BYTES, follow=False)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            to.left_out.append(LeftOut(entry.path, f"cannot be read: {getattr(error, 'strerror', None) or error}"))
            continue
        if data is None:
            continue
        if is_pointer(data):
            to.left_out.append(LeftOut(entry.path, LFS))
            continue
        mode = EXECUTABLE if status.st_mode & stat.S_IXUSR else PLAIN
        if len(data) > MAX_BYTES:
            yield entry._replace(mode=mode, size=max(status.st_size, MAX_BYTES + 1))
            continue
        changed_entry = entry._replace(mode=mode, id=hashed(data), size=len(data))
        if changed_entry.id not in ids:
            blobs.give(changed_entry.id, data)
        yield changed_entry


def _is_in(folder: str, root: str) -> bool:
    """Whether no symbolic link leads there: git takes what is behind one for deleted."""
    return os.path.realpath(folder) == folder and lies_in(folder, root)


def _blob_id(length: int) -> Callable[[bytes], str]:
    """The id of so many digits that git gives to the content of a file."""
    algorithm = hash_function("sha1" if length == 40 else "sha256")

    def id_of(data: bytes) -> str:
        own: str = algorithm(b"blob %d\0" % len(data) + data).hexdigest()
        return own

    return id_of
