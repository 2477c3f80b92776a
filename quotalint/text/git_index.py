"""Which files git tracks: .gitignore says nothing of those. Read from its index, and only where something is ignored.

The formats are those of gitformat-index(5), versions 2 to 4, with ids of 20 or of 32 bytes. Of a split index the shared
part counts as a whole: to take a file for tracked that no longer is means to read it, which hides nothing.
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
    """The files that git tracks, of every repository that is asked about. A class because of what it keeps."""

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
        way = path[len(root.rstrip(os.sep)) + 1 :]
        try:
            return self._indexes[root].has(os.fsencode(way.replace(os.sep, "/")))
        except ValueError:  # half a surrogate pair
            return False

    def _root(self, folder: str) -> str:
        """The folder of the repository around a folder; empty where there is none."""
        # No recursion: folders may be nested deeper than Python's calls.
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
"""How much longer all names may be together than the index, where each goes on with the one before."""


_SEARCHES = 64
"""How often all bytes are searched for a name before the names are put together, which takes about as long."""


class _Index:
    """One index, of which names are only put together where its bytes suggest that one of them is asked for."""

    def __init__(self, root: str) -> None:
        self._parts = [data for data in _index_files(root) if data[:4] == b"DIRC"]
        self._names: set[bytes] | None = None
        self._searches = 0

    def has(self, way: bytes) -> bool:
        if self._names is None:
            # Names are whole up to version 3.
            self._searches += 1
            is_likely = self._searches > _SEARCHES or any(
                way in data or data[4:8] == b"\0\0\0\4" for data in self._parts
            )
            if not is_likely:
                return False
            self._names = set()
            for name in (name for data in self._parts for name in names_in(data)):
                while name and name not in self._names:
                    self._names.add(name)
                    above, slash, _ = name.rstrip(b"/").rpartition(b"/")
                    name = above + slash
        return way in self._names


def _index_files(root: str) -> Iterator[bytes]:
    """The index and, where it is split, the files that it shares."""
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
    """The paths in an index; none where it is not understood."""
    for id_length in (20, 32):
        try:
            return list(_index_entries(data, id_length))
        except (IndexError, ValueError):  # noqa: PERF203  # twice at most
            continue
    return []


def names_digest(path: str) -> bytes:
    """What stands for the names in an index; UNKNOWN where it is not understood. Of one that shares its names with
    another file, and of what is no index, all bytes count."""
    try:
        data = content(path, _LARGEST)
    except (OSError, ValueError):
        return UNKNOWN
    if data is None or len(data) > _LARGEST:
        return UNKNOWN
    names = [] if data[:4] != b"DIRC" or _SHARED in data else names_in(data)
    return digest(b"\0".join(names) if names else data)


def _index_entries(data: bytes, id_length: int) -> Iterator[bytes]:
    """Each path. Raises ValueError or IndexError where the entries do not have this form."""
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
    """How many bytes of the name before are taken off (`decode_varint` of varint.c), and where the rest begins."""
    byte = data[at]
    at += 1
    value = byte & 127
    while byte & 128:
        byte = data[at]
        at += 1
        value = ((value + 1) << 7) + (byte & 127)
    return value, at
