"""What is rendered: objects on their way to a cluster, and what could not be seen; and the environments of a
repository, each with what is rendered for it."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from quotalint.gitops.kustomize.problems import MISSING, Problem
from quotalint.gitops.origins import RepositoryOrigin
from quotalint.gitops.unseen_causes import with_place
from quotalint.kube.fields import mapping
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object, Owner
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Derivation, Place

if TYPE_CHECKING:
    from quotalint.gitops.kustomize.kustomize_resource import Resource
    from quotalint.gitops.layout import Layout, Skipped
    from quotalint.kube.discovery import Discovery

IN_CLUSTER = "in-cluster"
"""What Argo CD calls the cluster that it runs in."""


class Unseen(NamedTuple):
    """A reason why a namespace may hold more than what is in view."""

    namespace: str
    """Empty: any namespace."""
    reason: str
    kinds: tuple[str, ...] = ()
    """The kinds of objects that may be missing; empty: any."""
    owners: tuple[Owner, ...] = ()
    """What they would belong to: a snapshot of the cluster that shows it shows them."""


class Rendering(NamedTuple):
    """The objects of a folder, or of what deploys one."""

    objects: tuple[Object, ...] = ()
    problems: tuple[Problem, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    units: frozenset[str] = frozenset()
    """The folders that it is made of."""
    used: frozenset[str] = frozenset()
    """The files that it is made of."""
    namespace: str = ""
    """Where objects go that name no namespace."""
    destination: str = ""
    """The cluster they go to; empty: the one that what deploys them is in."""
    called: str = ""
    """What is deployed there calls that cluster, where `destination` is an address."""
    folder: str = ""
    """The folder that was rendered."""
    origin: RepositoryOrigin | None = None
    """Where it was taken from; None where nothing says."""
    denied: tuple[Object, ...] = ()
    """Objects that whatever applies it is not allowed to apply."""
    deployer: str = ""
    """What object deploys it, as its kind and name; empty: none does."""

    def with_guess(self, guess: Guess) -> Rendering:
        """A rendering of which every object rests on a guess."""
        return self._replace(objects=tuple(obj._replace(guesses=(*obj.guesses, guess)) for obj in self.objects))


def as_resumed(rendering: Rendering, subject: str, how: str) -> Rendering:
    """What is held up for now, as though it were not; `how` is what its deployer calls it."""
    reason = f"{subject} is {how}, and counted as though it were not: what runs may be older"
    return rendering.with_guess(Guess(CONTENT, reason, "resume it, or pass a snapshot of the cluster with `--with`"))


def with_owners(rendering: Rendering, *owners: Owner) -> Rendering:
    """A rendering of which all that is missing belongs to these."""
    return rendering._replace(
        problems=tuple(
            problem if problem.owners else problem._replace(owners=owners) for problem in rendering.problems
        ),
        unseen=tuple(
            unseen_source if unseen_source.owners else unseen_source._replace(owners=owners)
            for unseen_source in rendering.unseen
        ),
    )


def shown_in(rendering: Rendering, owners: Set[Owner]) -> Rendering:
    """A rendering without what is missing in it and belongs to these owners, which are in view elsewhere."""
    return rendering._replace(
        problems=tuple(
            problem for problem in rendering.problems if problem.kind != MISSING or owners.isdisjoint(problem.owners)
        ),
        unseen=tuple(unseen_source for unseen_source in rendering.unseen if owners.isdisjoint(unseen_source.owners)),
    )


def object_of(resource: Resource, via: tuple[Place, ...] = ()) -> Object:
    """A rendered resource as an object that knows where each of its fields was written."""
    base = resource.traced.place
    derivation = Derivation(resource.traced.origin, len(base.path), (*via, *resource.via), resource.patches)
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
    """Which namespace a problem may concern: the one that a kustomization says, else any."""
    return Unseen(problem.namespace, with_place(problem.place.file, problem.reason, problem.shared), problem.only)


def rendering_of(
    objects: tuple[Object, ...], problems: tuple[Problem, ...], used: frozenset[str], folder: str
) -> Rendering:
    """What a folder was built to; it is made of the folders and files that are `used`."""
    hidden = (unseen_of(problem) for problem in problems if problem.kind == MISSING)
    return Rendering(objects, problems, tuple(dict.fromkeys(hidden)), frozenset({folder, *used}), used, folder=folder)


class HeardRendering(NamedTuple):
    """What a folder comes to, and what was looked at for it."""

    names: frozenset[str]
    rendering: Rendering


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

    @property
    def renderings(self) -> Iterator[Rendering]:
        """Those of all environments."""
        return (rendering for environment in self.environments for rendering in environment.renderings)

    @property
    def objects(self) -> tuple[Object, ...]:
        """The objects of all environments."""
        return tuple(obj for environment in self.environments for obj in environment.objects)
