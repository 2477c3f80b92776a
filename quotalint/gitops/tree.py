"""The files of the repository, as renderers look at them: nothing outside of its root, each read once."""

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
from quotalint.text.sources import NOTHING_FOUND, Found, Source

_HERE = ("", ".", "..")
_NEAR = 100  # steps; what lies deeper is not looked up one folder after the other
LISTED = "*"
"""Stands below a folder for all that lies in it, where somebody listens to what is looked at."""
ANYTHING = "**"
"""What is heard where files are read that the tree is not asked for: those of a chart."""
CHART = "\0chart "
"""Before the folder of a chart where a tree is told that what is made of it asks for that chart."""
KUSTOMIZATION_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


class Listing(NamedTuple):
    """What lies in a folder, in order."""

    folders: tuple[str, ...]
    """Links to folders among them."""
    links: frozenset[str]
    """The folders that are links."""
    names: tuple[str, ...]
    """All else."""


class Tree:
    """What lies in the repository. Names are as in the report: relative to the working directory, with `/`."""

    def __init__(
        self,
        root: str,
        readings: Mapping[str, Reading],
        folder: str = ".",
        vendored: Callable[[str], str | None] = lambda _: None,
        files_found: Found = NOTHING_FOUND,
    ) -> None:
        """`root` is the real path of the repository, `readings` what was read already, `folder` what names are
        relative to, `vendored` gives the folder of the repository that stands for a URL. What is among `files_found` is
        not looked for again."""
        self.vendored = vendored
        self.root = real_path(root)
        """The real path of the repository's root."""
        self._folder = real_path(folder)
        self._readings = dict(readings)
        self.given_names = frozenset(readings)
        self.earlier: Tree | None = None
        """The tree of the look before, where it is known what has changed since."""
        """The names of the files that were read before: neither excluded nor ignored."""
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
        """Where a file or folder really lies."""
        if name not in self._real:
            try:
                self._real[name] = self._resolved_path(name)
            except (OSError, ValueError):
                self._real[name] = ""
        return self._real[name]

    def _resolved_path(self, name: str) -> str:
        # Of two files in one folder, the way to the folder is the same: os.path.realpath asks the system for each step.
        folder, _, last = name.rpartition("/")
        if os.name != "posix" or last in ("", ".", "..") or not (folder in self._real or name.count("/") < _NEAR):
            return real_path(os.path.join(self._folder, name))
        above = self.real_path_of(folder) if folder or name == last else "/"
        path = os.path.join(above, last)
        if not above or "\0" in last:  # a name that no file system can hold
            return ""
        return real_path(path) if not self._is_absent(path) and is_link(path) else path

    def _is_absent(self, path: str) -> bool:
        """Whether nothing was found at a real path when the folder that it lies in was listed."""
        folder, _, name = path.rpartition(os.sep)
        return folder in self._entries and name not in self._entries[folder]

    def hear(self, names: Iterable[str]) -> None:
        """Files count as looked at, since what is made of them was made before. Here nobody listens."""

    def listening(self) -> AbstractContextManager[AbstractSet[str]]:
        """The names of what is looked at while this lasts; none where nobody listens."""
        return nullcontext(frozenset())

    def canonical_name(self, name: str) -> str:
        """The name of a file or folder of the repository, symbolic links followed; others keep theirs."""
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
        """Whether a file or folder lies in the repository, symbolic links followed."""
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
        """Whether nothing of a name was found when the folder that it lies in was listed, for all that is known so
        far of where that folder lies."""
        folder, _, last = name.rpartition("/")
        listed = self._entries.get(self._real.get(folder, ""))
        return listed is not None and last not in listed and last not in _HERE

    def data(self, name: str) -> bytes | None:
        """The bytes of a file of the repository; None where there is none, or it is too large."""
        if name not in self._data:
            self._data[name] = self._read_data(name)
        return self._data[name]

    def size(self, name: str) -> int:
        """How many bytes a file has that was read."""
        if name in self._data:
            return len(self._data[name] or b"")
        try:
            return status_of(self.real_path_of(name)).st_size
        except OSError:
            return 0

    def mentions(self, name: str, word: bytes) -> bool:
        """Whether a word stands in a file of the repository."""
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
        """What a file of the repository says; None where there is none."""
        if name not in self._readings:
            data = self.data(name)
            if data is None:
                return None
            self._readings[name] = read(data, json=name.lower().endswith(".json"))
        return self._readings[name]

    def kustomizations(self, folder: str) -> tuple[str, ...]:
        """The kustomization files of a folder; more than one is a mistake."""
        if folder not in self._kustomizations:
            names = self.kustomization_names(folder)
            self._kustomizations[folder] = tuple(name for name in names if self.is_file(name))
        return self._kustomizations[folder]

    def kustomization_names(self, folder: str) -> tuple[str, ...]:
        """What the kustomization of a folder may be called."""
        if folder not in self._kustomization_names:
            names = tuple(join_path(folder, name) for name in KUSTOMIZATION_NAMES)
            self._kustomization_names[folder] = names
        return self._kustomization_names[folder]

    def files(self, folder: str, wanted: Callable[[str], bool], enter: Callable[[str], bool]) -> list[str]:
        """The files below a folder, in order; no symbolic link to a folder is followed."""
        return [
            name
            for here, names in self._walk_folders(folder, enter)
            for file_name in names
            if wanted(name := join_path(here, file_name)) and self.contains(name)
        ]

    def other_spelling(self, name: str) -> str:
        """What lies where a name leads and differs from it in capitals alone, which some file systems ignore; or ''."""
        folder, last = posixpath.split(name)
        listing = self.listing(folder)
        alike = (each for each in (*listing.names, *listing.folders) if each.casefold() == last.casefold())
        return next((each for each in alike if each != last), "")

    def folders(self, folder: str) -> list[str]:
        """The folder and those below it."""
        return [here for here, _ in self._walk_folders(folder, lambda _: True)]

    def _walk_folders(self, folder: str, enter: Callable[[str], bool]) -> Iterator[tuple[str, tuple[str, ...]]]:
        # Not by os.walk, which recurses before Python 3.12: folders may lie in each other two thousand deep.
        pending_folders = [folder] if self.is_folder(folder) else []
        while pending_folders:
            here = pending_folders.pop()
            listing = self.listing(here)
            below = [
                (folder_name, join_path(here, folder_name)) for folder_name in listing.folders if folder_name != ".git"
            ]
            entered = [name for folder_name, name in below if enter(name) and folder_name not in listing.links]
            yield join_path(here, "."), listing.names
            pending_folders += reversed(entered)

    def listing(self, folder: str) -> Listing:
        """What lies in a folder."""
        if folder not in self._listings:
            self._listings[folder] = _list_folder(os.path.join(self._folder, folder))
        return self._listings[folder]


