"""Kustomizations that were built in an earlier look, for as long as nothing that they looked at has changed.

What a build looks at is heard, not guessed: the tree notes each file whose text or content somebody asks for, each that
somebody looks for, and each folder that is listed. Where nobody can say what has changed, everything is built anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import NamedTuple

from quotalint.gitops.kustomize.built import Built
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.tree import ANYTHING, KUSTOMIZATION_NAMES, LISTED, Listing, Tree, join_path
from quotalint.recall import Memory, memory_in_use
from quotalint.text.documents import Reading


class ListeningTree(Tree):
    """A tree that notes what is looked at in it."""

    def __init__(self, root: str, readings: Mapping[str, Reading], vendored: Callable[[str], str | None]) -> None:
        super().__init__(root, readings, vendored=vendored)
        self._listeners: list[set[str]] = []

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

    def kustomizations(self, folder: str) -> tuple[str, ...]:
        if self._listeners:
            self.hear(join_path(folder, name) for name in KUSTOMIZATION_NAMES)
        return super().kustomizations(folder)

    def _listing(self, folder: str) -> Listing:
        self.hear((join_path(folder, LISTED),))
        return super()._listing_of(folder)

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


class _Build(NamedTuple):
    """What a folder came to."""

    built: Built
    paths: frozenset[str]
    """The real paths of what was looked at for it."""
    is_closed: bool
    """Nothing else was looked at."""


_MOST_OVERLAYS = 200  # of a folder: more are put over one while somebody types in what puts it there


class _Builds:
    """What was built. A class because it changes from look to look."""

    def __init__(self) -> None:
        self.by_folder: dict[str, list[tuple[Kustomization | None, _Build]]] = {}
        """What folders came to, by themselves or below a kustomization that no file holds."""


class Changed(NamedTuple):
    """What is no longer as it was in the look before."""

    paths: frozenset[str]
    """The real paths of files and folders that came, went or hold something else; of a folder in which something came
    or went, also one that stands for the list of it."""
    is_readings: bool = False
    """Nothing has changed but what is in files that were read as manifests."""


def changed_paths(paths: Iterable[str]) -> Changed:
    """What has changed where these came, went or hold something else."""
    named = frozenset(paths)
    return Changed(named | {os.path.join(os.path.dirname(path), LISTED) for path in named})


def forget_builds(memory: Memory, changed: Changed | None) -> None:
    """A look begins: what has changed since the one before; None: anything may have."""
    builds = memory.lasting("builds", _Builds)
    if changed is None:
        builds.by_folder = {}
        return
    builds.by_folder = {
        folder: [(over, build) for over, build in of_folder if _holds(build, changed)]
        for folder, of_folder in builds.by_folder.items()
    }


def _holds(build: _Build, changed: Changed) -> bool:
    return (build.is_closed or changed.is_readings) and build.paths.isdisjoint(changed.paths)


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
    of_folder.append((over, _Build(built, frozenset(map(tree.real_path_of, names)), ANYTHING not in names)))
    del of_folder[:-_MOST_OVERLAYS]
    return built
