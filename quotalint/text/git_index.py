"""The files that git tracks; .gitignore does not apply to them. Read from git's index, only if something is ignored.

The formats are those of gitformat-index(5), versions 2 to 4, with ids of 20 or 32 bytes. The shared part of a split
index counts completely: a file that is wrongly taken as tracked is read, so nothing is hidden.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from quotalint.runtime.transcript import UNKNOWN, digest
from quotalint.text.disk import is_there
from quotalint.text.files import content
from quotalint.text.gitignore import git_folder

_LARGEST = 1 << 28
_SHARED = b"link\0\0\0"
_HEADER = 12
_BEFORE_ID = 40


class Tracked:
    """The files that git tracks, by repository. It is a class because it caches indexes."""

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}
        self._indexes: dict[str, _Index] = {}

    def __contains__(self, path: str) -> bool:
        """Whether git tracks a file (an absolute path) or, if the path ends with a separator, anything in a folder."""
        root = self._root(os.path.dirname(path.rstrip(os.sep)))
        if not root:
            return False
        if root not in self._indexes:
            self._indexes[root] = _Index(root)
        path_in_repository = path[len(root.rstrip(os.sep)) + 1 :]
        try:
            return self._indexes[root].has(os.fsencode(path_in_repository.replace(os.sep, "/")))
        except ValueError:  # half a surrogate pair
            return False

    def _root(self, folder: str) -> str:
        """The repository around a folder; empty if there is none."""
        # No recursion: folders may be nested deeper than Python's call limit.
        climbed = []
        root = self._roots.get(folder)
        while root is None:
            climbed.append(folder)
            above = os.path.dirname(folder)
            is_root = is_there(os.path.join(folder, ".git"))
            root = folder if is_root else "" if above == folder else self._roots.get(above)
            folder = above
        self._roots.update(dict.fromkeys(climbed, root))
        return root


_TIMES = 16
"""The largest total length of all names, as a multiple of the index: in version 4 each name continues the one
before."""


_SEARCHES = 64
"""How often the bytes are searched for a name before all names are decoded, which takes about as long."""


class _Index:
    """One index; its names are decoded only if its bytes suggest that a name is in it."""

    def __init__(self, root: str) -> None:
        self._parts = [data for data in _index_files(root) if data[:4] == b"DIRC"]
        self._names: set[bytes] | None = None
        self._searches = 0

    def has(self, path: bytes) -> bool:
        if self._names is None:
            # Up to version 3, names are stored completely.
            self._searches += 1
            is_likely = self._searches > _SEARCHES or any(
                path in data or data[4:8] == b"\0\0\0\4" for data in self._parts
            )
            if not is_likely:
                return False
            self._names = set()
            for name in (name for data in self._parts for name in names_in(data)):
                while name and name not in self._names:
                    self._names.add(name)
                    above, slash, _ = name.rstrip(b"/").rpartition(b"/")
                    name = above + slash
        return path in self._names


def _index_files(root: str) -> Iterator[bytes]:
    """The bytes of the index and, if it is split, of its shared files."""
    folder = git_folder(os.path.join(root, ".git"))
    try:
        data = content(os.path.join(folder, "index"), _LARGEST) or b""
        yield data
        if _SHARED in data:
            for name in os.listdir(folder):
                if name.startswith("sharedindex."):
                    yield content(os.path.join(folder, name), _LARGEST) or b""
    except (OSError, ValueError):
        return


def names_in(data: bytes) -> list[bytes]:
    """The paths in an index; empty if the format is unknown."""
    for id_length in (20, 32):
        try:
            return list(_index_entries(data, id_length))
        except (IndexError, ValueError):  # noqa: PERF203  # twice at most
            continue
    return []


def names_digest(path: str) -> bytes:
    """A digest of the names in an index; UNKNOWN if it cannot be read. For a split index or another format, a digest of
    all bytes."""
    try:
        data = content(path, _LARGEST)
    except (OSError, ValueError):
        return UNKNOWN
    if data is None or len(data) > _LARGEST:
        return UNKNOWN
    names = [] if data[:4] != b"DIRC" or _SHARED in data else names_in(data)
    return digest(b"\0".join(names) if names else data)


def _index_entries(data: bytes, id_length: int) -> Iterator[bytes]:
    """The paths of all entries. Raises ValueError or IndexError if the entries have another format."""
    version, number = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    at, before = _HEADER, b""
    room = _TIMES * len(data)
    for _ in range(number):
        flags_at = at + _BEFORE_ID + id_length
        flags = int.from_bytes(data[flags_at : flags_at + 2], "big")
        start = flags_at + (4 if flags & 0x4000 and version >= 3 else 2)
        if version == 4:
            strip, start = _strip_length(data, start)
            end = data.index(b"\0", start)
            name = before[: len(before) - strip] + data[start:end]
            at = end + 1
        else:
            end = data.index(b"\0", start)
            name = data[start:end]
            at += (end - at + 8) // 8 * 8
        length = flags & 0xFFF
        if length != min(len(name), 0xFFF):
            raise ValueError("another length of ids")
        before = name
        room -= len(name)
        if room < 0:
            raise ValueError("names of version 4 go on with each other too often")
        yield name


def _strip_length(data: bytes, at: int) -> tuple[int, int]:
    """How many bytes are removed from the name before (`decode_varint` of varint.c), and the offset of the rest."""
    byte = data[at]
    at += 1
    value = byte & 127
    while byte & 128:
        byte = data[at]
        at += 1
        value = ((value + 1) << 7) + (byte & 127)
    return value, at
