"""How large the entries of a quota have to be for nothing to be short: one number an entry, whichever finding asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from quotalint.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.kube.round_amounts import rounded_up
from quotalint.quota.projection import MISSING, Amounts, Entry, Projection
from quotalint.quota.quotas import Quota
from quotalint.quota.rollouts import REVISIONS
from quotalint.workloads.demand import RUN

_ROLLOUTS, _RUNS, _AUTOSCALERS = "QL302", "QL303", "QL304"


class Enough(NamedTuple):
    """The least that an entry may be for no finding to be about it."""

    amount: Quantity
    because: str
    """What needs that much beside the settled state: `rollouts`; empty where nothing does."""


Use = Callable[[Entry], Amounts]
"""What the objects of an entry are charged together."""


def enough(quota: Quota, facts: Facts) -> Mapping[str, Enough]:
    """Every entry of `hard` that is too small for what is settled, for a rollout, a run, or all autoscalers together,
    as far as the settings ask for that; in the order of the entries."""
    found = {}
    for name, one in facts.projections_of(quota).items():
        if one.hard is not None and one.tracked != MISSING:
            least = least_of(one, facts)
            if least.amount.nano > one.hard.nano:
                found[name] = least
    return found


def raised_to(wanted: Iterable[str], least: Mapping[str, Enough], needed: Mapping[str, Quantity]) -> dict[str, Enough]:
    """What the `wanted` entries are raised to: enough for everything, never less than is `needed` here, and an amount
    that people write."""
    found = {}
    for name in wanted:
        mine = needed.get(name, quantity.ZERO)
        one = least.get(name)
        enough = one if one is not None and one.amount.nano > mine.nano else Enough(mine, "")
        found[name] = enough._replace(amount=rounded_up(name, enough.amount))
    return found


def amounts_of(raised: Mapping[str, Enough]) -> dict[str, Quantity]:
    """The new amounts alone."""
    return {name: one.amount for name, one in raised.items()}


def raise_words(raised: Mapping[str, Enough]) -> dict[str, str]:
    """The words of the help that name the new amounts."""
    amounts = " and ".join(f"{name} to {quantity.show(one.amount)}" for name, one in raised.items())
    reasons = list(dict.fromkeys(one.because for one in raised.values() if one.because))
    return {"raise": amounts, "room": f" (room for {' and '.join(reasons)})" if reasons else ""}


def least_of(projection: Projection, facts: Facts, use: Use = lambda entry: entry.amounts) -> Enough:
    """The settled state, with the workload whose step needs most, or with all autoscalers at their maximum where
    one of them has no room beside it now. `use` may have some workload be of another size than it is written."""
    steady = projection.steady
    for entry in projection.entries:
        steady = quantity.add(steady, quantity.subtract(use(entry).steady, entry.amounts.steady))
    scenario = facts.settings.scenario
    least = Enough(steady if scenario == "steady" else projection.demand(scenario), "")
    by_owner: dict[int, list[Entry]] = {}
    for entry in projection.entries:
        if entry.charge.admitted.demand.owner is not None:
            by_owner.setdefault(id(entry.charge.admitted.demand.owner), []).append(entry)
    for entries in by_owner.values():
        for more, because in _passing(entries, facts, use):
            total = quantity.add(steady, more)
            if total.nano > least.amount.nano:
                least = Enough(total, because)
    if facts.settings.is_heard(_AUTOSCALERS):
        grown = [more for one in by_owner.values() if (more := _when_scaled(one, use)).nano > 0]
        hard = projection.hard.nano if projection.hard is not None else 0
        if any(steady.nano + more.nano > hard for more in grown):
            total = steady
            for more in grown:
                total = quantity.add(total, more)
            many = len(grown) > 1
            if total.nano > least.amount.nano:
                return Enough(total, "all autoscalers at their maximum" if many else "the autoscaler's maximum")
    return least


def _passing(entries: list[Entry], facts: Facts, use: Use) -> Iterable[tuple[Quantity, str]]:
    """What one workload needs for a while, beside what it has when settled, and what for."""
    step = _summed(((one, use(one).step) for one in entries), use)
    if any(_is_run(one) for one in entries):
        if facts.settings.is_heard(_RUNS):
            yield step, "scheduled runs"
            yield _summed(((one, use(one).peak) for one in entries), use), "runs that pile up"
    elif facts.settings.is_heard(_ROLLOUTS):
        yield step, "rollouts"
        if facts.settings.enforcement != "deferred":
            kept = _summed(((one, use(one).peak) for one in entries if _is_revision(one)), use)
            yield kept, "the history of revisions"


def _is_run(entry: Entry) -> bool:
    step = entry.charge.admitted.demand.size.step
    return step is not None and step.kind == RUN


def _is_revision(entry: Entry) -> bool:
    demand = entry.charge.admitted.demand
    return demand.group == "apps" and demand.kind in REVISIONS and _is_played(demand.owner)


def _is_played(owner: Object | None) -> bool:
    return owner is not None and not owner.foreign and owner.group == "apps"


def _when_scaled(entries: list[Entry], use: Use) -> Quantity:
    mine = (one for one in entries if one.charge.admitted.demand.size.scaler is not None)
    return _summed(((one, use(one).scaled) for one in mine), use)


def _summed(entries: Iterable[tuple[Entry, Quantity]], use: Use) -> Quantity:
    """How much more than settled, of several."""
    total = quantity.ZERO
    for entry, amount in entries:
        total = quantity.add(total, quantity.subtract(amount, use(entry).steady))
    return total
