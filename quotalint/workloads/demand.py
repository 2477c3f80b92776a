"""What an object of the repository brings into being: itself, pods, claims, and objects that controllers make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NewType

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.fields import Body, integer, mapping, sequence, text
from quotalint.kube.guess import Guess
from quotalint.kube.objects import Object
from quotalint.kube.releases import KubernetesRelease
from quotalint.kube.scheduler_claims import scheduler_claim
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Nodes, Scenario, Workload
from quotalint.text.place import Path, Place

_KEPT_REVISIONS = 10
_RESOURCE = "resource.k8s.io"
_INT32 = 2**31 - 1  # the API server reads counts as int32 and refuses what does not fit


POSITIONS: Mapping[Scenario, int] = {scenario: position for position, scenario in enumerate(Scenario)}
"""Where each scenario stands in Numbers, and in the amounts that these come to."""


class Numbers(NamedTuple):
    """How many there are of something, scenario by scenario; never fewer from `steady` to `surge` and to `peak`,
    but for the small pods of what an autoscaler makes large: at the maximum there are none."""

    steady: int
    """Once everything has settled."""
    surge: int
    """During the most demanding step of the workload itself: its rolling update, or one run of a schedule."""
    scaled: int
    """Settled, with its autoscaler at the maximum."""
    peak: int
    """At the maximum and in the middle of a step, with what is being deleted and still charged."""

    def of(self, scenario: Scenario) -> int:
        """How many there are in a scenario."""
        return self[POSITIONS[scenario]]


ROLLOUT, RUN = "rollout", "run"
"""Kinds of steps."""

FLAGGER_CANARY = ("flagger.app", "Canary")


class Step(NamedTuple):
    """What a workload does now and then, and needs more for than it has once it has settled."""

    kind: str
    because: str
    """What it needs in words: `maxSurge 25% of 10 replicas`."""
    path: Path
    """Where its owner says so, or would."""
    unavailable: int = 0
    """How many of the old pods it may remove before the new ones are there."""
    gradual: bool = False
    """It moves on with fewer new pods at a time; else all of them have to be there before old ones go."""


class Size(NamedTuple):
    """How many pods a workload has, and why."""

    numbers: Numbers
    because: str
    """The steady number in words: `replicas 3`."""
    unknowns: tuple[str, ...] = ()
    """Why the true number may be higher."""
    step: Step | None = None
    scaler: Object | None = None
    """The autoscaler that moves the number."""
    is_floor: bool = False
    """Once settled there are no fewer without that autoscaler."""


DemandId = NewType("DemandId", int)


class Demand(NamedTuple):
    """A number of equal objects that will exist because of an object in the repository."""

    owner: Object | None
    """The object it comes from; None for what every namespace has."""
    group: str
    kind: str
    name: str
    """The name of the object, where one is known beforehand."""
    body: Body
    place: Place | None
    """Where `body` is written: the object, or the template in it."""
    size: Size
    grown: bool = False
    """The body is what a VerticalPodAutoscaler may make of it."""
    per_pod: bool = False
    """One is made for each pod, once that is there."""
    before_pods: bool = False
    """One is made for each pod, which waits for it."""
    unknowns: tuple[UnknownAmount, ...] = ()
    """What of the body may be more than is written there."""
    template: Object | None = None
    """The object that it is made from, and without which it is not made."""
    doubts: Mapping[str, Guess] = MappingProxyType({})
    """Why it may be charged less than is written, by entry of `hard`."""

    @property
    def identity(self) -> DemandId:
        """By which its pods are counted but once, whatever they are charged to."""
        return DemandId(id(self))

    @property
    def number(self) -> int:
        """How many there are once everything has settled."""
        return self.size.numbers.steady

    def number_in(self, scenario: Scenario) -> int:
        """How many there are in a scenario."""
        return self.size.numbers.of(scenario)


class Bounds(NamedTuple):
    """Between which numbers of replicas an autoscaler moves a workload."""

    minimum: int
    maximum: int
    autoscaler: Object
    unknowns: tuple[str, ...] = ()
    """Why they may be higher."""
    wakes: bool = False
    """It also moves a workload that is written with no replicas."""
    grows: bool = True
    """It also adds to what is within the bounds."""


class Growth(NamedTuple):
    """What a VerticalPodAutoscaler may make of a workload's pods."""

    autoscaler: Object
    enlarge: Callable[[Body], tuple[Body, tuple[UnknownAmount, ...]]] | None
    """From the pod template as it is written to the largest one, and what of that is not known; None: nothing says."""
    doubt: Callable[[Body], Mapping[str, Guess]]
    """From the pod template as it is written to why less may be charged, by entry of `hard`."""


