"""The top of the page of a change: the verdict in a sentence, its cause and repairs, what is worse, what better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.diff.change_summary import ChangeSummary, QuotaSummary
from quotalint.diff.changes import Changes
from quotalint.named_tuples import NamedTuple
from quotalint.reports.change_rows import ChangeRow, entry_rows, quiet_rows
from quotalint.reports.change_summary_words import (
    change_verdict,
    merged_other_findings,
    other_finding_line,
    summary_lines,
)
from quotalint.reports.html.markup import NOTHING, Html, code, element, prose, raw
from quotalint.reports.html.markup import escape_text as escaped
from quotalint.reports.html.page_addresses import PageContext, place_link
from quotalint.reports.marks import Marks, begins_with_name, mark_name, write_marked
from quotalint.reports.marks import mark_strong as emphasised
from quotalint.reports.quiet_changes import Verdict, quotas_without_copies
from quotalint.reports.terminal import count_noun
from quotalint.reports.unknown_words import unknown_lines

_SUMMARIES, _OTHERS, _ROWS = 4, 6, 12  # shown outside of the fold
_FULL = 100  # percent
_MARKS = {"error": "✗", "warning": "▲", "info": "ⓘ", "unknown": "?", "": "✓"}


class Compared(NamedTuple):
    """The two states of a change, as labels, and the summary for people."""

    base: str
    head: str
    changes: Changes
    change_summary: ChangeSummary


def change_section(of: Compared, at: PageContext) -> Html:
    """The section of the change, in the order in which a person acts."""
    marks = _html_marks(at)
    verdict = change_verdict(of.changes, of.change_summary)
    text = raw(write_marked(verdict.text.rstrip("."), marks))
    mark = element("span", _MARKS[verdict.severity], aria_hidden="true", class_="mark")
    head = element(
        "h1", mark, " ", _capitalize(verdict.text, text), ".", class_=f"verdict {verdict.severity or 'good'}"
    )
    unknown = [element("p", raw(write_marked(line, marks))) for line in unknown_lines(of.changes.unknowns, verdict)]
    paragraphs = [*unknown, *_told_paragraphs(of.change_summary, verdict, marks)]
    more = paragraphs[_SUMMARIES + _OTHERS :]
    folded = element("details", element("summary", f"{len(more)} more"), *more) if more else NOTHING
    table = entry_rows(of.change_summary.summaries)
    worse = [row for row in table if row.severity]
    better = [row for row in table if not row.severity]
    quiet = [row for change in of.change_summary.quiet for row in quiet_rows(change)]
    return element(
        "section",
        head,
        *paragraphs[: _SUMMARIES + _OTHERS],
        folded,
        _rows_table("Worse", worse, marks, is_open=True),
        _rows_table("Better", better, marks, is_open=True),
        _rows_table(f"{count_noun(len(quiet), 'more entry', 'more entries')} with room", quiet, marks, is_open=False),
        element("p", f"Compared with {of.base}. ", _unchanged_words(of.changes), class_="quiet"),
        id="change",
        aria_label="What the change does",
    )


def _capitalize(sentence: str, text: Html) -> Html:
    return text if begins_with_name(sentence) else raw(text.text[:1].upper() + text.text[1:])


def _unchanged_words(changes: Changes) -> str:
    unchanged = changes.quotas_checked - len(quotas_without_copies(changes.quotas))
    return f"{count_noun(unchanged, 'other quota')} unchanged." if changes.quotas and unchanged > 0 else ""


def _told_paragraphs(change_summary: ChangeSummary, verdict: Verdict, marks: Marks) -> Iterator[Html]:
    for number, summary in enumerate(change_summary.summaries):
        if summary.severity not in ("", "info") or number == 0:
            yield from _summary_paragraphs(summary, verdict, marks)
    for explained in merged_other_findings(change_summary):
        kind = explained.finding.severity
        line = raw(write_marked(other_finding_line(explained), marks))
        yield element("p", element("span", f"{_MARKS[kind]} {kind}", class_=f"badge {kind}"), " ", line)


def _summary_paragraphs(summary: QuotaSummary, verdict: Verdict, marks: Marks) -> Iterator[Html]:
    lines = [element("p", raw(write_marked(line, marks))) for line in summary_lines(summary, verdict)]
    if lines:
        yield element("div", *lines, class_="summary")


def _rows_table(title: str, shown: Sequence[ChangeRow], marks: Marks, *, is_open: bool) -> Html:
    if not shown:
        return NOTHING
    columns = ("quota", "before", "after", "allowed", "")
    head = element(
        "tr", *(element("th", name, scope="col", class_=_column_class(at)) for at, name in enumerate(columns))
    )
    lines = [element("tr", *_row_cells(row, marks), class_=row.severity) for row in shown]
    drawn = element("table", element("thead", head), element("tbody", *lines), class_="changes")
    wrapped = element("div", drawn, class_="wide", tabindex="0", role="region", aria_label=title)
    is_short = is_open and len(shown) <= _ROWS
    return element("details", element("summary", element("h2", title)), wrapped, class_="rows", open=is_short)


def _row_cells(row: ChangeRow, marks: Marks) -> Iterator[Html]:
    before, after, old, new = row.amounts.texts
    allowed = new if old == new or not old else f"{old} → {new}"
    where = write_marked(f"{row.where} / {mark_name(row.quota)}", marks)
    moved = write_marked(emphasised(after), marks) if after and after != before else escaped(after)
    yield element("th", element("span", raw(where)), " ", code(row.amounts.resource), row.when, scope="row")
    yield element("td", before, class_="number")
    yield element("td", raw(moved), class_="number")
    yield element("td", allowed, class_="number")
    yield element("td", _percent_cell(row), class_="number")


def _percent_cell(row: ChangeRow) -> str:
    percent, over = row.amounts.percent, row.amounts.is_over
    mark = "✗ " if over else "▲ " if row.severity else ""
    if percent is None:
        return mark.strip() if over else ""
    return mark + ("full" if percent == _FULL and not over else f"{percent}\u00a0%")


def _column_class(column: int) -> str:
    return "number" if column else ""


def _html_marks(at: PageContext) -> Marks:
    return Marks(
        lambda text: prose(text).text,
        lambda name: code(name).text,
        lambda file, line: place_link(at, file, line).text,
        lambda text: f"<strong>{text}</strong>",
    )
