"""What a ClusterQueue admits: whether it can ever admit a workload, and which of several run at once.

Source: Kueue 0.19, pkg/scheduler/flavorassigner/flavorassigner.go (assignFlavors, findFlavorForPodSets,
checkFlavorForPodSets, flavorSelector, fitsResourceQuota).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quotalint.kube.fields import Body, dig, mapping, sequence, strings, text
from quotalint.kube.objects import Object
from quotalint.kueue.capacity import capacity
from quotalint.kueue.queues import FlavorResource, QueueNode, Queues, ResourceGroup
from quotalint.named_tuples import NamedTuple

PODS = "pods"


class PodSet(NamedTuple):
    """Equal pods of a workload."""

    requests: Mapping[str, int]
    """What one pod requests, in 10^-9 units."""
    number: int
    least: int
    """The fewest with which the workload may be admitted (partial admission)."""
    spec: Body
    """Their pod spec: tolerations, node selector and affinity decide which flavors they can have."""

    def of(self, resource: str, number: int) -> int:
        """What so many pods request of a resource."""
        return number * (10**9 if resource == PODS else self.requests.get(resource, 0))


class Obstacle(NamedTuple):
    """Why a ClusterQueue never admits a workload."""

    resource: str
    needed: int
    allowed: int
    """The most that any flavor has; 0 if no flavor matches the pods."""
    is_sure: bool
    """Nothing outside of view can change it."""
    flavors: tuple[str, ...] = ()
    """The flavors that do not match the pods, if none does."""


class _Room(NamedTuple):
    """A ClusterQueue, and what is used of it."""

    queue: QueueNode
    queues: Queues
    used: dict[FlavorResource, int]


def requested(pod_sets: Iterable[PodSet]) -> tuple[str, ...]:
    """The resources that a workload requests."""
    return tuple(sorted({name for pods in pod_sets if pods.number for name, each in pods.requests.items() if each > 0}))


def obstacle(pod_sets: Sequence[PodSet], queue: QueueNode, queues: Queues) -> Obstacle | None:
    """Why the queue can never admit these pods; None if it can, or if that is not known."""
    for group in queue.groups:
        needed: dict[str, int] = {}
        used_flavors: set[str] = set()
        for pods in pod_sets:
            names = _asked_of(group, pods)
            if not names or not pods.least:
                continue
            fitting = [flavor for flavor in group.flavors if _matches(queues.flavors.get(flavor), pods.spec)]
            if not fitting:
                name = names[0]
                return Obstacle(name, pods.of(name, pods.least), 0, is_sure=True, flavors=group.flavors)
            tried = [_shortage(names, pods, flavor, queue, queues) for flavor in fitting]
            if all(tried):
                short = list(filter(None, tried))
                nearest = max(short, key=lambda other: other.allowed / other.needed)
                return nearest._replace(is_sure=all(other.is_sure for other in short))
            used_flavors.update(fitting)
            for name in names:
                needed[name] = needed.get(name, 0) + pods.of(name, pods.least)
        for name, amount in needed.items():
            capacities = [capacity(queue, (flavor, name), queues) for flavor in sorted(used_flavors)]
            known = [most for most in capacities if most is not None]
            total = sum(most.amount for most in known)
            if len(known) == len(capacities) and amount > total:
                return Obstacle(name, amount, total, all(most.is_sure for most in known))
    return None


def _shortage(names: Iterable[str], pods: PodSet, flavor: str, queue: QueueNode, queues: Queues) -> Obstacle | None:
    """The first resource that a flavor never has enough of."""
    for name in names:
        most = capacity(queue, (flavor, name), queues)
        needed = pods.of(name, pods.least)
        if most is not None and needed > most.amount:
            return Obstacle(name, needed, most.amount, most.is_sure)
    return None


def run_at_once(
    workloads: Iterable[Sequence[PodSet]], queue: QueueNode, queues: Queues
) -> tuple[list[bool], dict[FlavorResource, int]]:
    """For each workload in order, whether it runs beside those before it; and what they use together. Each takes the
    first flavors with room, and what does not fit lets others pass (BestEffortFIFO)."""
    room = _Room(queue, queues, {})
    running = []
    for pod_sets in workloads:
        taken = dict(room.used)
        running.append(all(_take(pods, room, taken) for pods in pod_sets))
        if running[-1]:
            room.used.update(taken)
    return running, room.used


def _take(pods: PodSet, room: _Room, taken: dict[FlavorResource, int]) -> bool:
    return all(_take_of(group, pods, room, taken) for group in room.queue.groups if _asked_of(group, pods))


def _take_of(group: ResourceGroup, pods: PodSet, room: _Room, taken: dict[FlavorResource, int]) -> bool:
    """Adds the pods to the first flavor of a group with room for all resources."""
    for flavor in group.flavors:
        if not _matches(room.queues.flavors.get(flavor), pods.spec):
            continue
        wanted = {
            (flavor, name): taken.get((flavor, name), 0) + pods.of(name, pods.number) for name in _asked_of(group, pods)
        }
        limits = {key: capacity(room.queue, key, room.queues) for key in wanted}
        if all((most := limits[key]) is None or total <= most.amount for key, total in wanted.items()):
            taken.update(wanted)
            return True
    return False


def _asked_of(group: ResourceGroup, pods: PodSet) -> list[str]:
    """The resources of a group that pods request."""
    return [name for name in group.resources if name == PODS or pods.requests.get(name, 0) > 0]


def _matches(flavor: Object | None, spec: Body) -> bool:
    """Whether pods can have a flavor: they tolerate its taints, and select its labels. One that is not in view may."""
    if flavor is None:
        return True
    tolerations = [
        mapping(item) for item in (*sequence(spec.get("tolerations")), *sequence(flavor.spec.get("tolerations")))
    ]
    for taint in map(mapping, sequence(flavor.spec.get("nodeTaints"))):
        if taint.get("effect") != "PreferNoSchedule" and not any(_tolerates(item, taint) for item in tolerations):
            return False
    labels = mapping(flavor.spec.get("nodeLabels"))
    selector = mapping(spec.get("nodeSelector"))
    if any(key in labels and labels[key] != value for key, value in selector.items()):
        return False
    terms = sequence(
        dig(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
    )
    # Expressions about other labels are left out, and a term without any matches.
    return not terms or any(
        all(
            _expression_holds(expression, labels)
            for expression in map(mapping, sequence(mapping(term).get("matchExpressions")))
            if expression.get("key") in labels
        )
        for term in terms
    )


def _tolerates(toleration: Body, taint: Body) -> bool:
    """ToleratesTaint of k8s.io/component-helpers; an empty key or effect matches all."""
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    if toleration.get("key") and toleration["key"] != taint.get("key"):
        return False
    if (toleration.get("operator") or "Equal") == "Exists":
        return True
    return text(toleration.get("operator") or "Equal") != "Equal" or text(toleration.get("value")) == text(
        taint.get("value")
    )


def _expression_holds(expression: Body, labels: Body) -> bool:
    operator, value = expression.get("operator"), labels.get(text(expression.get("key")))
    values = strings(expression.get("values"))
    if operator in ("In", "NotIn"):
        return (value in values) is (operator == "In")
    return operator != "DoesNotExist"  # the label exists; comparisons of numbers are taken to hold
