"""Files that have changed, come or gone → what of that is to be judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import NotedFiles
from quotalint.text.reading import File


class FileChanges(NamedTuple):
    """In what two states differ, by paths, or by their ways from the root of the repository."""

    contents: frozenset[str]
    """The files that hold something else."""
    came: frozenset[str] = frozenset()
    """Files that the first one has not."""
    went: frozenset[str] = frozenset()
    """Files that only the first one has."""
    folders: frozenset[str] = frozenset()
    """Folders that only one of them has."""

    @property
    def is_of_contents(self) -> bool:
        """Whether both have the same files."""
        return not (self.came or self.went or self.folders)

    def at(self, path_of: Callable[[str], str]) -> FileChanges:
        """The same, by what gives the path of each."""
        return FileChanges(*(frozenset(map(path_of, ways)) for ways in self))


class Edits(NamedTuple):
    """What files say now, as far as it is something else."""

    files: Mapping[int, File]
    """By their numbers."""
    changed: frozenset[str]
    """The names of all files and folders that came, went or hold something else."""
    relisted: frozenset[int] = frozenset()
    """Of these, kustomizations that name other files to be read."""
    data: frozenset[str] = frozenset()
    """The names of files that are no manifests."""
    came: Mapping[str, File] = MappingProxyType({})
    """New ones, by their names."""
    went: frozenset[int] = frozenset()
    """The numbers of those that are no more."""
    folders: frozenset[str] = frozenset()
    """The names of folders that came or went."""
    texts: frozenset[str] = frozenset()
    """The names of new files that are no manifests."""
    may_move: bool = False
    """Objects may come and go: nobody asks how many there are."""
    may_shift: bool = False
    """So may lines: none is shown of what is said of namespaces in which nothing has changed."""

    def users(self, files: NotedFiles) -> set[int]:
        """The numbers of the units that read any of what has changed or gone."""
        of_files = (user for number in (*self.files, *self.went) for user in files.users[number])
        return {*of_files, *(user for name in self.data for user in files.data[name])}

    def __bool__(self) -> bool:
        return bool(self.files or self.data or self.came or self.went)
