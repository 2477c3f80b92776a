"""A change in Markdown, for a comment on a pull request or the summary of a job: a verdict that is read in ten seconds,
what breaks, and the rest folded away."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from quotalint.diff.change_summary import Story, Tale
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.repairs import NewLine
from quotalint.diff.trees import Side
from quotalint.reports.alike import merge_alike, merge_others
from quotalint.reports.cells import namespaces_label, quota_label
from quotalint.reports.change_rows import ChangeRow, entry_rows
from quotalint.reports.change_summary_words import (
    ICONS,
    LARGE,
    STORIES,
    change_verdict,
    counted_stories,
    exceeded_first,
    other_finding_line,
    story_lines,
    suggested_lines,
    told_findings,
    told_others,
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
from quotalint.reports.markdown import code_text, fit_blocks, plain_text, table_row
from quotalint.reports.marks import Marks, write_marked
from quotalint.reports.quiet_changes import Verdict
from quotalint.reports.terminal import count_noun
from quotalint.reports.unknown_words import unknown_lines
from quotalint.results.finding import Finding
from quotalint.version import __version__

_MOST = 60 * 1024  # bytes; GitHub takes no comment of more than 65536 characters
_FULL = "a comment on GitHub holds 64 KiB"
_FOOT = 2048  # bytes that are kept for what stands below
_STORIES = 3  # that are told outside of the fold
_OTHERS = 5  # findings that are about no entry of a quota
_ROWS = 10
_FOLDED_ROWS, _FOLDED_QUOTAS, _FOLDED_FINDINGS, _FOLDED_LINES = 20, 8, 3, 20  # of a large one
_FULL_ROW = 100  # percent
_WORDS = (
    "**short**: missing from what the quota allows · **allowed**: what the quota says now · **during rollouts**: old "
    "and new pods together · **at rest**: nothing is being rolled out or run"
)


def render(base: Side, head: Side, changes: Changes, tale: Tale, to: Links, most: int = _MOST) -> str:
    """The whole report, in at most so many bytes. `to` knows the addresses of files."""
    marks = _markdown_marks(to)
    verdict = change_verdict(changes, tale)
    top = "".join(_first_part(verdict, changes, tale, marks))
    folded = fit_blocks(
        list(_folded_parts(changes, tale, verdict, marks, to)), most - len(top.encode()) - _FOOT, "parts", _FULL
    )
    return top + folded + _small_print(base, head, changes, to)


def _markdown_marks(to: Links) -> Marks:
    def place_link(file: str, line: int) -> str:
        address, text = to.to(file, line), code_text(f"{file}:{line}")
        return f"[{plain_text(f'{file}:{line}')}]({address})" if address else text

    return Marks(plain_text, code_text, place_link, lambda text: f"**{text}**")


def _first_part(verdict: Verdict, changes: Changes, tale: Tale, marks: Marks) -> Iterator[str]:
    table = _shown_rows(tale)
    heading = write_marked(verdict.text, marks)
    unknown = unknown_lines(changes.unknowns, verdict)
    if not (table or counted_stories(tale) or tale.others or tale.quiet or unknown):
        yield f"{ICONS[verdict.severity]} {heading}\n"
        return
    yield f"### {ICONS[verdict.severity]} quotalint: {heading}\n"
    yield from (f"\n{write_marked(line, marks)}\n" for line in unknown[:_OTHERS])
    for number, story in enumerate(tale.stories[:_STORIES]):
        lines = list(story_lines(story, verdict))
        if lines and (story.severity not in ("", "info") or number == 0):
            yield "\n" + "\\\n".join(write_marked(line, marks) for line in lines) + "\n"
    for explained in told_others(tale)[:_OTHERS]:
        ways = f"\\\n**To repair:** {plain_text(explained.finding.help)}" if explained.finding.help else ""
        yield f"\n{ICONS[explained.finding.severity]} {write_marked(other_finding_line(explained), marks)}{ways}\n"
    yield from _entries_table(table[:_ROWS])


def _shown_rows(tale: Tale) -> Sequence[ChangeRow]:
    return entry_rows(_told_stories(tale))


def _told_stories(tale: Tale) -> Sequence[Story]:
    """The stories of which each entry is shown."""
    counted = counted_stories(tale)
    return [story for story in tale.stories if not any(story is other for other in counted)]


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
    from quotalint.reports.marks import mark_name

    return write_marked(f"{row.where} / {mark_name(row.quota)}", _markdown_marks(Links()))


def _percent_cell(row: ChangeRow) -> str:
    percent, over = row.amounts.percent, row.amounts.is_over
    icon = {"error": "❌ ", "warning": "⚠️ ", "info": "⚠️ "}.get(row.severity, "")
    if percent is None:
        return icon.strip() if over else ""
    return icon + ("full" if percent == _FULL_ROW and not over else f"{percent} %")


def _folded_parts(changes: Changes, tale: Tale, verdict: Verdict, marks: Marks, to: Links) -> Iterator[str]:
    """What stands below the fold, each part by itself."""
    suggested = suggested_lines(tale)
    if suggested:
        yield _fold_away("Suggested change", "".join(map(_suggested_line, suggested)))
    is_large = len(changes.quotas) > LARGE
    counted = counted_stories(tale)
    late_stories = [story for story in tale.stories[_STORIES:STORIES] if not counted or story.severity != "info"]
    late = [*(line for story in late_stories for line in story_lines(story, verdict))]
    late += [other_finding_line(explained) for explained in told_others(tale)[_OTHERS:]]
    if late:
        items = [f"- {write_marked(sentence, marks)}\n" for sentence in late]
        yield _fold_away(f"{len(late)} more sentences", _first_of(items, _FOLDED_LINES, is_large))
    rows = [*_shown_rows(tale)[_ROWS:], *entry_rows(counted)]
    if rows:
        head, *lines = _entries_table(rows)
        title = count_noun(len(rows), "entry", "entries") if counted else "More entries"
        yield _fold_away(title, head + _first_of(lines, _FOLDED_ROWS, is_large))
    if changes.quotas:
        number = count_noun(len(changes.quotas), "quota")
        yield _fold_away(
            f"{number} in numbers: at rest, during rollouts, at the peak, and who uses them",
            _numbers_table(changes, _FOLDED_QUOTAS if is_large else len(changes.quotas)),
        )
    told = [explained.finding for explained in told_findings(tale)]
    if told:
        findings = merge_others(causes_first(merge_alike(fold_consequences(told))))
        items = [_finding_item(finding, marks, to) for finding in findings]
        number = count_noun(len(merge_alike(told)), "finding")
        yield _fold_away(f"{number} in full", _first_of(items, _FOLDED_FINDINGS, is_large))
    gone = [(finding, "repaired") for finding in changes.findings.fixed]
    gone += [(finding, f"not known to be repaired: {finding.notes[0].text}") for finding in changes.findings.unknown]
    if gone:
        unknown = f", {len(changes.findings.unknown)} not known to be" if changes.findings.unknown else ""
        title = f"{count_noun(len(changes.findings.fixed), 'finding')} repaired{unknown}"
        yield _fold_away(
            title,
            "".join(
                f"- {finding.rule.id} {plain_text(finding.message)}: {plain_text(text)}\n" for finding, text in gone
            ),
        )


def _first_of(items: Sequence[str], most: int, is_large: bool) -> str:
    """All of them, or the first of a large change with how many there are beside."""
    more = len(items) - most
    return "".join(items) if not is_large or more <= 0 else "".join(items[:most]) + f"\n_and {more} more_\n"


def _fold_away(summary: str, content: str) -> str:
    return f"\n<details><summary>{plain_text(summary)}</summary>\n\n{content.strip()}\n\n</details>\n"


def _suggested_line(new_line: NewLine) -> str:
    """A line as it would be. In a review it can be taken over with a click."""
    return f"{code_text(f'{new_line.file}:{new_line.line}')}\n\n```suggestion\n{new_line.after}\n```\n\n"


def _numbers_table(changes: Changes, most: int) -> str:
    """The first quotas in numbers, of a large change those that do not fit before the others."""
    shown = exceeded_first(changes.quotas) if most < len(changes.quotas) else changes.quotas
    more = len(shown) - most
    shown = shown[:most]
    columns = ["quota", "resource", "hard", "at rest", "during rollouts", "peak", "who"]
    parts = [f"{table_row(columns)}{table_row(['---', '---', '--:', '--:', '--:', '--:', '---'])}"]
    for change in shown:
        parts += _number_rows(change, several_environments=changes.several_environments)
    for change in shown:
        for text in (
            *quota_notes(change, several_environments=changes.several_environments),
            *(f"not seen: {reason}" for reason in change.unseen),
        ):
            quota, namespaces = plain_text(quota_label(change.table)), plain_text(namespaces_label(change.table))
            parts.append(f"\n_{quota} of {namespaces}_: {plain_text(text)}\n")
    if more > 0:
        parts.append(f"\n_and {count_noun(more, 'more quota')}_\n")
    return "".join(parts)


def _number_rows(change: QuotaChange, *, several_environments: bool) -> Iterator[str]:
    fate = quota_fate(change)
    within = f"{plain_text(change.environment)}: " if several_environments and change.environment else ""
    where = f"{within}{plain_text(namespaces_label(change.table))} / {plain_text(quota_label(change.table))}"
    where += f" _{plain_text(fate)}_" if fate else ""
    consumers = (consumer_cells(consumer_change, change) for consumer_change in change.consumers)
    who = "<br>".join(
        plain_text(", ".join(filter(None, (f"{cells.name}: {cells.pods}" if cells.pods else cells.name, cells.usage))))
        for cells in consumers
    )
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


def _finding_item(finding: Finding, marks: Marks, to: Links) -> str:
    page = rule_page(finding.rule.id, finding.rule.name, __version__)
    title = (
        f"[{finding.rule.id} {plain_text(finding.title)}]({page})"
        if not finding.rule.id.startswith("QLC")
        else finding.rule.id
    )
    place = marks.place(finding.file, finding.span.line)
    head = f"- {ICONS[finding.severity]} {title} {place}: {plain_text(finding.message)}\n"
    return head + "".join(f"  - {plain_text(label)}: {plain_text(text)}\n" for label, text in finding_details(finding))


def _small_print(base: Side, head: Side, changes: Changes, to: Links) -> str:
    """What the comparison rests on, in small print."""
    sentences = [f"Compared with {plain_text(revision_label(base))}."]
    unchanged = changes.quotas_checked - len(changes.quotas)
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
