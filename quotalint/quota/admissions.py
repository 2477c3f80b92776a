"""What comes to be when everything is created in order and the API server has its say on each object.

A pod is refused by the first of these that has a reason: validation after defaulting, LimitRanger, the demand of a
quota that it state its requests, what is limited by default, and then each quota that has no room. What is refused is
charged nothing. What a controller makes for its owner waits for what has to be there before it: pods for their
ReplicaSet, the pods of a StatefulSet for their claims.

Source: Kubernetes 1.36, apiserver/pkg/registry/generic/registry/store.go (Create: mutation, validation, then validating
admission), pkg/admission/plugin/resourcequota/controller.go (CheckRequest), pkg/controller/replicaset, and
pkg/controller/statefulset/stateful_pod_control.go (CreateStatefulPod).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.resources import COMPUTE
from quotalint.quota.charges import Charge
from quotalint.quota.pools import Ledger, PoolKey, Shortage
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import Refusal, refusal
from quotalint.quota.settling import is_deferred, unschedulable


class Cause(Enum):
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
    cause: Cause | None = None
    """Why the first of those is refused; None where none is."""
    shortage: Shortage | None = None
    """Of Cause.QUOTA: what was used when there was no more room."""
    because: Charge | None = None
    """Of Cause.OWNER: what is refused first."""


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


class Admissions(NamedTuple):
    """The outcome in all namespaces of a cluster."""

    fates: Mapping[int, Fate]
    """By the identity of the charge."""
    ledger: Ledger
    """What is charged in the end."""
    short: Mapping[tuple[PoolKey, str], tuple[Fate, ...]]
    """What finds no room, by the key of the pool of quotas and the entry."""
    waiting: Mapping[int, tuple[Fate, ...]]
    """What is not made since something else is refused, by the identity of the charge of that."""
    pending: tuple[Pending, ...] = ()
    """Where enforcement is deferred: what is created and stays Pending."""

    def fate_of(self, charge: Charge) -> Fate:
        """What becomes of the objects of a charge."""
        found = self.fates.get(id(charge))
        return found or Fate(charge, charge.admitted.demand.number, 0)

    def refusals_of(self, quota: Quota, name: str) -> tuple[Refusal, ...]:
        """What a quota does not admit for want of an entry, in its order."""
        pool = self.ledger.pool_of(quota)
        found = []
        for fate in self.short.get((pool, name), ()):
            shortage = fate.shortage
            assert shortage is not None
            one = refusal(quota, fate.charge, fate.refused, shortage.used_of(pool), shortage.asked)
            if name in one.names:
                found.append(one)
        return tuple(found)


Limited = Callable[[Charge], bool]
"""Whether an object is refused by what is limited by default."""


def admissions(
    charges: Mapping[str, Sequence[Charge]],
    enforced: Mapping[str, Sequence[Quota]],
    limited: Limited = lambda _: False,
    deferred: bool = False,
    nodes: int | None = None,
) -> Admissions:
    """Charges and quotas by namespace → what is admitted.

    `deferred`: compute quotas do not refuse pods, but leave them to the scheduler; `nodes`: how many there are, where
    that is known.
    """
    ledger = Ledger.of(enforced)
    fates: list[Fate] = []
    pending: list[Pending] = []
    shared = (one.namespaces for quotas in enforced.values() for one in quotas if len(one.namespaces) > 1)
    # Where several namespaces share a quota, in its order.
    ordered = dict.fromkeys((*(name for names in shared for name in names if name in charges), *sorted(charges)))
    for namespace in ordered:
        # What a snapshot shows is there already.
        for group in sorted(_by_owner(charges[namespace]), key=_is_new):
            found = tuple(_owned(group, namespace, ledger, limited, deferred))
            fates += found
            if deferred:
                pending += _unbound(found, namespace, ledger, nodes)
    short: dict[tuple[PoolKey, str], list[Fate]] = {}
    waiting: dict[int, list[Fate]] = {}
    for fate in fates:
        if fate.shortage is not None:
            for pool, names in fate.shortage.exceeded:
                for name in names:
                    short.setdefault((pool, name), []).append(fate)
        if fate.because is not None:
            waiting.setdefault(id(fate.because), []).append(fate)
    return Admissions(
        {id(fate.charge): fate for fate in fates},
        ledger,
        {key: tuple(found) for key, found in short.items()},
        {key: tuple(found) for key, found in waiting.items()},
        tuple(pending),
    )


def refuses_all(charge: Charge, namespace: str, ledger: Ledger, limited: Limited, deferred: bool) -> Cause | None:
    """Why each object of a charge is refused before any quota is asked for room."""
    admitted = charge.admitted
    if admitted.invalid:
        return Cause.INVALID
    if admitted.violations:
        return Cause.LIMIT_RANGE
    pod = admitted.item
    if isinstance(pod, Pod) and not (deferred and is_deferred(charge, "deferred")):
        names = ledger.names_for(namespace, charge)
        if names and charge.evaluator.missing(pod, names):
            return Cause.MUST_SPECIFY
    return Cause.LIMITED if limited(charge) else None


def _is_new(group: Sequence[Charge]) -> bool:
    owner = group[0].admitted.demand.owner
    return owner is not None and not owner.foreign


def _by_owner(charges: Iterable[Charge]) -> Iterator[list[Charge]]:
    """The charges of one owner stand together; those without one are each for themselves."""
    group: list[Charge] = []
    for charge in charges:
        owner = charge.admitted.demand.owner
        if group and (owner is None or owner is not group[0].admitted.demand.owner):
            yield group
            group = []
        group.append(charge)
    if group:
        yield group


def _owned(group: Sequence[Charge], namespace: str, ledger: Ledger, limited: Limited, deferred: bool) -> Iterator[Fate]:
    """What becomes of an object and all that is made for it."""
    gate: Charge | None = None
    claims = [one for one in group if one.admitted.demand.before_pods]
    pods: Fate | None = None
    if any(one.admitted.as_written for one in group):
        yield from (Fate(one, 0, one.admitted.demand.number, Cause.INVALID) for one in group)
        return
    for charge in group:
        demand = charge.admitted.demand
        if not demand.number or demand.before_pods:
            continue
        if gate is not None:
            yield Fate(charge, 0, demand.number, Cause.OWNER, None, gate)
            continue
        if demand.kind == "Pod" and claims:
            made = list(_with_claims(charge, claims, namespace, ledger, limited, deferred))
            yield from made
            pods = made[-1]
            continue
        wanted = demand.number
        if pods is not None and demand.per_pod and pods.admitted < wanted:
            wanted = pods.admitted
        cause = refuses_all(charge, namespace, ledger, limited, deferred)
        if cause is not None:
            fate = Fate(charge, 0, wanted, cause)
        else:
            fate = _created(charge, wanted, namespace, ledger, deferred)
        yield fate
        if demand.kind == "Pod":
            pods = fate
        elif fate.refused and _is_needed(charge, group[0].admitted.demand.owner):
            gate = charge
    if claims and gate is not None:
        yield from (Fate(one, 0, one.admitted.demand.number, Cause.OWNER, None, gate) for one in claims)


def _unbound(fates: Iterable[Fate], namespace: str, ledger: Ledger, nodes: int | None) -> Iterator[Pending]:
    """The pods that are admitted and find no room for their compute."""
    for fate in fates:
        charge = fate.charge
        if not fate.admitted or not is_deferred(charge, "deferred"):
            continue
        bound = ledger.bind(namespace, charge, fate.admitted)
        if bound < fate.admitted:
            shortage = ledger.shortage(namespace, charge)
            for quota in ledger.quotas_of(shortage, namespace)[:1]:
                used = shortage.used_of(ledger.pool_of(quota))
                names = refusal(quota, charge, 1, used, shortage.asked).names
                asked = {name: shortage.asked[name] for name in names if name in COMPUTE}
                message = unschedulable(quota, asked, used, nodes)
                yield Pending(charge, quota, fate.admitted - bound, tuple(sorted(asked)), message)


def _is_needed(charge: Charge, owner: Object | None) -> bool:
    """Whether nothing else of the owner is made without it: the object itself, its ReplicaSet or revision."""
    demand = charge.admitted.demand
    if owner is not None and (demand.group, demand.kind) == (owner.group, owner.kind):
        return True
    return demand.group == "apps" and demand.kind in ("ReplicaSet", "ControllerRevision")


def _created(charge: Charge, wanted: int, namespace: str, ledger: Ledger, deferred: bool) -> Fate:
    """As many as there is room for, one after the other."""
    later = deferred and is_deferred(charge, "deferred")
    room = ledger.room(namespace, charge, wanted, later)
    ledger.charge(namespace, charge, room, later)
    if room == wanted:
        return Fate(charge, room, 0)
    return Fate(charge, room, wanted - room, Cause.QUOTA, ledger.shortage(namespace, charge, later))


def _with_claims(
    charge: Charge, claims: Sequence[Charge], namespace: str, ledger: Ledger, limited: Limited, deferred: bool
) -> Iterator[Fate]:
    """The pods of a StatefulSet, each after its claims; in order, unless `podManagementPolicy: Parallel`."""
    demand = charge.admitted.demand
    wanted = demand.number
    parallel = demand.owner is not None and demand.owner.spec.get("podManagementPolicy") == "Parallel"
    cause = refuses_all(charge, namespace, ledger, limited, deferred)
    blocked = {id(one): refuses_all(one, namespace, ledger, limited, deferred) for one in claims}
    later = deferred and is_deferred(charge, "deferred")
    sets = 0 if cause or any(blocked.values()) else ledger.room_together(namespace, (*claims, charge), wanted, later)
    for one in (*claims, charge):
        ledger.charge(namespace, one, sets, later)
    made = {id(one): sets for one in claims}
    first: Charge | None = None
    if sets < wanted:
        # The claims of the first pod that is not made; all others' where nobody waits for it.
        more = wanted - sets if parallel else 1
        for one in claims:
            fits = 0 if blocked[id(one)] else ledger.room(namespace, one, more, False)
            ledger.charge(namespace, one, fits, False)
            made[id(one)] += fits
            if fits < more and first is None:
                first = one
    for one in claims:
        refused = wanted - made[id(one)] if one is first or blocked[id(one)] else 0
        why = blocked[id(one)] or (Cause.QUOTA if refused else None)
        shortage = ledger.shortage(namespace, one, False) if refused and not blocked[id(one)] else None
        yield Fate(one, made[id(one)], refused, why, shortage)
    if sets == wanted:
        yield Fate(charge, sets, 0)
    elif cause is not None:
        yield Fate(charge, sets, wanted - sets, cause)
    elif first is not None:
        yield Fate(charge, sets, wanted - sets, Cause.OWNER, None, first)
    else:
        yield Fate(charge, sets, wanted - sets, Cause.QUOTA, ledger.shortage(namespace, charge, later))
