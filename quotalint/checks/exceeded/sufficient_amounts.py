"""How large the entries of a quota must be for everything to fit: one amount per entry for all findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.amounts import rounded_up
from quotalint.kube.objects import ObjectId
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import MISSING, Amounts, EntryCharge, Projection
from quotalint.quota.quotas import Quota
from quotalint.settings import Scenario
from quotalint.text.words import join_with_and
from quotalint.workloads.demand import ROLLOUT, RUN

_ROLLOUTS, _RUNS, _AUTOSCALERS = "QL302", "QL303", "QL304"


class SufficientAmount(NamedTuple):
    """The smallest amount of an entry with which no finding remains."""

    amount: Quantity
    because: str
    """What needs that much beyond the steady state: `rollouts`; empty if nothing does."""


Use = Callable[[EntryCharge], Amounts]
"""The charge of the objects of an entry."""


def sufficient_amounts(quota: Quota, facts: Facts) -> Mapping[str, SufficientAmount]:
    """Every entry of `hard` that is too small for the steady state, a rollout, a run, or all autoscalers together, as
    far as the settings check them; in the order of the entries."""
    too_small = {}
    for name, projection in facts.projections_of(quota).items():
        if projection.hard is not None and projection.tracked != MISSING:
            least = least_of(projection, facts)
            if least.amount.nano > projection.hard.nano:
                too_small[name] = least
    return too_small


def raised_to(
    wanted: Iterable[str], least: Mapping[str, SufficientAmount], needed: Mapping[str, Quantity]
) -> dict[str, SufficientAmount]:
    """The amounts to which the `wanted` entries are raised: sufficient for everything, at least what is `needed` here,
    and rounded."""
    raised = {}
    for name in wanted:
        own_need = needed.get(name, quantity.ZERO)
        known_least = least.get(name)
        enough = (
            known_least
            if known_least is not None and known_least.amount.nano > own_need.nano
            else SufficientAmount(own_need, "")
        )
        raised[name] = enough._replace(amount=rounded_up(name, enough.amount))
    return raised


def amounts_of(raised: Mapping[str, SufficientAmount]) -> dict[str, Quantity]:
    """The raised amounts without their reasons."""
    return {name: entry_least.amount for name, entry_least in raised.items()}


def raise_words(raised: Mapping[str, SufficientAmount]) -> dict[str, str]:
    """The words of the help with the new amounts."""
    amounts = join_with_and([f"{name} to {quantity.show(entry_least.amount)}" for name, entry_least in raised.items()])
    reasons = list(dict.fromkeys(entry_least.because for entry_least in raised.values() if entry_least.because))
    return {"raise": amounts, "room": f" (room for {' and '.join(reasons)})" if reasons else ""}


def least_of(projection: Projection, facts: Facts, use: Use = lambda entry: entry.amounts) -> SufficientAmount:
    """The steady amount with the workload whose step is the largest, or with all autoscalers at their maximum if one of
    them lacks room. `use` may replace the size of a workload."""
    steady = projection.steady
    for entry in projection.entries:
        steady = quantity.add(steady, quantity.subtract(use(entry).steady, entry.amounts.steady))
    scenario = facts.settings.scenario
    least = SufficientAmount(steady if scenario is Scenario.STEADY else projection.demand(scenario), "")
    by_owner: dict[ObjectId, list[EntryCharge]] = {}
    for entry in projection.entries:
        if entry.owner is not None:
            by_owner.setdefault(entry.owner.identity, []).append(entry)
    for entries in by_owner.values():
        for more, because in _temporary_needs(entries, facts, use):
            total = quantity.add(steady, more)
            if total.nano > least.amount.nano:
                least = SufficientAmount(total, because)
    if facts.settings.is_reported_somewhere(_AUTOSCALERS):
        scaled = ([entry for entry in entries if entry.demand.size.scaler is not None] for entries in by_owner.values())
        increases = (_summed_increase(entries, use, Scenario.SCALED) for entries in scaled)
        grown = [more for more in increases if more.nano > 0]
        hard = projection.hard.nano if projection.hard is not None else 0
        if any(steady.nano + more.nano > hard for more in grown):
            total = steady
            for more in grown:
                total = quantity.add(total, more)
            many = len(grown) > 1
            if total.nano > least.amount.nano:
                return SufficientAmount(
                    total, "all autoscalers at their maximum" if many else "the autoscaler's maximum"
                )
    return least


def _temporary_needs(entries: list[EntryCharge], facts: Facts, use: Use) -> Iterable[tuple[Quantity, str]]:
    """The additional amounts that one workload needs temporarily, and their reasons."""
    step = _summed_increase(entries, use, Scenario.SURGE)
    steps = [entry.demand.size.step for entry in entries]
    if any(written is not None and written.kind == RUN for written in steps):
        if facts.settings.is_reported_somewhere(_RUNS):
            yield step, "scheduled runs"
            yield _summed_increase(entries, use, Scenario.PEAK), "runs that pile up"
        return
    is_played = facts.settings.enforcement != "deferred"
    if facts.settings.is_reported_somewhere(_ROLLOUTS):
        yield step, "rollouts"
        if is_played:
            yield _summed_increase(_kept_entries(entries, ROLLOUT), use, Scenario.PEAK), "the history of revisions"
    if is_played and facts.settings.is_reported_somewhere(_RUNS):
        yield _summed_increase(_kept_entries(entries, RUN), use, Scenario.PEAK), "what has ended"


def _kept_entries(entries: Iterable[EntryCharge], step: str) -> Iterator[EntryCharge]:
    """The entries of objects that are kept, and that changes or runs add."""
    for entry in entries:
        kept, owner = entry.demand.kept, entry.owner
        if kept is not None and kept.step == step and owner is not None and not owner.foreign:
            yield entry


def _summed_increase(entries: Iterable[EntryCharge], use: Use, scenario: Scenario) -> Quantity:
    """The total increase of several entries from the steady state to a scenario."""
    total = quantity.ZERO
    for entry in entries:
        amounts = use(entry)
        total = quantity.add(total, quantity.subtract(amounts.of(scenario), amounts.steady))
    return total
