"""What is told of a change → one story for each quota, and what is wrong beside: what a person reads in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.checks.members import members
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.explained import BETTER, Explained
from quotalint.diff.fates import QuotaName
from quotalint.diff.provenance import Locate
from quotalint.diff.repairs import Repair, repairs
from quotalint.finding import Finding


class Story(NamedTuple):
    """What a change does to one quota, in every environment where it does the same."""

    quota: QuotaName
    environments: tuple[str, ...]
    """Empty where there is but one."""
    told: tuple[Explained, ...]
    """The most severe first."""
    fixed: tuple[Finding, ...]
    change: QuotaChange | None
    """How its numbers change, in the first of the environments."""
    repairs: tuple[Repair, ...]

    @property
    def severity(self) -> str:
        """The worst of what the change makes worse, or leaves; empty where there is nothing of the kind."""
        bad = [one.finding.severity for one in self.told if one.verdict != BETTER]
        return min(bad, key=SEVERITIES.index, default="")


class Tale(NamedTuple):
    """All that is told of a change, the worst first."""

    stories: tuple[Story, ...]
    others: tuple[Explained, ...]
    """Findings that are about no entry of a quota."""
    quiet: tuple[QuotaChange, ...]
    """Quotas whose numbers change, and of which there is nothing to tell."""


def tale_of(found: Changes, told: Sequence[Explained], locate: Locate, text: Callable[[str], Sequence[str]]) -> Tale:
    """The stories of a change. `text` has the lines of a file of the second state."""
    groups: dict[tuple[QuotaName, tuple[str, ...]], list[Explained]] = {}
    for one in told:
        if one.subjects:
            groups.setdefault((_quota_of(one), one.finding.environments), []).append(one)
    mended: dict[tuple[QuotaName, tuple[str, ...]], list[Finding]] = {}
    for each in found.findings.fixed:
        if each.rule.counts and "quota" in each.values:
            mended.setdefault(((each.values["namespace"], each.values["quota"]), each.environments), []).append(each)
    stories = []
    for key in dict.fromkeys((*groups, *mended)):
        mine = sorted(groups.get(key, ()), key=lambda one: SEVERITIES.index(one.finding.severity))
        broken = [one for one in mine if one.finding.severity != "info"]
        change = _change(found.quotas, *key)
        ways = repairs(broken, locate, text)
        stories.append(Story(*key, tuple(mine), tuple(mended.get(key, ())), change, ways))
    shown = [one.change for one in stories if one.change is not None]
    return Tale(
        tuple(sorted(stories, key=_gravity)),
        tuple(sorted((one for one in told if not one.subjects), key=lambda one: _rank(one.finding.severity))),
        tuple(one for one in found.quotas if not _is_in(one, shown, stories)),
    )


def _quota_of(one: Explained) -> QuotaName:
    new = one.subjects[0].new
    return members(new), new.name


def _change(quotas: Iterable[QuotaChange], quota: QuotaName, environments: tuple[str, ...]) -> QuotaChange | None:
    """How the numbers of a quota change in the first of these environments."""
    for one in quotas:
        names = {(members(table.quota), table.quota.name) for table in (one.before, one.after) if table is not None}
        if quota in names and (not environments or one.environment in environments):
            return one
    return None


def _is_in(one: QuotaChange, shown: Sequence[QuotaChange], stories: Sequence[Story]) -> bool:
    """Whether a story tells of a quota, in this environment or as one of several."""
    if any(one is each for each in shown):
        return True
    name = members(one.table.quota), one.table.quota.name
    return any(each.quota == name and one.environment in each.environments for each in stories)


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity else len(SEVERITIES)


def _gravity(one: Story) -> tuple[int, int, QuotaName]:
    return _rank(one.severity), -len(one.environments), one.quota
