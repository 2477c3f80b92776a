"""The repository's files as renderers see them: nothing outside the root, and each file read once."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext

from quotalint.named_tuples import NamedTuple
from quotalint.text.disk import FolderEntry, entries_of, is_file, is_folder, is_link, real_path, status_of
from quotalint.text.documents import MAX_BYTES, Reading, read
from quotalint.text.files import content, lies_in_repository
from quotalint.text.glob_dialects import doublestar
from quotalint.text.globs import covers
from quotalint.text.sources import NOTHING_FOUND, OWN_FOLDER, Found, Source

_HERE = ("", ".", "..")
_NEAR = 100  # deeper paths are resolved at once, not folder by folder
LISTED = "*"
"""Recorded below a folder when its entries are listed."""
ANYTHING = "**"
"""Recorded when files are read without the tree: those of a chart."""
CHART = "\0chart "
"""Prefix of a chart's folder, recorded when a build renders that chart."""
KUSTOMIZATION_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


class Listing(NamedTuple):
    """The entries of a folder, sorted."""

    folders: tuple[str, ...]
    """Includes links to folders."""
    links: frozenset[str]
    """The folders that are links."""
    names: tuple[str, ...]
    """All other entries."""


class Tree:
    """The repository's files. Names are as in reports: relative to the working directory, with `/`."""

    def __init__(
        self,
        root: str,
        readings: Mapping[str, Reading],
        folder: str = ".",
        vendored: Callable[[str], str | None] = lambda _: None,
        files_found: Found = NOTHING_FOUND,
    ) -> None:
        """`root` is the repository's real path; `readings` were read before; names are relative to `folder`.

        `vendored` returns the folder that replaces a URL. `files_found` are files already listed, which are not
        searched again.
        """
        self.vendored = vendored
        self.lock, self.store = "", ""
        """The lock of vendored sources, and the folder that holds them; empty: none count."""
        self.asked: dict[tuple[str, str, str], str] = {}
        """The remote sources that deployers asked for (`lockfile.lock.RemoteSource`), with their folders."""
        self.root = real_path(root)
        """The real path of the repository's root."""
        self._folder = real_path(folder)
        self._readings = dict(readings)
        self.given_names = frozenset(readings)
        self.earlier: Tree | None = None
        """The tree of the last look, if the changes since are known."""
        self._data: dict[str, bytes | None] = {}
        self._entries = files_found.entries
        self._real = dict(_plain_paths(files_found.sources, self._folder + os.sep)) if os.name == "posix" else {}
        self._names: dict[str, str] = {}
        self._contained: dict[str, bool] = {}
        self._kustomizations: dict[str, tuple[str, ...]] = {}
        self._kustomization_names: dict[str, tuple[str, ...]] = {}
        self._listings: dict[str, Listing] = {}
        self._folders: dict[str, bool] = {}
        self._files: dict[str, bool] = {}

    def real_path_of(self, name: str) -> str:
        """The real path of a file or folder."""
        if name not in self._real:
            try:
                self._real[name] = self._resolved_path(name)
            except (OSError, ValueError):
                self._real[name] = ""
        return self._real[name]

    def _resolved_path(self, name: str) -> str:
        # Files in one folder share its real path; os.path.realpath would resolve each step again.
        folder, _, last = name.rpartition("/")
        if os.name != "posix" or last in ("", ".", "..") or not (folder in self._real or name.count("/") < _NEAR):
            return real_path(os.path.join(self._folder, name))
        above = self.real_path_of(folder) if folder or name == last else "/"
        path = os.path.join(above, last)
        if not above or "\0" in last:  # a name that no file system allows
            return ""
        return real_path(path) if not self._is_absent(path) and is_link(path) else path

    def _is_absent(self, path: str) -> bool:
        """Whether a real path did not exist when its folder was listed."""
        folder, _, name = path.rpartition(os.sep)
        return folder in self._entries and name not in self._entries[folder]

    def record_reads(self, names: Iterable[str]) -> None:
        """Record these files as read, for results that were computed before; a plain Tree records nothing."""

    def recording_reads(self) -> AbstractContextManager[AbstractSet[str]]:
        """The names recorded inside the `with` block; empty for a plain Tree."""
        return nullcontext(frozenset())

    def canonical_name(self, name: str) -> str:
        """The name of a file or folder after following symbolic links; names outside the repository are unchanged."""
        if name not in self._names:
            real = self.real_path_of(name)
            self._names[name] = self._relative_name(real) if self.contains(name) else name
        return self._names[name]

    def _relative_name(self, real: str) -> str:
        here = self._folder + "/"
        if real.startswith(here) and os.sep == "/":
            return real[len(here) :]
        relative = os.path.relpath(real, self._folder).replace(os.sep, "/")
        return "" if relative == "." else relative

    def contains(self, name: str) -> bool:
        """Whether a file or folder is in the repository, after following symbolic links."""
        if name not in self._contained:
            self._contained[name] = lies_in_repository(self.real_path_of(name), self.root)
        return self._contained[name]

    def is_folder(self, name: str) -> bool:
        if name not in self._folders:
            path = self.real_path_of(name)
            is_listed = path in self._entries
            self._folders[name] = self.contains(name) and (is_listed or (not self._is_absent(path) and is_folder(path)))
        return self._folders[name]

    def is_file(self, name: str) -> bool:
        if name in self._readings:
            return True
        if name not in self._files:
            self._files[name] = not self._is_missing(name) and self._finds_file(name)
        return self._files[name]

    def _finds_file(self, name: str) -> bool:
        path = self.real_path_of(name)
        is_other = path in self._entries or self._is_absent(path)
        return self.contains(name) and not is_other and is_file(path)

    def _is_missing(self, name: str) -> bool:
        """Whether a name did not exist when its folder was listed, as far as the folder's real path is known."""
        folder, _, last = name.rpartition("/")
        listed = self._entries.get(self._real.get(folder, ""))
        return listed is not None and last not in listed and last not in _HERE

    def data(self, name: str) -> bytes | None:
        """The bytes of a file in the repository; None if it does not exist or is too large."""
        if name not in self._data:
            self._data[name] = self._read_data(name)
        return self._data[name]

    def size(self, name: str) -> int:
        """The size of a file in bytes."""
        if name in self._data:
            return len(self._data[name] or b"")
        try:
            return status_of(self.real_path_of(name)).st_size
        except OSError:
            return 0

    def mentions(self, name: str, word: bytes) -> bool:
        """Whether a file of the repository contains a word."""
        return word in (self.data(name) or b"")

    def _read_data(self, name: str) -> bytes | None:
        if not self.contains(name):
            return None
        try:
            data = content(self.real_path_of(name), MAX_BYTES)
        except (OSError, ValueError):
            return None
        return data if data is not None and len(data) <= MAX_BYTES else None

    def reading(self, name: str) -> Reading | None:
        """The documents of a file in the repository; None if it does not exist."""
        if name not in self._readings:
            data = self.data(name)
            if data is None:
                return None
            self._readings[name] = read(data, json=name.lower().endswith(".json"))
        return self._readings[name]

    def kustomizations(self, folder: str) -> tuple[str, ...]:
        """The kustomization files of a folder; more than one is an error."""
        if folder not in self._kustomizations:
            names = self.kustomization_names(folder)
            self._kustomizations[folder] = tuple(name for name in names if self.is_file(name))
        return self._kustomizations[folder]

    def kustomization_names(self, folder: str) -> tuple[str, ...]:
        """The possible names of a folder's kustomization."""
        if folder not in self._kustomization_names:
            names = tuple(join_path(folder, name) for name in KUSTOMIZATION_NAMES)
            self._kustomization_names[folder] = names
        return self._kustomization_names[folder]

    def files(self, folder: str, wanted: Callable[[str], bool], enter: Callable[[str], bool]) -> list[str]:
        """The files below a folder, in order; links to folders are not followed."""
        return [
            name
            for here, names in self._walk_folders(folder, enter)
            for file_name in names
            if wanted(name := join_path(here, file_name)) and self.contains(name)
        ]

    def other_spelling(self, name: str) -> str:
        """An existing name that differs only in capitals, which some file systems ignore; empty if there is none."""
        folder, last = posixpath.split(name)
        listing = self.listing(folder)
        alike = (each for each in (*listing.names, *listing.folders) if each.casefold() == last.casefold())
        return next((each for each in alike if each != last), "")

    def folders(self, folder: str) -> list[str]:
        """The folder and its subfolders."""
        return [here for here, _ in self._walk_folders(folder, lambda _: True)]

    def _walk_folders(self, folder: str, enter: Callable[[str], bool]) -> Iterator[tuple[str, tuple[str, ...]]]:
        # Not os.walk, which recurses before Python 3.12: folders may be nested two thousand deep.
        pending_folders = [folder] if self.is_folder(folder) else []
        while pending_folders:
            here = pending_folders.pop()
            listing = self.listing(here)
            below = [
                (folder_name, join_path(here, folder_name))
                for folder_name in listing.folders
                if folder_name not in (".git", OWN_FOLDER)
            ]
            entered = [
                name
                for folder_name, name in below
                if name != self.store and enter(name) and folder_name not in listing.links
            ]
            yield join_path(here, "."), listing.names
            pending_folders += reversed(entered)

    def listing(self, folder: str) -> Listing:
        """The entries of a folder."""
        if folder not in self._listings:
            self._listings[folder] = _list_folder(os.path.join(self._folder, folder))
        return self._listings[folder]


