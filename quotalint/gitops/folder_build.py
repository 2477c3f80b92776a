"""What a folder was built to, with all that it takes to build it once more and to know whether it would be the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quotalint.gitops.plain_places import PlainOrigin, plain_origin
from quotalint.gitops.tree import ANYTHING
from quotalint.named_tuples import NamedTuple

if TYPE_CHECKING:
    from quotalint.gitops.kustomize.kustomization import Kustomization
    from quotalint.gitops.rendering import Rendering


class Recipe(NamedTuple):
    """What it takes to build a folder once more, in plain values."""

    folder: str
    over: tuple[str, object, PlainOrigin] | None = None
    """The kustomization that no file holds: its name, what it says, and where; None where the folder is built by
    itself."""


def recipe_of(over: Kustomization | None, folder: str) -> Recipe:
    """What it takes to build a folder, also with a kustomization `over` it that no file holds."""
    return Recipe(folder, None if over is None else (over.name, over.traced.value, plain_origin(over.traced.origin)))


class FolderBuild(NamedTuple):
    """What a folder came to."""

    recipe: Recipe
    names: frozenset[str]
    """What was looked at for it."""
    rendering: Rendering
    cost: float
    """What it took of the work that one build may take, in objects."""

    @property
    def reads_anything(self) -> bool:
        """Whether files may have been read that nobody knows of."""
        return ANYTHING in self.names
