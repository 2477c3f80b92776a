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
        self._names_by_path: dict[str, set[str]] = {}
        """The names of what was read, by real path."""
        self._indexed: set[str] = set()

    def data(self, name: str) -> bytes | None:
        self.hear((name,))
        return super().data(name)

    def reading(self, name: str) -> Reading | None:
        self.hear((name,))
        return super().reading(name)

    def is_file(self, name: str) -> bool:
        self.hear((name,))
        return super().is_file(name)

    def is_folder(self, name: str) -> bool:
        self.hear((name,))
        return super().is_folder(name)

    def canonical_name(self, name: str) -> str:
        canonical = super().canonical_name(name)
        if canonical != name:  # of the link nobody asks any more
            self.hear((name,))
        return canonical

    def kustomizations(self, folder: str) -> tuple[str, ...]:
        self.hear(self.kustomization_names(folder))
        return super().kustomizations(folder)

    def listing(self, folder: str) -> Listing:
        self.hear((join_path(folder, LISTED),))
        return super().listing(folder)

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

    def renew(self, paths: AbstractSet[str], readings: Mapping[str, Reading]) -> frozenset[str]:
        """The files at these real paths have changed; `readings` is what files say now. The names of the files."""
        # A name that a report shows with escapes leads to no path.
        names = self._named_by(paths) | readings.keys()
        for name in names:
            self._data.pop(name, None)
            self._readings.pop(name, None)
        self._readings.update(readings)
        return names

    def _named_by(self, paths: AbstractSet[str]) -> frozenset[str]:
        """What files that were read are called here, by their real paths."""
        for name in (self._readings.keys() | self._data.keys()) - self._indexed:
            self._names_by_path.setdefault(self.real_path_of(name), set()).add(name)
            self._indexed.add(name)
        return frozenset(name for path in paths for name in self._names_by_path.get(path, ()))