def _plain_paths(sources: Iterable[Source], here: str) -> Iterator[tuple[str, str]]:
    """Names and real paths of files that are not reached through a link, and of the folders above them."""
    above = ""
    for name, path, _ in sources:
        if path == here + name:
            yield name, path
            folder, _, _ = name.rpartition("/")
            if folder != above:
                above = folder
                while folder:
                    yield folder, here + folder
                    folder, _, _ = folder.rpartition("/")


def _list_folder(path: str) -> Listing:
    try:
        entries = sorted((entry.name, _is_folder(entry), entry.is_symlink()) for entry in entries_of(path))
    except OSError:  # an unreadable folder has no entries
        entries = []
    return Listing(
        tuple(name for name, is_folder, _ in entries if is_folder),
        frozenset(name for name, is_folder, is_link in entries if is_folder and is_link),
        tuple(name for name, is_folder, _ in entries if not is_folder),
    )


def _is_folder(entry: FolderEntry) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def relative_path(name: str, folder: str) -> str:
    """The path from a folder to a file or folder; `.` for the folder itself."""
    return posixpath.relpath(name or ".", folder or ".")


def is_within(folder: str, top: str) -> bool:
    """Whether a folder is `top` or below it."""
    if not top:
        return folder != ".." and not folder.startswith("../")
    return folder == top or folder.startswith(top + "/")


def shown_folder(path: str) -> str:
    """The name in reports of a folder on disk."""
    return os.path.relpath(path).replace(os.sep, "/")


def join_path(folder: str, path: str) -> str:
    """The name of a path relative to a folder; the working directory is the empty name."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith("../"):
        # The path may leave the working directory and return: a file must have one name.
        joined = os.path.relpath(joined).replace(os.sep, "/")
    return "" if joined == "." else joined


def matching_files(tree: Tree, folder: str, pattern: str) -> list[str]:
    """The files that a path or glob matches, relative to a folder, sorted."""
    whole = join_path(folder, pattern)
    if not re.search(r"[*?\[{]", pattern):
        return [tree.canonical_name(whole)] if tree.is_file(whole) else []
    fixed = re.split(r"[*?\[{]", whole)[0].rpartition("/")[0]
    glob = doublestar(whole)
    return tree.files(fixed, lambda name: covers(glob, name), lambda _: True) if glob is not None else []
