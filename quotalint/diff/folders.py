"""Folders that stand for a state of the repository: all is known of them but contents, which are read on demand."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from quotalint.diff.blobs import Blobs
from quotalint.diff.git import ABSENT, EXECUTABLE, GitEntry
from quotalint.named_tuples import NamedTuple
from quotalint.text.guards import MAX_BYTES
from quotalint.text.virtual_files import VirtualFile, VirtualFiles

_MAX_DEPTH = 200  # folders in each other


CANNOT_BE = "cannot be copied"
"""How the reason begins for which a file is left out that no disk could have beside the others."""


class LeftOut(NamedTuple):
    """What is in a state of the repository and not in the folder."""

    path: str
    """From the root of the repository."""
    reason: str


class Folder:
    """A folder that is filled."""

    def __init__(self, root: str, top: str, here: str, blobs: Blobs) -> None:
        """`root` and `here`, the repository and the working directory, are stood for by what is below `top`. The
        working directory is on the disk, to stand in."""
        self._given = root, top, here
        self.top = top
        self.root = top + os.path.splitdrive(root)[1]
        self.ids: dict[str, str] = {}
        self.left_out: list[LeftOut] = []
        self.sought: set[str] = set()
        """The paths of files that somebody asked for and the clone does not hold."""
        self.tree = VirtualFiles(self.root, self._content)
        self._blobs = blobs
        self._absent: set[str] = set()
        self._brought: dict[str, bytes] = {}
        self._sizes: dict[str, int] = {}
        os.makedirs(top + os.path.splitdrive(here)[1], exist_ok=True)
        self.tree.add_folder(os.path.relpath(here, root).replace(os.sep, "/").removeprefix("."))

    def add(self, entry: GitEntry, target: str | None = None) -> None:
        """Have a file, or a link; where no disk could it is left out."""
        path, mode, object_id, size, _ = entry
        size = max(size, 0)
        try:
            self.tree.add(path, VirtualFile(object_id, size, mode == EXECUTABLE, target))
        except (OSError, ValueError) as error:
            self.left_out.append(LeftOut(path, f"{CANNOT_BE}: {getattr(error, 'strerror', None) or error}"))
            return
        if object_id and target is None:
            self.ids[path] = object_id
            self._sizes[object_id] = size

    def begin_with(self, other: Folder, but: Collection[str]) -> None:
        """Have what another one has, but for the files and links with these paths."""
        self.tree.begin_with(other.tree, but)
        self.ids.update(other.ids)
        self._sizes.update(other._sizes)
        for path in but:
            self.ids.pop(path, None)
        self.left_out += (file for file in other.left_out if file.path not in but)

    def copy_without(self, paths: Collection[str]) -> Folder:
        """Another folder that has all of this one but these files."""
        other = Folder(*self._given, self._blobs)
        other.begin_with(self, paths)
        other._absent, other._brought = self._absent, self._brought
        other.sought = self.sought
        return other

    def without(self, files: Iterable[LeftOut]) -> None:
        """Take files out again."""
        for file in files:
            if self.ids.pop(file.path, None):
                self.tree.remove(file.path)
                self.left_out.append(file)

    def bring(self, path: str, data: bytes) -> None:
        """Have a file that git knows nothing of. Raises OSError."""
        self._brought[path] = data
        self.tree.add(path, VirtualFile("", len(data)))

    @property
    def lacks_contents(self) -> bool:
        """Whether the clone does not hold all of it, as far as anybody knows yet."""
        return bool(self._absent or self.sought)

    def is_absent(self, path: str) -> bool:
        """Whether the clone does not hold what is in a file, as far as anybody knows yet."""
        return path in self._absent or path in self.sought

    def fetch(self, ids: Iterable[str]) -> None:
        """Have at hand what has these ids, but for what is too large to be read."""
        sizes = {name: self._sizes.get(name, 0) for name in ids}
        for _ in self._blobs.fetch({name: size for name, size in sizes.items() if size <= MAX_BYTES}):
            continue

    def deny(self, paths: Iterable[str]) -> None:
        """Have the contents of files be as unknown as if the clone did not hold them: one of the states lacks them."""
        self._absent.update(paths)

    def _content(self, path: str, leaf: VirtualFile) -> bytes:
        if path in self._absent:
            self.sought.add(path)
            raise FileNotFoundError(2, ABSENT)
        if not leaf.id:
            return self._brought[path]
        try:
            return self._blobs.read(leaf.id)
        except FileNotFoundError:  # also where a clone that is whole by its configuration lacks something
            self.sought.add(path)
            raise


def is_safe(path: str) -> bool:
    """Whether a path may be that of a file in a repository."""
    if path.count("/") >= _MAX_DEPTH or (os.sep != "/" and os.sep in path):
        return False
    if "/." not in path and "//" not in path and path[:1] not in ("", "/", ".") and path[-1:] != "/":  # as nearly all
        return True
    around = f"/{path}/"
    return not ("//" in around or "/./" in around or "/../" in around or "/.git/" in around.lower())
