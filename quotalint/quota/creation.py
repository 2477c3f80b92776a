"""Creates an object with everything that controllers make for it, and applies admission to each.

Objects that a controller makes wait for their prerequisites: pods for their ReplicaSet, the pods of a StatefulSet for
their claims.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest),
pkg/controller/replicaset, and pkg/controller/statefulset/stateful_pod_control.go (CreateStatefulPod) and
stateful_set_control.go (runForAll, slowStartBatch).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from types import MappingProxyType

from quotalint.kube import resource_list
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.resources import COMPUTE
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge, ChargeId
from quotalint.quota.pools import Ledger, Shortage
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import is_deferred, refusal_of, unschedulable_message


class RefusalCause(Enum):
    """Why an object is refused, in the order of the API server's checks."""

    INVALID = "validation"
    LIMIT_RANGE = "LimitRanger"
    MUST_SPECIFY = "a quota that wants requests stated"
    LIMITED = "what is limited by default"
    QUOTA = "a quota without room"
    OWNER = "something that it needs is refused"


class Fate(NamedTuple):
    """How many objects of one charge are admitted and refused."""

    charge: Charge
    admitted: int
    refused: int
    cause: RefusalCause | None = None
    """Why the first refused object is refused; None if all are admitted."""
    shortage: Shortage | None = None
    """For RefusalCause.QUOTA: the usage at the first refusal."""
    because: Charge | None = None
    """For RefusalCause.OWNER: the charge that is refused first."""
    is_change: bool = False
    """The object exists already; if its change is refused, it stays as it was."""


class Pending(NamedTuple):
    """Pods of one demand that are created but never scheduled."""

    charge: Charge
    quota: Quota
    """The first quota without room."""
    number: int
    names: tuple[str, ...]
    """The entries of that quota that the first pod exceeds."""
    message: str
    """The scheduler's message."""


Limited = Callable[[Charge], bool]
"""Whether an object is refused because the API server limits it by default."""


class Scene(NamedTuple):
    """A namespace in which objects are created, with what decides on their admission."""

    namespace: str
    ledger: Ledger
    limited: Limited
    deferred: bool
    standing: Mapping[ChargeId, int]
    """How many objects of each charge exist already and are charged, by the charge's identity."""
    changed: Mapping[ChargeId, Charge] = MappingProxyType({})
    """The current charge of each object that exists already and changes, by the identity of its new charge."""

    def is_compute_deferred(self, charge: Charge) -> bool:
        """Whether compute is checked only when the object is scheduled."""
        return self.deferred and is_deferred(charge, "deferred")

    def refuses_all(self, charge: Charge, names: frozenset[str] | None = None) -> RefusalCause | None:
        """Why every object of a charge is refused before quotas compare amounts. `names`: the entries that may require
        stated requests; None: those of the quotas that count the object."""
        admitted = charge.admitted
        if admitted.is_refused:
            return RefusalCause.INVALID
        if admitted.violations:
            return RefusalCause.LIMIT_RANGE
        pod = admitted.item
        if isinstance(pod, Pod) and not self.is_compute_deferred(charge):
            if names is None:
                names = self.ledger.names_for(self.namespace, charge)
            if names and charge.evaluator.missing(pod, names):
                return RefusalCause.MUST_SPECIFY
        return RefusalCause.LIMITED if self.limited(charge) else None

    def room(self, charge: Charge, most: int) -> int:
        """How many of `most` further objects fit."""
        return self.ledger.room(self.namespace, charge, most, later=self.is_compute_deferred(charge))

    def charge(self, charge: Charge, number: int) -> None:
        """Adds this number of objects to the usage."""
        self.ledger.charge(self.namespace, charge, number, later=self.is_compute_deferred(charge))

    def exceeded_fate(self, charge: Charge, admitted: int, refused: int) -> Fate:
        """The outcome of a charge whose other objects exceed a quota."""
        shortage = self.ledger.shortage(self.namespace, charge, later=self.is_compute_deferred(charge))
        return Fate(charge, admitted, refused, RefusalCause.QUOTA, shortage)


