"""Virtual folders for a state of the repository: names are known, contents are read on demand."""

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
"""The beginning of the reason for a skipped file that no disk could hold beside the others."""


class LeftOut(NamedTuple):
    """A path of a state of the repository that the folder lacks."""

    path: str
    """From the root of the repository."""
    reason: str


class Folder:
    """A virtual folder."""

    def __init__(self, root: str, top: str, here: str, blobs: Blobs) -> None:
        """`root`: the repository; `here`: the working directory. Both have a copy below `top`; that of the working
        directory exists on the disk."""
        self._given = root, top, here
        self.top = top
        self.root = top + os.path.splitdrive(root)[1]
        self.ids: dict[str, str] = {}
        self.left_out: list[LeftOut] = []
        self.sought: set[str] = set()
        """The paths of requested files whose content the clone lacks."""
        self.tree = VirtualFiles(self.root, self._content)
        self._blobs = blobs
        self._absent: set[str] = set()
        self._brought: dict[str, bytes] = {}
        self._sizes: dict[str, int] = {}
        os.makedirs(top + os.path.splitdrive(here)[1], exist_ok=True)
        self.tree.add_folder(os.path.relpath(here, root).replace(os.sep, "/").removeprefix("."))

    def add(self, entry: GitEntry, target: str | None = None) -> None:
        """Add a file or a link; it is skipped if no disk could hold it."""
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

    def copy_from(self, other: Folder, skipped: Collection[str]) -> None:
        """Add all files and links of another folder except the `skipped` paths."""
        self.tree.copy_from(other.tree, skipped)
        self.ids.update(other.ids)
        self._sizes.update(other._sizes)
        for path in skipped:
            self.ids.pop(path, None)
        self.left_out += (file for file in other.left_out if file.path not in skipped)

    def copy_without(self, paths: Collection[str]) -> Folder:
        """A copy of this folder without these files."""
        other = Folder(*self._given, self._blobs)
        other.copy_from(self, paths)
        other._absent, other._brought = self._absent, self._brought
        other.sought = self.sought
        return other

    def without(self, files: Iterable[LeftOut]) -> None:
        """Remove files."""
        for file in files:
            if self.ids.pop(file.path, None):
                self.tree.remove(file.path)
                self.left_out.append(file)

    def bring(self, path: str, data: bytes) -> None:
        """Add a file that git does not know. Raises OSError."""
        self._brought[path] = data
        self.tree.add(path, VirtualFile("", len(data)))

    @property
    def lacks_contents(self) -> bool:
        """Whether the clone lacks some content, as far as known."""
        return bool(self._absent or self.sought)

    def is_absent(self, path: str) -> bool:
        """Whether the clone lacks the content of a file, as far as known."""
        return path in self._absent or path in self.sought

    def fetch(self, ids: Iterable[str]) -> None:
        """Read the contents with these ids ahead, except those that are too large."""
        sizes = {name: self._sizes.get(name, 0) for name in ids}
        for _ in self._blobs.fetch({name: size for name, size in sizes.items() if size <= MAX_BYTES}):
            continue

    def deny(self, paths: Iterable[str]) -> None:
        """Treat files as absent from the clone, because one of the states lacks their content."""
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
    """Whether a path may belong to a file in a repository."""
    if path.count("/") >= _MAX_DEPTH or (os.sep != "/" and os.sep in path):
        return False
    if "/." not in path and "//" not in path and path[:1] not in ("", "/", ".") and path[-1:] != "/":  # as nearly all
        return True
    around = f"/{path}/"
    return not ("//" in around or "/./" in around or "/../" in around or "/.git/" in around.lower())
