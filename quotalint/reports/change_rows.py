"""A change as rows: every entry of a quota that it breaks, repairs or moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from quotalint.diff.change_summary import QuotaSummary, moment_of
from quotalint.diff.changes import EntryChange, QuotaChange
from quotalint.diff.explained import BETTER, Explained
from quotalint.named_tuples import NamedTuple
from quotalint.reports.compared_amounts import AT_REST, AmountsRow, amounts_of, in_moment
from quotalint.reports.diff_words import where_words
from quotalint.results.finding import Finding
from quotalint.text.words import join_with_and


class ChangeRow(NamedTuple):
    """An entry of a quota that is worth a row."""

    where: str
    quota: str
    amounts: AmountsRow
    severity: str
    """Empty for one that fits."""
    moment: str = ""
    """When the amount is needed; empty if it is needed at rest."""
    when: str = ""
    """The moment in words. `at rest` is written only if another row is about the same entry."""


def entry_rows(summaries: Iterable[QuotaSummary]) -> list[ChangeRow]:
    """Every entry that breaks, gets worse, stays exceeded, is repaired, or passes the threshold, each once."""
    rows_by_entry: dict[tuple[str, str, str], ChangeRow] = {}
    for summary in (summary for main_summary in summaries for summary in main_summary.quotas):
        where = where_words(summary.quota[0], summary.environments)
        for explained in main_findings(summary):
            row = ChangeRow(
                where,
                summary.quota[1],
                amounts_of(explained),
                "" if explained.verdict == BETTER else explained.finding.severity,
                explained.finding.moment,
            )
            rows_by_entry.setdefault((where, summary.quota[1], _row_name(explained, row)), row)
        for row in fixed_rows(summary):
            rows_by_entry.setdefault((where, summary.quota[1], row.amounts.resource), row)
    return _with_equal_ones_merged(rows_by_entry.values())


def _with_equal_ones_merged(rows: Iterable[ChangeRow]) -> list[ChangeRow]:
    """The rows, those of one namespace that hold the same numbers as one with the names of all of their quotas."""
    equal: dict[ChangeRow, list[str]] = {}
    for row in rows:
        equal.setdefault(row._replace(quota=""), []).append(row.quota)
    merged = [row._replace(quota=join_with_and(list(dict.fromkeys(quota_names)))) for row, quota_names in equal.items()]
    of_entries = Counter(_entry_of(row) for row in merged)
    return [_labelled(row, several=of_entries[_entry_of(row)] > 1) for row in merged]


def _labelled(row: ChangeRow, *, several: bool) -> ChangeRow:
    return row._replace(when=in_moment(row.moment or (AT_REST if several else "")))


def _entry_of(row: ChangeRow) -> tuple[str, str, str]:
    return row.where, row.quota, row.amounts.resource


def _row_name(explained: Explained, row: ChangeRow) -> str:
    return (
        row.amounts.resource
        if explained.finding.counts == "settled"
        else f"{row.amounts.resource} {explained.finding.rule.id}"
    )


def fixed_rows(summary: QuotaSummary) -> list[ChangeRow]:
    """The entries that fit again."""
    where = where_words(summary.quota[0], summary.environments)
    by_name = (
        {entry_change.resource: entry_change for entry_change in summary.change.entries}
        if summary.change is not None
        else {}
    )
    first_by_name: dict[str, Finding] = {}
    for finding in sorted(summary.repaired, key=moment_of):
        first_by_name.setdefault(finding.values.get("resource", ""), finding)
    rows = []
    for name, finding in first_by_name.items():
        entry = by_name.get(name)
        if entry is not None and entry.after is not None:
            amounts = _amounts_row(entry, moment_of(finding))
            # The sum of all autoscalers and rollouts may be larger than what the finding was about.
            if not amounts.is_over:
                rows.append(ChangeRow(where, summary.quota[1], amounts, "", finding.moment))
    return rows


def _amounts_row(entry: EntryChange, scenario: int = 0) -> AmountsRow:
    """The usage of an entry before and after the change: at rest, or at `moment_of`."""
    used = (row and (row.steady, row.surge, row.peak, row.peak)[scenario] for row in entry)
    return AmountsRow(entry.resource, *used, *(row and row.hard for row in entry))


def quiet_rows(change: QuotaChange) -> list[ChangeRow]:
    """The entries that change without breaking anything."""
    where = where_words(change.table.quota.namespace, (change.environment,) if change.environment else ())
    return [ChangeRow(where, change.table.quota.name, _amounts_row(entry), "") for entry in change.entries]


def main_findings(summary: QuotaSummary) -> list[Explained]:
    """The findings about a quota, without those that another finding about the same entry makes redundant."""
    return [
        explained
        for explained in summary.explained
        if not any(_says_more(other, explained) for other in summary.explained)
    ]


def _says_more(other: Explained, explained: Explained) -> bool:
    same = other.subjects[0].resource == explained.subjects[0].resource
    return same and explained.finding.rule.id in other.finding.rule.outdoes
