"""The report of a change for people: first what breaks, then what it does to quotas, then the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from quotalint.catalogue import SEVERITIES
from quotalint.diff.changes import Changes, QuotaChange, exceeded
from quotalint.diff.trees import Side
from quotalint.findings import Finding
from quotalint.reports.cells import named, namespaces
from quotalint.reports.details import most_severe_first
from quotalint.reports.diff_cells import cells, consumer, fate, left_out, revision
from quotalint.reports.excerpt import lines_of
from quotalint.reports.terminal import SEVERITY_STYLES, Terminal, aligned, counted, paragraph, safe
from quotalint.reports.text import in_full_block, in_one_line

_IN_FULL = 10


def render(
    base: Side,
    head: Side,
    found: Changes,
    content: Callable[[str], bytes],
    to: Terminal,
    quiet: bool = False,
    verbose: bool = False,
) -> str:
    """The whole text; `quiet` is one line a new finding and nothing else. With `verbose` the fixed ones are named."""
    new = most_severe_first(found.new)
    if quiet:
        return "".join(f"{in_one_line(one)}\n" for one in new)
    lines = cache(lambda name: lines_of(content(name)))
    most = len(new) if verbose else _IN_FULL
    blocks = ["\n".join(in_full_block(one, lines, to)) for one in new[:most]]
    if new[most:]:
        blocks.append("\n".join(map(in_one_line, new[most:])))
    several = len({one.environment for one in found.quotas}) > 1
    blocks += ["\n".join(_quota(one, several, to)) for one in found.quotas]
    if verbose and found.fixed:
        blocks.append("\n".join(f"fixed: {in_one_line(one)}" for one in found.fixed))
    blocks.append("\n".join(_summary(base, head, found, to)))
    return "\n\n".join(blocks) + "\n"


def _quota(change: QuotaChange, several: bool, to: Terminal) -> Iterator[str]:
    table = change.table
    where = f"{safe(change.environment)}: " if several and change.environment else ""
    place = f"({safe(table.quota.object.place.real.source)}:{table.line})"
    what = fate(change)
    head = f"{where}{to.paint(namespaces(table), 'bold')}   {to.paint(named(table), 'bold')}  {place}"
    yield head + (f"  {to.paint(what, *_style(change))}" if what else "")
    if change.entries:
        rows = [("  RESOURCE", "HARD", "STEADY", "SURGE", "PEAK")]
        rows += [(f"  {safe(one.resource)}", *cells(one)) for one in change.entries]
        title, *body = aligned(rows)
        yield to.paint(title, "dim")
        for one, line in zip(change.entries, body, strict=True):
            yield to.paint(line, "red") if exceeded(one.after) == "steady" else line
    whole = change.before is None or change.after is None
    used = [consumer(one, whole) for one in change.consumers]
    if used:
        label = "used by" if whole else "through"
        yield from aligned([(f"  {label if number == 0 else '':7}", *row) for number, row in enumerate(used)])
    for entry in change.entries:
        if entry.lowered_below:
            text = f"{safe(entry.resource)} is lowered below what is used ({entry.lowered_below})"
            yield to.paint(paragraph(text, to.width, "  note     ", "           "), "yellow")
    if change.after is None and used:
        yield "  note     nothing of this quota limits them any more"


def _style(change: QuotaChange) -> Sequence[str]:
    if change.before is None:
        return ("green",)
    return ("red",) if change.after is None or change.after.rejected else ("yellow",)


def _summary(base: Side, head: Side, found: Changes, to: Terminal) -> Iterator[str]:
    worst = next((one for one in SEVERITIES if any(finding.severity == one for finding in found.new)), "")
    counts = to.paint(_counted(found.new) if found.new else "No new findings", SEVERITY_STYLES.get(worst, "green"))
    yield f"{counts}{_others(found)} from {revision(base)} to {revision(head)}."
    if not found.quotas:
        yield "No quota and no use of one changes."
    yield from (paragraph(line, to.width, "", "  ") for line in left_out(base, head))


def _counted(findings: Sequence[Finding]) -> str:
    by = Counter(one.severity for one in findings)
    words = [f"{by[name]} info" if name == "info" else counted(by[name], name) for name in SEVERITIES if by[name]]
    return f"{counted(len(findings), 'new finding')} ({', '.join(words)})"


def _others(found: Changes) -> str:
    silenced = f", {len(found.silenced)} suppressed" if found.silenced else ""
    return f", {len(found.fixed)} fixed{silenced}, {len(found.unchanged)} unchanged"
