"""With what a repository is looked at: a tree that listens where what is built is remembered, noted or kept, and the
renderer that uses it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from quotalint.gitops.charts import Charts
from quotalint.gitops.tree import Tree
from quotalint.named_tuples import NamedTuple
from quotalint.recall import memory_in_use
from quotalint.settings import Settings
from quotalint.text.documents import Reading
from quotalint.text.reading import Learning
from quotalint.text.sources import Found

if TYPE_CHECKING:
    from quotalint.gitops.noted_builds import NotedBuilds
    from quotalint.gitops.remembered_builds import Builds
    from quotalint.gitops.renderer import Renderer


class Look(NamedTuple):
    """What one look at a repository goes by."""

    tree: Tree
    builds: Builds | None
    """What was built in earlier looks of this process, where it remembers any."""
    noted: NotedBuilds | None
    """Where it is noted what is built, if it is and nothing is remembered."""
    files: Learning | None
    """What earlier runs know."""

    @property
    def name(self) -> str:
        """What the root of the repository is called from the working directory."""
        return os.path.relpath(self.tree.root, os.path.realpath(".")).replace(os.sep, "/")

    def noted_builds(self) -> NotedBuilds | None:
        """What was built up to now, where any look notes that."""
        return self.builds.noted() if self.builds is not None else self.noted


def begin_look(
    settings: Settings,
    readings: Mapping[str, Reading],
    vendored: Callable[[str], str | None],
    files_found: Found,
    files_known: Learning | None,
    *,
    is_noted: bool,
) -> Look:
    """Everything is asked for once more."""
    memory = memory_in_use()
    if memory is None and not is_noted:
        tree = Tree(settings.repository, readings, vendored=vendored, files_found=files_found)
        return Look(tree, None, None, files_known)
    from quotalint.gitops.listening_tree import ListeningTree

    if memory is None:
        from quotalint.gitops.noted_builds import NotedBuilds

        listening = ListeningTree(settings.repository, readings, vendored, files_found)
        return Look(listening, None, NotedBuilds(listening), files_known)
    from quotalint.gitops.remembered_builds import builds_of

    builds = builds_of(memory)
    builds.begin_view()
    builds.tree = builds.tree or ListeningTree(settings.repository, readings, vendored, files_found)
    return Look(builds.tree, builds, None, files_known)


def renderer_of(look: Look, charts: Charts, settings: Settings) -> Renderer:
    """What renders in this look. Imported where there is something to render: it is half of all the code."""
    from quotalint.gitops.renderer import Renderer

    which = settings.renderers.kustomize
    earlier = look.builds
    if earlier is not None and earlier.renderer is not None:
        return earlier.renderer
    kept_builds = None
    if look.files is not None and which not in ("binary", "off"):
        from quotalint.gitops.kept_builds import KeptBuilds

        # Names are relative to the working directory: two of them may call the repository alike.
        here = os.path.relpath(os.path.realpath("."), look.tree.root)
        about = repr((here, which, settings.sources, os.path.relpath(settings.root, look.tree.root)))
        kept_builds = KeptBuilds(look.tree, about, look.files)
        if look.noted is not None:
            kept_builds.keep(look.noted)
    renderer = Renderer(look.tree, charts, which, look.noted, kept_builds)
    if earlier is not None:
        earlier.renderer = renderer
    return renderer
