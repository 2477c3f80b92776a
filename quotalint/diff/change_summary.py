"""What is told of a change → one story for each quota, and what is wrong beside: what a person reads in turn."""

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
"""A file and a line of it."""


class Story(NamedTuple):
    """What a change does to one quota, in every environment where it does the same."""

    quota: QuotaName
    environments: tuple[str, ...]
    """Empty where there is but one."""
    explained: tuple[Explained, ...]
    """The most severe first, and what never fits before what does not for a while."""
    fixed: tuple[Finding, ...]
    change: QuotaChange | None
    """How its numbers change, in the first of the environments."""
    proposal: Proposal = NO_PROPOSAL
    also: tuple[Story, ...] = ()
    """The other quotas of the namespace of which the same is told, which allow as much or more."""
    others: tuple[Story, ...] = ()
    """The stories of other quotas that the same line of the change breaks."""
    line: WrittenAt | None = None
    """That line; None where there are no others."""
    reached: int = 0
    """How many quotas that line decides on, broken or not; 0 where that is not known."""

    @property
    def severity(self) -> str:
        """The worst of what the change makes worse, or leaves; empty where there is nothing of the kind."""
        bad = [explained.finding.severity for explained in self.told if explained.verdict != BETTER]
        return min(bad, key=SEVERITIES.index, default="")

    @property
    def members(self) -> tuple[Story, ...]:
        """It and the others of its line."""
        return self, *self.others

    @property
    def quotas(self) -> tuple[Story, ...]:
        """The story of each quota that it tells of."""
        return tuple(story for member in self.members for story in (member, *member.also))

    @property
    def told(self) -> tuple[Explained, ...]:
        """The findings of it and the others of its line."""
        return tuple(explained for member in self.members for explained in member.explained)

    @property
    def repaired(self) -> Sequence[Finding]:
        """What is repaired: of entries that were too small, if there are any, and not that others were nearly full."""
        return [finding for finding in self.fixed if finding.rule.worse_with] or self.fixed

    @property
    def was_short(self) -> bool:
        """Whether it is repaired, and did not only get more room."""
        return any(finding.rule.worse_with for finding in self.fixed)


class Tale(NamedTuple):
    """All that is told of a change, the worst first."""

    stories: tuple[Story, ...]
    others: tuple[Explained, ...]
    """Findings that are about no entry of a quota."""
    quiet: tuple[QuotaChange, ...]
    """Quotas whose numbers change, and of which there is nothing to tell."""


def tale_of(
    changes: Changes, explained_findings: Sequence[Explained], locate: Locate, text: Callable[[str], Sequence[str]]
) -> Tale:
    """The stories of a change. `text` has the lines of a file of the second state."""
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
    stories = []
    for key in dict.fromkeys((*groups, *mended)):
        mine = sorted(groups.get(key, ()), key=_told_order)
        stories.append(Story(*key, tuple(mine), tuple(mended.get(key, ())), _change_of_quota(changes.quotas, *key)))
    shown = [story.change for story in stories if story.change is not None]
    shared = _quotas_by_line(changes.pairs) if groups else {}
    grouped = _join_by_line(sorted(_merge_stories(stories), key=_story_order), shared)
    proposals = with_largest_raises(
        [find_proposal(_broken(story), locate, text, shared) for story in grouped], locate, text
    )
    together = [story._replace(proposal=proposal) for story, proposal in zip(grouped, proposals, strict=True)]
    return Tale(
        tuple(sorted(together, key=_story_order)),
        tuple(
            sorted(
                (explained for explained in explained_findings if not explained.subjects),
                key=lambda explained: _severity_rank(explained.finding.severity),
            )
        ),
        tuple(change for change in changes.quotas if not _is_in(change, shown, stories)),
    )


def _merge_stories(stories: Iterable[Story]) -> Iterable[Story]:
    """The stories, those of one namespace that tell the same as one: of the quota that is short of most."""
    alike: dict[tuple[object, ...], list[Story]] = {}
    for story in stories:
        sentences = tuple(
            (
                explained.verdict,
                explained.subjects[0].resource,
                *(explained.finding.rule.id, explained.finding.variant, explained.finding.severity),
                *(explained.finding.values.get(name, "") for name in ("used", "needs")),
            )
            for explained in story.explained
        )
        own = () if sentences and not story.fixed else story.quota
        alike.setdefault((story.quota[0], story.environments, sentences, own), []).append(story)
    for similar in alike.values():
        tightest = max(similar, key=_shortage_thousandths)  # of equals the first
        yield tightest._replace(also=tuple(story for story in similar if story is not tightest))


