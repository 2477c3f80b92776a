"""What comes to be when everything is created in order and the API server has its say on each object.

A pod is refused by the first of these that has a reason: validation after defaulting, LimitRanger, the demand of a
quota that it state its requests, what is limited by default, and then each quota that has no room. What is refused is
charged nothing.

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
    """By the identity of the charge."""
    ledger: Ledger
    """What is charged in the end."""
    short: Mapping[tuple[PoolKey, str], tuple[Fate, ...]]
    """What finds no room, by the key of the pool of quotas and the entry."""
    waiting: Mapping[ChargeId, tuple[Fate, ...]]
    """What is not made since something else is refused, by the identity of the charge of that."""
    pending: tuple[Pending, ...] = ()
    """Where enforcement is deferred: what is created and stays Pending."""
    limited: Limited = lambda _: False
    """Whether an object is refused by what is limited by default."""
    asked_before: Mapping[ChargeId, int] | None = None
    """Of a state that follows on another: how many objects of each charge were asked for then, by its identity, whether
    or not they were admitted. None where nothing is known of what was before."""
    missing_before: frozenset[ChargeId] = frozenset()
    """The charges of which some objects found no room then, if all were created in order: it may have been others."""

    def fate_of(self, charge: Charge) -> Fate:
        """What becomes of the objects of a charge."""
        fate = self.fates.get(charge.identity)
        return fate or Fate(charge, charge.number, 0)

    def refusals_of(self, quota: Quota, name: str) -> tuple[Refusal, ...]:
        """What a quota does not admit for want of an entry, in its order."""
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
"""Where nothing was created."""


class Earlier(NamedTuple):
    """What was asked for and came to be before a change."""

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
    """Charges and quotas by namespace → what is admitted.

    `deferred`: compute quotas do not refuse pods, but leave them to the scheduler; `nodes`: how many there are, where
    that is known; `may_be_full`: the namespaces in which anything may be refused (all, if that is None), for all others
    the sums of `projections` are what is in use; `earlier`: what was there before, and keeps its place; `stored`: what
    a cluster charges for objects that are applied again, which keep theirs as well.
    """
    ledger = Ledger.of(enforced)
    fates: list[Fate] = []
    pending: list[Pending] = []
    roomy = [namespace for namespace in enforced if may_be_full is not None and namespace not in may_be_full]
    for quota in (quota for namespace in roomy for quota in enforced[namespace]):
        ledger.settle(quota, {name: projection.steady for name, projection in projections.get(quota.id, {}).items()})
    there = _there_before(charges, earlier, ledger) if earlier is not None else {}
    changed = _there_otherwise(charges, _last_charged(earlier, stored), ledger, there)
    standing = {mine: fate.admitted for mine, fate in there.items() if fate.admitted}
    ordered = [
        namespace for namespace in _in_order(charges, enforced) if may_be_full is None or namespace in may_be_full
    ]
    scenes = [Scene(namespace, ledger, limited or _nothing, deferred, standing, changed) for namespace in ordered]
    for scene in scenes if standing or changed else ():
        for charge in charges[scene.namespace]:
            scene.charge(charge, standing.get(charge.identity, 0))
            if charge.identity in changed:
                scene.charge(changed[charge.identity], 1)
    for scene in scenes:
        for mine in _play_scene(charges[scene.namespace], scene):
            fates += mine
            if deferred:
                pending += unscheduled_pods(mine, scene, nodes)
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
        limited or _nothing,
        {mine: fate.admitted + fate.refused for mine, fate in there.items()} if earlier is not None else None,
        frozenset(mine for mine, fate in there.items() if fate.refused),
    )


def full_namespaces(
    charges: Mapping[str, Sequence[Charge]],
    enforced: Mapping[str, Sequence[Quota]],
    projections: Mapping[Identity, Mapping[str, Projection]],
    limited: Limited | None = None,
    *,
    deferred: bool = False,
) -> frozenset[str]:
    """Where anything may be refused, now or during a rollout. Elsewhere the largest sums fit every quota, and nothing
    is refused for another reason."""
    may_be_full = set()
    for namespace, mine in charges.items():
        quotas = enforced.get(namespace, ())
        sums = tuple(projection for quota in quotas for projection in projections.get(quota.id, {}).values())
        make = partial(_is_crowded, namespace, mine, quotas, sums, limited, deferred=deferred)
        # What is limited by default depends on quotas elsewhere.
        parts = (mine, None, *quotas, None, *sums)
        if make() if limited is not None else recalled("full_namespaces", parts, deferred, make):
            may_be_full.add(namespace)
    # Those that share a quota with one of them have to be played as well.
    shared = {quota.id: quota for quotas in enforced.values() for quota in quotas if len(quota.namespaces) > 1}
    growing = True
    while growing:
        growing = False
        for quota in shared.values():
            if not may_be_full.isdisjoint(quota.namespaces) and not may_be_full.issuperset(quota.namespaces):
                may_be_full.update(quota.namespaces)
                growing = True
    return frozenset(may_be_full)


def _is_crowded(
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
    # An entry more never makes a pod state less: no quota of several demands what all of them together do not.
    scene = Scene(namespace, Ledger.of({namespace: quotas}), limited or _nothing, deferred, {})
    names = frozenset(name for quota in quotas for name in quota.hard)
    return any(scene.refuses_all(charge, names) for charge in charges)


def _nothing(_: Charge) -> bool:
    return False


def _in_order(charges: Mapping[str, Sequence[Charge]], enforced: Mapping[str, Sequence[Quota]]) -> list[str]:
    """Where several namespaces share a quota, in its order."""
    shared = (quota.namespaces for quotas in enforced.values() for quota in quotas if len(quota.namespaces) > 1)
    return list(dict.fromkeys((*(name for names in shared for name in names if name in charges), *sorted(charges))))


def _there_before(charges: Mapping[str, Sequence[Charge]], earlier: Earlier, ledger: Ledger) -> dict[ChargeId, Fate]:
    """What became of the objects of each charge that were asked for before and are as they were, by its identity: no
    more of them than there are now. What asks for something else now is made anew."""
    fates: dict[ChargeId, Fate] = {}
    for namespace, mine in charges.items():
        for charge, old in _with_their_like(mine, earlier.charges.get(namespace, ()), namespace, ledger):
            fate, wanted = earlier.admissions.fate_of(old), charge.number
            admitted = min(fate.admitted, wanted)
            fates[charge.identity] = Fate(charge, admitted, min(fate.refused, wanted - admitted))
    return fates


CHANGING = frozenset({("", "PersistentVolumeClaim"), ("", "Service")})
"""The kinds of which an object may come to be charged otherwise while it stays."""


def _last_charged(earlier: Earlier | None, stored: Mapping[str, Sequence[Charge]]) -> Mapping[str, Sequence[Charge]]:
    """What is charged until now."""
    if earlier is None:
        return stored
    fate_of = earlier.admissions.fate_of
    return {
        namespace: [charge for charge in charges if _may_change(charge) and fate_of(charge).admitted]
        for namespace, charges in earlier.charges.items()
    }


def _there_otherwise(
    charges: Mapping[str, Sequence[Charge]],
    last_charged: Mapping[str, Sequence[Charge]],
    ledger: Ledger,
    there: Mapping[ChargeId, Fate],
) -> dict[ChargeId, Charge]:
    """What was charged before for objects that stay, by the identity of what is charged now: they ask for the
    difference (CheckRequest)."""
    until_now: dict[ChargeId, Charge] = {}
    for namespace, mine in charges.items():
        were = {_who(old): old for old in last_charged.get(namespace, ())}
        for charge in mine if were else ():
            old = were.get(_who(charge)) if _may_change(charge) and charge.identity not in there else None
            if old is not None and ledger.counted_in(namespace, charge) == ledger.counted_in(namespace, old):
                until_now[charge.identity] = old
    return until_now


def _may_change(charge: Charge) -> bool:
    demand = charge.demand
    written = demand.owner is not None and (demand.owner.group, demand.owner.kind) == (demand.group, demand.kind)
    return written and (demand.group, demand.kind) in CHANGING


def _who(charge: Charge) -> Hashable:
    return charge.owner.ref if charge.owner is not None else None


def _with_their_like(
    mine: Sequence[Charge], earlier: Sequence[Charge], namespace: str, ledger: Ledger
) -> Iterator[tuple[Charge, Charge]]:
    """The charges of a namespace that were there before, each with what it was then."""
    if mine is earlier:  # nothing of the namespace has changed, and each is the first like itself that is left
        yield from zip(mine, mine, strict=True)
        return
    were: dict[Hashable, list[Charge]] = {}
    for old in earlier:
        were.setdefault(_likeness(old, namespace, ledger), []).append(old)
    for charge in mine:
        like = were.get(_likeness(charge, namespace, ledger))
        if like:
            yield charge, like.pop(0)


def _likeness(charge: Charge, namespace: str, ledger: Ledger) -> Hashable:
    demand = charge.demand
    owner = demand.owner.ref if demand.owner is not None else None
    asked = frozenset((name, amount.nano) for name, amount in charge.each.items())
    which = demand.group, demand.kind, demand.name, demand.grown, demand.per_pod, demand.before_pods
    return owner, which, asked, ledger.counted_in(namespace, charge)


def _play_scene(charges: Sequence[Charge], scene: Scene) -> Iterator[tuple[Fate, ...]]:
    # What a snapshot shows is there already.
    groups = sorted(by_owner(charges), key=lambda group: group[0].owner is not None and not group[0].owner.foreign)
    owners = enumerate(group[0].owner for group in groups)
    positions = {owner.identity: at for at, owner in owners if owner is not None}
    later: list[tuple[Charge, tuple[Fate, ...]]] = []
    for at, group in enumerate(groups):
        # A controller that does not find a template tries again, and by then all else is there.
        waiting: list[Charge] = []
        now: list[Charge] = []
        for charge in group:
            template = charge.demand.template
            comes_later = template is not None and positions.get(template.identity, 0) > at
            (waiting if comes_later else now).append(charge)
        mine = tuple(create_group(now, scene))
        later += ((charge, mine) for charge in waiting)
        yield mine
    for charge, mine in later:
        yield (create_late(charge, mine, scene),)
