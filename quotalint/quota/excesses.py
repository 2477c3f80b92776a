"""What a workload needs for a while, beside everything that has settled, and a quota has no room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.kube import quantity, resource_list
from quotalint.kube.objects import Object, ObjectId
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import COMPUTE
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.fitting import objects_that_fit
from quotalint.quota.projection import MISSING, Projection
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import exceeded_message, is_deferred, unschedulable_message
from quotalint.settings import Scenario, Settings
from quotalint.workloads.demand import Step

Others = Callable[[Object], Iterable[Mapping[str, Projection]]]
"""The projections of each other quota that a workload is charged to."""


class EntryRoom(NamedTuple):
    """What an entry has left for the objects that are refused."""

    quota: Quota
    name: str
    each: Quantity
    """What one of them is charged."""
    used: Quantity
    """With as many of them as there are once everything has settled."""

    @property
    def fitting(self) -> int:
        """How many more of them fit; below zero where not even those that there should be do."""
        return objects_that_fit(self.quota.hard[self.name].nano, self.used.nano, self.each.nano)


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
    awaited: Mapping[str, Quantity]
    """What is asked for of these entries by what is refused, which comes first where there is room for it."""
    rooms: tuple[EntryRoom, ...]
    """Every entry, of whatever quota, that is too small for what the workload needs of these objects."""
    exceeded: tuple[Projection, ...]
    """Entries, of whatever quota, that the workload is charged to and that are too small for the settled state."""
    more: int
    """How many objects of the charge it wants beside those that it has."""
    fitting: int
    """How many of those are admitted by all quotas."""
    reached: int | None
    """How many of the objects there will be; None where that depends on who else is refused in the settled state."""
    pending: bool
    """They are created and stay Pending, instead of being refused."""
    message: str
    """What the API server, or the scheduler, says of the first one that does not fit."""


def excesses(
    quota: Quota,
    charges: Sequence[Charge],
    projections: Mapping[str, Projection],
    scenario: Scenario,
    settings: Settings,
    others: Others,
) -> Iterator[Excess]:
    """Every workload that does not get what it needs, each looked at by itself, in the order of the files.

    `projections` are those of the quota, by entry. Nothing is found for the sake of an entry that is too small for the
    settled state: that is said of it already. What is admitted depends on those as well, and on all other quotas.
    """
    by_owner: dict[ObjectId, list[Charge]] = {}
    for charge in charges:
        demand = charge.demand
        if demand.owner is not None and demand.number_in(scenario) != demand.number:
            by_owner.setdefault(demand.owner.identity, []).append(charge)
    for mine in by_owner.values():
        excess = _workload_excess(quota, mine, projections, scenario, settings, others)
        if excess is not None:
            yield excess


def steps_by_owner(charges: Iterable[Charge]) -> Mapping[ObjectId, Step]:
    """The step of each workload that has one, by the identity of its object."""
    return {
        charge.owner.identity: charge.demand.size.step
        for charge in charges
        if charge.owner is not None and charge.demand.size.step is not None
    }


def _workload_excess(
    quota: Quota,
    charges: Sequence[Charge],
    projections: Mapping[str, Projection],
    scenario: Scenario,
    settings: Settings,
    others: Others,
) -> Excess | None:
    needed = _needed_entries(quota, charges, projections, scenario)
    free = {name: quota.hard[name].nano - projections[name].steady.nano for name in needed}
    first = _first_refused([charge for charge in charges if charge.matches(quota.requirements)], free, scenario)
    if first is None:
        return None
    refused, earlier = first
    demand, owner = refused.demand, refused.owner
    if owner is None:
        return None
    together = (projections, *others(owner))
    rooms = tuple(
        room for projected in together for room in _entry_rooms(refused, earlier, charges, projected, scenario)
    )
    exceeded = tuple(
        projection
        for projected in together
        for projection in projected.values()
        if _is_short_already(projection, owner)
    )
    deferred = is_deferred(refused, settings.enforcement)
    is_known = not exceeded or (not deferred and all(_is_all(projection, refused) for projection in exceeded))
    tight = rooms
    if is_known:
        tight += tuple(
            EntryRoom(projection.quota, projection.name, refused.each[projection.name], projection.steady)
            for projection in exceeded
        )
    room = min(room.fitting for room in tight)
    # A new pod needs both: what the API server refuses, and room that the scheduler finds.
    pending = deferred and all(entry_room.name in COMPUTE for entry_room in tight if entry_room.fitting == room)
    if deferred:
        tight = tuple(entry_room for entry_room in tight if (entry_room.name in COMPUTE) == pending)
    more = demand.number_in(scenario) - demand.number
    fitting = min(more, room)
    used = {name: projections[name].steady for name in needed}
    message = _refusal_message(tight, room, settings if pending else None)
    reached = demand.number + fitting if is_known else None
    return Excess(
        quota, owner, refused, needed, used, {}, rooms, exceeded, more, max(0, fitting), reached, pending, message
    )


def _needed_entries(
    quota: Quota, charges: Sequence[Charge], projections: Mapping[str, Projection], scenario: Scenario
) -> Mapping[str, Quantity]:
    """The entries of a quota that are too small for what a workload needs, though not for the settled state."""
    judged = {
        name: projection
        for name, projection in projections.items()
        if projection.hard is not None and projection.tracked != MISSING and not projection.exceeds(Scenario.STEADY)
    }
    more: ResourceList = {}
    for charge in charges:
        if judged and charge.matches(quota.requirements):
            demand = charge.demand
            number = demand.number_in(scenario) - demand.number
            more = resource_list.add(more, resource_list.multiply(resource_list.mask(charge.each, judged), number))
    needed = {}
    for name, amount in more.items():
        hard, total = judged[name].hard, quantity.add(judged[name].steady, amount)
        if hard is not None and amount.nano > 0 and total.nano > hard.nano:
            needed[name] = total
    return needed


def _entry_rooms(
    refused: Charge,
    earlier: Sequence[Charge],
    charges: Sequence[Charge],
    projections: Mapping[str, Projection],
    scenario: Scenario,
) -> Iterator[EntryRoom]:
    quota = next((projection.quota for projection in projections.values()), None)
    if quota is not None and refused.matches(quota.requirements):
        taken = resource_list.total(
            _asked_beside(charge, scenario) for charge in earlier if charge.matches(quota.requirements)
        )
        for name in _needed_entries(quota, charges, projections, scenario):
            if name in refused.each and refused.each[name].nano > 0:
                used = quantity.add(projections[name].steady, taken.get(name, quantity.ZERO))
                yield EntryRoom(quota, name, refused.each[name], used)


def _is_short_already(projection: Projection, owner: Object) -> bool:
    return projection.exceeds(Scenario.STEADY) and any(entry.owner is owner for entry in projection.entries)


def _is_all(projection: Projection, charge: Charge) -> bool:
    """Whether nothing else is charged to the entry once everything has settled."""
    users = [entry.charge for entry in projection.entries if entry.amounts.steady.nano]
    return bool(users) and all(user is charge for user in users)


def _refusal_message(rooms: Sequence[EntryRoom], fitting: int, scheduling: Settings | None) -> str:
    """What the first quota says that has no room for another one; `scheduling`: it is the scheduler that says so."""
    first = next((room.quota for room in rooms if room.fitting <= fitting), rooms[0].quota)
    mine = [room for room in rooms if room.quota is first]
    amounts = {room.name: room.each for room in mine}
    taken = {room.name: quantity.add(room.used, quantity.multiply(room.each, fitting)) for room in mine}
    if scheduling is not None:
        return unschedulable_message(first, amounts, taken, scheduling.nodes.default)
    return exceeded_message(first, amounts, taken)


def _first_refused(
    charges: Sequence[Charge], free: Mapping[str, int], scenario: Scenario
) -> tuple[Charge, Sequence[Charge]] | None:
    """Of the objects that it wants more of, the first ones that do not find all of their room in the entries that are
    short, and those before them; pods before all others."""
    in_order = sorted(charges, key=lambda charge: charge.kind != "Pod")
    taken: ResourceList = {}
    for at, charge in enumerate(in_order):
        asked = _asked_beside(charge, scenario)
        taken = resource_list.add(taken, asked)
        if any(name in asked and asked[name].nano and taken[name].nano > free[name] for name in free):
            return charge, in_order[:at]
    return None


def _asked_beside(charge: Charge, scenario: Scenario) -> ResourceList:
    """What those objects ask for that are more than once everything has settled."""
    return resource_list.multiply(charge.each, max(0, charge.demand.number_in(scenario) - charge.demand.number))
