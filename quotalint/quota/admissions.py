"""Which objects are admitted when all of them are created in order and the API server decides on each.

A pod is refused for the first of these reasons that applies: validation after defaulting, LimitRanger, a quota that
requires requests or limits to be stated, limits by default (`limitedResources`), and then each quota without enough
room. Refused objects are charged nothing.

Source: Kubernetes 1.36, apiserver/pkg/registry/generic/registry/store.go (Create: mutation, validation, then validating
admission), pkg/admission/plugin/resourcequota/controller.go (CheckRequest), pkg/controller/replicaset, and
pkg/controller/statefulset/stateful_pod_control.go (CreateStatefulPod).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge, ChargeId
from quotalint.quota.creation import (
    Fate,
    Limited,
    Pending,
    Scene,
    by_owner,
    create_group,
    create_late,
    unscheduled_pods,
)
from quotalint.quota.pools import Ledger
from quotalint.quota.projection import Projection
from quotalint.quota.quotas import Identity, PoolKey, Quota
from quotalint.quota.refusals import Refusal, refusal_of
from quotalint.runtime.recall import recalled
from quotalint.settings import Scenario


class Admissions(NamedTuple):
    """The outcome in all namespaces of a cluster."""

    fates: Mapping[ChargeId, Fate]
    """What happens to the objects of each charge, by the charge's identity."""
    ledger: Ledger
    """Usage after everything was created."""
    short: Mapping[tuple[PoolKey, str], tuple[Fate, ...]]
    """The objects refused because an entry is exceeded, by the key of the quotas' pool and the entry."""
    waiting: Mapping[ChargeId, tuple[Fate, ...]]
    """The objects not created because another is refused, by the identity of that refused charge."""
    pending: tuple[Pending, ...] = ()
    """With deferred enforcement: the pods that are created and stay Pending."""
    limited: Limited = lambda _: False
    """Whether an object is refused because the API server limits it by default."""
    asked_before: Mapping[ChargeId, int] | None = None
    """For a state that follows an earlier one: how many objects of each charge the earlier state requested, admitted or
    not, by the charge's identity. None if no earlier state is known."""
    missing_before: frozenset[ChargeId] = frozenset()
    """The charges with objects that were refused in the earlier state."""

    def fate_of(self, charge: Charge) -> Fate:
        """How many objects of a charge are admitted and refused."""
        fate = self.fates.get(charge.identity)
        return fate or Fate(charge, charge.number, 0)

    def refusals_of(self, quota: Quota, name: str) -> tuple[Refusal, ...]:
        """The refusals caused by one entry of a quota, in the order of creation."""
        pool = quota.pool
        refusals = []
        for fate in self.short.get((pool, name), ()):
            shortage = fate.shortage
            assert shortage is not None
            refusal = refusal_of(quota, fate.charge, fate.refused, shortage.used.get(pool, {}), shortage.asked)
            if name in refusal.names:
                refusals.append(refusal._replace(is_change=fate.is_change))
        return tuple(refusals)


NOTHING = Admissions({}, Ledger({}, {}), {}, {})
"""The admissions of a cluster without objects."""


class Earlier(NamedTuple):
    """The charges of the state before a change, and what was admitted then."""

    charges: Mapping[str, Sequence[Charge]]
    admissions: Admissions