def _shortage_thousandths(story: Story) -> int:
    """By how many thousandths of what is allowed its entries are short, all together."""
    total = 0
    for explained in story.explained:
        short, hard = (amount(explained.finding.values.get(name, "0")) for name in ("short", "hard"))
        if isinstance(short, Quantity) and isinstance(hard, Quantity) and hard.nano > 0:
            total += 1000 * short.nano // hard.nano
    return total


def _broken(main_story: Story) -> list[Explained]:
    """What a proposal for a story has to satisfy."""
    return [
        explained
        for story in main_story.quotas
        for explained in story.explained
        if explained.finding.severity != "info"
    ]


def _quotas_by_line(pairs: Iterable[QuotaPairs]) -> Mapping[Place, set[tuple[str, str]]]:
    """Environment and namespace of each quota of the second state that has an entry from a place of a file."""
    shared: dict[Place, set[tuple[str, str]]] = {}
    for pair in pairs:
        for _, table in pair.tables:
            quota = table.quota if table is not None else None
            for resource in quota.hard if quota is not None else ():
                assert quota is not None
                place = quota.object.at(*quota.way(resource)).real
                shared.setdefault(place, set()).add((pair.environment, namespaces_words(quota)))
    return shared


def _join_by_line(stories: Iterable[Story], shared: Mapping[Place, set[tuple[str, str]]]) -> list[Story]:
    """The stories, those of all quotas that one line of the change breaks as one: of the line that breaks most first,
    with the shortest quota before the others."""
    left = list(stories)
    by_line = {id(story): _lines_of(story) for story in left}
    joined: list[Story] = []
    while True:
        lines = Counter(line for story in left for line in by_line[id(story)])
        line, number = max(lines.items(), key=lambda item: item[1], default=(None, 0))
        if line is None or number < 2:
            return joined + left
        group = [story for story in left if line in by_line[id(story)]]
        left = [story for story in left if line not in by_line[id(story)]]
        group.sort(key=lambda story: (*_told_order(story.explained[0]), -_shortage_thousandths(story)))
        reached = {
            place
            for story in group
            for explained in story.explained
            for culprit in explained.culprits
            if culprit.hard is not None and culprit.written_at == line
            for place in shared.get(culprit.object.at(*culprit.fields[0].path).real, ())
        }
        joined.append(group[0]._replace(others=tuple(group[1:]), line=line, reached=len(reached)))


def _lines_of(story: Story) -> dict[WrittenAt, None]:
    """The lines of the change that break a quota."""
    if story.severity in ("", "info"):
        return {}
    return dict.fromkeys(
        line
        for quota_story in story.quotas
        for explained in quota_story.explained
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
    """How the numbers of a quota change in the first of these environments."""
    for change in quotas:
        quota_names = {
            (namespaces_words(table.quota), table.quota.name)
            for table in (change.before, change.after)
            if table is not None
        }
        if quota in quota_names and (not environments or change.environment in environments):
            return change
    return None


def _is_in(change: QuotaChange, shown: Sequence[QuotaChange], stories: Sequence[Story]) -> bool:
    """Whether a story tells of a quota, in this environment or as one of several."""
    if any(change is quota_change for quota_change in shown):
        return True
    name = namespaces_words(change.table.quota), change.table.quota.name
    return any(story.quota == name and change.environment in story.environments for story in stories)


def _severity_rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity else len(SEVERITIES)


_MOMENTS = ("settled", "surge", "scaled", "peak")


def moment_of(finding: Finding) -> int:
    """When too much is asked for: 0 always, 1 for a while, 2 once autoscalers have grown, 3 when all comes together."""
    return _MOMENTS.index(finding.counts) if finding.counts else 0


def _told_order(explained: Explained) -> tuple[int, int]:
    """What never fits comes before what lacks room for a while: that lacks it then as well."""
    return SEVERITIES.index(explained.finding.severity), moment_of(explained.finding)


def _story_order(story: Story) -> tuple[int, int, QuotaName]:
    return _severity_rank(story.severity), -len(story.environments) - len(story.others), story.quota
