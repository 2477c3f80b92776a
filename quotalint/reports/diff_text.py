"""The report of a change for people: the verdict, what breaks, then what it does to quotas, then the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from quotalint.catalogue import SEVERITIES
from quotalint.diff.change_summary import ChangeSummary
from quotalint.diff.changes import Changes, QuotaChange, exceeded_scenario
from quotalint.diff.trees import Side
from quotalint.reports.alike import merge_alike, merge_others
from quotalint.reports.cells import namespaces_label, quota_label
from quotalint.reports.change_summary_words import LARGE, SUMMARIES, change_verdict, exceeded_first, summary_lines
from quotalint.reports.consequences import fold_consequences, following_words
from quotalint.reports.details import causes_first, most_severe_first
from quotalint.reports.diff_cells import (
    comparison_remarks,
    consumer_cells,
    entry_cells,
    merged_changes,
    new_findings_words,
    other_findings_words,
    quota_fate,
    quota_notes,
    revision_label,
)
from quotalint.reports.excerpt import lines_of
from quotalint.reports.marks import Marks, begins_with_name, write_marked
from quotalint.reports.summary import severity_words
from quotalint.reports.terminal import SEVERITY_STYLES, Terminal, align_rows, count_noun, safe_text, wrap_paragraph
from quotalint.reports.text_report import in_full_block, in_one_line
from quotalint.reports.unknown_words import unknown_lines
from quotalint.results.finding import Finding

_IN_FULL = 10
_FINDINGS, _QUOTAS, _SUMMARIES = 1, 2, 5  # of a large change that are shown in full
_BRIEF = 5  # findings of it that take a line


def render(
    base: Side,
    head: Side,
    changes: Changes,
    change_summary: ChangeSummary,
    content: Callable[[str], bytes],
    to: Terminal,
    *,
    quiet: bool = False,
    verbose: bool = False,
) -> str:
    """The whole text; `quiet` is one line a new finding and nothing else. With `verbose` the fixed ones are named."""
    finding_changes = changes.findings
    new = merge_alike(most_severe_first(finding_changes.failing))
    if quiet:
        return "".join(f"{in_one_line(finding)}\n" for finding in new)
    lines = cache(lambda name: lines_of(content(name)))
    is_large = len(changes.quotas) > LARGE and not verbose
    if verbose:
        shown, following = causes_first(new), 0
    else:
        told = merge_alike(most_severe_first(fold_consequences(finding_changes.failing)))
        shown, following = merge_others(causes_first(told)), len(new) - len(told)
    most = len(shown) if verbose else _FINDINGS if is_large else _IN_FULL
    summaries = len(change_summary.summaries) if verbose else _SUMMARIES if is_large else SUMMARIES
    blocks = ["\n".join(_first_lines(changes, change_summary, summaries, to))]
    blocks += ["\n".join(in_full_block(finding, lines, to)) for finding in shown[:most]]
    if shown[most:]:
        brief = [in_one_line(finding) for finding in shown[most:]]
        blocks.append("\n".join(_first_of(brief, _BRIEF, "finding") if is_large else brief))
    changed = exceeded_first(changes.quotas) if is_large else changes.quotas
    quotas = ["\n".join(_quota_lines(change, changes, to, verbose=verbose)) for change in changed]
    blocks += _first_of(quotas, _QUOTAS, "quota") if is_large else quotas
    if finding_changes.unknown:
        blocks.append(
            "\n".join(
                _unknown_lines(finding_changes.unknown, len(finding_changes.unknown) if verbose else _IN_FULL, to)
            )
        )
    if verbose and finding_changes.fixed:
        blocks.append("\n".join(f"fixed: {in_one_line(finding)}" for finding in merge_alike(finding_changes.fixed)))
    blocks.append("\n".join(_summary_lines(base, head, changes, following, to)))
    return "\n\n".join(blocks) + "\n"


def _first_of(items: Sequence[str], most: int, noun: str) -> list[str]:
    """The first of a large change, and how many there are beside."""
    return [*items[:most], *_more_lines(len(items) - most, noun)]


def _more_lines(more: int, noun: str) -> list[str]:
    return [f"and {count_noun(more, f'more {noun}')}; --verbose shows all"] if more > 0 else []


def _first_lines(changes: Changes, change_summary: ChangeSummary, most: int, to: Terminal) -> Iterator[str]:
    """The verdict, and for each quota with a problem what brought it about, what will happen, and what to do."""
    verdict = change_verdict(changes, change_summary)
    text = write_marked(verdict.text, _MARKS)
    if not begins_with_name(verdict.text):
        text = text[:1].upper() + text[1:]
    yield to.paint(wrap_paragraph(text.rstrip(".") + ".", to.width), "bold", _STYLE[verdict.severity])
    lines = _first_of(unknown_lines(changes.unknowns, verdict), max(most, _SUMMARIES), "cause")
    broken = [summary for summary in change_summary.summaries if summary.severity not in ("", "info")]
    lines += [line for summary in broken[:most] for line in summary_lines(summary, verdict)]
    lines += _more_lines(len(broken) - most, "quota")
    yield from (wrap_paragraph(write_marked(line, _MARKS), to.width, "  ", "  ") for line in lines)


_STYLE = {**SEVERITY_STYLES, "unknown": "yellow", "": "green"}
_MARKS = Marks(safe_text, safe_text, lambda file, line: safe_text(f"{file}:{line}"), str)


def _quota_lines(change: QuotaChange, changes: Changes, to: Terminal, *, verbose: bool) -> Iterator[str]:
    several_environments = changes.several_environments
    table = change.table
    where = f"{safe_text(change.environment)}: " if several_environments and change.environment else ""
    place = f"({safe_text(table.quota.object.place.file)}:{table.line})"
    fate = quota_fate(change)
    head = f"{where}{to.paint(namespaces_label(table), 'bold')}   {to.paint(quota_label(table), 'bold')}  {place}"
    yield head + (f"  {to.paint(fate, *_fate_style(change))}" if fate else "")
    if change.entries:
        rows = [("  RESOURCE", "HARD", "STEADY", "SURGE", "PEAK")]
        rows += [(f"  {safe_text(entry.resource)}", *entry_cells(entry)) for entry in change.entries]
        title, *body = align_rows(rows)
        yield to.paint(title, "dim")
        for entry, line in zip(change.entries, body, strict=True):
            yield to.paint(line, "red") if exceeded_scenario(entry.after) == "steady" else line
    used = [consumer_cells(consumer_change, change) for consumer_change in change.consumers]
    if used:
        label = "used by" if change.whole else "through"
        rows_of_users = align_rows([(f"  {label if number == 0 else '':7}", *row) for number, row in enumerate(used)])
        most = len(used) if verbose else _IN_FULL
        yield from rows_of_users[:most]
        yield from (f"{'':11}{line}" for line in _more_lines(len(used) - most, "workload"))
    lowered = (entry for entry in change.entries if entry.lowered_below)
    for text in (
        *(f"{safe_text(entry.resource)} is lowered below what is used ({entry.lowered_below})" for entry in lowered),
        *quota_notes(change, several_environments=several_environments),
    ):
        yield to.paint(wrap_paragraph(text, to.width, "  note     ", "           "), "yellow")
    for reason in change.unseen:
        yield wrap_paragraph(safe_text(reason), to.width, "  not seen  ", "            ")


def _unknown_lines(findings: Sequence[Finding], most: int, to: Terminal) -> Iterator[str]:
    """What may still be true; why is the first of its notes."""
    for finding in findings[:most]:
        yield f"{to.paint('unknown', 'yellow')}: {in_one_line(finding)}"
        yield wrap_paragraph(
            f"no longer found, but not known to be fixed: {safe_text(finding.notes[0].text)}", to.width, "   ", "   "
        )
    if findings[most:]:
        yield f"   and {len(findings) - most} more that are unknown"


def _fate_style(change: QuotaChange) -> Sequence[str]:
    if change.before is None:
        return ("green",)
    return ("red",) if change.after is None or change.after.rejected else ("yellow",)


def _summary_lines(base: Side, head: Side, changes: Changes, following: int, to: Terminal) -> Iterator[str]:
    finding_changes = merged_changes(changes.findings)
    new = finding_changes.new
    worst = next((severity for severity in SEVERITIES if any(finding.severity == severity for finding in new)), "")
    words = severity_words(Counter(finding.severity for finding in new))
    counts = to.paint(new_findings_words(finding_changes, words), SEVERITY_STYLES.get(worst, "green"))
    others = other_findings_words(changes._replace(findings=finding_changes))
    yield f"{counts}, {others} from {revision_label(base)} to {revision_label(head)}."
    if following > 0:
        yield wrap_paragraph(f"{following_words(following)} --verbose shows them in full.", to.width, "", "  ")
    yield from (wrap_paragraph(line, to.width, "", "  ") for line in comparison_remarks(base, head, changes))
