"""Kustomizations that were built in an earlier look, for as long as nothing that they looked at has changed.

What a build looks at is heard, not guessed: the tree notes each file whose text or content somebody asks for, each that
somebody looks for, and each folder that is listed (`listening_tree.py`). A look begins with what has changed since the
one before, and makes the builds stale that heard of it; they are made again when somebody asks. Of a build that is made
again, the objects that came out the same are the values that they were. Where nobody can say what has changed,
everything is built anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.listening_tree import ListeningTree
from quotalint.gitops.rendering import HeardRendering, Rendering
from quotalint.gitops.same_objects import with_objects_of
from quotalint.gitops.tree import ANYTHING, CHART, LISTED, Tree
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import Memory, memory_in_use
from quotalint.text.documents import Reading

if TYPE_CHECKING:
    from quotalint.gitops.renderer import Renderer

_Make = Callable[[], HeardRendering]


class _Build:
    """What a folder came to. A class because it is made anew when a file has changed."""

    def __init__(self, over: Kustomization | None, made: HeardRendering, tree: Tree) -> None:
        self.over = over
        """The kustomization that no file holds; None where the folder was built by itself."""
        self.made = made
        self.paths = frozenset(map(tree.real_path_of, made.names))
        """The real paths of what was looked at for it."""
        self.is_stale = False
        """Something of that has changed since."""
        self.view = 0
        """Which view asked for it last."""

    @property
    def names(self) -> frozenset[str]:
        """What was looked at for it."""
        return self.made.names

    @property
    def rendering(self) -> Rendering:
        return self.made.rendering


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


class Builds:
    """What was built. A class because it changes from look to look."""

    def __init__(self) -> None:
        self.tree: ListeningTree | None = None
        self.renderer: Renderer | None = None
        self.earlier_tree: ListeningTree | None = None
        self.earlier_renderer: Renderer | None = None
        """Of the look before, without what has changed since."""
        self._by_folder: dict[str, list[_Build]] = {}
        self._view = 0

    def forget(self, changed: Changed | None, readings: Mapping[str, Reading]) -> None:
        """A look begins: what has changed since the one before; None: anything may have. `readings` is what those
        say now that were read as manifests, if nothing else has changed."""
        if changed is None or self.tree is None:
            self.tree, self.renderer, self._by_folder = None, None, {}
            self.earlier_tree, self.earlier_renderer = None, None
            return
        if changed.is_readings:
            names = self.tree.renew(changed.paths, readings)
            if self.renderer is not None:
                self.renderer.forget(names)
        else:
            if self.renderer is not None:
                self.renderer.forget_paths(changed.paths)
                self.earlier_renderer = self.renderer
            self.earlier_tree, self.tree, self.renderer = self.tree, None, None
        for build in self._all():
            holds = (changed.is_readings or ANYTHING not in build.names) and build.paths.isdisjoint(changed.paths)
            build.is_stale = build.is_stale or not holds

    def begin_view(self) -> None:
        """Everything is asked for once more."""
        self._view += 1

    def end_view(self) -> None:
        """What it did not ask for goes."""
        self._by_folder = {
            folder: left
            for folder, of_folder in self._by_folder.items()
            if (left := [build for build in of_folder if build.view == self._view])
        }

    def rendering(self, tree: ListeningTree, over: Kustomization | None, folder: str, make: _Make) -> Rendering:
        """What a folder comes to, as it was made before where that still holds."""
        of_folder = self._by_folder.setdefault(folder, [])
        known = next((earlier for earlier in of_folder if earlier.over == over), None)
        if known is None or known.is_stale:
            made = make()
            if known is None:
                known = _Build(over, made, tree)
                of_folder.append(known)
            else:
                made = made._replace(rendering=with_objects_of(known.rendering, made.rendering))
                known.made, known.paths = made, frozenset(map(tree.real_path_of, made.names))
                known.is_stale = False
        tree.hear(known.names)
        known.view = self._view
        return known.rendering

    @property
    def asked_charts(self) -> frozenset[str]:
        """The folders of the charts that kustomizations ask for."""
        names = (name for build in self._all() if build.view == self._view for name in build.names)
        return frozenset(name[len(CHART) :] for name in names if name.startswith(CHART))

    def _all(self) -> Iterable[_Build]:
        return (build for of_folder in self._by_folder.values() for build in of_folder)


def builds_of(memory: Memory) -> Builds:
    """What was built in the looks that a memory remembers."""
    return memory.lasting("builds", Builds)


def remembered_rendering(tree: Tree, over: Kustomization | None, folder: str, make: _Make) -> Rendering:
    """What a folder comes to, also with a kustomization `over` it that no file holds, as it was made before where that
    still holds."""
    memory = memory_in_use()
    if memory is None or not isinstance(tree, ListeningTree):
        return make().rendering
    return builds_of(memory).rendering(tree, over, folder, make)
