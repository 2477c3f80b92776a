"""A tree that hears what is looked at in it, and lasts from look to look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from quotalint.gitops.tree import LISTED, Listing, Tree, join_path
from quotalint.text.documents import Reading
from quotalint.text.sources import NOTHING_FOUND, Found


class ListeningTree(Tree):
    """A tree that notes what is looked at in it. Which files there are it takes to be as it was."""

    def __init__(
        self,
        root: str,
        readings: Mapping[str, Reading],
        vendored: Callable[[str], str | None],
        files_found: Found = NOTHING_FOUND,
    ) -> None:
        super().__init__(root, readings, vendored=vendored, files_found=files_found)
        self._listeners: list[set[str]] = []
        self.read_by_others: set[str] = set()
        """The files that were read while nobody listened."""
        self.asked_by_others: set[str] = set()
        """What was looked for then, whether it is there or not, and the folders that were listed."""
        self.taken_whole: set[str] = set()
        """The same of where somebody takes all manifests, whatever they are called."""
        self.searched_for_folders: set[str] = set()
        """The same of where somebody asks which folders there are, whatever files lie in them."""
        self._texts: set[str] = set()
        """Those of which the text itself was read then."""
        self.mentioned: dict[str, dict[bytes, bool]] = {}
        """The words that somebody looked for in the text of a file, and whether it has them."""
        self._names_by_path: dict[str, set[str]] = {}
        """The names of what was read, by real path."""
        self._indexed: set[str] = set()
        self._counted: set[str] = set()
        """Files that count as read, though nobody has read them here."""

    def data(self, name: str) -> bytes | None:
        self._note(name)
        if not self._listeners:
            self._texts.add(name)
        return super().data(name)

    def mentions(self, name: str, word: bytes) -> bool:
        self.hear((name,))
        answer = self.mentioned.setdefault(name, {})[word] = word in (super().data(name) or b"")
        return answer

    def is_same_text(self, name: str) -> bool:
        """Whether what somebody else than the listeners knows of the text of a file still holds."""
        if name in self._texts:
            return False
        asked = self.mentioned.get(name, {}).items()
        return all((word in (super(ListeningTree, self).data(name) or b"")) == answer for word, answer in asked)

    def begin(self) -> None:
        """Everything is read once more."""
        of_others = self.read_by_others, self.asked_by_others, self.taken_whole, self.searched_for_folders
        for names in (*of_others, self._texts):
            names.clear()
        self.mentioned.clear()

    def reading(self, name: str) -> Reading | None:
        self._note(name)
        return super().reading(name)

    def is_file(self, name: str) -> bool:
        self._ask((name,))
        return super().is_file(name)

    def is_folder(self, name: str) -> bool:
        self._ask((name,))
        return super().is_folder(name)

    def canonical_name(self, name: str) -> str:
        canonical = super().canonical_name(name)
        if canonical != name:  # of the link nobody asks any more
            self._ask((name,))
        return canonical

    def kustomizations(self, folder: str) -> tuple[str, ...]:
        self._ask(self.kustomization_names(folder))
        return super().kustomizations(folder)

    def folders(self, folder: str) -> list[str]:
        with self.listening() as names:
            folders = super().folders(folder)
        if not self._listeners:
            self.searched_for_folders |= names
        return folders

    def listing(self, folder: str) -> Listing:
        self._ask((join_path(folder, LISTED),))
        return super().listing(folder)

    def _note(self, name: str) -> None:
        (self._listeners[-1] if self._listeners else self.read_by_others).add(name)

    def _ask(self, names: Iterable[str]) -> None:
        (self._listeners[-1] if self._listeners else self.asked_by_others).update(names)

    def hear(self, names: Iterable[str]) -> None:
        """Files count as looked at: what is made of them was made before."""
        if self._listeners:
            self._listeners[-1].update(names)

    @contextmanager
    def listening(self) -> Iterator[AbstractSet[str]]:
        """The names of what is looked at while this lasts."""
        names: set[str] = set()
        self._listeners.append(names)
        try:
            yield names
        finally:
            self._listeners.pop()
            self.hear(names)

    @contextmanager
    def taking_whole(self) -> Iterator[None]:
        with self.listening() as names:
            yield
        if not self._listeners:
            self.taken_whole |= names

    def is_text_read(self, name: str) -> bool:
        """Whether somebody read the text of a file."""
        return name in self._counted or self._data.get(name) is not None

    def text_read(self, name: str) -> bytes:
        """What is in a file of which somebody read the text."""
        return super().data(name) or b""

    def count_as_text(self, names: Iterable[str]) -> None:
        """The text of these files counts as read: what is made of it was made before."""
        self._counted.update(names)

    def but_manifests(self, names: Iterable[str]) -> Iterator[str]:
        """Those that were not read as manifests: other files, folders, what is not there."""
        return (name for name in names if name not in self._readings)

    def renew(self, paths: AbstractSet[str], readings: Mapping[str, Reading]) -> frozenset[str]:
        """The files at these real paths have changed; `readings` is what files say now. The names of the files."""
        names = self._named_by(paths)
        for name in names:
            self._data.pop(name, None)
            self._readings.pop(name, None)
        self._readings.update((name, readings[name]) for name in names if name in readings)
        return frozenset(names)

    def _named_by(self, paths: AbstractSet[str]) -> frozenset[str]:
        """What files that were read are called here, by their real paths."""
        for name in (self._readings.keys() | self._data.keys()) - self._indexed:
            self._names_by_path.setdefault(self.real_path_of(name), set()).add(name)
            self._indexed.add(name)
        return frozenset(name for path in paths for name in self._names_by_path.get(path, ()))
