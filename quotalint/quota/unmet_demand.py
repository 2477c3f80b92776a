"""Which requests of scheduled runs and autoscalers do not fit beside everything that is admitted.

They are compared with what is admitted, not with what is requested: an object refused for another reason uses no room,
and objects that wait for room come first.

Source: Kubernetes 1.36, pkg/controller/cronjob/cronjob_controllerv2.go (syncCronJob: the Job first, then its pods) and
pkg/controller/podautoscaler/horizontal.go (reconcileAutoscaler does not check quotas).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.kube import quantity, resource_list
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge, ChargeId
from quotalint.quota.creation import RefusalCause, Scene, by_owner, create_group
from quotalint.quota.excesses import Excess
from quotalint.quota.pools import Shortage
from quotalint.quota.projection import MISSING, Projection
from quotalint.quota.quotas import Identity, Quota
from quotalint.quota.refusals import exceeded_message
from quotalint.quota.sequences import RolloutOutcome
from quotalint.settings import Scenario
from quotalint.workloads.demand import constant_size


class UnmetDemand(NamedTuple):
    """The objects that one workload requests and does not get because a quota is exceeded."""

    owner: Object
    charges: tuple[Charge, ...]
    """All charges of the workload in the steady state."""
    charge: Charge
    """The charge that stays short: pods, even if their claims are refused."""
    reached: int
    """How many of its objects are admitted."""
    first: Quota
    """The first quota without room."""
    shortage: Shortage


def find_unmet_demand(
    charges: Mapping[str, Sequence[Charge]],
    done: Admissions,
    scenario: Scenario,
    concerns: Callable[[Charge], bool] = lambda _: True,
) -> Mapping[str, tuple[UnmetDemand, ...]]:
    """The unmet demand of workloads with the numbers of a scenario while everything else stays as admitted, by
    namespace. `concerns` selects the workloads: one is included if any of its charges is selected."""
    by_namespace = {}
    for namespace, own_charges in charges.items():
        changing = (
            group
            for group in by_owner(own_charges)
            if any(charge.demand.number_in(scenario) != charge.number for charge in group)
        )
        groups = (group for group in changing if any(map(concerns, group)))
        demands = (_group_demand(group, namespace, done, scenario) for group in groups)
        by_namespace[namespace] = tuple(demand for demand in demands if demand is not None)
    return {namespace: namespace_demands for namespace, namespace_demands in by_namespace.items() if namespace_demands}


def _group_demand(group: Sequence[Charge], namespace: str, done: Admissions, scenario: Scenario) -> UnmetDemand | None:
    owner = group[0].owner
    ledger = done.ledger.copy(namespace)
    larger: list[Charge] = []
    standing: dict[ChargeId, int] = {}
    originals: dict[ChargeId, Charge] = {}
    for charge in group:
        demand = charge.demand
        number = demand.number_in(scenario)
        admitted_number = done.fate_of(charge).admitted
        ledger.charge(namespace, charge, min(0, number - admitted_number))  # a group that shrinks frees its room first
        changed = charge._replace(
            admitted=charge.admitted._replace(demand=demand._replace(size=constant_size(number, "")))
        )
        larger.append(changed)
        standing[changed.identity] = min(admitted_number, number)
        originals[changed.identity] = charge
    fates = tuple(create_group(larger, Scene(namespace, ledger, done.limited, deferred=False, standing=standing)))
    refused = next((fate for fate in fates if fate.cause is RefusalCause.QUOTA), None)
    if owner is None or refused is None or refused.shortage is None:
        return None
    quotas = ledger.quotas_of(refused.shortage, namespace)
    if not quotas:
        return None
    missing_fate = refused
    if refused.charge.demand.before_pods:
        missing_fate = next((fate for fate in fates if fate.because is refused.charge), refused)
    original = originals[missing_fate.charge.identity]
    return UnmetDemand(owner, tuple(group), original, missing_fate.admitted, quotas[0], refused.shortage)


def excess_of(
    want: UnmetDemand, quota: Quota, projections: Mapping[str, Projection], done: Admissions, scenario: Scenario
) -> Excess | None:
    """The workload's excess of one quota; None if that quota has room."""
    needed = _needed_amounts(want.charges, quota, projections, done, scenario)
    if not needed:
        return None
    number = want.charge.number
    more = want.charge.demand.number_in(scenario) - number
    pool = want.first.pool
    used = done.ledger.used_by(quota)
    return Excess(
        quota=quota,
        owner=want.owner,
        charge=want.charge,
        needed=needed,
        used={name: used[name] for name in needed},
        awaited=_awaited_amounts(used, needed, projections, done),
        rooms=(),
        exceeded=tuple(_exceeded_entries(want, projections)),
        more=more,
        fitting=max(0, want.reached - number),
        reached=want.reached,
        pending=False,
        message=exceeded_message(want.first, want.shortage.asked, want.shortage.used.get(pool, {})),
    )


