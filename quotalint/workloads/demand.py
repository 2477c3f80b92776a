"""Demands: the objects that an object of the repository causes, such as itself, pods, claims and what controllers
make."""

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
_INT32 = 2**31 - 1  # the API server reads counts as int32 and refuses larger ones


POSITIONS: Mapping[Scenario, int] = {scenario: position for position, scenario in enumerate(Scenario)}
"""The index of each scenario in Numbers and in Amounts."""


class Numbers(NamedTuple):
    """The number of objects in each scenario. It never falls from `steady` to `surge` to `peak`. The exception is the
    pods at their written size if a VerticalPodAutoscaler enlarges them: at the maximum there are none."""

    steady: int
    """The steady state."""
    surge: int
    """During the workload's largest step: its rolling update, or one run of its schedule."""
    scaled: int
    """The steady state with its autoscaler at the maximum."""
    peak: int
    """At the maximum, during a step, including pods that are terminating and still charged."""

    def of(self, scenario: Scenario) -> int:
        """The number in one scenario."""
        return self[POSITIONS[scenario]]


ROLLOUT, RUN = "rollout", "run"
"""The kinds of steps."""

SOLVING = "HTTP-01 challenges"
"""The reason of a run that proves to an issuer of certificates who owns a name."""

FLAGGER_CANARY = ("flagger.app", "Canary")


class Step(NamedTuple):
    """A temporary change that needs more objects than the steady state."""

    kind: str
    because: str
    """The reason in words: `maxSurge 25% of 10 replicas`."""
    path: Path
    """The path of the field that sets it, or would set it."""
    unavailable: int = 0
    """How many old pods it may delete before the new ones are ready."""
    gradual: bool = False
    """Whether it continues with only some of its new pods; if not, all must be ready before old ones are deleted."""


class Size(NamedTuple):
    """The number of pods of a workload, and its reason."""

    numbers: Numbers
    because: str
    """The reason for the steady number: `replicas 3`."""
    unknowns: tuple[str, ...] = ()
    """Why the real number may be higher."""
    step: Step | None = None
    scaler: Object | None = None
    """The autoscaler that changes the number."""
    is_floor: bool = False
    """Without that autoscaler, the steady number is not lower."""
    queued: int = 0
    """How many there are while Kueue lets their owner run; 0 if Kueue does not suspend it."""


DemandId = NewType("DemandId", int)


class Demand(NamedTuple):
    """A number of equal objects that exist because of one object in the repository."""

    owner: Object | None
    """The object that causes it; None for objects that every namespace has."""
    group: str
    kind: str
    name: str
    """The object's name, if it is known before creation."""
    body: Body
    place: Place | None
    """The place of `body`: the object, or its template."""
    size: Size
    grown: bool = False
    """The body has the largest amounts that a VerticalPodAutoscaler may set."""
    per_pod: bool = False
    """One object is made for each pod, after the pod exists."""
    before_pods: bool = False
    """One object is made for each pod, and the pod waits for it."""
    unknowns: tuple[UnknownAmount, ...] = ()
    """The amounts of the body that may be more than is written."""
    template: Object | None = None
    """The template object that it is made from; without that object it is not made."""
    kept: Kept | None = None
    """How many of them stay although they are of no more use; they count at the peak."""
    doubts: Mapping[str, Guess] = MappingProxyType({})
    """Why less may be charged than is written, by entry of `hard`."""
    guesses: tuple[Guess, ...] = ()
    """The guesses that all its charges depend on, besides those about its owner."""
    parts: Mapping[Path, Path] = MappingProxyType({})
    """Where in its owner the parts of the body are written, by their path in the body; empty for a pod template."""

    @property
    def identity(self) -> DemandId:
        """A key that lets its pods be counted once, however often they are charged."""
        return DemandId(id(self))

    @property
    def number(self) -> int:
        """The steady number."""
        return self.size.numbers.steady

    def place_of(self, *path: str | int) -> Place:
        """The place of a value in the body, which is written in its owner."""
        assert self.owner is not None
        assert self.place is not None
        for end in range(len(path), 0, -1):
            written = self.parts.get(path[:end])
            if written is not None:
                return self.owner.at(*written, *path[end:])
        return self.place.at(*path)

    def number_in(self, scenario: Scenario) -> int:
        """The number of these objects in one scenario."""
        return self.size.numbers.of(scenario)


