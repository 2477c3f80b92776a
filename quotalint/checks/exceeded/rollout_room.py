"""Checks of rolling updates: whether new pods fit before old ones are deleted."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.exceeded.kept_objects import kept_revisions_without_room
from quotalint.checks.exceeded.smaller_steps import smaller_step, with_replicas
from quotalint.checks.exceeded.stopped_rollouts import (
    VARIANTS,
    WAITS,
    ending_words,
    rollout_needs,
    sequence_hits,
    smallest_hard,
    verdict_of,
)
from quotalint.checks.exceeded.sufficient_amounts import amounts_of, raise_words, raised_to, sufficient_amounts
from quotalint.checks.exceeded.temporary_needs import (
    entry_needs,
    exceeded_notes,
    excess_values,
    limited_by,
    temporary_excesses,
    usage_notes,
)
from quotalint.checks.hit import Hit, Note
from quotalint.fixes.fix import Fix
from quotalint.kube.fields import dig
from quotalint.quota.excesses import Excess, steps_by_owner
from quotalint.quota.fitting import largest_that_fits
from quotalint.quota.quotas import Quota
from quotalint.quota.remedies import ends_with, fits_with
from quotalint.quota.sequences import RolloutVerdict
from quotalint.settings import Scenario
from quotalint.text.place import Path
from quotalint.workloads.demand import ROLLOUT, Replicas, Step
from quotalint.workloads.deployments import update_size


def rollouts_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    needed = tuple(rollout_needs(quota, facts))
    least = sufficient_amounts(quota, facts) if needed else {}
    for excess, step in needed:
        outcome = _rollout_outcome(excess, step)
        verdict = verdict_of(excess.owner, facts)
        if verdict not in (None, RolloutVerdict.AFTER):
            outcome = VARIANTS.get(verdict, "default")
        raised = raised_to(excess.needed, least, smallest_hard(quota, excess.owner, facts) or excess.needed)
        smaller = _smaller_surge(excess, step, facts)
        other_fixes = tuple(filter(None, (smaller, smaller and _fewer_replicas(excess, facts))))
        yield Hit(
            excess.owner.at(*_surge_path(excess, step)),
            {
                **excess_values(excess),
                **raise_words(raised),
                **ending_words(facts.rollouts.get(excess.owner.identity)),
                "heal": "".join(f"; or {fix_option.words}" for fix_option in other_fixes),
            },
            excess.owner,
            ".".join(map(str, step.path)),
            variant=outcome,
            related=limited_by(excess),
            notes=(
                *usage_notes(excess, facts),
                *_consequence_notes(excess, step, outcome),
                *exceeded_notes(quota, excess.exceeded),
            ),
            severity="" if outcome in ("default", "perhaps", "later") else "error",
            resource=next(iter(excess.needed)),
            needs=entry_needs(excess.quota, excess.needed),
            entries=tuple(excess.needed),
            fix=quota_repairs.raise_entries(quota, amounts_of(raised))._replace(otherwise=smaller),
            ways=other_fixes,
        )
    yield from sequence_hits(quota, facts)
    yield from kept_revisions_without_room(quota, facts)


def unreported_entries(quota: Quota, facts: Facts) -> Iterator[str]:
    """The entries with enough room for rollouts only because other objects are refused."""
    charges = facts.charges_of(quota)
    updated = steps_by_owner(charges)
    for excess in temporary_excesses(quota, facts, charges, Scenario.SURGE):
        step = updated.get(excess.owner.identity)
        if (step is None or step.kind == ROLLOUT) and verdict_of(excess.owner, facts) is RolloutVerdict.WELL:
            yield from excess.needed


def _rollout_outcome(excess: Excess, step: Step) -> str:
    """`stuck` if the rollout cannot begin, `incomplete` if it cannot end, else `default`: it takes longer."""
    if excess.reached is None:
        return "default"
    if _is_pod(excess) and not step.gradual:
        return "incomplete"
    return "stuck" if not excess.fitting and (not step.unavailable or not _is_pod(excess)) else "default"


def _surge_path(excess: Excess, step: Step) -> Path:
    """The path of the field that sets the number of new pods: `maxSurge`, or the replicas if it is a percentage by
    default."""
    replicas: Path = ("spec", "replicas")
    body = excess.owner.body
    return replicas if dig(body, *step.path) is None and dig(body, *replicas) is not None else step.path


def _is_pod(excess: Excess) -> bool:
    return excess.charge.kind == "Pod"


def _consequence_notes(excess: Excess, step: Step, outcome: str) -> Iterator[Note]:
    if excess.reached is None:
        return
    kind_words = "pods" if _is_pod(excess) else f"{excess.charge.kind}s"
    because = f" ({step.because})" if _is_pod(excess) else ""
    refused = excess.more - excess.fitting
    of = f"all {excess.more}" if not excess.fitting else f"{refused} of the {excess.more}"
    subject = f"the new {kind_words[:-1]}{because}" if excess.more == 1 else f"{of} new {kind_words}{because}"
    yield Note("so", f"{subject} {_fate_words(excess)}: {excess.message}")
    if outcome == "incomplete":
        yield Note("then", "the old pods stay until all of the new ones are there: the rollout never ends")
    elif outcome == "stuck" and _is_pod(excess):
        yield Note(
            "then",
            "no old pod goes before a new one is ready, since maxUnavailable is 0, and no new one can start: the "
            "rollout never moves",
        )
    elif outcome == "later":
        yield Note("then", WAITS)
    elif outcome == "stuck":
        yield Note("then", "the new revision has nothing to run in: the rollout makes no progress")
    elif excess.exceeded:
        # Some old pods are missing already, so none can be deleted to make room.
        return
    elif excess.fitting:
        yield Note("then", "the rollout goes on with fewer new pods at a time, and reports refusals until it is done")
    else:
        number = f"{step.unavailable} of the old pods" if step.unavailable > 1 else "one old pod"
        yield Note(
            "then",
            f"the rollout still completes: {number} may go first (maxUnavailable), which makes room; it takes "
            "longer, runs with fewer pods meanwhile, and reports refusals until it is done",
        )


def _fate_words(excess: Excess) -> str:
    is_single = excess.more - excess.fitting == 1
    if excess.pending:
        return "stays Pending" if is_single else "stay Pending"
    return "is not admitted" if is_single else "are not admitted"


def _smaller_surge(excess: Excess, step: Step, facts: Facts) -> Fix | None:
    """A fix without a surge; it is tried by running the rollout again, if a run is possible."""
    smaller = smaller_step(excess.owner, step)
    if smaller is None or not _is_pod(excess) or not step.gradual:
        return None
    outcome = facts.rollouts.get(excess.owner.identity)
    # A rollout that waits for other objects continues once they have room.
    if outcome is not None and outcome.verdict is not RolloutVerdict.AFTER:
        strategy = outcome.rollout.strategy._replace(surge=0, unavailable=step.unavailable or 1)
        if not ends_with(outcome, strategy, facts.admissions.ledger):
            return None
    return smaller


def _fewer_replicas(excess: Excess, facts: Facts) -> Fix | None:
    number = 0 if excess.exceeded else _fitting_replicas(excess, facts)
    return with_replicas(excess.owner, number) if number else None


def _fitting_replicas(excess: Excess, facts: Facts) -> int:
    """The most replicas of a Deployment with a rollout that fits, tried by running it again; 0 if none fit or an
    autoscaler sets the number."""
    owner, demand = excess.owner, excess.charge.demand
    outcome = facts.rollouts.get(owner.identity)
    if (owner.group, owner.kind) != ("apps", "Deployment") or demand.size.scaler is not None:
        return 0

    def fits(number: int) -> bool:
        if outcome is not None:
            return fits_with(outcome, number, facts.admissions.ledger)
        more = update_size(owner, Replicas(number, number, "")).numbers.surge - demand.number
        return all(more <= room.fitting for room in excess.rooms)

    return largest_that_fits(fits, 1, demand.number - 1, _TRIED - 1) or 0


_TRIED = 1000