def by_owner(charges: Iterable[Charge]) -> Iterator[list[Charge]]:
    """Groups the charges by owner; a charge without an owner is a group of its own."""
    group: list[Charge] = []
    for charge in charges:
        owner = charge.owner
        if group and (owner is None or owner is not group[0].owner):
            yield group
            group = []
        group.append(charge)
    if group:
        yield group


def create_group(group: Sequence[Charge], scene: Scene) -> Iterator[Fate]:
    """The outcome of an object and of everything that controllers make for it."""
    gate: Charge | None = None
    claims = [charge for charge in group if charge.demand.before_pods]
    pods: Fate | None = None
    if any(charge.admitted.as_written for charge in group):
        yield from (Fate(charge, 0, charge.number, RefusalCause.INVALID) for charge in group)
        return
    for charge in group:
        demand = charge.demand
        if not demand.number or demand.before_pods:
            continue
        if gate is not None:
            yield Fate(charge, 0, demand.number, RefusalCause.OWNER, None, gate)
            continue
        if demand.kind == "Pod" and claims:
            fates = list(_admit_pods_with_claims(charge, claims, scene))
            yield from fates
            pods = fates[-1]
            continue
        wanted = demand.number
        if pods is not None and demand.per_pod and pods.admitted < wanted:
            wanted = pods.admitted
        fate = _admit_one_by_one(charge, wanted, scene)
        yield fate
        if demand.kind == "Pod":
            pods = fate
        elif fate.refused and _is_needed(charge, group[0].owner):
            gate = charge
    if claims and gate is not None:
        yield from (Fate(claim, 0, claim.number, RefusalCause.OWNER, None, gate) for claim in claims)


def create_late(charge: Charge, sibling_fates: Iterable[Fate], scene: Scene) -> Fate:
    """The outcome of a charge that is created last, one object for each of the pods in `sibling_fates`."""
    wanted = charge.number
    pods = next((fate for fate in sibling_fates if fate.charge.kind == "Pod"), None)
    if pods is not None and pods.cause is RefusalCause.OWNER and not pods.admitted:
        return Fate(charge, 0, wanted, RefusalCause.OWNER, None, pods.because)
    return _admit_one_by_one(charge, wanted if pods is None else min(wanted, pods.admitted), scene)


def unscheduled_pods(fates: Iterable[Fate], scene: Scene, nodes: int | None) -> Iterator[Pending]:
    """The admitted pods that find no room for their compute."""
    ledger, namespace = scene.ledger, scene.namespace
    for fate in fates:
        charge = fate.charge
        if not fate.admitted or not is_deferred(charge, "deferred"):
            continue
        bound = ledger.bind(namespace, charge, fate.admitted)
        if bound < fate.admitted:
            shortage = ledger.shortage(namespace, charge)
            for quota in ledger.quotas_of(shortage, namespace)[:1]:
                used = shortage.used.get(quota.pool, {})
                names = refusal_of(quota, charge, 1, used, shortage.asked).names
                asked = {name: shortage.asked[name] for name in names if name in COMPUTE}
                message = unschedulable_message(quota, asked, used, nodes)
                yield Pending(charge, quota, fate.admitted - bound, tuple(sorted(asked)), message)


def _is_needed(charge: Charge, owner: Object | None) -> bool:
    """Whether the owner's other objects need this one: the object itself, its ReplicaSet or ControllerRevision."""
    demand = charge.demand
    if owner is not None and (demand.group, demand.kind) == (owner.group, owner.kind):
        return True
    return demand.group == "apps" and demand.kind in ("ReplicaSet", "ControllerRevision")


def _admit_one_by_one(charge: Charge, wanted: int, scene: Scene) -> Fate:
    """Admits as many objects as fit, one after the other."""
    if charge.identity in scene.changed:
        return _change_fate(charge, scene.changed[charge.identity], scene)
    existing = min(scene.standing.get(charge.identity, 0), wanted)
    cause = scene.refuses_all(charge) if existing < wanted else None
    if cause is not None:
        return Fate(charge, existing, wanted - existing, cause)
    room = scene.room(charge, wanted - existing)
    scene.charge(charge, room)
    if existing + room == wanted:
        return Fate(charge, wanted, 0)
    return scene.exceeded_fate(charge, existing + room, wanted - existing - room)


