"""Follows deploying objects: renders what is applied by hand, what its objects deploy, and so on, within limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial

from quotalint.gitops.context import Context, DeployerSurroundings, not_in_view
from quotalint.gitops.deployer_memory import DeployerMemory, memory_of_deployers
from quotalint.gitops.deployers import is_deployer
from quotalint.gitops.origins import Above, applied_by_hand
from quotalint.gitops.rendering import IN_CLUSTER, Rendering
from quotalint.gitops.tree import is_within
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled

_MAX_PARTS = 20_000  # stops endless chains of Applications
_MAX_LOOKS = 1_000_000  # objects visited from all roots; a thousand objects may each deploy all others
_LOOKS_OF_A_DEPLOYER = 4
"""The cost of following an object, even if its result is cached from another root."""
_MAX_WALKS = 5  # walks until lookups no longer change the result


class DeployedPart(NamedTuple):
    """A rendering and its destination."""

    rendering: Rendering
    destination: str
    """The cluster; empty: the one to which the root is applied."""
    is_deployed: bool = True
    """Whether an object deploys it; else it is applied by hand with the root."""
    deployer: str = ""
    """The kind of that object."""


def _deployers_in(rendering: Rendering) -> tuple[Object, ...]:
    return tuple(filter(is_deployer, rendering.objects))


def _undeployed_parts(own: Rendering) -> tuple[DeployedPart, ...]:
    """The only part of a root without deploying objects; empty if it has any."""
    return () if any(map(is_deployer, own.objects)) else (DeployedPart(own, "", is_deployed=False),)


class Follower:
    """Follows what objects deploy."""

    def __init__(self, context: Callable[[], Context]) -> None:
        """`context` is called when the first object is followed."""
        self._make_context = context
        self._left = _MAX_LOOKS

    @cached_property
    def _context(self) -> Context:
        return self._make_context()

    @cached_property
    def _memory(self) -> DeployerMemory:
        return memory_of_deployers(self._context.units.tree)

    def __call__(self, own: Rendering) -> tuple[DeployedPart, ...]:
        """The rendering itself first, then everything deployed from it.

        Objects that are looked up by name, such as a ConfigMap with variables, may be deployed by a later object. So
        the walk is repeated until its result is stable.
        """
        parts = recalled("by hand", (own,), None, partial(_undeployed_parts, own))
        if parts:  # true of nearly all folders
            self._left -= len(own.objects)
            return parts
        parts = (DeployedPart(own, "", is_deployed=False),)
        for _ in range(_MAX_WALKS):
            surroundings = DeployerSurroundings(parts, self._context)
            renderings = self._walk_deployers(own, surroundings)
            if not surroundings.asked or _are_alike(renderings, parts):
                return self._memory.same_parts(own, renderings)
            parts = renderings
        return self._memory.same_parts(own, parts)

    def _walk_deployers(self, own: Rendering, surroundings: DeployerSurroundings) -> tuple[DeployedPart, ...]:
        by_hand = DeployedPart(own, "", is_deployed=False)
        above = applied_by_hand(own.objects)
        start = [obj for obj in own.objects if is_deployer(obj)]
        self_deployers = [
            (obj, again) for obj in start if (again := self._follow_self_deploying(obj, own, above, surroundings))
        ]
        if self_deployers and not surroundings.complete:
            surroundings.complete = True
            return self._walk_deployers(own, surroundings)
        if not self_deployers:
            return self._follow_parts([by_hand], surroundings, above, own.folder)
        # A deployer of its own folder is bootstrapped by hand once; afterwards its objects are as it deploys them.
        renewed = {obj.ref for _, renderings in self_deployers for rendering in renderings for obj in rendering.objects}
        renewed |= {obj.ref for obj, _ in self_deployers}
        without_renewed = own._replace(objects=tuple(obj for obj in own.objects if obj.ref not in renewed))
        parts = [DeployedPart(without_renewed, "", is_deployed=False)]
        parts += [
            DeployedPart(rendering, _destination_of(rendering, ""), deployer=obj.kind)
            for obj, renderings in self_deployers
            for rendering in renderings
        ]
        followed = self._follow_parts(parts, surroundings, above, own.folder, {obj.ref for obj, _ in self_deployers})
        return (by_hand, *followed[1:])

    def _follow_self_deploying(
        self, obj: Object, own: Rendering, above: Above, surroundings: DeployerSurroundings
    ) -> tuple[Rendering, ...]:
        """The renderings of an object that deploys its own folder, with the object itself as redeployed; empty for
        other objects."""
        followed: tuple[Rendering, ...] = ()
        for _ in range(_MAX_WALKS):
            followed = self._deployed_by(obj, "", above, own.folder, surroundings)
            if not any(_deploys_itself(rendering, own) for rendering in followed):
                return ()
            new = next((other for rendering in followed for other in rendering.objects if other.ref == obj.ref), None)
            if new is None:
                return ()  # it deploys an object of another name
            if new.body == obj.body:
                break
            obj = new
        return followed

    def _follow_parts(
        self,
        parts: list[DeployedPart],
        surroundings: DeployerSurroundings,
        above: Above,
        root: str,
        done: Iterable[object] = (),
    ) -> tuple[DeployedPart, ...]:
        finished_refs: dict[object, list[object]] = {(ref, ""): [] for ref in done}
        finished = set(finished_refs)
        for part in parts:  # the list grows during the loop
            self._left -= len(part.rendering.objects)
            here = Above(part.rendering.origin) if part.is_deployed and part.rendering.origin else above
            for obj in recalled("deployers", (part.rendering,), None, partial(_deployers_in, part.rendering)):
                key = (obj.ref, part.destination)
                if key in finished or obj.body in finished_refs.get(key, ()):
                    continue
                if len(parts) > _MAX_PARTS or self._left < 0:
                    reason = "too many things deploy too much here, so they are not followed"
                    return (*parts, DeployedPart(not_in_view(obj, reason, ""), part.destination))
                self._left -= _LOOKS_OF_A_DEPLOYER
                finished_refs.setdefault(key, []).append(obj.body)
                deployed_renderings = self._deployed_by(obj, part.destination, here, root, surroundings)
                parts += [
                    DeployedPart(rendering, _destination_of(rendering, part.destination), deployer=obj.kind)
                    for rendering in deployed_renderings
                ]
        return tuple(parts)

    def _deployed_by(
        self, obj: Object, destination: str, above: Above, root: str, surroundings: DeployerSurroundings
    ) -> tuple[Rendering, ...]:
        reachable_clusters = (
            cluster for cluster in self._context.clusters if not cluster.instance or is_within(root, cluster.instance)
        )
        context = self._context._replace(
            find=surroundings.find_in(destination),
            nearest=surroundings.nearest_in(destination),
            above=above,
            clusters=tuple(reachable_clusters),
        )
        return self._memory.deployed_renderings(obj, context)


Follow = Callable[[Rendering], "tuple[DeployedPart, ...]"]


def _deploys_itself(rendering: Rendering, own: Rendering) -> bool:
    """Whether a rendering deploys everything in the root's own rendering."""
    deployed = rendering.units | rendering.used
    return own.folder in rendering.units and own.used <= deployed | {own.folder}


def _are_alike(parts: Sequence[DeployedPart], other: Sequence[DeployedPart]) -> bool:
    return len(parts) == len(other) and all(
        first.rendering is second.rendering and first.destination == second.destination
        for first, second in zip(parts, other, strict=True)
    )


def _destination_of(rendering: Rendering, above: str) -> str:
    # An Argo CD's own cluster is the one that contains its Applications.
    return above if rendering.destination == IN_CLUSTER else rendering.destination or above
