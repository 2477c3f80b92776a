"""The verdict on a change, as one word."""

from __future__ import annotations

from quotalint.diff.changes import Changes


def verdict_of(changes: Changes) -> str:
    """fails, unknown, passes, or nothing where no quota or LimitRange is in view: the first that is true."""
    if any(finding.severity == "error" for finding in changes.findings.failing):
        return "fails"
    if changes.unknowns:
        return "unknown"
    sides = (facts for pairs in changes.pairs for facts in (pairs.old_facts, pairs.new_facts) if facts is not None)
    is_limited = changes.same_files or any(facts.quotas or facts.limit_ranges for facts in sides)
    return "passes" if is_limited else "nothing"
