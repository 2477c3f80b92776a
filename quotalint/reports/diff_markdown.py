"""A change in Markdown, for a comment on a pull request or the summary of a job: a verdict that is read in ten seconds,
what breaks, and the rest folded away."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from quotalint.diff.change_summary import ChangeSummary, QuotaSummary
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.repairs import NewLine
from quotalint.diff.trees import Side
from quotalint.named_tuples import NamedTuple
from quotalint.reports.alike import merge_alike, merge_others
from quotalint.reports.cells import namespaces_label, quota_label
from quotalint.reports.change_rows import ChangeRow, entry_rows
from quotalint.reports.change_summary_words import (
    ICONS,
    LARGE,
    SUMMARIES,
    change_verdict,
    exceeded_first,
    merged_other_findings,
    other_finding_line,
    suggested_lines,
    summary_lines,
    told_findings,
    unlisted_summaries,
)
from quotalint.reports.consequences import fold_consequences
from quotalint.reports.details import causes_first, finding_details
from quotalint.reports.diff_cells import (
    comparison_remarks,
    consumer_cells,
    entry_cells,
    quota_fate,
    quota_notes,
    revision_label,
)
from quotalint.reports.links import Links, rule_page
from quotalint.reports.markdown import code_text, plain_text, table_row
from quotalint.reports.marks import Marks, mark_name, write_marked
from quotalint.reports.quiet_changes import Verdict, quotas_without_copies
from quotalint.reports.terminal import count_noun
from quotalint.reports.unknown_words import unknown_lines
from quotalint.results.finding import Finding
from quotalint.text.words import join_with_and
from quotalint.version import __version__

_MOST = 15 * 1024  # bytes, whatever the change
_TOP, _LINES = 4096, 28  # bytes and lines of summaries outside the fold, without the first summary
_PART, _PART_OF_LARGE = 4096, 2048  # bytes of a folded part
_LEFT = 256  # bytes that are kept for the sentence on what is left out
_SUMMARIES = 3  # shown outside the fold
_OTHERS = 5  # findings that are about no entry of a quota
_ROWS = 10
_USERS = 8  # workloads that a quota names
_FULL_ROW = 100  # percent
_WORDS = (
    "**short**: missing from what the quota allows · **allowed**: what the quota says now · **during rollouts**: old "
    "and new pods together · **at rest**: nothing is being rolled out or run"
)


class _Part(NamedTuple):
    """A part of the comment that is folded away, with as many items as fit."""

    title: str
    """`{}` is replaced by the number of items."""
    noun: str
    items: Sequence[tuple[str, str]]
    """The text of each item, and its details, which come after all items."""
    number: int = 0
    """The number of items, if one item is about several; 0: each is about one."""
    head: str = ""
    kind: str = ""
    """The kind of omitted items, if `noun` alone is not enough."""


def render(
    base: Side, head: Side, changes: Changes, change_summary: ChangeSummary, to: Links, most: int = _MOST
) -> str:
    """The whole report, in about so many bytes at most. `to` knows the addresses of files."""
    marks = _markdown_marks(to)
    verdict = change_verdict(changes, change_summary)
    summaries = list(_visible_summaries(change_summary, verdict, marks))
    top = "".join(_first_part(verdict, changes, change_summary, marks, summaries))
    small_print = _small_print(base, head, changes)
    left_out = {
        "cause": len(unknown_lines(changes.unknowns, verdict)) - _OTHERS,
        "quota": len(change_summary.summaries) - SUMMARIES,
    }
    room = most - len((top + small_print).encode()) - _LEFT
    folded = []
    for part in _folded_parts(changes, change_summary, verdict, marks, to, len(summaries)):
        text, more = _fit_part(part, min(room, _PART_OF_LARGE if len(changes.quotas) > LARGE else _PART))
        noun = f"{part.kind} {part.noun}".strip()
        left_out[noun] = max(more, left_out.get(noun, 0))
        room -= len(text.encode())
        folded.append(text)
    return f"{top}{''.join(folded)}{_left_out_words(left_out)}{small_print}"


def _fit_part(part: _Part, room: int) -> tuple[str, int]:
    """A folded part with as many of its items as fit, and the number of missing ones; an empty text if none fits."""
    number = part.number or len(part.items)
    shown = 0
    room -= len(_fold_away(part.title, part.head).encode()) + len(f"{number} of {number}")
    for item, below in part.items:
        room -= len((item + below).encode())
        if room < 0:
            break
        shown += 1
    more = number - shown if shown < len(part.items) else 0
    if not shown:
        return "", more
    items, notes = zip(*part.items[:shown], strict=True)
    how_many = count_noun(number, *_nouns(part.noun))
    title = part.title.format(f"{shown} of {how_many}" if more else how_many)
    return _fold_away(title, part.head + "".join((*items, *notes))), more


def _left_out_words(numbers: Mapping[str, int]) -> str:
    """`And 52 more quotas and 150 more findings; the full report has all.`"""
    words = [
        count_noun(number, *(f"more {noun}" for noun in _nouns(noun))) for noun, number in numbers.items() if number > 0
    ]
    address = _full_report()
    report = f"[full report]({address})" if address else "full report"
    return f"\nAnd {join_with_and(words)}; the {report} has all.\n" if words else ""


def _nouns(noun: str) -> tuple[str, str]:
    return (noun, "entries") if noun == "entry" else (noun, f"{noun}s")


def _markdown_marks(to: Links) -> Marks:
    def place_link(file: str, line: int) -> str:
        address, text = to.to(file, line), code_text(f"{file}:{line}")
        return f"[{plain_text(f'{file}:{line}')}]({address})" if address else text

    return Marks(plain_text, code_text, place_link, lambda text: f"**{text}**")


def _visible_summaries(change_summary: ChangeSummary, verdict: Verdict, marks: Marks) -> Iterator[str]:
    """The text outside the fold: one paragraph for each of the first summaries."""
    size = number_of_lines = 0
    for number, summary in enumerate(change_summary.summaries[:_SUMMARIES]):
        lines = _written_lines(summary, verdict, marks) if number == 0 or summary.severity not in ("", "info") else []
        size += len("".join(lines).encode())
        number_of_lines += len(lines)
        if number > 0 and (not lines or size > _TOP or number_of_lines > _LINES):
            return
        yield "\n" + "\\\n".join(lines) + "\n" if lines else ""


def _written_lines(summary: QuotaSummary, verdict: Verdict, marks: Marks) -> list[str]:
    return [write_marked(line, marks) for line in summary_lines(summary, verdict)]


def _first_part(
    verdict: Verdict, changes: Changes, change_summary: ChangeSummary, marks: Marks, summaries: Sequence[str]
) -> Iterator[str]:
    table = _shown_rows(change_summary)
    heading = write_marked(verdict.text, marks)
    unknown = unknown_lines(changes.unknowns, verdict)
    if not (table or unlisted_summaries(change_summary) or change_summary.others or change_summary.quiet or unknown):
        yield f"{ICONS[verdict.severity]} {heading}\n"
        return
    yield f"### {ICONS[verdict.severity]} quotalint: {heading}\n"
    yield from (f"\n{write_marked(line, marks)}\n" for line in unknown[:_OTHERS])
    yield from summaries
    for explained in merged_other_findings(change_summary)[:_OTHERS]:
        ways = f"\\\n**To repair:** {plain_text(explained.finding.help)}" if explained.finding.help else ""
        yield f"\n{ICONS[explained.finding.severity]} {write_marked(other_finding_line(explained), marks)}{ways}\n"
    yield from _entries_table(table[:_ROWS])


def _shown_rows(change_summary: ChangeSummary) -> Sequence[ChangeRow]:
    return entry_rows(_listed_summaries(change_summary))


def _listed_summaries(change_summary: ChangeSummary) -> Sequence[QuotaSummary]:
    """The summaries whose entries are all shown."""
    counted = unlisted_summaries(change_summary)
    return [summary for summary in change_summary.summaries if not any(summary is other for other in counted)]


def _entries_table(table: Sequence[ChangeRow]) -> Iterator[str]:
    if not table:
        return
    quotas = {(row.where, row.quota) for row in table}
    head = "quota" if len(quotas) > 1 else _quota_of_row(table[0])
    yield f"\n{table_row([head, 'before', 'after', 'allowed', ''])}{table_row(['---', '--:', '--:', '--:', '---'])}"
    for row in table:
        before, after, old, new = row.amounts.texts
        of = f"{_quota_of_row(row)}: " if len(quotas) > 1 else ""
        allowed = new if old == new or not old else f"{old} → {new}"
        after = f"**{after}**" if after and after != before else after
        yield table_row([of + code_text(row.amounts.resource) + row.when, before, after, allowed, _percent_cell(row)])


def _quota_of_row(row: ChangeRow) -> str:
    return write_marked(f"{row.where} / {mark_name(row.quota)}", _markdown_marks(Links()))


def _percent_cell(row: ChangeRow) -> str:
    percent, over = row.amounts.percent, row.amounts.is_over
    icon = {"error": "❌ ", "warning": "⚠️ ", "info": "⚠️ "}.get(row.severity, "")
    if percent is None:
        return icon.strip() if over else ""
    return icon + ("full" if percent == _FULL_ROW and not over else f"{percent} %")


def _folded_parts(
    changes: Changes, change_summary: ChangeSummary, verdict: Verdict, marks: Marks, to: Links, summaries_shown: int
) -> Iterator[_Part]:
    """The folded parts. `summaries_shown`: the number of summaries above them."""
    suggested = suggested_lines(change_summary.summaries[:SUMMARIES])
    if suggested:
        yield _Part("Suggested change", "suggested line", [(_suggested_line(line), "") for line in suggested])
    counted = unlisted_summaries(change_summary)
    late = [
        _written_lines(summary, verdict, marks)
        for summary in change_summary.summaries[summaries_shown:SUMMARIES]
        if not counted or summary.severity != "info"
    ]
    if late:
        yield _Part("{} more", "quota", [(f"- {' '.join(lines)}\n", "") for lines in late if lines])
    other_lines = [
        write_marked(other_finding_line(explained), marks)
        for explained in merged_other_findings(change_summary)[_OTHERS:]
    ]
    if other_lines:
        yield _Part("{} more", "finding", [(f"- {line}\n", "") for line in other_lines])
    rows = [*_shown_rows(change_summary)[_ROWS:], *entry_rows(counted)]
    if rows:
        head, *lines = _entries_table(rows)
        yield _Part("{}" if counted else "{} more", "entry", [(line, "") for line in lines], head=head)
    if changes.quotas:
        yield _Part(
            "{} in numbers: at rest, during rollouts, at the peak, and who uses them",
            "quota",
            list(_numbers_items(changes)),
            head=_NUMBERS_HEAD,
        )
    told = [explained.finding for explained in told_findings(change_summary)]
    if told:
        findings = merge_others(causes_first(merge_alike(fold_consequences(told))))
        items = [(_finding_item(finding, marks), "") for finding in findings]
        yield _Part("{} in full", "finding", items, len(merge_alike(told)))
    gone = [(finding, "repaired") for finding in changes.findings.fixed]
    gone += [(finding, f"not known to be repaired: {finding.notes[0].text}") for finding in changes.findings.unknown]
    if gone:
        unknown = f", {len(changes.findings.unknown)} not known to be" if changes.findings.unknown else ""
        items = [
            (f"- {finding.rule.id} {plain_text(finding.message)}: {plain_text(text)}\n", "") for finding, text in gone
        ]
        yield _Part(f"{{}} repaired{unknown}", "finding", items, len(changes.findings.fixed), kind="repaired")


def _fold_away(summary: str, content: str) -> str:
    return f"\n<details><summary>{plain_text(summary)}</summary>\n\n{content.strip()}\n\n</details>\n"


def _suggested_line(new_line: NewLine) -> str:
    """A line after the suggested change. In a review it can be applied with a click."""
    return f"{code_text(f'{new_line.file}:{new_line.line}')}\n\n```suggestion\n{new_line.after}\n```\n\n"


_COLUMNS = ["quota", "resource", "hard", "at rest", "during rollouts", "peak", "who"]
_NUMBERS_HEAD = f"{table_row(_COLUMNS)}{table_row(['---', '---', '--:', '--:', '--:', '--:', '---'])}"


def _numbers_items(changes: Changes) -> Iterator[tuple[str, str]]:
    """The rows of each quota, with its notes. In a large change, quotas that do not fit come first."""
    several_environments = changes.several_environments
    is_large = len(changes.quotas) > LARGE
    for change in exceeded_first(changes.quotas) if is_large else changes.quotas:
        texts = (
            *quota_notes(change, several_environments=several_environments),
            *(f"not seen: {reason}" for reason in change.unseen),
        )
        name = f"_{plain_text(quota_label(change.table))} of {plain_text(namespaces_label(change.table))}_"
        rows = "".join(_number_rows(change, several_environments=several_environments))
        yield rows, "".join(f"\n{name}: {plain_text(text)}\n" for text in texts)


def _number_rows(change: QuotaChange, *, several_environments: bool) -> Iterator[str]:
    fate = quota_fate(change)
    within = f"{plain_text(change.environment)}: " if several_environments and change.environment else ""
    where = f"{within}{plain_text(namespaces_label(change.table))} / {plain_text(quota_label(change.table))}"
    where += f" _{plain_text(fate)}_" if fate else ""
    consumers = (consumer_cells(consumer_change, change) for consumer_change in change.consumers)
    users = [
        plain_text(", ".join(filter(None, (f"{cells.name}: {cells.pods}" if cells.pods else cells.name, cells.usage))))
        for cells in consumers
    ]
    more = [f"and {len(users) - _USERS} more"] if len(users) > _USERS else []
    who = "<br>".join([*users[:_USERS], *more])
    for number, entry in enumerate(change.entries):
        yield table_row(
            [
                where,
                code_text(entry.resource),
                *(plain_text(cell) for cell in entry_cells(entry)),
                who if number == 0 else "",
            ]
        )
    if not change.entries:
        yield table_row([where, *[""] * 5, who])


def _finding_item(finding: Finding, marks: Marks) -> str:
    page = rule_page(finding.rule.id, finding.rule.name, __version__)
    title = (
        f"[{finding.rule.id} {plain_text(finding.title)}]({page})"
        if not finding.rule.id.startswith("QLC")
        else finding.rule.id
    )
    place = marks.place(finding.file, finding.span.line)
    head = f"- {ICONS[finding.severity]} {title} {place}: {plain_text(finding.message)}\n"
    return head + "".join(f"  - {plain_text(label)}: {plain_text(text)}\n" for label, text in finding_details(finding))


def _small_print(base: Side, head: Side, changes: Changes) -> str:
    """What the comparison rests on, in small print."""
    sentences = [f"Compared with {plain_text(revision_label(base))}."]
    unchanged = changes.quotas_checked - len(quotas_without_copies(changes.quotas))
    if changes.quotas and unchanged > 0:
        sentences.append(f"{count_noun(unchanged, 'other quota')} unchanged.")
    if changes.findings.unknown:
        are = "is" if len(changes.findings.unknown) == 1 else "are"
        sentences.append(f"{count_noun(len(changes.findings.unknown), 'finding')} {are} not known to be repaired.")
    unseen = {reason for change in changes.quotas for reason in change.unseen}
    if unseen:
        sentences.append(f"Not everything is in view any more: {plain_text(sorted(unseen)[0])}.")
    sentences += [plain_text(line) for line in comparison_remarks(base, head, changes)]
    report = _full_report()
    if report:
        sentences.append(f"[Full report]({report}).")
    words = f"<br>{_WORDS}" if changes.quotas else ""
    return f"\n<sub>{' '.join(sentences)}{words}</sub>\n"


def _full_report() -> str:
    """The address of the run of GitHub Actions that this is, whose summary and artifacts hold everything."""
    server, home, run = (os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID"))
    whole = server.startswith("https://") and home and run.isdigit()
    return f"{server}/{home}/actions/runs/{run}" if whole else ""
