"""Checks of CronJobs: is there room for a run, and for those that pile up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, Note
from quotalint.checks.tight.sufficient_amounts import (
    SufficientAmount,
    amounts_of,
    raise_words,
    raised_to,
    sufficient_amounts,
)
from quotalint.checks.tight.temporary_needs import (
    exceeded_notes,
    excess_values,
    limited_by,
    missing_amount,
    unmet_excesses,
    usage_notes,
)
from quotalint.facts import Facts
from quotalint.quota.excesses import Excess, steps_by_owner
from quotalint.quota.quotas import Quota
from quotalint.settings import Scenario
from quotalint.workloads.demand import RUN


def runs_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    charges = facts.charges_of(quota)
    scheduled = {owner for owner, step in steps_by_owner(charges).items() if step.kind == RUN}
    if not scheduled:
        return
    charges = tuple(charge for charge in charges if charge.owner is not None and charge.owner.identity in scheduled)
    excesses_of_runs = unmet_excesses(quota, facts, facts.runs, charges, Scenario.SURGE)
    excesses_of_piles = unmet_excesses(quota, facts, facts.piles, charges, Scenario.PEAK)
    runs = {excess.owner.identity: excess for excess in excesses_of_runs}
    piles = {excess.owner.identity: excess for excess in excesses_of_piles}
    wanting = piles | runs
    least = sufficient_amounts(quota, facts) if wanting else {}
    for owner, excess in wanting.items():
        variant, when = ("default", "of one run") if owner in runs else ("pile-up", "when its runs pile up")
        notes = (*usage_notes(excess, facts), *_refusal_note(excess, when), *exceeded_notes(excess))
        yield _schedule_hit(excess, variant, notes, least)


def _schedule_hit(excess: Excess, variant: str, notes: tuple[Note, ...], least: Mapping[str, SufficientAmount]) -> Hit:
    raised = raised_to(excess.needed, least, excess.needed)
    return Hit(
        excess.owner.at("spec", "schedule"),
        {**excess_values(excess), **raise_words(raised)},
        excess.owner,
        "spec.schedule",
        variant=variant,
        related=limited_by(excess),
        notes=notes,
        resource=next(iter(excess.needed)),
        short=missing_amount(excess.quota, excess.needed),
        entries=tuple(excess.needed),
        fix=quota_repairs.raise_entries(excess.quota, amounts_of(raised)),
    )


def _refusal_note(excess: Excess, when: str) -> Iterator[Note]:
    kind_words = "pods" if excess.charge.kind == "Pod" else f"{excess.charge.kind}s"
    if excess.reached is None:
        return
    if excess.more == 1:
        fate = "stays Pending" if excess.pending else "is refused"
        yield Note("so", f"the {kind_words[:-1]} {when} {fate}: {excess.message}")
    else:
        fate = "stay Pending" if excess.pending else "are refused"
        yield Note(
            "so", f"{excess.more - excess.fitting} of {excess.more} {kind_words} {when} {fate}: {excess.message}"
        )
