"""Workloads that temporarily need more than a quota allows, in addition to the steady usage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar, cast

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
from quotalint.runtime import budget
from quotalint.settings import Scenario, Settings
from quotalint.workloads.demand import Step

_Made = TypeVar("_Made")

Others = Callable[[Object], Iterable[Mapping[str, Projection]]]
"""The projections of every other quota that a workload is charged to, by entry."""


class EntryRoom(NamedTuple):
    """The room of one entry for the objects that are refused."""

    quota: Quota
    name: str
    each: Quantity
    """The charge of one such object."""
    used: Quantity
    """The usage with the steady number of these objects."""

    @property
    def fitting(self) -> int:
        """How many more objects fit; negative if even the steady number does not fit."""
        return objects_that_fit(self.quota.hard[self.name].nano, self.used.nano, self.each.nano)


class Excess(NamedTuple):
    """The amounts of one quota that a workload needs and does not get."""

    quota: Quota
    owner: Object
    charge: Charge
    """The charge of the refused objects."""
    needed: Mapping[str, Quantity]
    """The exceeded entries of `hard` → the amounts that they would need."""
    used: Mapping[str, Quantity]
    """The steady usage of these entries."""
    awaited: Mapping[str, Quantity]
    """The amounts of these entries that refused objects still request; they are admitted first once there is room."""
    rooms: tuple[EntryRoom, ...]
    """Every entry, of any quota, that is too small for the workload's additional objects."""
    exceeded: tuple[Projection, ...]
    """Entries, of any quota, that count the workload and are exceeded in the steady state."""
    more: int
    """How many objects the workload needs in addition to the steady number."""
    fitting: int
    """How many of the additional objects all quotas admit."""
    reached: int | None
    """The total number of objects reached; None if it depends on what else the steady state refuses."""
    pending: bool
    """The objects are created and stay Pending instead of being refused."""
    message: str
    """The message of the API server or scheduler for the first object that does not fit."""


def excesses(
    quota: Quota,
    charges: Sequence[Charge],
    projections: Mapping[str, Projection],
    scenario: Scenario,
    settings: Settings,
    others: Others,
) -> Iterator[Excess]:
    """The excess of every workload that needs more than the quota allows, each computed alone, in file order.

    `projections` are those of the quota, by entry. Entries that the steady state exceeds cause no excess, because they
    are reported already. The admitted number depends on those entries too, and on all other quotas.
    """
    by_owner = _LATEST.of(charges, scenario, partial(_changing_charges, scenario))
    budget.spend(len(by_owner), "a namespace has too many quotas for too many workloads")
    for own_charges in by_owner.values():
        excess = _workload_excess(quota, own_charges, projections, scenario, settings, others)
        if excess is not None:
            yield excess


class _Latest:
    """The latest results for the charges of one namespace, which may have thousands of quotas."""

    def __init__(self) -> None:
        self._charges: Sequence[Charge] = ()
        self._made: dict[object, Any] = {}

    def of(self, charges: Sequence[Charge], key: object, make: Callable[[Sequence[Charge]], _Made]) -> _Made:
        """What `make` gives for these charges; equal keys mean the same."""
        if charges is not self._charges:
            self._charges, self._made = charges, {}
        if key not in self._made:
            self._made[key] = make(charges)
        return cast("_Made", self._made[key])


_LATEST = _Latest()


def _changing_charges(scenario: Scenario, charges: Sequence[Charge]) -> Mapping[ObjectId, Sequence[Charge]]:
    """The charges that need another number in a scenario than at rest, by the identity of their workload."""
    by_owner: dict[ObjectId, list[Charge]] = {}
    for charge in charges:
        demand = charge.demand
        if demand.owner is not None and demand.number_in(scenario) != demand.number:
            by_owner.setdefault(demand.owner.identity, []).append(charge)
    return by_owner


def steps_by_owner(charges: Sequence[Charge]) -> Mapping[ObjectId, Step]:
    """The step of each workload that has one, by the identity of its object."""
    return _LATEST.of(charges, "steps", _steps_by_owner)


