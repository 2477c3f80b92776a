"""What was built for an answer that is kept, so that a part of it can be built again by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from quotalint.gitops.charts import Charts
from quotalint.gitops.fixtures import is_generated
from quotalint.gitops.listening_tree import ListeningTree
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.tree import ANYTHING, Tree
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Settings
from quotalint.text.place import Mixed, Origin, Place, Whole, place_of

if TYPE_CHECKING:
    from quotalint.gitops.conflicts import RootObjects
    from quotalint.gitops.environments import Placement
    from quotalint.gitops.kustomize.kustomization import Kustomization
    from quotalint.gitops.roots import Root


_PlainOrigin = tuple[Any, ...]
"""A place, and what stands elsewhere below it; whether nobody can tell its parts apart where nothing does."""


class Recipe(NamedTuple):
    """What it takes to build a folder once more, in plain values."""

    folder: str
    over: tuple[str, object, _PlainOrigin] | None = None
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


class NotedRoot(NamedTuple):
    """What is applied together."""

    root: Root
    objects: RootObjects | None
    """What decided which others it conflicts with; None where there are no others."""


class NotedBuilds:
    """What was built in one look. A class because it grows."""

    def __init__(self, tree: ListeningTree) -> None:
        self.tree = tree
        self.made: list[NotedBuild] = []
        self.roots: tuple[NotedRoot, ...] | None = None
        """None where more than this decides which environment each of them is of, or whether anybody applies it."""

    def note(self, over: Kustomization | None, folder: str, names: frozenset[str], rendering: Rendering) -> None:
        """A folder was built, also with a kustomization `over` it that no file holds."""
        above = None if over is None else (over.name, over.traced.value, _plain_origin(over.traced.origin))
        self.made.append(NotedBuild(Recipe(folder, above), names, rendering))

    def note_roots(self, roots: Sequence[Root], placement: Placement, left: Iterable[Root]) -> None:
        """These were placed in environments, and these left, which nobody applies."""
        if (
            placement.is_sure
            and not placement.replaced
            and not any(is_generated(root.folder) for root in (*roots, *left))
        ):
            own = placement.root_objects or (None,) * len(roots)
            self.roots = tuple(map(NotedRoot, roots, own))

    @property
    def read_by_others(self) -> set[str]:
        """The files in which something else looked than these builds."""
        return self.tree.read_by_others


def _plain_origin(origin: Origin) -> _PlainOrigin:
    below: dict[str | int, _PlainOrigin] | bool = isinstance(origin, Whole)
    if isinstance(origin, Mixed):
        below = {key: _plain_origin(part) for key, part in origin.below.items()}
    return (*place_of(origin)[:3], below)


def _origin_of(plain: _PlainOrigin) -> Origin:
    *at, below = plain
    place = Place(*at)
    if isinstance(below, dict):
        return Mixed(place, {key: _origin_of(part) for key, part in below.items()})
    return Whole(place) if below else place


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
            name, value, origin = recipe.over
            over = Kustomization(name, Traced(value, _origin_of(origin)))
        yield renderer.render_again(over, recipe.folder)
