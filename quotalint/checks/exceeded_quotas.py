"""Checks of exceeded quotas. Most quotas are not exceeded, so the modules that build the findings are imported on
demand."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.quota.projection import MISSING, Projection
from quotalint.quota.quotas import Quota


@check("QL301", Projection)
def quota_exceeded(projection: Projection, facts: Facts) -> Iterator[Hit]:
    if projection.exceeds(facts.settings.scenario):
        from quotalint.checks.exceeded.exceeded_sums import sums_without_room

        yield from sums_without_room(projection, facts)


@check("QL302", Quota)
def rollout_exceeds_quota(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if facts.is_tight(quota):
        from quotalint.checks.exceeded.rollout_room import rollouts_without_room

        yield from rollouts_without_room(quota, facts)


@check("QL303", Quota)
def cronjob_exceeds_quota(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if facts.is_tight(quota):
        from quotalint.checks.exceeded.wanted_room import runs_without_room

        yield from runs_without_room(quota, facts)


@check("QL304", Quota)
def autoscaling_exceeds_quota(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if facts.is_tight(quota):
        from quotalint.checks.exceeded.wanted_room import maxima_without_room

        yield from maxima_without_room(quota, facts)


@check("QL305", Projection)
def quota_nearly_full(projection: Projection, facts: Facts) -> Iterator[Hit]:
    scenario = facts.settings.scenario
    hard, used = projection.hard, projection.demand(scenario)
    if hard is None or projection.tracked == MISSING or projection.exceeds(scenario) or hard.nano <= 0:
        return
    if used.nano * 100 > hard.nano * facts.settings.nearly_full:
        from quotalint.checks.exceeded.exceeded_sums import nearly_full

        yield nearly_full(projection, used, hard, facts)
