"""What is told of a change → one story for each quota, and what is wrong beside: what a person reads in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from quotalint.catalogue import SEVERITIES
from quotalint.checks.tight.members import namespaces_words
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.explained import BETTER, Explained
from quotalint.diff.fates import QuotaName
from quotalint.diff.provenance import Locate
from quotalint.diff.repairs import Repair, find_repairs
from quotalint.finding import Finding
from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity


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
    also: tuple[Story, ...] = ()
    """The other quotas of the namespace of which the same is told, which allow as much or more."""

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
        stories.append(Story(*key, tuple(mine), tuple(mended.get(key, ())), _change_of_quota(found.quotas, *key), ()))
    shown = [one.change for one in stories if one.change is not None]
    together = [_with_repairs(one, locate, text) for one in _merge_stories(stories)]
    return Tale(
        tuple(sorted(together, key=_story_order)),
        tuple(sorted((one for one in told if not one.subjects), key=lambda one: _severity_rank(one.finding.severity))),
        tuple(one for one in found.quotas if not _is_in(one, shown, stories)),
    )


def _merge_stories(stories: Iterable[Story]) -> Iterable[Story]:
    """The stories, those of one namespace that tell the same as one: of the quota that is short of most."""
    alike: dict[tuple[object, ...], list[Story]] = {}
    for one in stories:
        said = tuple(
            (
                each.verdict,
                each.subjects[0].resource,
                *(each.finding.rule.id, each.finding.variant, each.finding.severity),
                *(each.finding.values.get(name, "") for name in ("used", "needs")),
            )
            for each in one.told
        )
        own = () if said and not one.fixed else one.quota
        alike.setdefault((one.quota[0], one.environments, said, own), []).append(one)
    for several in alike.values():
        tightest = max(several, key=_shortage_thousandths)  # of equals the first
        yield tightest._replace(also=tuple(one for one in several if one is not tightest))


def _shortage_thousandths(one: Story) -> int:
    """By how many thousandths of what is allowed its entries are short, all together."""
    total = 0
    for each in one.told:
        short, hard = (amount(each.finding.values.get(name, "0")) for name in ("short", "hard"))
        if isinstance(short, Quantity) and isinstance(hard, Quantity) and hard.nano > 0:
            total += 1000 * short.nano // hard.nano
    return total


def _with_repairs(one: Story, locate: Locate, text: Callable[[str], Sequence[str]]) -> Story:
    """A story with what would repair it and those beside it."""
    broken = [each for story in (one, *one.also) for each in story.told if each.finding.severity != "info"]
    return one._replace(repairs=find_repairs(broken, locate, text))


def _quota_of(one: Explained) -> QuotaName:
    new = one.subjects[0].new
    return namespaces_words(new), new.name


def _change_of_quota(
    quotas: Iterable[QuotaChange], quota: QuotaName, environments: tuple[str, ...]
) -> QuotaChange | None:
    """How the numbers of a quota change in the first of these environments."""
    for one in quotas:
        names = {
            (namespaces_words(table.quota), table.quota.name) for table in (one.before, one.after) if table is not None
        }
        if quota in names and (not environments or one.environment in environments):
            return one
    return None


def _is_in(one: QuotaChange, shown: Sequence[QuotaChange], stories: Sequence[Story]) -> bool:
    """Whether a story tells of a quota, in this environment or as one of several."""
    if any(one is each for each in shown):
        return True
    name = namespaces_words(one.table.quota), one.table.quota.name
    return any(each.quota == name and one.environment in each.environments for each in stories)


def _severity_rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity else len(SEVERITIES)


def _story_order(one: Story) -> tuple[int, int, QuotaName]:
    return _severity_rank(one.severity), -len(one.environments), one.quota
