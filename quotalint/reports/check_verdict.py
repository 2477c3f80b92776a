"""The verdict of `check`, in a word: those of a change (`verdict_of` in `diff/changes.py`)."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.accounts.facts import Facts
from quotalint.quota.projection import Uninhabited
from quotalint.results.finding import Finding
from quotalint.unknowns.unseen import LIMITING


def verdict_of_check(environments: Sequence[Facts], findings: Sequence[Finding]) -> str:
    """fails, unknown, passes, or nothing where no quota or LimitRange is in view: the first that is true."""
    if any(finding.severity == "error" and finding.suppressed is None for finding in findings):
        return "fails"
    if holds_unknown(environments):
        return "unknown"
    return "passes" if any(facts.quotas or facts.limit_ranges for facts in environments) else "nothing"


def holds_unknown(environments: Sequence[Facts]) -> bool:
    """Whether something that may use a quota, or may write one, is not in view."""
    return (
        any(
            not isinstance(reason, Uninhabited)
            for facts in environments
            for projection in facts.projections
            for reason in projection.unknowns
        )
        or any(problem.limits for facts in environments for problem in facts.problems)
        or any(skipped.kind == LIMITING for skipped in environments[0].repository.skipped)
    )
