"""What rollouts need in addition to what is admitted, or to the sums if they were not run; and the findings about
stopped rollouts: what they wait for, and what lets them end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.exceeded.sufficient_amounts import (
    SufficientAmount,
    amounts_of,
    raise_words,
    raised_to,
    sufficient_amounts,
)
from quotalint.checks.exceeded.temporary_needs import entry_needs, exceeded_notes, need_words, temporary_excesses
from quotalint.checks.hit import Hit, Note, Related
from quotalint.kube import quantity
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.quota.charges import Charge
from quotalint.quota.excesses import Excess, steps_by_owner
from quotalint.quota.pools import Shortage
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import exceeded_message
from quotalint.quota.remedies import smallest_raise
from quotalint.quota.sequences import RolloutOutcome, RolloutVerdict
from quotalint.quota.unmet_demand import excess_of_rollout
from quotalint.settings import Scenario
from quotalint.text.words import list_some
from quotalint.workloads.demand import ROLLOUT, Step


def smallest_hard(quota: Quota, owner: Object, facts: Facts) -> Mapping[str, Quantity]:
    """The smallest limits of a quota's entries that let the rollout end, found by running it again; empty if the
    rollout lacks something else."""
    outcome = facts.rollouts.get(owner.identity)
    if outcome is None or outcome.verdict is not RolloutVerdict.NEVER:
        return {}
    more = smallest_raise(outcome, facts.admissions.ledger)
    increases = (more or {}).get(quota.pool, {})
    return {
        name: Quantity(least.nano + increases[name], least.format)
        for name, least in quota.hard.items()
        if name in increases and least.nano == facts.admissions.ledger.limit(quota.pool, name)
    }


def sequence_hits(quota: Quota, facts: Facts) -> Iterator[Hit]:
    """The rollouts that this quota stops although the steady sums fit."""
    stopped = facts.stopped_rollouts.get(quota.id, ()) if quota.shares is None else ()
    if not stopped:
        return
    reported_owners = {excess.owner.identity for excess, _ in rollout_needs(quota, facts)}
    least = sufficient_amounts(quota, facts)
    for outcome in stopped:
        if outcome.rollout.owner.foreign:
            continue  # objects outside the repository cannot be changed here
        shortage = outcome.shortage
        # QL301 reports what the rollout waits for.
        waits_for_others = outcome.verdict is RolloutVerdict.AFTER or outcome.rollout.owner.identity in reported_owners
        if shortage is not None and outcome.first is quota and not waits_for_others:
            yield _sequence_hit(outcome, shortage, quota, facts, least)


def _sequence_hit(
    outcome: RolloutOutcome, shortage: Shortage, quota: Quota, facts: Facts, least: Mapping[str, SufficientAmount]
) -> Hit:
    owner = outcome.rollout.owner
    variant = VARIANTS.get(outcome.verdict, "default")
    used = shortage.used.get(quota.pool, {})
    names = short_names(quota, shortage)
    needed = {name: quantity.add(used.get(name, quantity.ZERO), shortage.asked[name]) for name in names}
    wanted = dict(smallest_hard(quota, owner, facts)) or needed
    raised = raised_to(wanted, least, wanted)
    charge = outcome.charge
    kind = charge.kind if charge is not None else "Pod"
    kind_words = "pod" if kind == "Pod" else kind
    message = exceeded_message(quota, shortage.asked, used)
    projections = facts.projections_of(quota)
    notes = [
        Note("so", f"the first new {kind_words} that finds no room is refused: {message}"),
        *_outcome_note(outcome),
        *exceeded_notes(quota, (projections[name] for name in names if projections[name].exceeds(Scenario.STEADY))),
    ]
    return Hit(
        owner.at("spec", "replicas") if "replicas" in owner.spec else owner.at("spec"),
        {**need_words(owner, quota, needed), **raise_words(raised), **ending_words(outcome), "heal": ""},
        owner,
        "spec",
        variant=variant,
        related=limiting_entries(quota, names, used),
        notes=tuple(notes),
        severity="error" if variant == "stuck" else "",
        resource=names[0],
        needs=entry_needs(quota, needed),
        entries=names,
        fix=quota_repairs.raise_entries(quota, amounts_of(raised)),
    )


_SHOWN = 4  # workloads that are listed
WAITS = "no old pod may go before a new one is ready, and that is tried again until there is room"


VARIANTS: Mapping[RolloutVerdict | None, str] = {
    RolloutVerdict.NEVER: "stuck",
    RolloutVerdict.PERHAPS: "perhaps",
    RolloutVerdict.LATER: "later",
}
"""The variant of the rule's text for each verdict."""


