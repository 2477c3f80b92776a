"""The charges of the objects of one environment by namespace, the use of each quota, and what could not be computed. A
failed or too expensive computation makes sums unknown, not zero."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from quotalint.admission import Admitted, admit_demand
from quotalint.admission.plugins import Plugins
from quotalint.deployed import is_deployer
from quotalint.evaluators import EVALUATORS
from quotalint.kube.api_error import ApiError
from quotalint.kube.cluster import Cluster
from quotalint.kube.discovery import Discovery
from quotalint.kube.fields import mapping
from quotalint.kube.guess import Guess
from quotalint.kube.kinds import QUEUE_KINDS, is_surely_served
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.listed_kinds import PODS
from quotalint.kube.objects import Object, ObjectId
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge, charges, charges_of
from quotalint.quota.family import READERS
from quotalint.quota.projection import (
    EntryCharge,
    HiddenObjects,
    Operated,
    Projection,
    Uninhabited,
    entries_by_name,
    entry_names,
    projections,
    uncertain_charges,
)
from quotalint.quota.quotas import Quota
from quotalint.runtime import budget
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import recalled, recalled_each, same_as_before
from quotalint.settings import Settings
from quotalint.snapshots.snapshot import Snapshot
from quotalint.snapshots.snapshot_header import About
from quotalint.text.place import Place
from quotalint.unknowns.problems import EXPENSIVE, UNRENDERED, Problem
from quotalint.unknowns.unseen import Unseen
from quotalint.workloads import makes_pods
from quotalint.workloads.autoscalers import MAXIMUM_PATHS
from quotalint.workloads.demand import Demand, constant_size
from quotalint.workloads.injected_sidecars import injectors_of_namespace
from quotalint.workloads.namespace_contents import Platform, demands, platforms_of
from quotalint.workloads.operators import UncountedObjects, stated_pods, uncounted_objects

_Result = TypeVar("_Result")


class Losses:
    """Collects failures of an environment. A class because of that."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.unseen: list[Unseen] = []

    def attempt(
        self,
        what: str,
        place: Place,
        namespaces: Iterable[str],
        work: Callable[[], _Result],
        instead: _Result,
    ) -> _Result:
        """The result of some work; on failure the fallback, and the sums of these namespaces become unknown."""

        def note_failure(reason: str, is_expensive: bool) -> _Result:
            real = place.real
            if is_expensive:
                self.problems.append(Problem(real, f"{reason} ({what})", UNRENDERED, cause=EXPENSIVE))
            self.unseen += (Unseen(namespace, f"{real.source}: {what}: {reason}") for namespace in namespaces)
            return instead

        return attempt(what, place.file, work, note_failure)

    def each(self, what: str, objects: Iterable[Object], work: Callable[[Object], _Result]) -> Iterator[_Result]:
        """The results for each of these objects, without failed ones."""
        for obj in objects:
            result = self.attempt(what, obj.place, (obj.namespace,), partial(work, obj), None)
            if result is not None:
                yield result


LIMITING_KINDS = ("ResourceQuota", "LimitRange")
_DECIDING = frozenset({"LimitRange", "VerticalPodAutoscaler"})
_NO_PROJECTIONS: tuple[Projection, ...] = ()
_UNCHARGED: tuple[Charge, ...] = ()


def namespace_charges(
    view: Cluster,
    quotas: Sequence[Quota],
    limits: Sequence[LimitRange],
    everywhere: Plugins,
    errors: Mapping[Place, tuple[ApiError, ...]],
    settings: Settings,
    others: Iterable[str],
    lost: Losses,
) -> dict[str, tuple[Charge, ...]]:
    """The charges by namespace, of the namespaces with a quota or LimitRange and of `others`. Refused quotas and
    LimitRanges are not created, so they are not charged."""
    charges_by_namespace: dict[str, tuple[Charge, ...]] = {}
    world = _world(view, everywhere, settings)
    platforms = platforms_of(view, settings.platforms)
    injecting = {obj.name: injectors_of_namespace(obj) for obj in view.of("", "Namespace")}
    counted = (namespace for quota in quotas for namespace in quota.namespaces)
    for namespace in sorted(
        {*counted, *(limit_range.namespace for limit_range in limits if limit_range.namespace), *others}
    ):
        by = everywhere.within(namespace)
        members = _served(view.by_namespace.get(namespace, ()), view.discovery)
        if errors:
            members = tuple(obj for obj in members if obj.place not in errors)
        place = next(
            (obj.place for obj in members if obj.kind in LIMITING_KINDS), members[0].place if members else Place("")
        )
        injectors = injecting.get(namespace, ())
        queues = _queues_for(members, view)
        make = partial(_charges_within, members, by, settings, view, injectors, queues, platforms)
        parts = (*world, *_shared(view), None, *by.limit_ranges, None, *(queues or ()), None, *members)
        work = partial(recalled, "charges", parts, (namespace, injectors, by.enforced, platforms), make)
        charges_by_namespace[namespace] = lost.attempt(
            f"namespace {namespace} is not judged", place, (namespace,), work, ()
        )
        budget.allow(budget.FOR_A_CHARGE * len(charges_by_namespace[namespace]))
    return charges_by_namespace


