"""What rollouts need beside all that is there: in what is admitted where they were played through, else in sums."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.tight.temporary_needs import temporary_excesses
from quotalint.facts import Facts
from quotalint.kube.objects import Object
from quotalint.quota.excesses import Excess, steps_by_owner
from quotalint.quota.quotas import Quota
from quotalint.quota.sequences import RolloutVerdict
from quotalint.quota.wants import as_played
from quotalint.settings import Scenario
from quotalint.workloads.demand import ROLLOUT, Step

_PLAYED = ("Deployment", "DaemonSet", "StatefulSet")


def verdict_of(owner: Object, facts: Facts) -> RolloutVerdict | None:
    """How the next rollout of a workload goes; None where it was not played through."""
    if owner.group != "apps" or owner.kind not in _PLAYED or facts.settings.enforcement == "deferred":
        return None
    outcome = facts.rollouts.get(owner.identity)
    return RolloutVerdict.WELL if outcome is None else outcome.verdict


def rollout_needs(quota: Quota, facts: Facts) -> Iterator[tuple[Excess, Step]]:
    """What each rollout that does not only go well needs of a quota, and why."""
    projections = facts.projections_of(quota)
    charges = facts.charges_of(quota)
    updated = steps_by_owner(charges)
    for excess in temporary_excesses(quota, facts, charges, Scenario.SURGE):
        step = updated.get(excess.owner.identity, Step(ROLLOUT, "a new revision", ("spec",)))
        if step.kind != ROLLOUT or verdict_of(excess.owner, facts) is RolloutVerdict.WELL:
            continue  # it has room, since other things are refused
        outcome = facts.rollouts.get(excess.owner.identity)
        played = (
            excess if outcome is None else as_played(excess, outcome, projections, facts.admissions, Scenario.SURGE)
        )
        if played is not None:
            yield played, step