class Surroundings(NamedTuple):
    """What else decides how many of something there will be, and how large."""

    nodes: Nodes
    autoscalers: Mapping[tuple[str, str], Bounds]
    """By kind and name of the workload."""
    growths: Mapping[tuple[str, str], Growth]
    """By kind and name of the workload."""
    objects: Mapping[tuple[str, str, str], Object]
    """What is in view of the namespace, by group, kind and name."""
    taken_over: Mapping[str, Object]
    """The Rollouts and Canaries that scale Deployments down to take their place, by the name of the Deployment."""
    configured: Mapping[str, Workload]
    """What the settings say of kinds: `Kind.group`, or `Kind` of any group."""
    kubernetes: KubernetesRelease
    """What the API server and its controllers know."""


class Number(NamedTuple):
    """A count read from a manifest."""

    value: int
    because: str
    unknowns: tuple[str, ...] = ()


class Replicas(NamedTuple):
    """How many pods a workload has once it has settled, and at the maximum of its autoscaler."""

    steady: int
    maximum: int
    because: str
    unknowns: tuple[str, ...] = ()
    scaler: Object | None = None
    is_floor: bool = False
    """There are no fewer without that autoscaler."""


def constant_size(number: int, because: str, unknowns: tuple[str, ...] = ()) -> Size:
    """What is the same in all scenarios."""
    return Size(Numbers(number, number, number, number), because, unknowns)


def size_with_step(
    replicas: Replicas, more: Callable[[int], tuple[int, int]] = lambda _: (0, 0), step: Step | None = None
) -> Size:
    """The size of a workload whose step needs `more`: for so many replicas, how many new pods at once, and how many old
    ones may be on their way out beside them."""
    steady, most = replicas.steady, replicas.maximum
    new, old = more(most)
    numbers = Numbers(steady, steady + more(steady)[0], most, most + min(new + old, most))
    return Size(numbers, replicas.because, replicas.unknowns, step, replicas.scaler, replicas.is_floor)


def demand_of_itself(obj: Object) -> Demand:
    """The object as it is written."""
    return Demand(obj, obj.group, obj.kind, obj.name, obj.body, obj.place, _ITSELF)


_ITSELF = constant_size(1, "")


def implied_objects(owner: Object, group: str, kind: str, numbers: Numbers | None = None, name: str = "") -> Demand:
    """Objects without a manifest that a controller makes for the owner; one unless `numbers` says otherwise."""
    because = f"made for {owner.kind} {owner.name}"
    return Demand(owner, group, kind, name, {}, None, Size(numbers or Numbers(1, 1, 1, 1), because))


def revision_history(owner: Object, group: str, kind: str, keeps: int | None = None) -> Demand:
    """The revision in use, one more as soon as there is a new one, and old ones up to `revisionHistoryLimit`
    (deployment/sync.go, cleanupDeployment; statefulset/stateful_set_control.go, truncateHistory)."""
    limit = integer(owner.spec.get("revisionHistoryLimit")) if keeps is None else keeps
    old_revisions = _KEPT_REVISIONS if limit is None else max(0, limit)
    # Old ones go only after the next rollout has ended: history, the one that is replaced, and the new one.
    return implied_objects(owner, group, kind, Numbers(1, 2, 1, old_revisions + 2))


def number(obj: Object, field: str, default: int) -> Number:
    """A count in `spec`, or its default. What is no count is 0, with the reason why it is not known."""
    return count(obj, obj.spec.get(field), field, default)


def count(obj: Object, written: object, field: str, default: int) -> Number:
    """A count that is written in a field somewhere below `spec`, or its default."""
    if written is None:
        return Number(default, f"{field} {default} (default)")
    if isinstance(written, int) and not isinstance(written, bool) and 0 <= written <= _INT32:
        return Number(written, f"{field} {written}")
    reason = f"{obj.kind} {obj.name}: spec.{field} is not a number of pods: {str(written)[:40]!r}"
    return Number(0, f"{field} unknown", (reason,))


def replicas(obj: Object, surroundings: Surroundings, written: Number | None = None) -> Replicas:
    """`spec.replicas` (default 1), moved into the bounds of an autoscaler of this workload."""
    wanted = number(obj, "replicas", 1) if written is None else written
    bounds = surroundings.autoscalers.get((obj.kind, obj.name))
    if bounds is None:
        return Replicas(wanted.value, wanted.value, wanted.because, wanted.unknowns)
    if not (wanted.value or wanted.unknowns or bounds.wakes):
        # ScalingDisabled: podautoscaler/horizontal.go, reconcileAutoscaler
        off = f"{wanted.because}, which {bounds.autoscaler.kind} {bounds.autoscaler.name} leaves alone"
        return Replicas(0, 0, off, bounds.unknowns, bounds.autoscaler)
    clamped = min(max(wanted.value, bounds.minimum), bounds.maximum)
    because = wanted.because
    if clamped != wanted.value:
        because = f"{clamped} by {bounds.autoscaler.kind} {bounds.autoscaler.name}"
    unknowns = (*wanted.unknowns, *bounds.unknowns)
    most = max(clamped, bounds.maximum) if bounds.grows else clamped
    return Replicas(clamped, most, because, unknowns, bounds.autoscaler, is_floor=clamped <= wanted.value)


