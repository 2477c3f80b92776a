"""Findings that say that an object is refused, whatever a quota has left: by which bound, and for which reasons."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Set

from quotalint.results.finding import Finding


def refuses_one_of(finding: Finding, others: Iterable[Finding]) -> bool:
    """Whether it refuses an object that one of the others refused as well."""
    return finding.rule.refuses and any(
        other.rule.refuses
        and not other.subjects.isdisjoint(finding.subjects)
        and (not (other.environments and finding.environments) or set(other.environments) & set(finding.environments))
        for other in others
    )


def unstated(finding: Finding) -> Set[str]:
    """What containers have to state and do not, and which containers."""
    names = (finding.values.get(key, "") for key in ("resources", "containers") if finding.rule.refuses)
    return {name for listed in names for name in listed.split(", ") if name}


def bound_key(finding: Finding) -> Hashable:
    """Which bound an object is outside of; none where it is not refused for one."""
    names = ("limit_range", "bound", "container", "quota")
    return (finding.rule.id, *(finding.values.get(name, "") for name in names)) if finding.rule.refuses else ()
