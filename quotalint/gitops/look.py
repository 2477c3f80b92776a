"""With what a repository is looked at: a tree, which listens where builds are remembered, and its renderer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from quotalint.gitops.charts import Charts
from quotalint.gitops.tree import Tree
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import memory_in_use
from quotalint.settings import Settings
from quotalint.text.documents import Reading
from quotalint.text.sources import Found

if TYPE_CHECKING:
    from quotalint.gitops.remembered_builds import Builds
    from quotalint.gitops.renderer import Renderer


class Look(NamedTuple):
    """What one look at a repository goes by."""

    tree: Tree
    builds: Builds | None
    """What was built in earlier looks of this process, where it remembers any."""

    @property
    def name(self) -> str:
        """What the root of the repository is called from the working directory."""
        return os.path.relpath(self.tree.root, os.path.realpath(".")).replace(os.sep, "/")


def begin_look(
    settings: Settings, readings: Mapping[str, Reading], vendored: Callable[[str], str | None], files_found: Found
) -> Look:
    """Everything is asked for once more."""
    memory = memory_in_use()
    if memory is None:
        return Look(Tree(settings.repository, readings, vendored=vendored, files_found=files_found), None)
    from quotalint.gitops.listening_tree import ListeningTree
    from quotalint.gitops.remembered_builds import builds_of

    builds = builds_of(memory)
    builds.begin_view()
    if builds.tree is None:
        builds.tree = ListeningTree(settings.repository, readings, vendored, files_found)
        builds.tree.earlier, builds.earlier_tree = builds.earlier_tree, None
    return Look(builds.tree, builds)


def renderer_of(look: Look, charts: Charts, settings: Settings) -> Renderer:
    """What renders in this look. Imported where there is something to render: it is half of all the code."""
    from quotalint.gitops.renderer import Renderer

    which, builds = settings.renderers.kustomize, look.builds
    if builds is None:
        return Renderer(look.tree, charts, which)
    if builds.renderer is None:
        builds.renderer = Renderer(look.tree, charts, which, builds.earlier_renderer)
        builds.earlier_renderer = None
    return builds.renderer
