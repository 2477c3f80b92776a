"""An object is created with all that controllers make for it, and the API server has its say on each.

What a controller makes for its owner waits for what has to be there before it: pods for their ReplicaSet, the pods of a
StatefulSet for their claims.

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
    """What refuses an object, in the order in which the API server asks."""

    INVALID = "validation"
    LIMIT_RANGE = "LimitRanger"
    MUST_SPECIFY = "a quota that wants requests stated"
    LIMITED = "what is limited by default"
    QUOTA = "a quota without room"
    OWNER = "something that it needs is refused"


class Fate(NamedTuple):
    """What becomes of the objects of one demand."""

    charge: Charge
    admitted: int
    refused: int
    cause: RefusalCause | None = None
    """Why the first of those is refused; None where none is."""
    shortage: Shortage | None = None
    """Of Cause.QUOTA: what was used when there was no more room."""
    because: Charge | None = None
    """Of Cause.OWNER: what is refused first."""
    is_change: bool = False
    """The object is there already, and stays as it was if it is refused to change."""


class Pending(NamedTuple):
    """Pods of one demand that are created and never scheduled."""

    charge: Charge
    quota: Quota
    """The first one that has no room."""
    number: int
    names: tuple[str, ...]
    """Its entries that the first of the pods exceeds."""
    message: str
    """What the scheduler says of it."""


Limited = Callable[[Charge], bool]
"""Whether an object is refused by what is limited by default."""


class Scene(NamedTuple):
    """Where objects are created, and what decides on them."""

    namespace: str
    ledger: Ledger
    limited: Limited
    deferred: bool
    standing: Mapping[ChargeId, int]
    """How many of a charge's objects are there already and charged, by the identity of the charge."""
    changed: Mapping[ChargeId, Charge] = MappingProxyType({})
    """What is charged until now for an object that is there already and is to change, by the identity of its charge."""

    def is_later(self, charge: Charge) -> bool:
        """Whether compute is looked at only when the object is scheduled."""
        return self.deferred and is_deferred(charge, "deferred")

    def refuses_all(self, charge: Charge, names: frozenset[str] | None = None) -> RefusalCause | None:
        """Why each object of a charge is refused before any quota is asked for room. `names`: the entries that may
        demand that requests be stated; if None, those of the quotas that count the object."""
        admitted = charge.admitted
        if admitted.invalid:
            return RefusalCause.INVALID
        if admitted.violations:
            return RefusalCause.LIMIT_RANGE
        pod = admitted.item
        if isinstance(pod, Pod) and not self.is_later(charge):
            if names is None:
                names = self.ledger.names_for(self.namespace, charge)
            if names and charge.evaluator.missing(pod, names):
                return RefusalCause.MUST_SPECIFY
        return RefusalCause.LIMITED if self.limited(charge) else None

    def room(self, charge: Charge, most: int) -> int:
        """How many of so many more objects fit."""
        return self.ledger.room(self.namespace, charge, most, later=self.is_later(charge))

    def charge(self, charge: Charge, number: int) -> None:
        """Put so many objects into the books."""
        self.ledger.charge(self.namespace, charge, number, later=self.is_later(charge))

    def no_room(self, charge: Charge, admitted: int, refused: int) -> Fate:
        """That no more than so many objects find room."""
        shortage = self.ledger.shortage(self.namespace, charge, later=self.is_later(charge))
        return Fate(charge, admitted, refused, RefusalCause.QUOTA, shortage)


def by_owner(charges: Iterable[Charge]) -> Iterator[list[Charge]]:
    """The charges of one owner stand together; those without one are each for themselves."""
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
    """What becomes of an object and all that is made for it."""
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
            fates = list(_with_claims(charge, claims, scene))
            yield from fates
            pods = fates[-1]
            continue
        wanted = demand.number
        if pods is not None and demand.per_pod and pods.admitted < wanted:
            wanted = pods.admitted
        fate = _one_by_one(charge, wanted, scene)
        yield fate
        if demand.kind == "Pod":
            pods = fate
        elif fate.refused and _is_needed(charge, group[0].owner):
            gate = charge
    if claims and gate is not None:
        yield from (Fate(claim, 0, claim.number, RefusalCause.OWNER, None, gate) for claim in claims)


def create_late(charge: Charge, sibling_fates: Iterable[Fate], scene: Scene) -> Fate:
    """What becomes of what is made for each of the pods `beside` it, but comes after all else."""
    wanted = charge.number
    pods = next((fate for fate in sibling_fates if fate.charge.kind == "Pod"), None)
    if pods is not None and pods.cause is RefusalCause.OWNER and not pods.admitted:
        return Fate(charge, 0, wanted, RefusalCause.OWNER, None, pods.because)
    return _one_by_one(charge, wanted if pods is None else min(wanted, pods.admitted), scene)


