"""What was built for an answer that is kept, so that a part of it can be built again by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from quotalint.gitops.charts import Charts
from quotalint.gitops.listening_tree import ListeningTree
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.tree import ANYTHING, Tree
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Settings
from quotalint.text.place import Place

if TYPE_CHECKING:
    from quotalint.gitops.kustomize.kustomization import Kustomization


class Recipe(NamedTuple):
    """What it takes to build a folder once more, in plain values."""

    folder: str
    over: tuple[str, object, str, int, tuple[str | int, ...]] | None = None
    """The kustomization that no file holds: its name, what it says, and where; None where the folder is built by
    itself."""


class NotedBuild(NamedTuple):
    """What a folder came to."""

    recipe: Recipe
    names: frozenset[str]
    """What was looked at for it."""
    rendering: Rendering

    @property
    def reads_anything(self) -> bool:
        """Whether files may have been read that nobody knows of."""
        return ANYTHING in self.names


class NotedBuilds:
    """What was built in one look. A class because it grows."""

    def __init__(self, tree: ListeningTree) -> None:
        self.tree = tree
        self.made: list[NotedBuild] = []

    def note(self, over: Kustomization | None, folder: str, names: frozenset[str], rendering: Rendering) -> None:
        """A folder was built, also with a kustomization `over` it that no file holds."""
        above = None if over is None else (over.name, over.traced.value, *over.place[:3])
        self.made.append(NotedBuild(Recipe(folder, above), names, rendering))

    @property
    def read_by_others(self) -> set[str]:
        """The files in which something else looked than these builds."""
        return self.tree.read_by_others


def rebuilt(recipes: Iterable[Recipe], settings: Settings) -> Iterator[Rendering]:
    """What folders come to now. Raises what that takes too much for."""
    from quotalint.gitops.kustomize.kustomization import Kustomization
    from quotalint.gitops.kustomize.traced import Traced
    from quotalint.gitops.renderer import Renderer

    tree = Tree(settings.repository, {})
    charts = Charts(tree, settings.kube_version, settings.renderers.helm)
    renderer = Renderer(tree, charts, settings.renderers.kustomize)
    for recipe in recipes:
        over = None
        if recipe.over is not None:
            name, value, source, document, path = recipe.over
            over = Kustomization(name, Traced(value, Place(source, document, path)))
        yield renderer.render_again(over, recipe.folder)