def _world(view: Cluster, everywhere: Plugins, settings: Settings) -> tuple[object, ...]:
    """The values that decide the charges of all namespaces: the same values as long as they are equal."""
    alike = everywhere._replace(limit_ranges=(), by_namespace={}, enforced_levels={})
    return (
        same_as_before("plugins", alike),
        view.discovery,
        same_as_before("nodes", settings.nodes),
        same_as_before("workloads", settings.workloads),
    )


def _served(members: tuple[Object, ...], discovery: Discovery) -> tuple[Object, ...]:
    """The members whose API version the release may serve."""
    if all(is_surely_served(obj.group, obj.version, obj.kind) for obj in members):
        return members
    from quotalint.accounts.unserved_objects import served_objects

    return served_objects(members, discovery)


def _unserved(members: tuple[Object, ...], discovery: Discovery) -> Iterator[HiddenObjects]:
    """The other members, as reasons why sums lack them."""
    if not all(is_surely_served(obj.group, obj.version, obj.kind) for obj in members):
        from quotalint.accounts.unserved_objects import unserved_reasons

        yield from unserved_reasons(members, discovery)


def _shared(view: Cluster) -> Sequence[Object]:
    """The objects without a namespace that objects of any namespace name."""
    return view.of("cert-manager.io", "ClusterIssuer")


def _charges_within(
    members: Sequence[Object],
    by: Plugins,
    settings: Settings,
    view: Cluster,
    injectors: Sequence[str],
    queues: Sequence[Object] | None,
    platforms: Sequence[Platform],
) -> tuple[Charge, ...]:
    wanted = partial(demands, nodes=settings.nodes, configured=settings.workloads, injectors=injectors)
    wanted = partial(wanted, kube_version=view.discovery.kube_version, shared=_shared(view), platforms=platforms)
    if by.policies is None:  # the common case
        made = charges((admit_demand(demand, by) for demand in wanted(members)), view.discovery)
    else:
        from quotalint.accounts.changed_workloads import admitted_as_changed

        made = charges(admitted_as_changed(members, by, by.policies, settings.workloads, wanted), view.discovery)
    if queues is None:
        return made
    from quotalint.accounts.queued import as_queued

    return as_queued(made, members, view)


_RUN_TO_AN_END = frozenset({"batch", "jobset.x-k8s.io", "kubeflow.org"})
"""The groups of the kinds with known pods that Kueue suspends."""


def _queues_for(members: Sequence[Object], view: Cluster) -> tuple[Object, ...] | None:
    """The queues that decide which of these objects run at once; None if Kueue suspends none of them."""
    if not any(obj.group in _RUN_TO_AN_END for obj in members):
        return None
    from quotalint.kube.queue_names import suspended_for

    written = {(obj.group, obj.kind, obj.name) for obj in members}
    if not any(suspended_for(obj, written) for obj in members):
        return None
    return tuple(obj for kind in QUEUE_KINDS for obj in view.of(*kind))