def pods(owner: Object, template: object, place: Place, size: Size, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods of a template, and the claims that are made for each of them."""
    body = mapping(template)
    growth = surroundings.growths.get((owner.kind, owner.name))
    if growth is None:
        yield Demand(owner, "", "Pod", "", body, place, size)
    elif growth.enlarge is None:
        yield Demand(owner, "", "Pod", "", body, place, size, doubts=growth.doubt(body))
    else:
        # Settled as written; large in the scenarios that look at the maximum.
        steady, surge, scaled, peak = size.numbers
        as_written = size._replace(numbers=Numbers(steady, surge, 0, 0))
        yield Demand(owner, "", "Pod", "", body, place, as_written, doubts=growth.doubt(body))
        grown = size._replace(numbers=Numbers(0, 0, scaled, peak), scaler=growth.autoscaler)
        largest, unknowns = growth.enlarge(body)
        yield Demand(owner, "", "Pod", "", largest, place, grown, grown=True, unknowns=unknowns)
    per_pod = size._replace(because=f"one per pod, {size.because}")
    spec = mapping(body.get("spec"))
    for index, volume in enumerate(sequence(spec.get("volumes"))):
        claim_template = mapping(mapping(volume).get("ephemeral")).get("volumeClaimTemplate")
        if isinstance(claim_template, dict):
            at = place.at("spec", "volumes", index, "ephemeral", "volumeClaimTemplate")
            yield Demand(owner, "", "PersistentVolumeClaim", "", claim_template, at, per_pod, per_pod=True)
    for index, claim in enumerate(sequence(spec.get("resourceClaims"))):
        name = text(mapping(claim).get("resourceClaimTemplateName"))
        if name:
            at = place.at("spec", "resourceClaims", index)
            yield _resource_claim(owner, name, at, per_pod, surroundings)
    scheduled = owner.foreign or not spec.get("nodeName")  # a pod of a cluster says its node afterwards
    asked = scheduler_claim(body) if scheduled and surroundings.kubernetes.extended_resource_claims else None
    if asked:
        yield Demand(
            owner, _RESOURCE, "ResourceClaim", "", asked.body, place, per_pod, per_pod=True, unknowns=asked.unknowns
        )


def finished_pods(owner: Object, template: object, place: Place, number: int) -> Iterator[Demand]:
    """Pods that have ended and stay until someone deletes them: `count/pods` counts them, nothing else does."""
    if number > 0:
        because = f"pods of {owner.kind} {owner.name} that have ended"
        yield Demand(owner, "", "Pod", "", ended_pod(template), place, Size(Numbers(0, 0, 0, number), because))


def ended_pod(template: object) -> Body:
    """The body of a pod that has ended."""
    return {**mapping(template), **_ENDED}


def has_ended(demand: Demand) -> bool:
    """Whether these are pods that have ended."""
    return demand.kind == "Pod" and demand.body.get("status") is _ENDED["status"]


_ENDED = {"status": {"phase": "Succeeded"}}


def uncounted_pods(owner: Object, *reasons: str) -> Demand:
    """Pods of which nothing is known but that there may be some: they may be in any scope."""
    size = constant_size(0, "", tuple(unknown_because(owner, reason) for reason in reasons))
    return Demand(owner, "", "Pod", "", {}, None, size)


def unknown_because(owner: Object, reason: str) -> str:
    """The reason why something of an object is not known."""
    return f"{owner.kind} {owner.name}: {reason}"


def _resource_claim(owner: Object, name: str, place: Place, size: Size, surroundings: Surroundings) -> Demand:
    template = surroundings.objects.get((_RESOURCE, "ResourceClaimTemplate", name))
    body: Body = {}
    if template is None:
        missing = f"ResourceClaimTemplate {name} is not in view, so its devices are not counted"
        size = size._replace(unknowns=(*size.unknowns, f"{owner.kind} {owner.name}: {missing}"))
    else:
        body = mapping(template.spec)
    return Demand(owner, _RESOURCE, "ResourceClaim", "", body, place, size, per_pod=True, template=template)