def admissions(
    charges: Mapping[str, Sequence[Charge]],
    enforced: Mapping[str, Sequence[Quota]],
    limited: Limited | None = None,
    nodes: int | None = None,
    may_be_full: Collection[str] | None = None,
    projections: Mapping[Identity, Mapping[str, Projection]] = MappingProxyType({}),
    earlier: Earlier | None = None,
    stored: Mapping[str, Sequence[Charge]] = MappingProxyType({}),
    *,
    deferred: bool = False,
) -> Admissions:
    """What is admitted, from charges and quotas by namespace.

    `deferred`: compute quotas refuse no pods but leave them to the scheduler; `nodes`: the number of nodes, if known;
    `may_be_full`: the namespaces where objects may be refused (None: all); in all others the sums of `projections` are
    the usage; `earlier`: the state before the change, whose objects stay admitted; `stored`: what a cluster already
    charges for objects that are applied again.
    """
    ledger = Ledger.of(enforced)
    fates: list[Fate] = []
    pending: list[Pending] = []
    roomy = [namespace for namespace in enforced if may_be_full is not None and namespace not in may_be_full]
    for quota in (quota for namespace in roomy for quota in enforced[namespace]):
        ledger.settle(quota, {name: projection.steady for name, projection in projections.get(quota.id, {}).items()})
    unchanged = _unchanged_fates(charges, earlier, ledger) if earlier is not None else {}
    changed = _charges_before_change(charges, _earlier_charges(earlier, stored), ledger, unchanged)
    already_admitted = {namespace_fates: fate.admitted for namespace_fates, fate in unchanged.items() if fate.admitted}
    ordered = [
        namespace for namespace in _in_order(charges, enforced) if may_be_full is None or namespace in may_be_full
    ]
    scenes = [
        Scene(namespace, ledger, limited or _never_limited, deferred, already_admitted, changed)
        for namespace in ordered
    ]
    for scene in scenes if already_admitted or changed else ():
        for charge in charges[scene.namespace]:
            scene.charge(charge, already_admitted.get(charge.identity, 0))
            if charge.identity in changed:
                scene.charge(changed[charge.identity], 1)
    for scene in scenes:
        for namespace_fates in _play_scene(charges[scene.namespace], scene):
            fates += namespace_fates
            if deferred:
                pending += unscheduled_pods(namespace_fates, scene, nodes)
    short: dict[tuple[PoolKey, str], list[Fate]] = {}
    waiting: dict[ChargeId, list[Fate]] = {}
    for fate in fates:
        if fate.shortage is not None:
            for pool, names in fate.shortage.exceeded:
                for name in names:
                    short.setdefault((pool, name), []).append(fate)
        if fate.because is not None:
            waiting.setdefault(fate.because.identity, []).append(fate)
    return Admissions(
        {fate.charge.identity: fate for fate in fates},
        ledger,
        {key: tuple(entry_fates) for key, entry_fates in short.items()},
        {key: tuple(waiting_fates) for key, waiting_fates in waiting.items()},
        tuple(pending),
        limited or _never_limited,
        {namespace_fates: fate.admitted + fate.refused for namespace_fates, fate in unchanged.items()}
        if earlier is not None
        else None,
        frozenset(namespace_fates for namespace_fates, fate in unchanged.items() if fate.refused),
    )


def full_namespaces(
    charges: Mapping[str, Sequence[Charge]],
    enforced: Mapping[str, Sequence[Quota]],
    projections: Mapping[Identity, Mapping[str, Projection]],
    limited: Limited | None = None,
    *,
    deferred: bool = False,
) -> frozenset[str]:
    """The namespaces where an object may be refused, now or during a rollout. In all others the peak sums fit every
    quota, and nothing is refused for another reason."""
    may_be_full = set()
    for namespace, own_charges in charges.items():
        quotas = enforced.get(namespace, ())
        sums = tuple(projection for quota in quotas for projection in projections.get(quota.id, {}).values())
        make = partial(_may_be_full, namespace, own_charges, quotas, sums, limited, deferred=deferred)
        # Limits by default also depend on quotas of other namespaces.
        parts = (own_charges, None, *quotas, None, *sums)
        if make() if limited is not None else recalled("full_namespaces", parts, deferred, make):
            may_be_full.add(namespace)
    # Namespaces that share a quota with a full one have to be computed as well.
    shared = {quota.id: quota for quotas in enforced.values() for quota in quotas if len(quota.namespaces) > 1}
    growing = True
    while growing:
        growing = False
        for quota in shared.values():
            if not may_be_full.isdisjoint(quota.namespaces) and not may_be_full.issuperset(quota.namespaces):
                may_be_full.update(quota.namespaces)
                growing = True
    return frozenset(may_be_full)


def _may_be_full(
    namespace: str,
    charges: Sequence[Charge],
    quotas: Sequence[Quota],
    sums: Sequence[Projection],
    limited: Limited | None,
    *,
    deferred: bool,
) -> bool:
    if any(projection.exceeds(Scenario.PEAK) for projection in sums):
        return True
    # All entries together refuse at least the pods that each quota refuses for missing requests.
    scene = Scene(namespace, Ledger.of({namespace: quotas}), limited or _never_limited, deferred, {})
    names = frozenset(name for quota in quotas for name in quota.hard)
    return any(scene.refuses_all(charge, names) for charge in charges)


def _never_limited(_: Charge) -> bool:
    return False


def _in_order(charges: Mapping[str, Sequence[Charge]], enforced: Mapping[str, Sequence[Quota]]) -> list[str]:
    """The namespaces in the order of creation: those of a shared quota first, in the quota's order."""
    shared = (quota.namespaces for quotas in enforced.values() for quota in quotas if len(quota.namespaces) > 1)
    return list(dict.fromkeys((*(name for names in shared for name in names if name in charges), *sorted(charges))))