class Kept(NamedTuple):
    """Objects of a demand that stay after they are of no more use: old revisions, finished Jobs, ended pods."""

    number: int
    """The most that stay."""
    beyond: int
    """How many more exist at once during a step, before old ones are deleted."""
    step: str
    """What adds one: ROLLOUT or RUN."""
    field: str = ""
    """The field of `spec` with the limit; empty if there is none."""
    limit: int = 0
    """The value of that field."""


class Bounds(NamedTuple):
    """The numbers of replicas between which an autoscaler moves a workload."""

    minimum: int
    maximum: int
    autoscaler: Object
    unknowns: tuple[str, ...] = ()
    """Why the bounds may be higher."""
    wakes: bool = False
    """The autoscaler also scales a workload with `replicas: 0`."""
    grows: bool = True
    """The autoscaler also adds replicas within the bounds."""


class Growth(NamedTuple):
    """How a VerticalPodAutoscaler may change a workload's pods."""

    autoscaler: Object
    enlarge: Callable[[Body], tuple[Body, tuple[UnknownAmount, ...]]] | None
    """Returns the largest known pod template for the written one, and its unknown amounts; None if none is known."""
    doubt: Callable[[Body], Mapping[str, Guess]]
    """Returns why less may be charged than the pod template says, by entry of `hard`."""


class Surroundings(NamedTuple):
    """What else in the namespace and settings decides the number and size of pods."""

    nodes: Nodes
    autoscalers: Mapping[tuple[str, str], Bounds]
    """By kind and name of the workload."""
    growths: Mapping[tuple[str, str], Growth]
    """By kind and name of the workload."""
    objects: Mapping[tuple[str, str, str], Object]
    """The known objects of the namespace, by group, kind and name."""
    taken_over: Mapping[str, Object]
    """The Rollouts and Canaries that scale Deployments down and replace them, by the name of the Deployment."""
    configured: Mapping[str, Workload]
    """The settings for kinds: `Kind.group`, or `Kind` for any group."""
    kubernetes: KubernetesRelease
    """The features of the Kubernetes release."""


class Number(NamedTuple):
    """A count in a manifest."""

    value: int
    because: str
    unknowns: tuple[str, ...] = ()


class Replicas(NamedTuple):
    """The replicas of a workload in the steady state and at the maximum of its autoscaler."""

    steady: int
    maximum: int
    because: str
    unknowns: tuple[str, ...] = ()
    scaler: Object | None = None
    is_floor: bool = False
    """Without that autoscaler there would not be fewer replicas."""


def constant_size(number: int, because: str, unknowns: tuple[str, ...] = ()) -> Size:
    """The size with the same number in all scenarios."""
    return Size(Numbers(number, number, number, number), because, unknowns)


def size_with_step(
    replicas: Replicas, more: Callable[[int], tuple[int, int]] = lambda _: (0, 0), step: Step | None = None
) -> Size:
    """The size of a workload with a step. `more` returns for a number of replicas how many new pods exist at once, and
    how many old ones may be terminating."""
    steady, most = replicas.steady, replicas.maximum
    new, old = more(most)
    numbers = Numbers(steady, steady + more(steady)[0], most, most + min(new + old, most))
    return Size(numbers, replicas.because, replicas.unknowns, step, replicas.scaler, replicas.is_floor)


def demand_of_itself(obj: Object) -> Demand:
    """The object as it is written."""
    return Demand(obj, obj.group, obj.kind, obj.name, obj.body, obj.place, _ITSELF)


_ITSELF = constant_size(1, "")


def implied_objects(owner: Object, group: str, kind: str, numbers: Numbers | None = None, name: str = "") -> Demand:
    """Objects without a manifest that a controller makes for the owner; one unless `numbers` is given."""
    because = f"made for {owner.kind} {owner.name}"
    return Demand(owner, group, kind, name, {}, None, Size(numbers or Numbers(1, 1, 1, 1), because))