def short_names(quota: Quota, shortage: Shortage) -> tuple[str, ...]:
    """The entries of a quota that are exceeded."""
    by_pool = dict(shortage.exceeded)
    names = by_pool[quota.pool]
    return tuple(name for name in names if name in quota.hard)


def _owner_of(charge: Charge) -> str:
    owner = charge.owner
    return f"{owner.kind} {owner.title}" if owner else charge.kind


def limiting_entries(quota: Quota, names: tuple[str, ...], used: Mapping[str, Quantity]) -> tuple[Related, ...]:
    """The entries, and how much of each is in use when an object is refused."""
    return tuple(
        Related(
            "limited by",
            quota.entry(name),
            f"quota {quota.name}: {name} {quantity.show(quota.hard[name])}, "
            f"{quantity.show(used.get(name, quantity.ZERO))} in use at that moment",
        )
        for name in names
    )


def ending_words(outcome: RolloutOutcome | None) -> dict[str, str]:
    """The names of the workloads that a rollout waits for, if these end by themselves."""
    if outcome is None or outcome.verdict is not RolloutVerdict.LATER:
        return {}
    names = list(dict.fromkeys(_owner_of(charge) for charge, number in outcome.rollout.ending if number))
    return {"ended": f"{list_some(names, _SHOWN)} {'has' if len(names) == 1 else 'have'} ended"}


def _outcome_note(outcome: RolloutOutcome) -> Iterator[Note]:
    if outcome.verdict is RolloutVerdict.PERHAPS:
        own_pods = outcome.rollout.pods
        names = list(
            dict.fromkeys(_owner_of(fate.charge) for fate in outcome.rollout.waiting if fate.charge is not own_pods)
        )
        more = [f"{len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
        yield Note(
            "then", f"{', '.join([*names[:_SHOWN], *more])} may take the room that old pods leave, and then it waits"
        )
    elif outcome.verdict is RolloutVerdict.NEVER:
        yield Note("then", "no old pod may go before a new one is ready: the rollout never ends")
    elif outcome.verdict is RolloutVerdict.LATER:
        yield Note("then", WAITS)
    else:
        yield Note("then", "it goes on as old pods go, with fewer meanwhile, and reports refusals until it is done")


_RUN_KINDS = ("Deployment", "DaemonSet", "StatefulSet")


def verdict_of(owner: Object, facts: Facts) -> RolloutVerdict | None:
    """The verdict on the next rollout of a workload; None if it was not run."""
    if owner.group != "apps" or owner.kind not in _RUN_KINDS or facts.settings.enforcement == "deferred":
        return None
    outcome = facts.rollouts.get(owner.identity)
    return RolloutVerdict.WELL if outcome is None else outcome.verdict


def rollout_needs(quota: Quota, facts: Facts) -> Iterator[tuple[Excess, Step]]:
    """The excess of each rollout that a quota slows down or stops, and its step."""
    projections = facts.projections_of(quota)
    charges = facts.charges_of(quota)
    updated = steps_by_owner(charges)
    for excess in temporary_excesses(quota, facts, charges, Scenario.SURGE):
        step = updated.get(excess.owner.identity, Step(ROLLOUT, "a new revision", ("spec",)))
        if step.kind != ROLLOUT or verdict_of(excess.owner, facts) is RolloutVerdict.WELL:
            continue  # it fits, because other objects are refused
        outcome = facts.rollouts.get(excess.owner.identity)
        played = (
            excess
            if outcome is None
            else excess_of_rollout(excess, outcome, projections, facts.admissions, Scenario.SURGE)
        )
        if played is not None:
            yield played, step
