"""The quota table for people, like `kubectl describe quota` before anything is deployed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube import quantity
from quotalint.quota.projection import AT_LEAST, UNKNOWN
from quotalint.reports.quota_table import Consumer, QuotaTable, Row
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import Terminal, aligned, columns, counted, paragraph, safe
from quotalint.settings import Settings

_BAR = 16
_EIGHTHS = " ▏▎▍▌▋▊▉"


def render(tables: Sequence[QuotaTable], numbers: Summary, settings: Settings, to: Terminal) -> str:
    """A block for each quota, by environment, namespace and name."""
    if not tables:
        return f"No quota in {counted(numbers.files, 'file')}.\n"
    blocks = []
    environment = None
    for table in tables:
        if numbers.environments > 1 and table.environment != environment:
            environment = table.environment
            blocks.append(to.paint(f"environment {safe(environment)}", "bold"))
        blocks.append("\n".join(_block(table, settings.nearly_full, to)))
    return "\n\n".join(blocks) + "\n"


def _block(table: QuotaTable, nearly_full: int, to: Terminal) -> Iterator[str]:
    obj = table.quota.object
    scopes = f"  scopes: {', '.join(table.scopes)}" if table.scopes else ""
    namespace = f"{safe(obj.namespace)} (assumed)" if obj.assumed else safe(obj.namespace)
    place = f"({safe(obj.place.real.source)}:{table.line})"
    yield f"{to.paint(namespace, 'bold')}   {to.paint(safe(obj.name), 'bold')}  {place}{safe(scopes)}"
    if table.rejected:
        yield "  refused by the API server: `quotalint check` says why"
        return
    if not table.rows:
        yield "  limits nothing"
        return
    shares = [_share(row) for row in table.rows]
    cells = [("  RESOURCE", "STEADY", "HARD", "")]
    cells += [
        (f"  {safe(row.resource)}", _steady(row), _hard(row), _gauge(share, to))
        for row, share in zip(table.rows, shares, strict=True)
    ]
    head, *lines = aligned(cells, (1, 2))
    yield to.paint(head, "dim")
    for line, share in zip(lines, shares, strict=True):
        style = (
            "red"
            if share is not None and share > 100
            else "yellow"
            if share is not None and share > nearly_full
            else ""
        )
        yield to.paint(line, style) if style else line
    yield from _consumers(table.consumers)
    if table.certainty in (AT_LEAST, UNKNOWN):
        for reason in table.unknowns:
            yield paragraph(safe(reason), to.width, "  not seen  ", "            ")


def _steady(row: Row) -> str:
    if row.steady is None:
        return "never counted"
    if row.certainty == UNKNOWN and not row.steady.nano:
        return "unknown"
    at_least = "≥ " if row.certainty != "exact" else ""
    return at_least + quantity.show(row.steady)


def _hard(row: Row) -> str:
    return "unknown" if row.hard is None else quantity.show(row.hard)


def _share(row: Row) -> int | None:
    """Percent of hard, rounded up once it is exceeded; None where nothing can be said."""
    if row.steady is None or row.hard is None or (row.certainty == UNKNOWN and not row.steady.nano):
        return None
    if row.hard.nano <= 0:
        return 101 if row.steady.nano > row.hard.nano else None
    return -(-row.steady.nano * 100 // row.hard.nano)


def _gauge(share: int | None, to: Terminal) -> str:
    if share is None:
        return ""
    percent = f"{share:4d} %" + (" exceeded" if share > 100 else "")
    if not to.bars:
        return percent
    eighths = min(share, 100) * _BAR * 8 // 100
    bar = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")
    return bar + " " * (_BAR - columns(bar)) + percent


def _consumers(consumers: Sequence[Consumer]) -> Iterator[str]:
    rows = []
    for index, one in enumerate(consumers):
        usage = ", ".join(f"{name} {quantity.show(one.usage[name])}" for name in sorted(one.usage) if name != "pods")
        pods = counted(one.pods, "pod") if one.pods else ""
        label = "  used by" if index == 0 else ""
        place = f"{safe(one.owner.place.real.source)}:{one.line}"
        rows.append((label, f"{one.owner.kind} {safe(one.owner.name)}", pods, safe(usage), place))
    if rows:
        yield from aligned(rows)
