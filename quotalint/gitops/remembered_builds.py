"""Caches built kustomizations until a file they read changes.

Reads are recorded, not guessed: the tree records each file that is read or searched, and each listed folder
(`recording_tree.py`). A look begins with the changed files and marks the builds that read them as stale; they are
rebuilt on demand. Unchanged objects of a rebuilt folder keep their identity. If changes are unknown, everything is
rebuilt.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.recording_tree import RecordingTree
from quotalint.gitops.rendering import RecordedRendering, Rendering
from quotalint.gitops.same_objects import with_objects_of
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import Memory, memory_in_use
from quotalint.text.documents import Reading
from quotalint.text.tree import ANYTHING, CHART, LISTED, Tree

if TYPE_CHECKING:
    from quotalint.gitops.renderer import Renderer

_Make = Callable[[], RecordedRendering]


class _Build:
    """The cached build of a folder. It is a mutable class because it is replaced after changes."""

    def __init__(self, over: Kustomization | None, made: RecordedRendering, tree: Tree) -> None:
        self.over = over
        """The overlay that is not a file; None for the folder's own kustomization."""
        self.made = made
        self.paths = frozenset(map(tree.real_path_of, made.names))
        """The real paths of the files that the build read."""
        self.is_stale = False
        """Whether any of these files has changed since."""
        self.view = 0
        """The last view that used the build."""

    @property
    def names(self) -> frozenset[str]:
        """The names of files that the build read."""
        return self.made.names

    @property
    def rendering(self) -> Rendering:
        return self.made.rendering


class Changed(NamedTuple):
    """What has changed since the last look."""

    paths: frozenset[str]
    """The real paths of files and folders that were added, removed or edited. A folder with added or removed entries is
    included as its listing."""
    is_readings: bool = False
    """Whether only the content of manifest files has changed."""


def changed_paths(paths: Iterable[str]) -> Changed:
    """The Changed value for these real paths, including the listings of their folders."""
    named = frozenset(paths)
    return Changed(named | {os.path.join(os.path.dirname(path), LISTED) for path in named})


class Builds:
    """All cached builds, of one or more looks."""

    def __init__(self) -> None:
        self.tree: RecordingTree | None = None
        self.renderer: Renderer | None = None
        self.earlier_tree: RecordingTree | None = None
        self.earlier_renderer: Renderer | None = None
        """The renderer of the last look, without results of changed files."""
        self._by_folder: dict[str, list[_Build]] = {}
        self._view = 0

    def forget(self, changed: Changed | None, readings: Mapping[str, Reading]) -> None:
        """Begin a look: drop what read changed files; None: drop everything. `readings` are the new documents if only
        manifests changed."""
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
        for build in self._all_builds():
            holds = (changed.is_readings or ANYTHING not in build.names) and build.paths.isdisjoint(changed.paths)
            build.is_stale = build.is_stale or not holds

    def begin_view(self) -> None:
        """Begin a view, for which builds are requested again."""
        self._view += 1

    def end_view(self) -> None:
        """Drop the builds that the view did not use."""
        self._by_folder = {
            folder: left
            for folder, of_folder in self._by_folder.items()
            if (left := [build for build in of_folder if build.view == self._view])
        }

    def rendering(self, tree: RecordingTree, over: Kustomization | None, folder: str, make: _Make) -> Rendering:
        """The rendering of a folder, cached if it is still valid."""
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
        tree.record_reads(known.names)
        known.view = self._view
        return known.rendering

    @property
    def asked_charts(self) -> frozenset[str]:
        """The folders of charts that kustomizations render."""
        names = (name for build in self._all_builds() if build.view == self._view for name in build.names)
        return frozenset(name[len(CHART) :] for name in names if name.startswith(CHART))

    def _all_builds(self) -> Iterable[_Build]:
        return (build for of_folder in self._by_folder.values() for build in of_folder)


def builds_of(memory: Memory) -> Builds:
    """The cached builds in a memory."""
    return memory.lasting("builds", Builds)


def remembered_rendering(tree: Tree, over: Kustomization | None, folder: str, make: _Make) -> Rendering:
    """The rendering of a folder, optionally with an overlay that is not a file; cached if still valid."""
    memory = memory_in_use()
    if memory is None or not isinstance(tree, RecordingTree):
        return make().rendering
    return builds_of(memory).rendering(tree, over, folder, make)
