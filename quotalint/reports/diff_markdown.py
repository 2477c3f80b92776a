"""A change in Markdown, for a comment on a pull request or the summary of a job: a verdict that is read in ten seconds,
what breaks, and the rest folded away."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.repairs import NewLine
from quotalint.diff.stories import Tale
from quotalint.diff.trees import Side
from quotalint.finding import Finding
from quotalint.reports.alike import merge_alike
from quotalint.reports.cells import namespaces_label
from quotalint.reports.cells import quota_label as quota_named
from quotalint.reports.details import finding_details
from quotalint.reports.diff_cells import (
    comparison_remarks,
    consumer_cells,
    entry_cells,
    quota_fate,
    quota_notes,
    revision_label,
)
from quotalint.reports.diff_tale import (
    ICONS,
    Row,
    change_verdict,
    entry_rows,
    other_finding_line,
    quiet_rows,
    story_lines,
    told_findings,
)
from quotalint.reports.links import Links, rule_page
from quotalint.reports.markdown import code_text, fit_blocks, plain_text, table_row
from quotalint.reports.marks import Marks, write_marked
from quotalint.reports.terminal import count_noun
from quotalint.version import __version__

_MOST = 60 * 1024  # bytes; GitHub takes no comment of more than 65536 characters
_FULL = "a comment on GitHub holds 64 KiB"
_FOOT = 2048  # bytes that are kept for what stands below
_STORIES = 3  # that are told outside of the fold
_OTHERS = 5  # findings that are about no entry of a quota
_ROWS = 10
_FULL_ROW = 100  # percent
_WORDS = (
    "**short**: missing from what the quota allows · **allowed**: what the quota says now · **during rollouts**: old "
    "and new pods together · **at rest**: nothing is being rolled out or run"
)


def render(base: Side, head: Side, found: Changes, tale: Tale, to: Links, most: int = _MOST) -> str:
    """The whole report, in at most so many bytes. `to` knows the addresses of files."""
    marks = _markdown_marks(to)
    top = "".join(_first_part(found, tale, marks))
    folded = fit_blocks(list(_folded_parts(found, tale, marks, to)), most - len(top.encode()) - _FOOT, "parts", _FULL)
    return top + folded + _small_print(base, head, found, to)


def _markdown_marks(to: Links) -> Marks:
    def place(file: str, line: int) -> str:
        address, text = to.to(file, line), code_text(f"{file}:{line}")
        return f"[{plain_text(f'{file}:{line}')}]({address})" if address else text

    return Marks(plain_text, code_text, place, lambda text: f"**{text}**")


def _first_part(found: Changes, tale: Tale, marks: Marks) -> Iterator[str]:
    said = change_verdict(found, tale)
    table = entry_rows(tale)
    heading = write_marked(said.text, marks)
    if not (table or tale.others or tale.quiet):
        yield f"{ICONS[said.severity]} {heading}\n"
        return
    yield f"### {ICONS[said.severity]} quotalint: {heading}\n"
    for number, story in enumerate(tale.stories[:_STORIES]):
        lines = list(story_lines(story))
        if lines and (story.severity not in ("", "info") or number == 0):
            yield "\n" + "\\\n".join(write_marked(line, marks) for line in lines) + "\n"
    for one in tale.others[:_OTHERS]:
        ways = f"\\\n**To repair:** {plain_text(one.finding.help)}" if one.finding.help else ""
        yield f"\n{ICONS[one.finding.severity]} {write_marked(other_finding_line(one), marks)}{ways}\n"
    yield from _entries_table(table[:_ROWS])


def _entries_table(table: Sequence[Row]) -> Iterator[str]:
    if not table:
        return
    quotas = {(one.where, one.quota) for one in table}
    head = "quota" if len(quotas) > 1 else _quota_of_row(table[0])
    yield f"\n{table_row([head, 'before', 'after', 'allowed', ''])}{table_row(['---', '--:', '--:', '--:', '---'])}"
    for one in table:
        before, after, old, new = one.amounts.texts
        of = f"{_quota_of_row(one)}: " if len(quotas) > 1 else ""
        allowed = new if old == new or not old else f"{old} → {new}"
        after = f"**{after}**" if after and after != before else after
        yield table_row([of + code_text(one.amounts.resource), before, after, allowed, _percent_cell(one)])


def _quota_of_row(one: Row) -> str:
    from quotalint.reports.marks import mark_name

    return write_marked(f"{one.where} / {mark_name(one.quota)}", _markdown_marks(Links()))


def _percent_cell(one: Row) -> str:
    percent = one.amounts.percent
    if percent is None:
        return ""
    icon = {"error": "❌ ", "warning": "⚠️ ", "info": "⚠️ "}.get(one.severity, "")
    over = one.amounts.after is not None and one.amounts.new_hard is not None
    over = over and one.amounts.after.nano > one.amounts.new_hard.nano  # type: ignore[union-attr]
    return icon + ("full" if percent == _FULL_ROW and not over else f"{percent} %")


def _folded_parts(found: Changes, tale: Tale, marks: Marks, to: Links) -> Iterator[str]:
    """What stands below the fold, each part by itself."""
    suggested = [line for story in tale.stories for way in story.repairs[:1] for line in way.lines]
    if suggested:
        yield _fold_away("Suggested change", "".join(map(_suggested_line, suggested)))
    late = [*(line for story in tale.stories[_STORIES:] for line in story_lines(story))]
    late += [other_finding_line(one) for one in tale.others[_OTHERS:]]
    if late:
        yield _fold_away(f"{len(late)} more sentences", "".join(f"- {write_marked(one, marks)}\n" for one in late))
    if entry_rows(tale)[_ROWS:]:
        yield _fold_away("More entries", "".join(_entries_table(entry_rows(tale)[_ROWS:])))
    if found.quotas:
        number = count_noun(len(found.quotas), "quota")
        yield _fold_away(
            f"{number} in numbers: at rest, during rollouts, at the peak, and who uses them", _numbers_table(found)
        )
    items = [_finding_item(one, marks, to) for one in merge_alike([each.finding for each in told_findings(tale)])]
    if items:
        yield _fold_away(f"{count_noun(len(items), 'finding')} in full", "".join(items))
    gone = [(one, "repaired") for one in found.findings.fixed]
    gone += [(one, f"not known to be repaired: {one.notes[0].text}") for one in found.findings.unknown]
    if gone:
        unknown = f", {len(found.findings.unknown)} not known to be" if found.findings.unknown else ""
        title = f"{count_noun(len(found.findings.fixed), 'finding')} repaired{unknown}"
        yield _fold_away(
            title, "".join(f"- {one.rule.id} {plain_text(one.message)}: {plain_text(text)}\n" for one, text in gone)
        )


def _fold_away(summary: str, content: str) -> str:
    return f"\n<details><summary>{plain_text(summary)}</summary>\n\n{content.strip()}\n\n</details>\n"


def _suggested_line(one: NewLine) -> str:
    """A line as it would be. In a review it can be taken over with a click."""
    return f"{code_text(f'{one.file}:{one.line}')}\n\n```suggestion\n{one.after}\n```\n\n"


def _numbers_table(found: Changes) -> str:
    columns = ["quota", "resource", "hard", "at rest", "during rollouts", "peak", "who"]
    said = [f"{table_row(columns)}{table_row(['---', '---', '--:', '--:', '--:', '--:', '---'])}"]
    for one in found.quotas:
        said += _number_rows(one, found.several)
    for one in found.quotas:
        for text in (*quota_notes(one, found.several), *(f"not seen: {reason}" for reason in one.unseen)):
            said.append(
                f"\n_{plain_text(quota_named(one.table))} of {plain_text(namespaces_label(one.table))}_: {plain_text(text)}\n"
            )
    return "".join(said)


def _number_rows(change: QuotaChange, several: bool) -> Iterator[str]:
    what = quota_fate(change)
    within = f"{plain_text(change.environment)}: " if several and change.environment else ""
    where = f"{within}{plain_text(namespaces_label(change.table))} / {plain_text(quota_named(change.table))}"
    where += f" _{plain_text(what)}_" if what else ""
    who = "<br>".join(
        plain_text(", ".join(filter(None, (f"{name}: {pods}" if pods else name, usage))))
        for name, pods, usage, _ in (consumer_cells(one, change.whole) for one in change.consumers)
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


def _finding_item(one: Finding, marks: Marks, to: Links) -> str:
    page = rule_page(one.rule.id, one.rule.name, __version__)
    title = f"[{one.rule.id} {plain_text(one.title)}]({page})" if not one.rule.id.startswith("QLC") else one.rule.id
    head = f"- {ICONS[one.severity]} {title} {marks.place(one.file, one.span.line)}: {plain_text(one.message)}\n"
    return head + "".join(f"  - {plain_text(label)}: {plain_text(text)}\n" for label, text in finding_details(one))


def _small_print(base: Side, head: Side, found: Changes, to: Links) -> str:
    """What the comparison rests on, in small print."""
    said = [f"Compared with {plain_text(revision_label(base))}."]
    rest = found.checked - len(found.quotas)
    if found.quotas and rest > 0:
        said.append(f"{count_noun(rest, 'other quota')} unchanged.")
    if found.findings.unknown:
        are = "is" if len(found.findings.unknown) == 1 else "are"
        said.append(f"{count_noun(len(found.findings.unknown), 'finding')} {are} not known to be repaired.")
    unseen = {reason for one in found.quotas for reason in one.unseen}
    if unseen:
        said.append(f"Not everything is in view any more: {plain_text(sorted(unseen)[0])}.")
    said += [plain_text(line) for line in comparison_remarks(base, head, found)]
    report = _full_report()
    if report:
        said.append(f"[Full report]({report}).")
    words = f"<br>{_WORDS}" if found.quotas else ""
    return f"\n<sub>{' '.join(said)}{words}</sub>\n"


def _full_report() -> str:
    """The address of the run of GitHub Actions that this is, whose summary and artifacts hold everything."""
    server, home, run = (os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID"))
    whole = server.startswith("https://") and home and run.isdigit()
    return f"{server}/{home}/actions/runs/{run}" if whole else ""


def folded_rows(tale: Tale) -> list[Row]:
    """The entries that change without breaking anything."""
    return [row for change in tale.quiet for row in quiet_rows(change)]
