"""Checks of CronJobs: is there room for a run, and for those that pile up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.checks import repairs
from quotalint.checks.hit import Hit, Note
from quotalint.checks.tight.enough import Enough, amounts_of, enough, raise_words, raised_to
from quotalint.checks.tight.excess import beside, besides, limited_by, unmet, values
from quotalint.facts import Facts
from quotalint.quota.excesses import Excess, steps
from quotalint.quota.quotas import Quota
from quotalint.workloads.demand import RUN


def runs_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    charges = facts.charges_of(quota)
    scheduled = {owner for owner, step in steps(charges).items() if step.kind == RUN}
    if not scheduled:
        return
    charges = tuple(charge for charge in charges if id(charge.admitted.demand.owner) in scheduled)
    alone = set()
    runs = tuple(unmet(quota, facts, facts.runs, charges, lambda numbers: numbers.step))
    piles = tuple(unmet(quota, facts, facts.piles, charges, lambda numbers: numbers.peak))
    least = enough(quota, facts) if runs or piles else {}
    for excess in runs:
        alone.add(id(excess.owner))
        notes = (*beside(excess, facts), *_refused(excess, "of one run"), *besides(excess))
        yield _hit(excess, "default", notes, least)
    for excess in piles:
        if id(excess.owner) not in alone:
            notes = (*beside(excess, facts), *_refused(excess, "when its runs pile up"), *besides(excess))
            yield _hit(excess, "pile-up", notes, least)


def _hit(excess: Excess, variant: str, notes: tuple[Note, ...], least: Mapping[str, Enough]) -> Hit:
    raised = raised_to(excess.needed, least, excess.needed)
    return Hit(
        excess.owner.at("spec", "schedule"),
        {**values(excess), **raise_words(raised), "more": str(excess.more), "fitting": str(excess.fitting)},
        excess.owner,
        "spec.schedule",
        variant=variant,
        related=limited_by(excess),
        notes=notes,
        resource=next(iter(excess.needed)),
        fix=repairs.raised(excess.quota, amounts_of(raised)),
    )


def _refused(excess: Excess, when: str) -> Iterator[Note]:
    kind_words = "pods" if excess.charge.admitted.demand.kind == "Pod" else f"{excess.charge.admitted.demand.kind}s"
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
