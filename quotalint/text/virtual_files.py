"""A folder that is on no disk: names, links and sizes are known, and contents are read on demand."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.text.guards import MAX_BYTES

_LONGEST_NAME, _LONGEST_PATH = 255, 4096  # bytes, as on most disks
_OWN = ".git"


class VirtualFile(NamedTuple):
    """A file or symbolic link."""

    id: str
    """A digest or other identity of its content."""
    size: int
    """In bytes."""
    is_executable: bool = False
    target: str | None = None
    """The target of a symbolic link; None for a file."""


class _Followed(NamedTuple):
    """A marker: the target of a link has been resolved completely."""

    link: str


class VirtualFiles:
    """The folder, which is filled before it is used; its `.git` is on the disk."""

    def __init__(self, root: str, content: Callable[[str, VirtualFile], bytes]) -> None:
        """`root` is an absolute path, real as far as the disk has it. `content` returns the bytes of a file by its path
        from the root, with `/`, and raises OSError if it cannot."""
        self.root = root
        self._inside = root.rstrip(os.sep) + os.sep
        self._length = len(os.fsencode(self._inside))
        self._surely_fits = min(_LONGEST_NAME, _DEEPEST, _LONGEST_PATH - self._length - 1)
        """A path of at most this length needs no check of its length or depth."""
        self._own = self._inside + _OWN
        self._content = content
        self._leaves: dict[str, VirtualFile] = {}
        self._folders: dict[str, set[str]] = {"": {_OWN}}
        self._has_links = False

    def add_folder(self, inner_path: str) -> None:
        """Adds a folder by its path from the root, with `/`. Raises OSError if a file has that path."""
        if inner_path in self._folders:
            return
        if inner_path in self._leaves:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        above, _, name = inner_path.rpartition("/")
        self.add_folder(above)
        self._folders[above].add(name)
        self._folders[inner_path] = set()

    def add(self, inner_path: str, leaf: VirtualFile) -> None:
        """Adds a file or link. Raises OSError and ValueError if no disk could store it."""
        above, _, name = inner_path.rpartition("/")
        if len(inner_path) > self._surely_fits or not inner_path.isascii():
            self._refuse_long(inner_path, above, name)
        if leaf.target is not None:
            _refuse_target(leaf.target)
        names = self._folders.get(above)
        if names is None:
            self.add_folder(above)
            names = self._folders[above]
        if inner_path in self._leaves or inner_path in self._folders:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        names.add(name)
        self._leaves[inner_path] = leaf
        if leaf.target is not None:
            self._has_links = True

    def _refuse_long(self, inner_path: str, above: str, name: str) -> None:
        """Raises OSError if a path or name is too long for disks, or nested too deeply."""
        is_long = len(os.fsencode(name)) > _LONGEST_NAME or self._length + len(os.fsencode(inner_path)) >= _LONGEST_PATH
        if is_long or above.count("/") > _DEEPEST:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))

    def remove(self, inner_path: str) -> None:
        """Removes a file or link."""
        above, _, name = inner_path.rpartition("/")
        del self._leaves[inner_path]
        self._folders[above].discard(name)

    def copy_from(self, other: VirtualFiles, skipped: Collection[str]) -> None:
        """Copies the content of another folder, without the given files and links and without folders that become
        empty."""
        lasting = {*self._folders}
        self._leaves.update(other._leaves)
        for inner_path, names in other._folders.items():
            self._folders.setdefault(inner_path, set()).update(names)
        self._has_links = self._has_links or other._has_links
        for inner_path in skipped:
            if inner_path in self._leaves:
                self.remove(inner_path)
            above = inner_path.rpartition("/")[0]
            while above not in lasting and not self._folders.get(above, {""}):
                del self._folders[above]
                above, _, name = above.rpartition("/")
                self._folders[above].discard(name)

    def leaf(self, path: str) -> VirtualFile | None:
        """The file or link with an absolute path."""
        return self._leaves.get(self._path_from_root(path)) if self.covers(path) else None

    def listing(self) -> Iterator[tuple[str, VirtualFile]]:
        """Every file and link by its path from the root, in a stable order."""
        return iter(sorted(self._leaves.items()))

    def looks_like(self, other: VirtualFiles) -> bool:
        """Whether both have the same names and links, so only contents differ."""
        if self._folders != other._folders or self._leaves.keys() != other._leaves.keys():
            return False
        return all(
            (leaf.target, leaf.is_executable)
            == (other._leaves[inner_path].target, other._leaves[inner_path].is_executable)
            for inner_path, leaf in self._leaves.items()
        )

    def changes_since(self, other: VirtualFiles) -> frozenset[str] | None:
        """The paths of all files and folders that only one of the two has, or whose content may differ; None if links
        differ, because a path may then lead elsewhere."""
        if self.root != other.root or self._links() != other._links():
            return None
        other_leaves = other._leaves
        inner_paths = self._folders.keys() ^ other._folders.keys()
        inner_paths |= other_leaves.keys() - self._leaves.keys()
        for inner_path, leaf in self._leaves.items():
            # Without an id, contents cannot be compared.
            if leaf != other_leaves.get(inner_path) or (not leaf.id and leaf.target is None):
                inner_paths.add(inner_path)
        return frozenset(os.path.join(self.root, *inner_path.split("/")) for inner_path in inner_paths)

    def _links(self) -> dict[str, str]:
        """The targets of links, by their paths from the root."""
        if not self._has_links:
            return {}
        return {inner_path: leaf.target for inner_path, leaf in self._leaves.items() if leaf.target is not None}

    def covers(self, path: str) -> bool:
        if path != self.root and not path.startswith(self._inside):
            return False
        return path != self._own and not path.startswith(self._own + os.sep)

    def real_path(self, path: str, strict: bool) -> str:
        plain = os.path.normpath(path)
        if not self._has_links and self.covers(plain) and (plain == path or not strict):
            if strict:
                self._refuse_absent(plain)
            return plain
        at = self.root if self.covers(path) else os.sep
        pending_steps: list[str | _Followed] = [*path[len(at) :].split(os.sep)[::-1]]
        link_targets: dict[str, str | None] = {}
        """The final target by the path of a link; None while it is being resolved."""
        while pending_steps:
            name = pending_steps.pop()
            if isinstance(name, _Followed):
                link_targets[name.link] = at
            elif strict and self.leaf(at) is not None:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
            elif name == "..":
                at = os.path.dirname(at)
            elif name not in ("", "."):
                link = os.path.join(at, name)
                target = self._link_target(link, strict=strict)
                if target is None:
                    at = link
                elif link not in link_targets:
                    link_targets[link] = None
                    pending_steps += (_Followed(link), *target.split(os.sep)[::-1])
                    at = os.sep if os.path.isabs(target) else at
                elif (end := link_targets[link]) is not None:
                    at = end
                elif strict:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
                else:  # like os.path.realpath
                    return os.path.normpath(
                        os.path.join(link, *(part for part in pending_steps[::-1] if isinstance(part, str)))
                    )
        return at

    def status(self, path: str, follow: bool) -> os.stat_result:
        real = self._real_path_of(path, follow)
        if not self.covers(real):
            return os.stat(real, follow_symlinks=follow)
        leaf = self._leaves.get(self._path_from_root(real))
        if leaf is None:
            self._refuse_absent(real)
            return _status_of_entry(_FOLDER_MODE, 0)
        if leaf.target is not None:
            if follow:  # it leads to itself
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            return _status_of_entry(stat.S_IFLNK | 0o777, leaf.size)
        return _status_of_entry(_mode_of_file(leaf), leaf.size)

    def plain_mode(self, path: str) -> int | None:
        if self._has_links or "//" in path or "/." in path or path[-1:] == os.sep or not self.covers(path):
            return None
        inner_path = self._path_from_root(path)
        leaf = self._leaves.get(inner_path)
        if leaf is not None:
            return _mode_of_file(leaf)
        return _FOLDER_MODE if inner_path in self._folders else 0

    def entries(self, path: str) -> list[VirtualEntry]:
        real = self.real_path(path, strict=True)
        if not self.covers(real):
            return [VirtualEntry(self, name, os.path.join(path, name)) for name in os.listdir(real)]
        inner_path = self._path_from_root(real)
        names = self._folders.get(inner_path)
        if names is None:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        above = f"{inner_path}/" if inner_path else ""
        return [VirtualEntry(self, name, os.path.join(path, name), self._known_mode(above + name)) for name in names]

    def _known_mode(self, inner_path: str) -> int | None:
        """The kind of an entry as a mode; None for a link."""
        leaf = self._leaves.get(inner_path)
        if leaf is None:
            return stat.S_IFDIR
        return stat.S_IFREG if leaf.target is None else None

    def read(self, path: str, limit: int) -> bytes | None:
        inner_path = self._path_from_root(path)
        leaf = self._leaves.get(inner_path)
        if leaf is None:
            self._refuse_absent(path)
            return None
        if leaf.target is not None:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        if leaf.size > MAX_BYTES:  # too large to be read, whatever its content
            return bytes(min(leaf.size, limit + 1))
        return self._content(inner_path, leaf)[: limit + 1]

    def _path_from_root(self, path: str) -> str:
        """The path from the root, with `/`."""
        return path[len(self._inside) :].replace(os.sep, "/")

    def _real_path_of(self, path: str, follow: bool) -> str:
        if follow:
            return self.real_path(path, strict=True)
        above, name = os.path.split(path.rstrip(os.sep))
        if name in ("", ".", "..") or not self.covers(above):
            return self.real_path(path, strict=True)
        return os.path.join(self.real_path(above, strict=True), name)

    def _link_target(self, path: str, *, strict: bool) -> str | None:
        """The target of a link; None if it is no link. Raises OSError if `strict` and nothing is there."""
        if self.covers(path):
            leaf = self._leaves.get(self._path_from_root(path))
            if leaf is None and strict:
                self._refuse_absent(path)
            return leaf.target if leaf is not None else None
        try:
            return os.readlink(path) if os.path.islink(path) else None
        finally:
            if strict:
                os.lstat(path)

    def _refuse_absent(self, path: str) -> None:
        """Raises OSError if nothing is at a real path."""
        inner_path = self._path_from_root(path)
        if inner_path in self._leaves or inner_path in self._folders:
            return
        above = inner_path
        while above:
            above = above.rpartition("/")[0]
            if above in self._leaves:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


class VirtualEntry:
    """An entry of the folder, like `os.DirEntry`; it is a class because it looks up its mode on demand."""

    def __init__(self, of: VirtualFiles, name: str, path: str, known_mode: int | None = None) -> None:
        self._of = of
        self.name = name
        self.path = path
        self._known_mode = known_mode

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self._mode(follow=False))

    def is_dir(self) -> bool:
        return stat.S_ISDIR(self._mode(follow=True))

    def is_file(self) -> bool:
        return stat.S_ISREG(self._mode(follow=True))

    def stat(self) -> os.stat_result:
        return self._of.status(self.path, follow=True)

    def _mode(self, *, follow: bool) -> int:
        if self._known_mode is not None:
            return self._known_mode
        try:
            return self._of.status(self.path, follow).st_mode
        except FileNotFoundError:
            return 0


_FOLDER_MODE = stat.S_IFDIR | 0o700


def _mode_of_file(leaf: VirtualFile) -> int:
    return stat.S_IFREG | (0o700 if leaf.is_executable else 0o600)


_DEEPEST = 250  # nested folders; each is created by a recursive call


def _refuse_target(target: str) -> None:
    """Raises OSError or ValueError if no link can have this target."""
    if not target:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if "\0" in target:
        raise ValueError("embedded null byte")
    if len(os.fsencode(target)) >= _LONGEST_PATH:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))


def _status_of_entry(mode: int, size: int) -> os.stat_result:
    return os.stat_result((mode, 0, 0, 1, 0, 0, size, 0, 0, 0))
