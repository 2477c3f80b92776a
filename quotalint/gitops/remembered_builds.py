"""Kustomizations that were built in an earlier look, for as long as no file that they read has changed.

What a build reads is heard, not guessed: the tree notes each file whose text or content somebody asks for. Which files
there are is taken to be as it was; where somebody has looked at the disk again, everything is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import NamedTuple

from quotalint.gitops.kustomize.built import Built
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.tree import Tree
from quotalint.recall import Memory, memory_in_use
from quotalint.text.documents import Reading


class ListeningTree(Tree):
    """A tree that notes which files are read in it."""

    def __init__(self, root: str, readings: Mapping[str, Reading], vendored: Callable[[str], str | None]) -> None:
        super().__init__(root, readings, vendored=vendored)
        self._listeners: list[set[str]] = []

    def data(self, name: str) -> bytes | None:
        self.hear((name,))
        return super().data(name)

    def reading(self, name: str) -> Reading | None:
        self.hear((name,))
        return super().reading(name)

    def hear(self, names: Iterable[str]) -> None:
        """Files count as read: what is made of them was made before."""
        if self._listeners:
            self._listeners[-1].update(names)

    @contextmanager
    def listening(self) -> Iterator[AbstractSet[str]]:
        """The names of the files that are read while this lasts."""
        names: set[str] = set()
        self._listeners.append(names)
        try:
            yield names
        finally:
            self._listeners.pop()
            self.hear(names)


class _Build(NamedTuple):
    """What a folder came to."""

    built: Built
    paths: frozenset[str]
    """The real paths of the files that were read for it."""


_MOST_OVERLAYS = 200  # of a folder: more are put over one while somebody types in what puts it there


class _Builds:
    """What was built. A class because it changes from look to look."""

    def __init__(self) -> None:
        self.by_folder: dict[str, list[tuple[Kustomization | None, _Build]]] = {}
        """What folders came to, by themselves or below a kustomization that no file holds."""


def forget_builds(memory: Memory, changed: Iterable[str] | None) -> None:
    """A look begins: these files (by their real paths) are no longer what they were; None: any may be another."""
    builds = memory.lasting("builds", _Builds)
    if changed is None:
        builds.by_folder = {}
        return
    paths = frozenset(changed)
    builds.by_folder = {
        folder: [(over, build) for over, build in of_folder if build.paths.isdisjoint(paths)]
        for folder, of_folder in builds.by_folder.items()
    }


def remembered_build(tree: Tree, over: Kustomization | None, folder: str, build: Callable[[], Built]) -> Built:
    """What a folder comes to, also with a kustomization `over` it that no file holds, as it was built before where that
    still holds."""
    memory = memory_in_use()
    if memory is None or not isinstance(tree, ListeningTree):
        return build()
    of_folder = memory.lasting("builds", _Builds).by_folder.setdefault(folder, [])
    for earlier, known in of_folder:
        if earlier == over:
            return known.built
    with tree.listening() as names:
        built = build()
    of_folder.append((over, _Build(built, frozenset(map(tree.path, names)))))
    del of_folder[:-_MOST_OVERLAYS]
    return built