def revision_history(owner: Object, group: str, kind: str, keeps: int | None = None) -> Demand:
    """The current revision, one more during a rollout, and old ones up to `revisionHistoryLimit` (deployment/sync.go,
    cleanupDeployment; statefulset/stateful_set_control.go, truncateHistory)."""
    limit = integer(owner.spec.get("revisionHistoryLimit")) if keeps is None else keeps
    old_revisions = _KEPT_REVISIONS if limit is None else max(0, limit)
    # Old revisions are deleted only after the next rollout: so the history, the replaced one and the new one exist.
    kept = Kept(old_revisions, 1, ROLLOUT, "revisionHistoryLimit" if keeps is None else "", old_revisions)
    return implied_objects(owner, group, kind, Numbers(1, 2, 1, old_revisions + 2))._replace(kept=kept)


def number(obj: Object, field: str, default: int) -> Number:
    """A count in `spec`, or its default. An invalid count is 0, with the reason why it is unknown."""
    return count(obj, obj.spec.get(field), field, default)


def count(obj: Object, written: object, field: str, default: int) -> Number:
    """A count in a field below `spec`, or its default."""
    if written is None:
        return Number(default, f"{field} {default} (default)")
    if isinstance(written, int) and not isinstance(written, bool) and 0 <= written <= _INT32:
        return Number(written, f"{field} {written}")
    reason = f"{obj.kind} {obj.name}: spec.{field} is not a number of pods: {str(written)[:40]!r}"
    return Number(0, f"{field} unknown", (reason,))


def replicas(obj: Object, surroundings: Surroundings, written: Number | None = None) -> Replicas:
    """`spec.replicas` (default 1), moved into the bounds of the workload's autoscaler."""
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
    """The pods of a template, and the claims made for each pod."""
    body = mapping(template)
    growth = surroundings.growths.get((owner.kind, owner.name))
    if growth is None:
        yield Demand(owner, "", "Pod", "", body, place, size)
    elif growth.enlarge is None:
        yield Demand(owner, "", "Pod", "", body, place, size, doubts=growth.doubt(body))
    else:
        # The written size in the steady state, the largest size in scenarios with the maximum.
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
    scheduled = owner.foreign or not spec.get("nodeName")  # in a snapshot, `nodeName` was set after scheduling
    asked = scheduler_claim(body) if scheduled and surroundings.kubernetes.extended_resource_claims else None
    if asked:
        yield Demand(
            owner, _RESOURCE, "ResourceClaim", "", asked.body, place, per_pod, per_pod=True, unknowns=asked.unknowns
        )


def finished_pods(
    owner: Object, template: object, place: Place, number: int, beyond: int = 0, *, stay: bool = True
) -> Iterator[Demand]:
    """Terminated pods that stay until someone deletes them; only `count/pods` counts them. `beyond`: how many pods run
    beside them; `stay`: they are not deleted once all have ended."""
    if number > 0:
        because = f"pods of {owner.kind} {owner.name} that have ended"
        size = Size(Numbers(0, 0, 0, number), because)
        kept = Kept(number, beyond, RUN) if stay else Kept(0, number + beyond, RUN)
        yield Demand(owner, "", "Pod", "", ended_pod(template), place, size, kept=kept)


def ended_pod(template: object) -> Body:
    """The body of a terminated pod."""
    return {**mapping(template), **_ENDED}


def has_ended(demand: Demand) -> bool:
    """Whether these pods have terminated."""
    return demand.kind == "Pod" and demand.body.get("status") is _ENDED["status"]


_ENDED = {"status": {"phase": "Succeeded"}}


def uncounted_pods(owner: Object, *reasons: str) -> Demand:
    """Pods that may exist but are unknown; they may be in any scope."""
    size = constant_size(0, "", tuple(unknown_because(owner, reason) for reason in reasons))
    return Demand(owner, "", "Pod", "", {}, None, size)


def unknown_because(owner: Object, reason: str) -> str:
    """The reason why something about an object is unknown."""
    return f"{owner.kind} {owner.title}: {reason}"


def _resource_claim(owner: Object, name: str, place: Place, size: Size, surroundings: Surroundings) -> Demand:
    template = surroundings.objects.get((_RESOURCE, "ResourceClaimTemplate", name))
    body: Body = {}
    if template is None:
        # Without it the controller makes no claim (pkg/controller/resourceclaim/controller.go, handleClaim).
        missing = f"ResourceClaimTemplate {name} is not in view, so its claims and devices are not counted"
        size = constant_size(0, size.because, (*size.unknowns, unknown_because(owner, missing)))
    else:
        body = mapping(template.spec)
    return Demand(owner, _RESOURCE, "ResourceClaim", "", body, place, size, per_pod=True, template=template)
