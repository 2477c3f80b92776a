"""Builds the deployment graph: what is applied, and by whom.

The roots are folders that nothing else deploys, and what deployers find in files of their own. From them, each
deploying object leads to the renderings that it deploys, within limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial

from quotalint.gitops.by_hand import BY_HAND
from quotalint.gitops.by_hand.entry_points import find_applied_roots
from quotalint.gitops.by_hand.project_templates import project_template_folders
from quotalint.gitops.by_hand.roots import without_deployed
from quotalint.gitops.deployer import Context, Sources, not_in_view
from quotalint.gitops.deployer_memory import DeployerMemory, memory_of_deployers
from quotalint.gitops.deployers import DEPLOYERS, deploying_kind, is_deployer
from quotalint.gitops.nodes import NO_ROOTS, Node, Root
from quotalint.gitops.object_index import ObjectIndex, RootIndex
from quotalint.gitops.origins import Above, above_of_sources
from quotalint.gitops.rendering import IN_CLUSTER, Rendering
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled
from quotalint.text.tree import is_within
from quotalint.unknowns.unseen import Skipped


class DeploymentGraph(NamedTuple):
    """What a repository applies."""

    roots: tuple[Root, ...]
    """The roots that are applied."""
    unapplied: tuple[tuple[Root, str], ...]
    """The other roots, with the reason as a clause."""
    lists: tuple[str, ...]
    """The folders of kustomizations that only list folders which are deployed separately."""
    skipped: tuple[Skipped, ...]
    """The files that a deployer would read and that cannot be read."""
    files: frozenset[str]
    """The files that deployers read without an object, which are reported with them."""
    is_stated: bool
    """Whether anything in the repository states what is applied."""


def build_graph(sources: Sources, asked: Sequence[str], explicit: frozenset[str]) -> DeploymentGraph:
    """The deployment graph of a repository. `asked` folders and `explicit` files are named by the user, so they count
    as applied."""
    folders: list[Root] = []
    found: list[Root] = []
    skipped: list[Skipped] = []
    files: set[str] = set()
    reads_files = False
    for deployer in DEPLOYERS:
        if deployer.find_roots is not None:
            more = deployer.find_roots(sources, (*folders, *found))
            (folders if deployer is BY_HAND else found).extend(more.roots)
            reads_files = reads_files or (deployer is not BY_HAND and bool(more.roots or more.skipped))
            skipped += more.skipped
            files |= more.files
    stated = tuple(root for root in (*folders, *found) if root.is_stated)
    top_roots, lists = without_deployed(
        [root for root in folders if not root.is_stated], [root for root in found if not root.is_stated], sources
    )
    choose = partial(
        find_applied_roots,
        configured=sources.settings.environments_of,
        asked=asked,
        explicit=explicit,
        templated=sources.templated,
        project_templates=project_template_folders(sources.files),
        store=sources.folders.tree.store,
    )
    applied = choose(top_roots)
    alone = NO_ROOTS
    if sources.chart_folders and not (stated or reads_files or _deploys(applied.roots)):
        from quotalint.gitops.by_hand.charts_alone import find_charts_alone

        alone = find_charts_alone(sources, applied.roots)
        skipped += alone.skipped
        applied = choose((*top_roots, *alone.roots))
    return DeploymentGraph(
        (*applied.roots, *stated),
        applied.others,
        lists,
        tuple(skipped),
        frozenset(files),
        applied.by_entry_points or any(root.is_stated for root in found),
    )


def _deploys(roots: Iterable[Root]) -> bool:
    """Whether anything among these roots deploys others."""
    return any(is_deployer(obj) for root in roots for node in root.nodes for obj in node.rendering.objects)


_MAX_NODES = 20_000  # stops endless chains of Applications
_MAX_LOOKS = 1_000_000  # objects visited from all roots; a thousand objects may each deploy all others
_LOOKS_OF_A_DEPLOYER = 4
"""The cost of following an object, even if its result is cached from another root."""
_MAX_WALKS = 5  # walks until lookups no longer change the result


class Walk:
    """Follows what objects deploy."""

    def __init__(self, context: Callable[[], Context], repository: ObjectIndex) -> None:
        """`context` is called when the first object is followed. `repository` holds the objects of all folders."""
        self._make_context = context
        self._repository = repository
        self._left = _MAX_LOOKS

    @cached_property
    def _context(self) -> Context:
        return self._make_context()

    @cached_property
    def _memory(self) -> DeployerMemory:
        return memory_of_deployers(self._context.folders.tree)

    def __call__(self, own: Rendering) -> tuple[Node, ...]:
        """The rendering itself first, then everything deployed from it.

        Objects that are looked up by name, such as a ConfigMap with variables, may be deployed by a later object. So
        the walk is repeated until its result is stable.
        """
        nodes = recalled("by hand", (own,), None, partial(_undeployed_nodes, own))
        if nodes:  # true of nearly all folders
            self._left -= len(own.objects)
            return nodes
        nodes = (Node(own, "", is_deployed=False),)
        for _ in range(_MAX_WALKS):
            index = RootIndex(nodes, self._repository)
            renderings = self._walk_deployers(own, index)
            if not index.asked or _are_alike(renderings, nodes):
                return renderings
            nodes = renderings
        return nodes

    def _walk_deployers(self, own: Rendering, index: RootIndex) -> tuple[Node, ...]:
        by_hand = Node(own, "", is_deployed=False)
        above = _source_of(own.objects)
        start = [obj for obj in own.objects if is_deployer(obj)]
        self_deployers = [
            (obj, again) for obj in start if (again := self._follow_self_deploying(obj, own, above, index))
        ]
        if self_deployers and not index.complete:
            index.complete = True
            return self._walk_deployers(own, index)
        if not self_deployers:
            return self._follow_nodes([by_hand], index, above, own.folder)
        # A deployer of its own folder is bootstrapped by hand once; afterwards its objects are as it deploys them.
        renewed = {obj.ref for _, renderings in self_deployers for rendering in renderings for obj in rendering.objects}
        renewed |= {obj.ref for obj, _ in self_deployers}
        without_renewed = own._replace(objects=tuple(obj for obj in own.objects if obj.ref not in renewed))
        nodes = [Node(without_renewed, "", is_deployed=False)]
        nodes += [
            Node(rendering, _destination_of(rendering, ""), deployer=deploying_kind(obj))
            for obj, renderings in self_deployers
            for rendering in renderings
        ]
        followed = self._follow_nodes(nodes, index, above, own.folder, {obj.ref for obj, _ in self_deployers})
        return (by_hand, *followed[1:])

    def _follow_self_deploying(
        self, obj: Object, own: Rendering, above: Above, index: RootIndex
    ) -> tuple[Rendering, ...]:
        """The renderings of an object that deploys its own folder, with the object itself as redeployed; empty for
        other objects."""
        followed: tuple[Rendering, ...] = ()
        for _ in range(_MAX_WALKS):
            followed = self._deployed_by(obj, "", above, own.folder, index)
            if not any(_deploys_itself(rendering, own) for rendering in followed):
                return ()
            new = next((other for rendering in followed for other in rendering.objects if other.ref == obj.ref), None)
            if new is None:
                return ()  # it deploys an object of another name
            if new.body == obj.body:
                break
            obj = new
        return followed

    def _follow_nodes(
        self,
        nodes: list[Node],
        index: RootIndex,
        above: Above,
        root: str,
        done: Iterable[object] = (),
    ) -> tuple[Node, ...]:
        finished_refs: dict[object, list[object]] = {(ref, ""): [] for ref in done}
        finished = set(finished_refs)
        for node in nodes:  # the list grows during the loop
            self._left -= len(node.rendering.objects)
            here = Above(node.rendering.origin) if node.is_deployed and node.rendering.origin else above
            for obj in recalled("deployers", (node.rendering,), None, partial(_deployers_in, node.rendering)):
                key = (obj.ref, node.destination)
                if key in finished or obj.body in finished_refs.get(key, ()):
                    continue
                if len(nodes) > _MAX_NODES or self._left < 0:
                    reason = "too many things deploy too much here, so they are not followed"
                    return (*nodes, Node(not_in_view(obj, reason, ""), node.destination))
                self._left -= _LOOKS_OF_A_DEPLOYER
                finished_refs.setdefault(key, []).append(obj.body)
                deployed_renderings = self._deployed_by(obj, node.destination, here, root, index)
                nodes += [
                    Node(rendering, _destination_of(rendering, node.destination), deployer=deploying_kind(obj))
                    for rendering in deployed_renderings
                ]
        return tuple(nodes)

    def _deployed_by(
        self, obj: Object, destination: str, above: Above, root: str, index: RootIndex
    ) -> tuple[Rendering, ...]:
        reachable_clusters = (
            cluster for cluster in self._context.clusters if not cluster.instance or is_within(root, cluster.instance)
        )
        context = self._context._replace(
            find=index.find_in(destination),
            nearest=index.nearest_in(destination),
            above=above,
            clusters=tuple(reachable_clusters),
        )
        return self._memory.deployed_renderings(obj, context)


def _deploys_itself(rendering: Rendering, own: Rendering) -> bool:
    """Whether a rendering deploys everything in the root's own rendering."""
    deployed = rendering.folders | rendering.files
    is_within_it = own.folder in rendering.folders or (bool(own.files) and own.files <= rendering.files)
    return is_within_it and own.files <= deployed | {own.folder}


def _are_alike(nodes: Sequence[Node], other: Sequence[Node]) -> bool:
    return len(nodes) == len(other) and all(
        first.rendering is second.rendering and first.destination == second.destination
        for first, second in zip(nodes, other, strict=True)
    )


def _destination_of(rendering: Rendering, above: str) -> str:
    # An Argo CD's own cluster is the one that contains its Applications.
    return above if rendering.destination == IN_CLUSTER else rendering.destination or above


def _source_of(objects: Iterable[Object]) -> Above:
    """The source of objects that are applied by hand, as far as the sources that they name show it."""
    ways = [deployer.sources_named for deployer in DEPLOYERS if deployer.sources_named is not None]
    return above_of_sources(origin for obj in objects for named in ways for origin in named(obj))


def _deployers_in(rendering: Rendering) -> tuple[Object, ...]:
    return tuple(filter(is_deployer, rendering.objects))


def _undeployed_nodes(own: Rendering) -> tuple[Node, ...]:
    """The only node of a root without deploying objects; empty if it has any."""
    return () if any(map(is_deployer, own.objects)) else (Node(own, "", is_deployed=False),)