def _change_fate(charge: Charge, until_now: Charge, scene: Scene) -> Fate:
    """The outcome of a change: the object requests what exceeds its current charge."""
    cause = scene.refuses_all(charge)
    if cause is not None:
        return Fate(charge, 0, 1, cause, is_change=True)
    growth = charge._replace(each=resource_list.subtract(charge.each, until_now.each))
    if not scene.room(growth, 1):
        return scene.exceeded_fate(growth, 0, 1)._replace(charge=charge, is_change=True)
    scene.charge(growth, 1)
    return Fate(charge, 1, 0, is_change=True)


def _admit_pods_with_claims(charge: Charge, claims: Sequence[Charge], scene: Scene) -> Iterator[Fate]:
    """The outcome of a StatefulSet's claims and pods, each pod after its claims. They are created one by one or, with
    `podManagementPolicy: Parallel`, in batches that double in size (slowStartBatch)."""
    demand = charge.demand
    wanted = demand.number
    pod_and_claims = (*claims, charge)
    parallel = demand.owner is not None and demand.owner.spec.get("podManagementPolicy") == "Parallel"
    # Claims that manifests define themselves exist already.
    taken = {claim.identity: max(0, wanted - claim.number) for claim in claims}
    claims_admitted = {
        charge.identity: min(scene.standing.get(charge.identity, 0) + taken.get(charge.identity, 0), wanted)
        for charge in pod_and_claims
    }
    existing = min(claims_admitted.values())
    for claim in claims:  # new pods use the claims that exist already
        scene.charge(claim, existing - claims_admitted[claim.identity])
    cause = scene.refuses_all(charge)
    blocked = {claim.identity: scene.refuses_all(claim) for claim in claims}
    complete_pods = existing
    if not cause and not any(blocked.values()):
        each = [(charge, 1) for charge in pod_and_claims]
        complete_pods += scene.ledger.room_together(
            scene.namespace, each, wanted - existing, later=scene.is_compute_deferred(charge)
        )
    scene.charge(charge, complete_pods - existing)
    for claim in claims:
        claims_admitted[claim.identity] = max(claims_admitted[claim.identity], complete_pods)
        scene.charge(claim, claims_admitted[claim.identity] - existing)
    first_refused: Charge | None = None
    if complete_pods < wanted:
        # The claims of the first pod that is not created, and of the other pods in its batch.
        tried = min(wanted, (1 << (complete_pods + 1).bit_length()) - 1) if parallel else complete_pods + 1
        for claim in claims:
            more = tried - claims_admitted[claim.identity]
            fitting = 0 if blocked[claim.identity] else scene.room(claim, more)
            scene.charge(claim, fitting)
            claims_admitted[claim.identity] += fitting
            if fitting < more and first_refused is None:
                first_refused = claim
    for claim in claims:
        refused = wanted - claims_admitted[claim.identity] if claim is first_refused or blocked[claim.identity] else 0
        cause_of_claim = blocked[claim.identity]
        if refused and cause_of_claim is None:
            yield scene.exceeded_fate(claim, claims_admitted[claim.identity] - taken[claim.identity], refused)
        else:
            yield Fate(claim, claims_admitted[claim.identity] - taken[claim.identity], refused, cause_of_claim)
    if complete_pods == wanted:
        yield Fate(charge, complete_pods, 0)
    elif cause is not None:
        yield Fate(charge, complete_pods, wanted - complete_pods, cause)
    elif first_refused is not None:
        yield Fate(charge, complete_pods, wanted - complete_pods, RefusalCause.OWNER, None, first_refused)
    else:
        yield scene.exceeded_fate(charge, complete_pods, wanted - complete_pods)
