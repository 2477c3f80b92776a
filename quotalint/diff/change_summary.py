"""Changes and findings → one summary for each quota, and the other findings, in the order of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.checks.exceeded.quota_words import namespaces_words
from quotalint.diff.changes import Changes, QuotaChange, QuotaPairs
from quotalint.diff.explained import BETTER, Explained
from quotalint.diff.finding_changes import QuotaName
from quotalint.diff.lines import Locate
from quotalint.diff.repairs import NO_PROPOSAL, Proposal, find_proposal, with_largest_raises
from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.results.finding import Finding
from quotalint.text.place import Place

WrittenAt = tuple[str, int]
"""A file and a line."""


class QuotaSummary(NamedTuple):
    """The effect of a change on one quota, in all environments with the same effect."""

    quota: QuotaName
    environments: tuple[str, ...]
    """Empty if there is only one."""
    explained: tuple[Explained, ...]
    """The most severe first, and lasting shortages before temporary ones."""
    fixed: tuple[Finding, ...]
    change: QuotaChange | None
    """Its numbers, in the first environment."""
    proposal: Proposal = NO_PROPOSAL
    also: tuple[QuotaSummary, ...] = ()
    """Other quotas of the namespace with the same findings and with limits that are as large or larger."""
    others: tuple[QuotaSummary, ...] = ()
    """The other quotas that the same changed line breaks."""
    line: WrittenAt | None = None
    """The line that breaks several quotas; None if it is only one quota."""
    reached: int = 0
    """The number of quotas that the line affects, broken or not; 0 if unknown."""

    @property
    def severity(self) -> str:
        """The worst severity of the findings that are new, worse or still there; empty without any."""
        bad = [explained.finding.severity for explained in self.told if explained.verdict != BETTER]
        return min(bad, key=SEVERITIES.index, default="")

    @property
    def members(self) -> tuple[QuotaSummary, ...]:
        """This quota and the others of its line."""
        return self, *self.others

    @property
    def quotas(self) -> tuple[QuotaSummary, ...]:
        """One summary for each quota that this one covers."""
        return tuple(summary for member in self.members for summary in (member, *member.also))

    @property
    def told(self) -> tuple[Explained, ...]:
        """The findings of this quota and the others of its line."""
        return tuple(explained for member in self.members for explained in member.explained)

    @property
    def repaired(self) -> Sequence[Finding]:
        """The repaired findings: about entries that were too small, or else about nearly full ones."""
        return [finding for finding in self.fixed if finding.rule.worse_with] or self.fixed

    @property
    def was_short(self) -> bool:
        """Whether an entry was too small before; else it was only nearly full."""
        return any(finding.rule.worse_with for finding in self.fixed)


class ChangeSummary(NamedTuple):
    """What a report says about a change, the worst first."""

    summaries: tuple[QuotaSummary, ...]
    others: tuple[Explained, ...]
    """Findings about something else than an entry of a quota."""
    quiet: tuple[QuotaChange, ...]
    """Quotas whose numbers change without a finding."""


def summarize_change(
    changes: Changes, explained_findings: Sequence[Explained], locate: Locate, text: Callable[[str], Sequence[str]]
) -> ChangeSummary:
    """The summary of a change. `text` returns the lines of a file of the head."""
    groups: dict[tuple[QuotaName, tuple[str, ...]], list[Explained]] = {}
    for explained in explained_findings:
        if explained.subjects:
            groups.setdefault((_quota_of(explained), explained.finding.environments), []).append(explained)
    mended: dict[tuple[QuotaName, tuple[str, ...]], list[Finding]] = {}
    for finding in changes.findings.fixed:
        if finding.counts and "quota" in finding.values:
            mended.setdefault(
                ((finding.values["namespace"], finding.values["quota"]), finding.environments), []
            ).append(finding)
    summaries = []
    for key in dict.fromkeys((*groups, *mended)):
        mine = sorted(groups.get(key, ()), key=_told_order)
        summaries.append(
            QuotaSummary(*key, tuple(mine), tuple(mended.get(key, ())), _change_of_quota(changes.quotas, *key))
        )
    shown = [summary.change for summary in summaries if summary.change is not None]
    shared = _quotas_by_line(changes.pairs) if groups else {}
    grouped = _join_by_line(sorted(_merge_summaries(summaries), key=_summary_order), shared)
    proposals = with_largest_raises(
        [find_proposal(_broken(summary), locate, text, shared) for summary in grouped], locate, text
    )
    together = [summary._replace(proposal=proposal) for summary, proposal in zip(grouped, proposals, strict=True)]
    return ChangeSummary(
        tuple(sorted(together, key=_summary_order)),
        tuple(
            sorted(
                (explained for explained in explained_findings if not explained.subjects),
                key=lambda explained: _severity_rank(explained.finding.severity),
            )
        ),
        tuple(change for change in changes.quotas if not _is_in(change, shown, summaries)),
    )


def _merge_summaries(summaries: Iterable[QuotaSummary]) -> Iterable[QuotaSummary]:
    """The summaries; several of one namespace with the same findings become one, of the quota with the largest
    shortage."""
    alike: dict[tuple[object, ...], list[QuotaSummary]] = {}
    for summary in summaries:
        sentences = tuple(
            (
                explained.verdict,
                explained.subjects[0].resource,
                *(explained.finding.rule.id, explained.finding.variant, explained.finding.severity),
                *(explained.finding.values.get(name, "") for name in ("used", "needs")),
            )
            for explained in summary.explained
        )
        own = () if sentences and not summary.fixed else summary.quota
        alike.setdefault((summary.quota[0], summary.environments, sentences, own), []).append(summary)
    for similar in alike.values():
        tightest = max(similar, key=_shortage_thousandths)  # of equals the first
        yield tightest._replace(also=tuple(summary for summary in similar if summary is not tightest))


def _shortage_thousandths(summary: QuotaSummary) -> int:
    """The shortage of all entries together, in thousandths of what is allowed."""
    total = 0
    for explained in summary.explained:
        short, hard = (amount(explained.finding.values.get(name, "0")) for name in ("short", "hard"))
        if isinstance(short, Quantity) and isinstance(hard, Quantity) and hard.nano > 0:
            total += 1000 * short.nano // hard.nano
    return total


def _broken(main_summary: QuotaSummary) -> list[Explained]:
    """The findings that a proposal has to repair."""
    return [
        explained
        for summary in main_summary.quotas
        for explained in summary.explained
        if explained.finding.severity != "info"
    ]


def _quotas_by_line(pairs: Iterable[QuotaPairs]) -> Mapping[Place, set[tuple[str, str]]]:
    """Environment and namespace of each quota of the head that has an entry from this place."""
    shared: dict[Place, set[tuple[str, str]]] = {}
    for pair in pairs:
        for _, table in pair.tables:
            quota = table.quota if table is not None else None
            for resource in quota.hard if quota is not None else ():
                assert quota is not None
                place = quota.object.at(*quota.way(resource)).real
                shared.setdefault(place, set()).add((pair.environment, namespaces_words(quota)))
    return shared


def _join_by_line(
    summaries: Iterable[QuotaSummary], shared: Mapping[Place, set[tuple[str, str]]]
) -> list[QuotaSummary]:
    """The summaries; those of all quotas that one changed line breaks become one. The line that breaks most quotas
    comes first, and its largest shortage."""
    left = list(summaries)
    by_line = {id(summary): _lines_of(summary) for summary in left}
    joined: list[QuotaSummary] = []
    while True:
        lines = Counter(line for summary in left for line in by_line[id(summary)])
        line, number = max(lines.items(), key=lambda item: item[1], default=(None, 0))
        if line is None or number < 2:
            return joined + left
        group = [summary for summary in left if line in by_line[id(summary)]]
        left = [summary for summary in left if line not in by_line[id(summary)]]
        group.sort(key=lambda summary: (*_told_order(summary.explained[0]), -_shortage_thousandths(summary)))
        reached = {
            place
            for summary in group
            for explained in summary.explained
            for culprit in explained.culprits
            if culprit.hard is not None and culprit.written_at == line
            for place in shared.get(culprit.object.at(*culprit.fields[0].path).real, ())
        }
        joined.append(group[0]._replace(others=tuple(group[1:]), line=line, reached=len(reached)))


def _lines_of(summary: QuotaSummary) -> dict[WrittenAt, None]:
    """The changed lines that break a quota."""
    if summary.severity in ("", "info"):
        return {}
    return dict.fromkeys(
        line
        for own_summary in summary.quotas
        for explained in own_summary.explained
        if explained.verdict != BETTER and explained.finding.severity != "info"
        for culprit in explained.culprits
        if not culprit.eases and (line := culprit.written_at) is not None
    )


def _quota_of(explained: Explained) -> QuotaName:
    new = explained.subjects[0].new
    return namespaces_words(new), new.name


def _change_of_quota(
    quotas: Iterable[QuotaChange], quota: QuotaName, environments: tuple[str, ...]
) -> QuotaChange | None:
    """The change of a quota in the first of these environments."""
    for change in quotas:
        quota_names = {
            (namespaces_words(table.quota), table.quota.name)
            for table in (change.before, change.after)
            if table is not None
        }
        if quota in quota_names and (not environments or change.environment in environments):
            return change
    return None


def _is_in(change: QuotaChange, shown: Sequence[QuotaChange], summaries: Sequence[QuotaSummary]) -> bool:
    """Whether a summary covers a quota, in this environment or as one of several."""
    if any(change is quota_change for quota_change in shown):
        return True
    name = namespaces_words(change.table.quota), change.table.quota.name
    return any(summary.quota == name and change.environment in summary.environments for summary in summaries)


def _severity_rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity else len(SEVERITIES)


_MOMENTS = ("settled", "surge", "scaled", "peak")


def moment_of(finding: Finding) -> int:
    """When the need is too large: 0 at rest, 1 during a step, 2 at the maximum of autoscalers, 3 at the peak."""
    return _MOMENTS.index(finding.counts) if finding.counts else 0


def _told_order(explained: Explained) -> tuple[int, int]:
    """Lasting shortages come before temporary ones."""
    return SEVERITIES.index(explained.finding.severity), moment_of(explained.finding)


def _summary_order(summary: QuotaSummary) -> tuple[int, int, QuotaName]:
    return _severity_rank(summary.severity), -len(summary.environments) - len(summary.others), summary.quota