def excess_of_rollout(
    excess: Excess, outcome: RolloutOutcome, projections: Mapping[str, Projection], done: Admissions, scenario: Scenario
) -> Excess | None:
    """The excess of a rollout, from admitted instead of requested amounts; None if nothing is lacking. The first
    refused charge is that of the rollout's run."""
    rollout, shortage, ledger = outcome.rollout, outcome.shortage, done.ledger
    charges = (*((rollout.revision,) if rollout.revision else ()), rollout.pods, *rollout.per_pod)
    played = _needed_amounts(charges, excess.quota, projections, done, scenario)
    needed = {name: amount for name, amount in played.items() if name in excess.needed}
    if not needed:
        return None
    used = ledger.used_by(excess.quota)
    awaited = _awaited_amounts(used, needed, projections, done)
    excess = excess._replace(needed=needed, used={name: used[name] for name in needed}, awaited=awaited)
    if outcome.charge is None or shortage is None or outcome.first is None:
        return excess
    charge, number = outcome.charge, outcome.charge.number
    more = max(1, charge.demand.number_in(scenario) - number)
    return excess._replace(
        charge=charge,
        more=more,
        fitting=ledger.room(rollout.namespace, charge, more),
        message=exceeded_message(outcome.first, shortage.asked, shortage.used.get(outcome.first.pool, {})),
    )


def _exceeded_entries(want: UnmetDemand, projections: Mapping[str, Projection]) -> Iterator[Projection]:
    for projection in projections.values():
        own_entries = (entry for entry in projection.entries if entry.owner is want.owner)
        if projection.exceeds(Scenario.STEADY) and any(entry.amounts.steady.nano for entry in own_entries):
            yield projection


def _needed_amounts(
    charges: Iterable[Charge], quota: Quota, projections: Mapping[str, Projection], done: Admissions, scenario: Scenario
) -> Mapping[str, Quantity]:
    """The entries of a quota that are too small for these charges beside everything that is admitted or waits for
    room."""
    more: dict[str, Quantity] = {}
    for charge in charges:
        if charge.matches(quota.requirements):
            number = charge.demand.number_in(scenario) - charge.number
            asked = resource_list.multiply(resource_list.mask(charge.each, quota.hard), number)
            more = dict(resource_list.add(more, asked))
    needed = {}
    for name, amount in more.items():
        projection = projections.get(name)
        if projection is None or projection.hard is None or projection.tracked == MISSING or amount.nano <= 0:
            continue
        total = quantity.add(_claimed_amount(projection, done), amount)
        if total.nano > projection.hard.nano:
            needed[name] = total
    return needed


def _awaited_amounts(
    used: Mapping[str, Quantity], needed: Iterable[str], projections: Mapping[str, Projection], done: Admissions
) -> Mapping[str, Quantity]:
    """The amounts of these entries that refused objects still wait for."""
    waiting = {name: quantity.subtract(_claimed_amount(projections[name], done), used[name]) for name in needed}
    return {name: amount for name, amount in waiting.items() if amount.nano > 0}


def _claimed_amount(projection: Projection, done: Admissions) -> Quantity:
    """The amount charged, plus what waits for room; without objects refused for another reason."""
    if not _CLAIMS_OF_LAST_CLUSTER or _CLAIMS_OF_LAST_CLUSTER[0].done is not done:
        _CLAIMS_OF_LAST_CLUSTER[:] = [_Claims(done, {})]
    claims = _CLAIMS_OF_LAST_CLUSTER[0].of.get((projection.quota.id, projection.name))
    if claims is not None and claims[0] is projection:
        return claims[1]
    total = projection.steady
    for entry in projection.entries:
        fate = done.fates.get(entry.charge.identity)
        if fate is not None and fate.refused and fate.cause not in (RefusalCause.QUOTA, RefusalCause.OWNER):
            total = quantity.subtract(total, quantity.multiply(entry.each, fate.refused))
    _CLAIMS_OF_LAST_CLUSTER[0].of[projection.quota.id, projection.name] = projection, total
    return total


class _Claims(NamedTuple):
    """The claimed amount of each entry, by the quota's identity and the entry's name: each workload needs the same."""

    done: Admissions
    of: dict[tuple[Identity, str], tuple[Projection, Quantity]]


_CLAIMS_OF_LAST_CLUSTER: list[_Claims] = []  # a cache for the last cluster