def unscheduled_pods(fates: Iterable[Fate], scene: Scene, nodes: int | None) -> Iterator[Pending]:
    """The pods that are admitted and find no room for their compute."""
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
    """Whether nothing else of the owner is made without it: the object itself, its ReplicaSet or revision."""
    demand = charge.demand
    if owner is not None and (demand.group, demand.kind) == (owner.group, owner.kind):
        return True
    return demand.group == "apps" and demand.kind in ("ReplicaSet", "ControllerRevision")


def _one_by_one(charge: Charge, wanted: int, scene: Scene) -> Fate:
    """As many as there is room for, one after the other."""
    if charge.identity in scene.changed:
        return _change(charge, scene.changed[charge.identity], scene)
    there = min(scene.standing.get(charge.identity, 0), wanted)
    cause = scene.refuses_all(charge) if there < wanted else None
    if cause is not None:
        return Fate(charge, there, wanted - there, cause)
    room = scene.room(charge, wanted - there)
    scene.charge(charge, room)
    if there + room == wanted:
        return Fate(charge, wanted, 0)
    return scene.no_room(charge, there + room, wanted - there - room)


def _change(charge: Charge, until_now: Charge, scene: Scene) -> Fate:
    """What becomes of an object that is there already: it asks for what it is charged more than until now."""
    cause = scene.refuses_all(charge)
    if cause is not None:
        return Fate(charge, 0, 1, cause, is_change=True)
    growth = charge._replace(each=resource_list.subtract(charge.each, until_now.each))
    if not scene.room(growth, 1):
        return scene.no_room(growth, 0, 1)._replace(charge=charge, is_change=True)
    scene.charge(growth, 1)
    return Fate(charge, 1, 0, is_change=True)


def _with_claims(charge: Charge, claims: Sequence[Charge], scene: Scene) -> Iterator[Fate]:
    """The pods of a StatefulSet, each after its claims: one by one, or, where `podManagementPolicy` is Parallel, in
    batches of which each is twice as large as the one before (slowStartBatch)."""
    demand = charge.demand
    wanted = demand.number
    together = (*claims, charge)
    parallel = demand.owner is not None and demand.owner.spec.get("podManagementPolicy") == "Parallel"
    # Claims that are in view by themselves are taken as they are.
    taken = {claim.identity: max(0, wanted - claim.number) for claim in claims}
    reached = {
        charge.identity: min(scene.standing.get(charge.identity, 0) + taken.get(charge.identity, 0), wanted)
        for charge in together
    }
    there = min(reached.values())
    for claim in claims:  # claims that are there already are taken by the pods that come now
        scene.charge(claim, there - reached[claim.identity])
    cause = scene.refuses_all(charge)
    blocked = {claim.identity: scene.refuses_all(claim) for claim in claims}
    sets = there
    if not cause and not any(blocked.values()):
        each = [(charge, 1) for charge in together]
        sets += scene.ledger.room_together(scene.namespace, each, wanted - there, later=scene.is_later(charge))
    scene.charge(charge, sets - there)
    for claim in claims:
        reached[claim.identity] = max(reached[claim.identity], sets)
        scene.charge(claim, reached[claim.identity] - there)
    first: Charge | None = None
    if sets < wanted:
        # The claims of the first pod that is not made, and of those in its batch.
        tried = min(wanted, (1 << (sets + 1).bit_length()) - 1) if parallel else sets + 1
        for claim in claims:
            more = tried - reached[claim.identity]
            fits = 0 if blocked[claim.identity] else scene.room(claim, more)
            scene.charge(claim, fits)
            reached[claim.identity] += fits
            if fits < more and first is None:
                first = claim
    for claim in claims:
        refused = wanted - reached[claim.identity] if claim is first or blocked[claim.identity] else 0
        why = blocked[claim.identity]
        if refused and why is None:
            yield scene.no_room(claim, reached[claim.identity] - taken[claim.identity], refused)
        else:
            yield Fate(claim, reached[claim.identity] - taken[claim.identity], refused, why)
    if sets == wanted:
        yield Fate(charge, sets, 0)
    elif cause is not None:
        yield Fate(charge, sets, wanted - sets, cause)
    elif first is not None:
        yield Fate(charge, sets, wanted - sets, RefusalCause.OWNER, None, first)
    else:
        yield scene.no_room(charge, sets, wanted - sets)
