"""What was built for an answer that is kept, so that a part of it can be built again by itself."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING

from quotalint.gitops.charts import Charts
from quotalint.gitops.fixtures import is_generated
from quotalint.gitops.folder_build import FolderBuild, Recipe
from quotalint.gitops.listening_tree import ListeningTree
from quotalint.gitops.plain_places import origin_of
from quotalint.gitops.tree import LISTED, join_path
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Settings

if TYPE_CHECKING:
    from quotalint.gitops.conflicts import RootObjects
    from quotalint.gitops.environments import Placement
    from quotalint.gitops.kustomize.build import EarlierFolders
    from quotalint.gitops.renderer import Renderer
    from quotalint.gitops.rendering import Rendering
    from quotalint.gitops.roots import Root


class NotedRoot(NamedTuple):
    """What is applied together."""

    root: Root
    objects: RootObjects | None
    """What decided which others it conflicts with; None where there are no others."""
    label: tuple[str, ...] | None = None
    """What sets its path apart; None where that is not surely known."""


class NotedBuilds:
    """What was built in one look. A class because it grows."""

    def __init__(self, tree: ListeningTree) -> None:
        self.tree = tree
        self.made: list[FolderBuild] = []
        self.folders: Callable[[], bytes] = bytes
        """Gives what those came to that are listed among many (`kept_folders.py`)."""
        self.looked_up: frozenset[tuple[str, str]] = frozenset()
        """The kinds and names of objects that what deploys others looked up; without a name where all of a kind."""
        self.roots: tuple[NotedRoot, ...] | None = None
        """None where more than this decides which environment each of them is of, or whether anybody applies it."""

    def note(self, build: FolderBuild) -> None:
        """A folder was built."""
        self.made.append(build)

    def note_roots(self, roots: Sequence[Root], placement: Placement, left: Iterable[Root]) -> None:
        """These were placed in environments, and these left, which nobody applies."""
        if (
            placement.is_sure
            and not placement.replaced
            and not any(is_generated(root.folder) for root in (*roots, *left))
        ):
            own = placement.root_objects or (None,) * len(roots)
            labels = map(placement.labels.get, range(len(roots)))
            self.roots = tuple(map(NotedRoot, roots, own, labels))

    @property
    def read_by_others(self) -> set[str]:
        """The files in which something else looked than these builds."""
        return self.tree.read_by_others


class Rebuilding:
    """Builds folders again, as they are in one state, and then in another. A class because what both are built of is
    built once."""

    def __init__(self, settings: Settings, packed_folders: bytes, changed: Iterable[str]) -> None:
        """`packed_folders` is what some came to in a state of which files and folders of these names have `changed`."""
        self._settings = settings
        self._packed_folders = packed_folders
        # Whoever lists a folder hears of it by another name.
        self._changed = {name for at in changed for name in (at, join_path(posixpath.dirname(at), LISTED))}
        self._at_hand: tuple[ListeningTree, Renderer] | None = None
        self._reads_anything = False

    def built(self, recipes: Iterable[Recipe]) -> Iterator[Rendering]:
        """What folders come to now. Raises what that takes too much for."""
        from quotalint.gitops.kustomize.kustomization import Kustomization
        from quotalint.gitops.kustomize.traced import Traced

        _, renderer = self._at_hand = self._at_hand or self._new_renderer()
        for recipe in recipes:
            over = None
            if recipe.over is not None:
                name, value, origin = recipe.over
                over = Kustomization(name, Traced(value, origin_of(origin)))
            folder_build = renderer.folder_build(over, recipe.folder)
            self._reads_anything = self._reads_anything or folder_build.reads_anything
            yield folder_build.rendering

    def _new_renderer(self) -> tuple[ListeningTree, Renderer]:
        from quotalint.gitops.renderer import Renderer

        settings = self._settings
        tree = ListeningTree(settings.repository, {}, lambda _: None)
        charts = Charts(tree, settings.kube_version, settings.renderers.helm)
        return tree, Renderer(tree, charts, settings.renderers.kustomize, folders=self._kept_folders())

    def _kept_folders(self) -> EarlierFolders:
        from quotalint.gitops.kept_folders import KeptFolders

        return KeptFolders(self._packed_folders, self._changed.isdisjoint).folder

    def turn_back(self, paths: Set[str] | None) -> None:
        """The state in which folders were noted lies there now: these files (real paths) hold something else; more than
        that may be different where there is no telling."""
        self._changed = set()
        if self._at_hand is None or paths is None or self._reads_anything:
            self._at_hand, self._reads_anything = None, False
            return
        tree, renderer = self._at_hand
        renderer.forget(tree.renew(paths, {}), self._kept_folders())
