"""Findings that follow from another one → a note of that: the same quota, too small at rest, is too small later too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.checks.hit import Note
from quotalint.results.finding import Finding, FindingId
from quotalint.text.words import join_with_and, list_some

_NAMES = 3  # workloads that a note names

Entry = tuple[object, ...]
"""An entry of a quota in an environment."""


def fold_consequences(findings: Sequence[Finding]) -> list[Finding]:
    """The findings in their order, without those that follow from others, which name them in a note: what is short of
    entries later that are short at rest already has the same cure. Reports for programs keep all of them."""
    leaders = _leading_findings(findings)
    following: dict[FindingId, list[Finding]] = {}
    folded = set()
    for finding in findings:
        of_entries = [leaders.get(entry) for entry in _entries_of(finding)] if finding.moment else []
        leader = next((leader for leader in of_entries if leader is not None), None)
        if leader is not None and all(other is not None and _leads(other, finding) for other in of_entries):
            following.setdefault(leader.identity, []).append(finding)
            folded.add(finding.identity)
    return [
        finding._replace(notes=(*finding.notes, _note_on(following[finding.identity])))
        if finding.identity in following
        else finding
        for finding in findings
        if finding.identity not in folded
    ]


def following_words(number: int) -> str:
    """Findings that are shown together with others."""
    if number == 1:
        return "1 of them follows from another, and is named there as also short."
    return f"{number} of them follow from others, and are named there as also short."


def _leading_findings(findings: Sequence[Finding]) -> dict[Entry, Finding]:
    leaders: dict[Entry, Finding] = {}
    for finding in findings:
        if finding.rule.worse_with and finding.rule.outdoes and finding.suppressed is None and not finding.moment:
            for entry in _entries_of(finding):
                leaders.setdefault(entry, finding)
    return leaders


def _entries_of(finding: Finding) -> Iterator[Entry]:
    quota = finding.values.get("quota", "")
    if quota and finding.suppressed is None:
        where = finding.values.get("namespace", ""), finding.environments
        yield from ((*where, quota, need.resource) for need in finding.needs)


def _leads(leader: Finding, finding: Finding) -> bool:
    is_as_grave = SEVERITIES.index(leader.severity) <= SEVERITIES.index(finding.severity)
    return finding.rule.id in leader.rule.outdoes and is_as_grave


def _note_on(findings: Sequence[Finding]) -> Note:
    """`short during rollouts of api and web (QL302), and under load of web (QL304)`."""
    names: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        names.setdefault((finding.moment, finding.rule.id), []).append(finding.values.get("name", ""))
    parts = [
        f"{moment} of {list_some(list(dict.fromkeys(filter(None, some))), _NAMES)} ({rule_id})"
        for (moment, rule_id), some in names.items()
    ]
    return Note("also short", join_with_and(parts))