def invalid_pods(
    view: Cluster, charged: Mapping[str, Iterable[Charge]], everywhere: Plugins, settings: Settings
) -> dict[ObjectId, tuple[Admitted, ...]]:
    """By the identity of their owner: the pods that are refused in every namespace."""
    invalid_by_owner: dict[ObjectId, tuple[Admitted, ...]] = {}

    def gather(admitted_objects: Iterable[Admitted]) -> None:
        for admitted in admitted_objects:
            if admitted.has_faults and admitted.demand.owner is not None:
                owner = admitted.demand.owner.identity
                invalid_by_owner[owner] = (*invalid_by_owner.get(owner, ()), admitted)

    for invalid in filter(None, recalled_each("invalid", tuple(charged.values()), (), _invalid_charges)):
        gather(invalid)
    for namespace, members in view.by_namespace.items():
        if namespace not in charged and any(makes_pods(obj, settings.workloads) for obj in members):
            by = everywhere.within(namespace)
            members = _served(members, view.discovery)
            wanted = demands(members, settings.nodes, settings.workloads, kube_version=view.discovery.kube_version)
            gather(admit_demand(demand, by) for demand in wanted if demand.kind == "Pod" and not demand.group)
    for obj in view.of("", "PodTemplate"):
        template = Demand(
            obj, "", "Pod", "", mapping(obj.body.get("template")), obj.at("template"), constant_size(0, "")
        )
        # No pod is made of it, so plugins and LimitRanges do not see one.
        gather(admitted for admitted in (admit_demand(template, everywhere),) if admitted.as_written)
    return invalid_by_owner


def _invalid_charges(charges_: Iterable[Charge]) -> tuple[Admitted, ...]:
    return tuple(charge.admitted for charge in charges_ if charge.admitted.has_faults)


def quota_projections(
    quotas: Iterable[Quota],
    errors: Mapping[Place, tuple[ApiError, ...]],
    charged: Mapping[str, tuple[Charge, ...]],
    view: Cluster,
    hidden: Sequence[Unseen],
    settings: Settings,
    lost: Losses,
    snapshots: Sequence[Snapshot],
    generated: Iterable[LimitRange] = (),
) -> Iterator[Projection]:
    """The projections of all quotas. `generated` are LimitRanges without an object of their own."""
    reported = {obj.place.source for snapshot in snapshots if snapshot.is_report for obj in snapshot.objects}
    snapshots = [snapshot for snapshot in snapshots if not snapshot.is_report]
    some_shown = any(
        obj.foreign and obj.place.source not in reported and makes_pods(obj, settings.workloads) for obj in view.objects
    )
    abouts = [snapshot.about for snapshot in snapshots]
    discovery = view.discovery
    # A namespace may have hundreds of quotas, so what they share is computed once.
    members_of: dict[tuple[str, ...], _Members] = {}
    unseen: dict[tuple[str, ...], list[HiddenObjects]] = {}
    charged_to: dict[object, tuple[tuple[Charge, ...], tuple[Charge, ...], Mapping[str, tuple[EntryCharge, ...]]]] = {}
    quotas = [quota for quota in quotas if quota.place not in errors]
    guessed = [limits for limits in generated if limits.object.guesses]
    names: dict[object, set[str]] = {}
    for quota in quotas:
        names.setdefault(quota.pool, set()).update(entry_names(quota))
    for quota in quotas:
        where = quota.namespaces
        if where not in members_of:
            about = _members(where, view, settings)
            deciding = (guess for limits in guessed if limits.namespace in where for guess in limits.object.guesses)
            members_of[where] = about = about._replace(deciding=(*about.deciding, *deciding))
            unseen[where] = [
                HiddenObjects(item.reason, item.kinds) for item in hidden if item.namespace in ("", *where)
            ]
            unseen[where] += [HiddenObjects(Operated(made.reason), made.kinds) for made in about.operators]
            unseen[where] += [
                gap for namespace in where for gap in _unserved(view.by_namespace.get(namespace, ()), discovery)
            ]
            if abouts:
                unseen[where] += [gap for namespace in where for gap in hidden_by_snapshots(abouts, namespace)]
        about = members_of[where]
        shown = some_shown and all(
            any(snapshot.shows_namespace(namespace) for snapshot in snapshots) for namespace in where
        )
        # A snapshot with workloads has all of them, so a namespace without any in it really has none.
        empty = () if shown or quota.shares else about.uninhabited
        inhabited = shown or bool(quota.shares) or len(empty) < len(where)
        reasons = [*unseen[where], *map(HiddenObjects, quota.hidden)]
        if inhabited:
            reasons += [
                HiddenObjects(Uninhabited(f"no workload of namespace {namespace} is in view")) for namespace in empty
            ]

        def project(
            quota: Quota = quota,
            reasons: Sequence[HiddenObjects] = reasons,
            inhabited: bool = inhabited,
            about: _Members = about,
        ) -> tuple[Projection, ...]:
            alike = quota.pool
            if quota.shares is not None or alike not in charged_to:
                mine = charges_of(quota, charged)
                charged_to[alike] = mine, uncertain_charges(mine), entries_by_name(quota, mine, names[alike])
            of = charged_to[alike]
            return tuple(projections(quota, *of, discovery, reasons, inhabited, about.deciding, about.scaling))

        parts = (quota, discovery, *(charged.get(namespace, _UNCHARGED) for namespace in where))
        plain = (inhabited, about.deciding, about.scaling, tuple((type(reason.reason), reason) for reason in reasons))
        work = partial(recalled, "projections", parts, plain, project)
        yield from lost.attempt("the quota is not judged", quota.object.place, where, work, _NO_PROJECTIONS)


