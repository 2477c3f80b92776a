"""The quota table for people, like `kubectl describe quota` before anything is deployed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube import quantity
from quotalint.quota.projection import EXACT
from quotalint.reports.cells import charged, hard, later, named, namespaces, pods, share, steady, user
from quotalint.reports.quota_table import QuotaTable
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import Terminal, aligned, columns, counted, paragraph, safe
from quotalint.settings import Settings

_BAR, _LEAST_BAR = 16, 4  # columns
_BELOW = " " * 13
_EIGHTHS = " ▏▎▍▌▋▊▉"


def render(tables: Sequence[QuotaTable], numbers: Summary, settings: Settings, to: Terminal) -> str:
    """A block for each quota, by environment, namespace and name."""
    if not tables:
        return f"No quota in {counted(numbers.files, 'file')}.\n"
    blocks = []
    several = len({table.environment for table in tables}) > 1 or numbers.environments > 1
    environment: str | None = ""
    for table in tables:
        if several and table.environment != environment:
            environment = table.environment
            blocks.append(to.paint(f"environment {safe(environment)}", "bold"))
        blocks.append("\n".join(_block(table, settings, to)))
    return "\n\n".join(blocks) + "\n"


def _block(table: QuotaTable, settings: Settings, to: Terminal) -> Iterator[str]:
    obj = table.quota.object
    scopes = f"  scopes: {', '.join(table.scopes)}" if table.scopes else ""
    namespace = f"{namespaces(table)} (assumed)" if obj.assumed else namespaces(table)
    place = f"({safe(obj.place.real.source)}:{table.line})"
    yield f"{to.paint(namespace, 'bold')}   {to.paint(named(table), 'bold')}  {place}{safe(scopes)}"
    if table.rejected:
        yield "  refused by the API server: `quotalint check` says why"
        return
    if not table.rows:
        yield "  limits nothing"
        return
    shares = [share(row) for row in table.rows]
    deferred = any(row.actual is not None for row in table.rows)
    live = any(row.used is not None for row in table.rows)
    used = (*(("POTENTIAL", "ACTUAL") if deferred else ("STEADY",)), *(("CHARGED",) if live else ()))
    of = "" if settings.scenario == "steady" else f"{settings.scenario.upper()} OF HARD"

    def table_lines(bar: int) -> list[str]:
        cells = [("  RESOURCE", *used, "HARD", of, "SURGE", "PEAK")]
        cells += [
            (
                f"  {safe(row.resource)}",
                steady(row),
                *([quantity.show(row.actual) if row.actual is not None else ""] if deferred else []),
                *([charged(row)] if live else []),
                hard(row),
                _gauge(percent, bar),
                *later(row),
            )
            for row, percent in zip(table.rows, shares, strict=True)
        ]
        amounts = range(1, len(used) + 2)
        return aligned(cells, (*amounts, len(used) + 3, len(used) + 4))

    # Bars take what numbers leave of the terminal.
    free = to.width - max(map(columns, table_lines(0))) if to.bars else 0
    head, *lines = table_lines(min(free, _BAR) if free >= _LEAST_BAR else 0)
    yield to.paint(head, "dim")
    for line, percent in zip(lines, shares, strict=True):
        style = (
            "red"
            if percent is not None and percent > 100
            else "yellow"
            if percent is not None and percent > settings.nearly_full
            else ""
        )
        yield to.paint(line, style) if style else line
    yield from _consumers(table, to)
    for guess in table.guesses:
        text = f"{guess.reason}; to settle it, {guess.cure}"
        yield paragraph(safe(text), to.width, "  assumed   ", "            ")
    if table.certainty != EXACT:
        for reason in table.unknowns:
            yield paragraph(safe(reason), to.width, "  not seen  ", "            ")


def _gauge(percent: int | None, width: int) -> str:
    if percent is None:
        return ""
    words = f"{percent:4d} %" + (" exceeded" if percent > 100 else "")
    eighths = min(percent, 100) * width * 8 // 100
    bar = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")
    return bar + " " * (width - columns(bar)) + words


def _consumers(table: QuotaTable, to: Terminal) -> Iterator[str]:
    rows: list[tuple[str, ...]] = []
    for one in table.consumers:
        usage = ", ".join(f"{name} {quantity.show(one.usage[name])}" for name in sorted(one.usage) if name != "pods")
        if not one.usage and not one.peak:
            continue
        label = "  used by" if not rows else ""
        place = f"{safe(one.owner.place.real.source)}:{one.line}"
        rows.append((label, safe(user(one, table)), pods(one.pods), safe(usage), place))
    lines = aligned(rows) if rows else []
    if not to.bars or all(columns(line) <= to.width for line in lines):
        yield from lines
        return
    for line, (*_, usage, place) in zip(aligned([row[:3] for row in rows]), rows, strict=True):
        yield line
        yield paragraph(f"{usage}  {place}" if usage else place, to.width, _BELOW, _BELOW)