def _plain_paths(sources: Iterable[Source], here: str) -> Iterator[tuple[str, str]]:
    """The names of files to which no link leads, and of the folders above them, with their paths, which are real."""
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
    except OSError:  # what cannot be listed shows nothing
        entries = []
    return Listing(
        tuple(name for name, is_folder, _ in entries if is_folder),
        frozenset(name for name, is_folder, is_link in entries if is_folder and is_link),
        tuple(name for name, is_folder, _ in entries if not is_folder),
    )


def _is_folder(entry: FolderEntry) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def relative_path(name: str, folder: str) -> str:
    """The path from a folder to a file or folder; `.` for itself."""
    return posixpath.relpath(name or ".", folder or ".")


def is_within(folder: str, top: str) -> bool:
    """Whether a folder is another one or lies in it."""
    if not top:
        return folder != ".." and not folder.startswith("../")
    return folder == top or folder.startswith(top + "/")


def join_path(folder: str, path: str) -> str:
    """The name of what a path leads to from a folder; the working directory is the empty name."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith("../"):
        # Out of the working directory, and perhaps in again: a file has one name.
        joined = os.path.relpath(joined).replace(os.sep, "/")
    return "" if joined == "." else joined


def matching_files(tree: Tree, folder: str, pattern: str) -> list[str]:
    """The files that a path or a glob leads to from a folder, in order."""
    whole = join_path(folder, pattern)
    if not re.search(r"[*?\[{]", pattern):
        return [tree.canonical_name(whole)] if tree.is_file(whole) else []
    fixed = re.split(r"[*?\[{]", whole)[0].rpartition("/")[0]
    glob = doublestar(whole)
    return tree.files(fixed, lambda name: covers(glob, name), lambda _: True) if glob is not None else []
