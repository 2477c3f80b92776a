"""Renderings: objects for a cluster and what could not be rendered; and environments with their renderings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quotalint.gitops.origins import RepositoryOrigin
from quotalint.kube.fields import mapping
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object, Owner
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Derivation, Place
from quotalint.unknowns.causes import with_place
from quotalint.unknowns.problems import MISSING, Problem
from quotalint.unknowns.unseen import Unseen

if TYPE_CHECKING:
    from quotalint.gitops.kustomize.kustomize_resource import Resource
    from quotalint.gitops.layout import Layout
    from quotalint.kube.discovery import Discovery
    from quotalint.unknowns.unseen import Skipped

IN_CLUSTER = "in-cluster"
"""Argo CD's name for its own cluster."""


class Rendering(NamedTuple):
    """The objects of a folder, or of a deploying object."""

    objects: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    folders: frozenset[str] = frozenset()
    """The folders that were read for it."""
    files: frozenset[str] = frozenset()
    """The files that were read for it."""
    namespace: str = ""
    """The namespace of objects that name none."""
    destination: str = ""
    """The destination cluster; empty: the cluster of the deployer."""
    called: str = ""
    """The cluster's name according to the deployer, if `destination` is an address."""
    folder: str = ""
    """The rendered folder."""
    origin: RepositoryOrigin | None = None
    """The source it was taken from; None if unknown."""
    denied: tuple[Object, ...] = ()
    """Objects that the deployer is not permitted to apply."""
    deployer: str = ""
    """Kind and name of the deploying object; empty: none."""

    def lacking(self, *problems: Problem) -> Rendering:
        """The rendering with problems that each hide objects."""
        unseen = (*self.unseen, *map(unseen_of, problems))
        return self._replace(problems=(*self.problems, *problems), unseen=unseen)

    def with_guess(self, guess: Guess) -> Rendering:
        """The rendering with a guess added to every object."""
        return self._replace(objects=tuple(obj._replace(guesses=(*obj.guesses, guess)) for obj in self.objects))


def as_resumed(rendering: Rendering, subject: str, how: str) -> Rendering:
    """A suspended rendering, counted with a guess as if it were active; `how` is the deployer's word for it."""
    reason = f"{subject} is {how}, and counted as though it were not: what runs may be older"
    return rendering.with_guess(Guess(CONTENT, reason, "resume it, or pass a snapshot of the cluster with `--with`"))


def with_owners(rendering: Rendering, *owners: Owner) -> Rendering:
    """The rendering with these owners set on its missing parts."""
    return rendering._replace(
        problems=tuple(
            problem if problem.owners else problem._replace(owners=owners) for problem in rendering.problems
        ),
        unseen=tuple(
            unseen_source if unseen_source.owners else unseen_source._replace(owners=owners)
            for unseen_source in rendering.unseen
        ),
    )


def object_of(resource: Resource) -> Object:
    """A rendered resource as an Object, which knows the place of each field."""
    base = resource.traced.place
    derivation = Derivation(resource.traced.origin, len(base.path), resource.via, resource.patches)
    place = Place(base.source, base.document, base.path, derivation)
    kind = resource.id.kind
    return Object(
        kind.group,
        kind.version,
        kind.kind,
        resource.id.namespace,
        resource.id.name,
        mapping(resource.traced.value),
        place,
    )


def unseen_of(problem: Problem) -> Unseen:
    """The Unseen value of a problem: its namespace if a kustomization sets one, else any."""
    return Unseen(problem.namespace, with_place(problem.place.file, problem.reason, problem.shared), problem.only)


def rendering_of(
    objects: tuple[Object, ...], problems: tuple[Problem, ...], used: frozenset[str], folder: str
) -> Rendering:
    """The Rendering of a built folder; `used` are the folders and files that were read."""
    hidden = (unseen_of(problem) for problem in problems if problem.kind == MISSING)
    return Rendering(objects, problems, tuple(dict.fromkeys(hidden)), frozenset({folder, *used}), used, folder=folder)


class RecordedRendering(NamedTuple):
    """A folder's rendering, and the names that were read for it."""

    names: frozenset[str]
    rendering: Rendering


class Environment(NamedTuple):
    """Everything that is applied to one cluster."""

    name: str
    """Empty if there is only one, without a name."""
    renderings: tuple[Rendering, ...]
    unseen: tuple[Unseen, ...]

    @property
    def objects(self) -> Iterator[Object]:
        """The objects of all renderings."""
        return (obj for rendering in self.renderings for obj in rendering.objects)


class View(NamedTuple):
    """The rendered repository."""

    layout: Layout
    environments: tuple[Environment, ...]
    discovery: Discovery
    skipped: tuple[Skipped, ...]
    """Files that were seen but are not counted."""
    unseen: tuple[Unseen, ...]
    """Reasons why any environment may contain more objects than are in view."""
    unapplied: tuple[Environment, ...]
    """Quotas and LimitRanges that are not applied, with their neighbours; each environment has an object once."""
    deployed: frozenset[str] = frozenset()
    """The folders that objects deploy."""
    remote: tuple[tuple[str, str, str], ...] = ()
    """The remote sources that are asked for (`lockfile.lock.RemoteSource`), vendored or not."""

    @property
    def renderings(self) -> Iterator[Rendering]:
        """The renderings of all environments."""
        return (rendering for environment in self.environments for rendering in environment.renderings)

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects of all environments."""
        return tuple(obj for environment in self.environments for obj in environment.objects)
