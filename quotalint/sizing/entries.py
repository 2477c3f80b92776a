"""Needs → amounts: what each entry of a quota should be, and what is left as it is, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.checks.tight.sufficient_amounts import least_of
from quotalint.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import ASSUMED, AT_LEAST, EXACT, MISSING, UNKNOWN, Projection
from quotalint.quota.quotas import Quota
from quotalint.sizing.proposed import EntryProposal
from quotalint.sizing.rounding import Margin, rounded_up
from quotalint.text.place import Place

_ROUNDS = 8
"""Whether all autoscalers are looked at depends on what is allowed; that settles at once or not at all."""


class Need(NamedTuple):
    """What one environment needs of an entry."""

    where: str
    """The namespace, and the environment."""
    amount: Quantity
    because: str
    """In words: `peak 6, steady 3800m`."""
    certainty: str
    reasons: tuple[str, ...]
    """Why it may be another amount."""


def need_of(projection: Projection, facts: Facts) -> Need | None:
    """What an entry needs; None where nothing ever counts it."""
    if projection.tracked == MISSING:
        return None
    scenario = facts.settings.scenario
    amount, because = projection.demand(scenario), ""
    for _ in range(_ROUNDS):
        least = least_of(projection._replace(hard=amount), facts)
        if least.amount.nano <= amount.nano:
            break
        amount, because = least.amount, least.because
    words = [f"{because or scenario} {quantity.show(amount)}"]
    if amount.nano != projection.steady.nano:
        words.append(f"at rest {quantity.show(projection.steady)}")
    charged = projection.quota.used.get(projection.name)
    reasons = projection.unknowns + tuple(f"{guess.reason}; to settle it, {guess.cure}" for guess in projection.guesses)
    certainty = projection.certainty
    if charged is not None and charged.nano > amount.nano:
        # What is charged is a lower bound of use, whatever else is in view.
        amount, certainty = charged, AT_LEAST if certainty == EXACT else certainty
        words = [f"the cluster charges {quantity.show(charged)}", *words]
    namespace = projection.quota.namespace
    where = f"{namespace} in {facts.environment}" if facts.environment else namespace
    return Need(where, amount, ", ".join(words), certainty, reasons)


def is_known(need: Need) -> bool:
    """Whether it says anything of what an entry has to allow."""
    return need.certainty != UNKNOWN


Raised = Mapping[Place, Quantity]
"""What trials showed that an entry needs beside what was reckoned, by where the entry is written."""


class Sizing(NamedTuple):
    """How amounts are chosen."""

    headroom: Margin
    lower: bool = False
    """Whether anything becomes less than it is: what is in no manifest may need what looks unused."""
    raised: Raised = MappingProxyType({})


Anchor = Callable[[Quota, str], Place]
"""Where an entry gets its amount: the same for all namespaces and environments that share it."""


def entry_place(quota: Quota, name: str) -> Place:
    """Where an entry is written; of what a template makes, whose entries all come from one file, which entry it is."""
    place = quota.entry(name).real
    return place if place.path else place.at(quota.namespace, quota.name, name)


def proposed_entry(
    name: str, before: Quantity | None, needs: Sequence[Need], by: Sizing, place: Place
) -> EntryProposal:
    """What an entry should be that so many environments share."""
    if not needs:
        return EntryProposal(name, before, None, None, "nothing counts it")
    known_needs = [need for need in needs if is_known(need)]
    reasons = tuple(dict.fromkeys(reason for need in needs for reason in need.reasons))
    if not known_needs:
        return EntryProposal(name, before, None, None, "what uses it is not known", UNKNOWN, reasons)
    most = max(known_needs, key=lambda need: need.amount.nano)
    certainty = _certainty(needs)
    where = f" ({most.where})" if len({need.where for need in needs}) > 1 else ""
    needed, because = most.amount, most.because + where
    more = by.raised.get(place)
    if more is not None and more.nano > needed.nano:
        needed, because = more, f"rollouts and runs together {quantity.show(more)}{where}"
    if not needed.nano:
        return EntryProposal(name, before, needed, None, "nothing here uses it", certainty, reasons)
    after = rounded_up(name, by.headroom.above(needed), before)
    if certainty != EXACT and before is not None and after.nano <= before.nano:
        # A lower bound is no reason to take anything away.
        words = f"left, as more may use it than is in view: {because}"
        return EntryProposal(name, before, needed, None, words, certainty, reasons)
    if before is not None and after.nano < before.nano and not by.lower:
        words = f"{quantity.show(after)} would do: {because}"
        return EntryProposal(name, before, needed, None, words, certainty, reasons, after)
    if before is not None and after.nano == before.nano:
        return EntryProposal(name, before, needed, None, f"it is right: {because}", certainty, reasons)
    return EntryProposal(name, before, needed, after, because, certainty, reasons)


def _certainty(needs: Sequence[Need]) -> str:
    certainties = {need.certainty for need in needs}
    if certainties == {EXACT}:
        return EXACT
    return ASSUMED if ASSUMED in certainties else AT_LEAST


Needs = Mapping[Place, list[Need]]


def needs_by_place(environments: Sequence[Facts], anchor: Anchor) -> Needs:
    """The needs of every entry, by where it gets its amount."""
    needs: dict[Place, list[Need]] = {}
    for facts in environments:
        for quota in sizable(facts):
            for name, projection in facts.projections_of(quota).items():
                mine = needs.setdefault(anchor(quota, name), [])
                need = need_of(projection, facts)
                if need is not None:
                    mine.append(need)
    return needs


def sizable(facts: Facts) -> Iterator[Quota]:
    """The quotas of the repository that the API server accepts."""
    return (
        quota
        for quota in facts.quotas
        if not quota.object.foreign and quota.shares is None and not facts.is_rejected(quota)
    )


def proposed_entries(quota: Quota, needs: Needs, by: Sizing, anchor: Anchor, *, new: bool) -> tuple[EntryProposal, ...]:
    """What all entries of a quota should be; of a `new` one those alone that something is known of."""
    entries = []
    for name in sorted(
        {*quota.hard, *(str(unknown.path[-1]) for unknown in quota.unknowns if unknown.path[-2:-1] == ("hard",))}
    ):
        before = None if new else quota.hard.get(name)
        entry = proposed_entry(name, before, needs.get(anchor(quota, name), ()), by, anchor(quota, name))
        if not new and before is None and entry.after is not None:
            entry = entry._replace(after=None, because=f"a placeholder stands there; {entry.because}")
        entries.append(entry)
    return tuple(entries)