def _steps_by_owner(charges: Sequence[Charge]) -> Mapping[ObjectId, Step]:
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
    first_refused = _first_refused([charge for charge in charges if charge.matches(quota.requirements)], free, scenario)
    if first_refused is None:
        return None
    refused, earlier = first_refused
    demand, owner = refused.demand, refused.owner
    if owner is None:
        return None
    all_projections = (projections, *others(owner))
    rooms = tuple(
        room
        for projection_by_entry in all_projections
        for room in _entry_rooms(refused, earlier, charges, projection_by_entry, scenario)
    )
    exceeded = tuple(
        projection
        for projection_by_entry in all_projections
        for projection in projection_by_entry.values()
        if _exceeds_with_owner(projection, owner)
    )
    deferred = is_deferred(refused, settings.enforcement)
    is_known = not exceeded or (not deferred and all(_is_only_user(projection, refused) for projection in exceeded))
    limiting_rooms = rooms
    if is_known:
        limiting_rooms += tuple(
            EntryRoom(projection.quota, projection.name, refused.each[projection.name], projection.steady)
            for projection in exceeded
        )
    room = min(room.fitting for room in limiting_rooms)
    # A new pod needs both: admission by the API server and room for the scheduler.
    pending = deferred and all(
        entry_room.name in COMPUTE for entry_room in limiting_rooms if entry_room.fitting == room
    )
    if deferred:
        limiting_rooms = tuple(entry_room for entry_room in limiting_rooms if (entry_room.name in COMPUTE) == pending)
    more = demand.number_in(scenario) - demand.number
    fitting = min(more, room)
    used = {name: projections[name].steady for name in needed}
    message = _refusal_message(limiting_rooms, room, settings if pending else None)
    reached = demand.number + fitting if is_known else None
    return Excess(
        quota, owner, refused, needed, used, {}, rooms, exceeded, more, max(0, fitting), reached, pending, message
    )


def _needed_entries(
    quota: Quota, charges: Sequence[Charge], projections: Mapping[str, Projection], scenario: Scenario
) -> Mapping[str, Quantity]:
    """The entries of a quota that fit the steady state but not what the workload needs."""
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
            _additional_request(charge, scenario) for charge in earlier if charge.matches(quota.requirements)
        )
        for name in _needed_entries(quota, charges, projections, scenario):
            if name in refused.each and refused.each[name].nano > 0:
                used = quantity.add(projections[name].steady, taken.get(name, quantity.ZERO))
                yield EntryRoom(quota, name, refused.each[name], used)


def _exceeds_with_owner(projection: Projection, owner: Object) -> bool:
    return projection.exceeds(Scenario.STEADY) and any(entry.owner is owner for entry in projection.entries)


def _is_only_user(projection: Projection, charge: Charge) -> bool:
    """Whether the entry's steady usage comes from this charge alone."""
    users = [entry.charge for entry in projection.entries if entry.amounts.steady.nano]
    return bool(users) and all(user is charge for user in users)


def _refusal_message(rooms: Sequence[EntryRoom], fitting: int, scheduling: Settings | None) -> str:
    """The message of the first quota without room for another object; with `scheduling`, the scheduler's message."""
    first = next((room.quota for room in rooms if room.fitting <= fitting), rooms[0].quota)
    own_rooms = [room for room in rooms if room.quota is first]
    amounts = {room.name: room.each for room in own_rooms}
    taken = {room.name: quantity.add(room.used, quantity.multiply(room.each, fitting)) for room in own_rooms}
    if scheduling is not None:
        return unschedulable_message(first, amounts, taken, scheduling.nodes.default)
    return exceeded_message(first, amounts, taken)


def _first_refused(
    charges: Sequence[Charge], free: Mapping[str, int], scenario: Scenario
) -> tuple[Charge, Sequence[Charge]] | None:
    """The first additional objects that do not fit the exceeded entries, and the charges before them; pods come
    first."""
    in_order = sorted(charges, key=lambda charge: charge.kind != "Pod")
    taken: ResourceList = {}
    for at, charge in enumerate(in_order):
        asked = _additional_request(charge, scenario)
        taken = resource_list.add(taken, asked)
        if any(name in asked and asked[name].nano and taken[name].nano > free[name] for name in free):
            return charge, in_order[:at]
    return None


def _additional_request(charge: Charge, scenario: Scenario) -> ResourceList:
    """The request of the objects beyond the steady number."""
    return resource_list.multiply(charge.each, max(0, charge.demand.number_in(scenario) - charge.demand.number))