def _unchanged_fates(charges: Mapping[str, Sequence[Charge]], earlier: Earlier, ledger: Ledger) -> dict[ChargeId, Fate]:
    """The outcome of each charge that the earlier state requested too and that is unchanged, by its identity. It counts
    at most as many objects as there are now; changed objects are created anew."""
    fates: dict[ChargeId, Fate] = {}
    for namespace, own_charges in charges.items():
        for charge, old in _unchanged_pairs(own_charges, earlier.charges.get(namespace, ()), namespace, ledger):
            fate, wanted = earlier.admissions.fate_of(old), charge.number
            admitted = min(fate.admitted, wanted)
            fates[charge.identity] = Fate(charge, admitted, min(fate.refused, wanted - admitted))
    return fates


CHANGING = frozenset({("", "PersistentVolumeClaim"), ("", "Service")})
"""Kinds whose charge may change while the object stays."""


def _earlier_charges(earlier: Earlier | None, stored: Mapping[str, Sequence[Charge]]) -> Mapping[str, Sequence[Charge]]:
    """The charges of objects that may change in place, as the earlier state or the cluster has them."""
    if earlier is None:
        return stored
    fate_of = earlier.admissions.fate_of
    return {
        namespace: [charge for charge in charges if _may_change(charge) and fate_of(charge).admitted]
        for namespace, charges in earlier.charges.items()
    }


def _charges_before_change(
    charges: Mapping[str, Sequence[Charge]],
    last_charged: Mapping[str, Sequence[Charge]],
    ledger: Ledger,
    there: Mapping[ChargeId, Fate],
) -> dict[ChargeId, Charge]:
    """The earlier charges of objects that stay and change, by the identity of their new charge. Such objects request
    only the difference (CheckRequest)."""
    old_charges: dict[ChargeId, Charge] = {}
    for namespace, own_charges in charges.items():
        old_by_owner = {_owner_ref(old): old for old in last_charged.get(namespace, ())}
        for charge in own_charges if old_by_owner else ():
            old = old_by_owner.get(_owner_ref(charge)) if _may_change(charge) and charge.identity not in there else None
            if old is not None and ledger.counted_in(namespace, charge) == ledger.counted_in(namespace, old):
                old_charges[charge.identity] = old
    return old_charges


def _may_change(charge: Charge) -> bool:
    demand = charge.demand
    written = demand.owner is not None and (demand.owner.group, demand.owner.kind) == (demand.group, demand.kind)
    return written and (demand.group, demand.kind) in CHANGING


def _owner_ref(charge: Charge) -> Hashable:
    return charge.owner.ref if charge.owner is not None else None


def _unchanged_pairs(
    charges: Sequence[Charge], earlier: Sequence[Charge], namespace: str, ledger: Ledger
) -> Iterator[tuple[Charge, Charge]]:
    """Each unchanged charge of a namespace with its earlier charge."""
    if charges is earlier:  # the same list: nothing of the namespace changed
        yield from zip(charges, charges, strict=True)
        return
    old_by_key: dict[Hashable, list[Charge]] = {}
    for old in earlier:
        old_by_key.setdefault(_unchanged_key(old, namespace, ledger), []).append(old)
    for charge in charges:
        unchanged = old_by_key.get(_unchanged_key(charge, namespace, ledger))
        if unchanged:
            yield charge, unchanged.pop(0)


def _unchanged_key(charge: Charge, namespace: str, ledger: Ledger) -> Hashable:
    demand = charge.demand
    owner = demand.owner.ref if demand.owner is not None else None
    asked = frozenset((name, amount.nano) for name, amount in charge.each.items())
    which = demand.group, demand.kind, demand.name, demand.grown, demand.per_pod, demand.before_pods
    return owner, which, asked, ledger.counted_in(namespace, charge)


def _play_scene(charges: Sequence[Charge], scene: Scene) -> Iterator[tuple[Fate, ...]]:
    # Objects that a snapshot shows exist already.
    groups = sorted(by_owner(charges), key=lambda group: group[0].owner is not None and not group[0].owner.foreign)
    owners = enumerate(group[0].owner for group in groups)
    positions = {owner.identity: at for at, owner in owners if owner is not None}
    later: list[tuple[Charge, tuple[Fate, ...]]] = []
    for at, group in enumerate(groups):
        # A controller that does not find a template retries, after everything else is created.
        waiting: list[Charge] = []
        now: list[Charge] = []
        for charge in group:
            template = charge.demand.template
            comes_later = template is not None and positions.get(template.identity, 0) > at
            (waiting if comes_later else now).append(charge)
        fates = tuple(create_group(now, scene))
        later += ((charge, fates) for charge in waiting)
        yield fates
    for charge, fates in later:
        yield (create_late(charge, fates, scene),)
