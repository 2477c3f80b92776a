"""What a workload needs for a while, beside everything that has settled, and a quota has no room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.kube import quantity, resource_list
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import COMPUTE
from quotalint.quota.charges import Charge
from quotalint.quota.projection import MISSING, Projection
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import exceeded_message
from quotalint.quota.settling import is_deferred, unschedulable
from quotalint.settings import Settings
from quotalint.workloads.demand import Numbers, Step

Pick = Callable[[Numbers], int]
"""The number of objects to look at: `lambda numbers: numbers.step`."""


_DEFAULTS = Settings("", None)


class Excess(NamedTuple):
    """What one workload needs of one quota."""

    quota: Quota
    owner: Object
    charge: Charge
    """Those of its objects that are refused."""
    needed: Mapping[str, Quantity]
    """The entries of `hard` that are too small → what they would have to be."""
    used: Mapping[str, Quantity]
    """Of these entries, once everything has settled."""
    more: int
    """How many objects of the charge it wants beside those that it has."""
    fitting: int
    """How many of those are admitted."""
    pending: bool
    """They are created and stay Pending, instead of being refused."""
    message: str
    """What the API server, or the scheduler, says of the first one that does not fit."""


def excesses(
    quota: Quota,
    charges: Sequence[Charge],
    projections: Mapping[str, Projection],
    pick: Pick,
    settings: Settings = _DEFAULTS,
) -> Iterator[Excess]:
    """Every workload that does not get what it needs, each looked at by itself, in the order of the files.

    `projections` are those of the quota, by entry. Entries that are too small for the settled state are left out: that
    is said of them already.
    """
    judged = {
        name: one
        for name, one in projections.items()
        if one.hard is not None and one.tracked != MISSING and not one.exceeds("steady")
    }
    by_owner: dict[int, list[Charge]] = {}
    for charge in charges:
        demand = charge.admitted.demand
        if (
            demand.owner is not None
            and pick(demand.size.numbers) != demand.number
            and charge.matches(quota.requirements)
        ):
            by_owner.setdefault(id(demand.owner), []).append(charge)
    for mine in by_owner.values():
        found = _excess(quota, mine, judged, pick, settings)
        if found is not None:
            yield found


def steps(charges: Iterable[Charge]) -> Mapping[int, Step]:
    """The step of each workload that has one, by the identity of its object."""
    return {
        id(charge.admitted.demand.owner): charge.admitted.demand.size.step
        for charge in charges
        if charge.admitted.demand.size.step is not None
    }


def _excess(
    quota: Quota, charges: Sequence[Charge], judged: Mapping[str, Projection], pick: Pick, settings: Settings
) -> Excess | None:
    more: ResourceList = {}
    for charge in charges:
        demand = charge.admitted.demand
        number = pick(demand.size.numbers) - demand.number
        more = resource_list.add(more, resource_list.multiply(resource_list.mask(charge.each, judged), number))
    needed = {}
    for name, amount in more.items():
        hard, total = judged[name].hard, quantity.add(judged[name].steady, amount)
        if hard is not None and amount.nano > 0 and total.nano > hard.nano:
            needed[name] = total
    refused = _first_refused(charges, needed, pick)
    if refused is None or refused.admitted.demand.owner is None:
        return None
    used = {name: judged[name].steady for name in needed}
    each = resource_list.remove_zeros(resource_list.mask(refused.each, needed))
    pending = is_deferred(refused, settings.enforcement) and COMPUTE.issuperset(each)
    if is_deferred(refused, settings.enforcement) and not pending:
        each = {name: amount for name, amount in each.items() if name not in COMPUTE}
    fitting = min(max(0, quota.hard[name].nano - used[name].nano) // each[name].nano for name in each)
    taken = resource_list.add(used, resource_list.multiply(each, fitting))
    if pending:
        message = unschedulable(quota, each, taken, settings.nodes.default)
    else:
        message = exceeded_message(quota, each, taken)
    demand = refused.admitted.demand
    more_of_it = pick(demand.size.numbers) - demand.number
    return Excess(
        quota,
        refused.admitted.demand.owner,
        refused,
        needed,
        used,
        more_of_it,
        min(fitting, more_of_it),
        pending,
        message,
    )


def _first_refused(charges: Sequence[Charge], needed: Mapping[str, Quantity], pick: Pick) -> Charge | None:
    """Of the objects that it wants more of, the first ones that ask for what is short; pods before all others."""
    short = [
        charge
        for charge in charges
        if pick(charge.admitted.demand.size.numbers) > charge.admitted.demand.number
        and any(name in charge.each and charge.each[name].nano > 0 for name in needed)
    ]
    return min(short, key=lambda charge: charge.admitted.demand.kind != "Pod", default=None)
