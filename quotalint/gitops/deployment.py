"""What a repository comes to: environments, each with what is rendered for it, and what is not in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quotalint.gitops.rendering import Rendering, Unseen
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple

if TYPE_CHECKING:
    from quotalint.gitops.layout import Layout, Skipped
    from quotalint.gitops.noted_builds import NotedBuilds
    from quotalint.kube.discovery import Discovery


class Environment(NamedTuple):
    """What is applied to one cluster."""

    name: str
    """Empty where there is only one, which nothing names."""
    renderings: tuple[Rendering, ...]
    unseen: tuple[Unseen, ...]

    @property
    def objects(self) -> Iterator[Object]:
        """The objects of all its renderings."""
        return (obj for rendering in self.renderings for obj in rendering.objects)


class View(NamedTuple):
    """What a repository comes to."""

    layout: Layout
    environments: tuple[Environment, ...]
    discovery: Discovery
    skipped: tuple[Skipped, ...]
    """What was seen and is not counted."""
    unseen: tuple[Unseen, ...]
    """What may add to any environment."""
    unapplied: tuple[Environment, ...]
    """The quotas and LimitRanges that nobody applies, with what stands beside them, each object once in each."""
    deployed: frozenset[str] = frozenset()
    """The folders that objects deploy."""
    noted: NotedBuilds | None = None
    """What was built, where that is to be kept."""
