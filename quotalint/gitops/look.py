"""The tree and renderer for one look at a repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from quotalint.gitops.charts import Charts
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import memory_in_use
from quotalint.settings import Settings
from quotalint.text.documents import Reading
from quotalint.text.sources import Found
from quotalint.text.tree import Tree

if TYPE_CHECKING:
    from quotalint.gitops.remembered_builds import Builds
    from quotalint.gitops.renderer import Renderer


class Look(NamedTuple):
    """The state of one look."""

    tree: Tree
    builds: Builds | None
    """Builds of earlier looks; None without a memory."""

    @property
    def name(self) -> str:
        """The repository's root, relative to the working directory."""
        return os.path.relpath(self.tree.root, os.path.realpath(".")).replace(os.sep, "/")


def begin_look(
    settings: Settings, readings: Mapping[str, Reading], vendored: Callable[[str], str | None], files_found: Found
) -> Look:
    """The state for a new look; with a memory it reuses the tree."""
    memory = memory_in_use()
    if memory is None:
        return Look(Tree(settings.repository, readings, vendored=vendored, files_found=files_found), None)
    from quotalint.gitops.recording_tree import RecordingTree
    from quotalint.gitops.remembered_builds import builds_of

    builds = builds_of(memory)
    builds.begin_view()
    if builds.tree is None:
        builds.tree = RecordingTree(settings.repository, readings, vendored, files_found)
        builds.tree.earlier, builds.earlier_tree = builds.earlier_tree, None
    return Look(builds.tree, builds)


def renderer_of(look: Look, charts: Charts, settings: Settings) -> Renderer:
    """The renderer for a look. Its module is imported on first use, because it is half of all code."""
    from quotalint.gitops.renderer import Renderer

    which, builds = settings.renderers.kustomize, look.builds
    if builds is None:
        return Renderer(look.tree, charts, which)
    if builds.renderer is None:
        builds.renderer = Renderer(look.tree, charts, which, builds.earlier_renderer)
        builds.earlier_renderer = None
    return builds.renderer