class _Members(NamedTuple):
    """The guesses and gaps of some namespaces that all sums of their quotas depend on."""

    uninhabited: tuple[str, ...]
    """The namespaces in which nothing in view makes pods."""
    deciding: tuple[Guess, ...]
    """Guesses about objects that decide the charges of others."""
    scaling: tuple[Guess, ...]
    """Guesses about objects that decide numbers of replicas."""
    operators: tuple[UncountedObjects, ...]
    """What may exist without a manifest."""


def _members(namespaces: Sequence[str], view: Cluster, settings: Settings) -> _Members:
    all_members = [_members_of(view.by_namespace.get(namespace, ()), settings) for namespace in namespaces]
    return _Members(
        tuple(namespace for namespace, members in zip(namespaces, all_members, strict=True) if members.uninhabited),
        tuple(guess for members in all_members for guess in members.deciding),
        tuple(guess for members in all_members for guess in members.scaling),
        tuple(made for members in all_members for made in members.operators),
    )


def _is_known(obj: Object) -> bool:
    """Whether a custom object is read as a deployer or a quota, or only counted, so that no pods of it are unknown."""
    return (obj.group, obj.kind) in READERS or (obj.group, obj.kind) in EVALUATORS or is_deployer(obj)


def _members_of(members: Sequence[Object], settings: Settings) -> _Members:
    """The same for one namespace."""
    workloads = same_as_before("workloads", settings.workloads)

    def look_at_members() -> _Members:
        inhabited = any(makes_pods(obj, workloads) or stated_pods(obj, workloads) for obj in members)
        guessed = [obj for obj in members if obj.guesses]
        deciding, scaling = (
            tuple(guess for obj in guessed if obj.kind in kinds for guess in obj.guesses)
            for kinds in (_DECIDING, MAXIMUM_PATHS)
        )
        others = [obj for obj in members if not _is_known(obj)]
        return _Members(() if inhabited else ("",), deciding, scaling, uncounted_objects(others, workloads))

    return recalled("members", (workloads, *members), None, look_at_members)


# Entries whose objects a snapshot may lack. If the snapshot says that it lacks a kind, these sums are lower bounds.
_OF_KINDS = {
    "services": ("services", "services.loadbalancers", "services.nodeports"),
    "persistentvolumeclaims": ("persistentvolumeclaims", "storage"),
    "resourceclaims.resource.k8s.io": ("deviceclass",),
}


def hidden_by_snapshots(abouts: Sequence[About], namespace: str) -> Iterator[HiddenObjects]:
    """Why a namespace may hold more than its snapshots show."""
    for about in abouts:
        if not about.read or (about.namespaces and namespace not in about.namespaces):
            continue
        called = f"the snapshot of {about.cluster}"
        for gap in about.unread:
            if gap.namespace in ("", namespace):
                reason = f"{called} has no {gap.resource.partition('.')[0]}: {gap.reason}"
                if gap.resource in PODS:
                    yield HiddenObjects(reason)
                else:
                    yield HiddenObjects(reason, only=(gap.resource, *_OF_KINDS.get(gap.resource, ())))
        yield HiddenObjects(
            f"{called} does not show everything that is counted by number", others=frozenset(about.read)
        )
