"""A tree that records which files are read and lasts for several looks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from quotalint.text.documents import Reading
from quotalint.text.sources import NOTHING_FOUND, Found
from quotalint.text.tree import LISTED, Listing, Tree, join_path


class RecordingTree(Tree):
    """A Tree that records what is read. It assumes that the set of files does not change."""

    def __init__(
        self,
        root: str,
        readings: Mapping[str, Reading],
        vendored: Callable[[str], str | None],
        files_found: Found = NOTHING_FOUND,
    ) -> None:
        super().__init__(root, readings, vendored=vendored, files_found=files_found)
        self._recorders: list[set[str]] = []
        self._names_by_path: dict[str, set[str]] = {}
        """The names of the files read, by real path."""
        self._indexed: set[str] = set()

    def data(self, name: str) -> bytes | None:
        self.record_reads((name,))
        return super().data(name)

    def reading(self, name: str) -> Reading | None:
        self.record_reads((name,))
        return super().reading(name)

    def is_file(self, name: str) -> bool:
        self.record_reads((name,))
        return super().is_file(name)

    def is_folder(self, name: str) -> bool:
        self.record_reads((name,))
        return super().is_folder(name)

    def canonical_name(self, name: str) -> str:
        canonical = super().canonical_name(name)
        if canonical != name:  # later reads use the canonical name only
            self.record_reads((name,))
        return canonical

    def kustomizations(self, folder: str) -> tuple[str, ...]:
        self.record_reads(self.kustomization_names(folder))
        return super().kustomizations(folder)

    def listing(self, folder: str) -> Listing:
        self.record_reads((join_path(folder, LISTED),))
        return super().listing(folder)

    def record_reads(self, names: Iterable[str]) -> None:
        """Record these files as read, for results that were computed before."""
        if self._recorders:
            self._recorders[-1].update(names)

    @contextmanager
    def recording_reads(self) -> Iterator[AbstractSet[str]]:
        """The names recorded inside the `with` block."""
        names: set[str] = set()
        self._recorders.append(names)
        try:
            yield names
        finally:
            self._recorders.pop()
            self.record_reads(names)

    def renew(self, paths: AbstractSet[str], readings: Mapping[str, Reading]) -> frozenset[str]:
        """Drop the content of the files at these real paths; `readings` are the new documents. Returns the files'
        names."""
        # A name shown with escapes in reports has no path.
        names = self._named_by(paths) | readings.keys()
        for name in names:
            self._data.pop(name, None)
            self._readings.pop(name, None)
        self._readings.update(readings)
        return names

    def _named_by(self, paths: AbstractSet[str]) -> frozenset[str]:
        """The names of the files read, for these real paths."""
        for name in (self._readings.keys() | self._data.keys()) - self._indexed:
            self._names_by_path.setdefault(self.real_path_of(name), set()).add(name)
            self._indexed.add(name)
        return frozenset(name for path in paths for name in self._names_by_path.get(path, ()))
