"""How full quotas will be, as text: a line for each, then tables of the chosen ones, like `kubectl describe quota`
before a deployment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.kube import quantity
from quotalint.kube.guess import guess_sentences
from quotalint.kube.quantity import Quantity
from quotalint.quota.projection import EXACT
from quotalint.reports.cells import (
    OVER,
    charged_cell,
    consumer_label,
    hard_cell,
    namespaces_label,
    pods_label,
    quota_label,
    room_words,
    share_percent,
    share_words,
    steady_cell,
    surge_and_peak_cells,
    unstated_words,
)
from quotalint.reports.chosen_quotas import Choice, fullest_first
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import Terminal, align_rows, column_width, count_noun, safe_text, wrap_paragraph
from quotalint.reports.usage_overview import draw_bar, overview_lines
from quotalint.settings import Settings

_BAR, _LEAST_BAR = 16, 4  # columns
_BELOW = " " * 13
_FAR_ABOVE = 4  # times the largest use
_REASONS = 3  # reasons for an inexact sum, of a quota that was not chosen
_IN_FULL = 3  # so many quotas are always shown in full

_HOW_TO_SEE_MORE = "`quotalint usage NAMESPACE` shows one in full; --exceeded, --top N and --all show several."

Notes = Mapping[str, int]
"""Reasons that several quotas share → their numbers in the list at the end."""


def render(
    tables: Sequence[QuotaTable], numbers: Summary, settings: Settings, to: Terminal, choice: Choice | None = None
) -> str:
    """A line for each quota, the fullest first; tables for chosen quotas, or for all if they are few."""
    choice = choice or Choice()
    if not tables:
        return f"{_no_quota_line(numbers, choice)}\n"
    several_environments = len({table.environment for table in tables}) > 1 or numbers.environments > 1
    environments = len({table.environment for table in tables}) if several_environments else 1
    blocks = ["\n".join(overview_lines(tables, environments, settings, to))] if len(tables) > 1 else []
    if shows_details(tables, choice):
        shown = fullest_first(tables) if choice.top is not None and choice.order is None else tables
        most = 0 if choice.is_for_details else _REASONS
        blocks.extend(_detail_blocks(shown, settings, to, most, several_environments=several_environments))
    else:
        blocks.append(wrap_paragraph(_HOW_TO_SEE_MORE, to.width))
    return "\n\n".join(blocks) + "\n"


def shows_details(tables: Sequence[QuotaTable], choice: Choice | None) -> bool:
    """Whether quotas are shown in full, with their users and lines."""
    return (choice is not None and choice.is_for_details) or len(tables) <= _IN_FULL


def _no_quota_line(numbers: Summary, choice: Choice) -> str:
    if not numbers.quotas:
        return f"No quota is in force in {count_noun(numbers.files, 'file')}."
    if choice.exceeded:
        return f"No quota is exceeded ({count_noun(numbers.quotas, 'quota')} in {count_noun(numbers.files, 'file')})."
    return f"None of {count_noun(numbers.quotas, 'quota')} matches."


def _detail_blocks(
    tables: Sequence[QuotaTable], settings: Settings, to: Terminal, most: int, *, several_environments: bool
) -> Iterator[str]:
    """The tables, each below its environment; a shared reason is listed once, at the end. A table shows at `most` so
    many reasons; 0: all."""
    shared = Counter(reason for table in tables if table.certainty != EXACT for reason in table.unknowns)
    notes = {reason: at for at, reason in enumerate((reason for reason, number in shared.items() if number > 1), 1)}
    environment: str | None = ""
    for table in tables:
        if several_environments and table.environment != environment:
            environment = table.environment
            yield to.paint(f"environment {safe_text(environment)}", "bold")
        yield "\n".join(_quota_lines(table, settings, to, notes, most))
    if notes:
        yield "\n".join(
            wrap_paragraph(safe_text(reason), to.width, f"[{at}]".ljust(6), " " * 6) for reason, at in notes.items()
        )


def _quota_lines(table: QuotaTable, settings: Settings, to: Terminal, notes: Notes, most: int) -> Iterator[str]:
    obj = table.quota.object
    scopes = f"  scopes: {', '.join(table.scopes)}" if table.scopes else ""
    namespace = f"{namespaces_label(table)} (assumed)" if obj.has_assumed_namespace else namespaces_label(table)
    place = f"({safe_text(obj.place.file)}:{table.line})"
    title = f"{namespace}   {quota_label(table)}"
    painted = f"{to.paint(namespace, 'bold')}   {to.paint(quota_label(table), 'bold')}"
    if to.wraps and column_width(f"{title}  {place}{safe_text(scopes)}") > to.width:
        yield painted
        yield f"  {place}"
        if scopes:
            yield safe_text(scopes)
    else:
        yield f"{painted}  {place}{safe_text(scopes)}"
    if table.rejected:
        yield "  refused by the API server: `quotalint check` says why"
        return
    if not table.rows:
        yield "  limits nothing"
        return
    shares = [share_percent(row) for row in table.rows]
    deferred = any(row.actual is not None for row in table.rows)
    live = any(row.used is not None for row in table.rows)
    used = (*(("POTENTIAL", "ACTUAL") if deferred else ("STEADY",)), *(("CHARGED",) if live else ()))
    of = "" if settings.scenario == "steady" else f"{settings.scenario.upper()} OF HARD"

    def table_lines(bar: int) -> list[str]:
        cells = [("  RESOURCE", *used, "HARD", of, "SURGE", "PEAK")]
        cells += [
            (
                f"  {safe_text(row.resource)}",
                steady_cell(row),
                *([quantity.show(row.actual) if row.actual is not None else ""] if deferred else []),
                *([charged_cell(row)] if live else []),
                hard_cell(row),
                _gauge_cell(row, percent, bar),
                *surge_and_peak_cells(row),
            )
            for row, percent in zip(table.rows, shares, strict=True)
        ]
        amounts = range(1, len(used) + 2)
        return align_rows(cells, (*amounts, len(used) + 3, len(used) + 4))

    # Bars take what numbers leave of the terminal; a name that leaves too little stands on a line of its own.
    free = to.width - max(map(column_width, table_lines(0)))
    drawn = min(free, _BAR) if to.bars and free >= _LEAST_BAR else 0
    head, *lines = table_lines(drawn)
    if to.wraps and free < 0:
        head, *lines = _narrow_lines((head, *lines), to.width)
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
    yield from _consumer_lines(table, to)
    if table.unstated:
        yield wrap_paragraph(unstated_words(table.unstated), to.width, "  refused   ", "            ")
    if any(row.largest is not None for row in table.rows):
        yield from _largest_lines(table, settings.nearly_full)
    for words in guess_sentences(table.guesses, most=len(table.guesses)):
        yield wrap_paragraph(safe_text(words), to.width, "  assumed   ", "            ")
    if table.certainty != EXACT:
        reasons = [reason for reason in table.unknowns if reason not in notes]
        more = len(reasons) - most if most and len(reasons) > most + 1 else 0
        for reason in reasons[: len(reasons) - more]:
            yield wrap_paragraph(safe_text(reason), to.width, "  not seen  ", "            ")
        if more:
            name = safe_text(table.quota.namespace) or "--all"  # of a quota of several namespaces
            yield f"  not seen  and {more} more: `quotalint usage {name}` lists them"
        numbers = sorted(notes[reason] for reason in table.unknowns if reason in notes)
        if numbers:
            yield f"  not seen  {' '.join(f'[{number}]' for number in numbers)}"


def _narrow_lines(lines: Sequence[str], width: int) -> list[str]:
    """The lines of a table whose first column is too wide: its cell takes a line of its own."""
    first_cells = [line[2:].split("  ")[0] for line in lines]
    widest = max(map(column_width, first_cells))
    room = max(8, widest - max(map(column_width, lines)) + width)
    narrowed = []
    for name, line in zip(first_cells, lines, strict=True):
        behind = line[2 + widest :]
        narrowed.append(
            f"  {name}\n  {' ' * room}{behind}" if column_width(name) > room else f"  {name:{room}}{behind}"
        )
    return narrowed


def _gauge_cell(row: Row, percent: int | None, width: int) -> str:
    if percent is None:
        return ""
    # `over` says no more than the word behind it.
    share = share_words(row, percent).replace(OVER, "")
    words = f"{share:>6}" + (" exceeded" if percent > 100 else "")
    return draw_bar(percent, width) + words


def _consumer_lines(table: QuotaTable, to: Terminal) -> Iterator[str]:
    rows: list[tuple[str, ...]] = []
    for consumer in table.consumers:
        usage = ", ".join(
            f"{name} {quantity.show(consumer.usage[name])}" for name in sorted(consumer.usage) if name != "pods"
        )
        usage = "; ".join(filter(None, (usage, room_words(consumer, table))))
        if not consumer.usage and not consumer.peak:
            continue
        label = "  used by" if not rows else ""
        place = f"{safe_text(consumer.owner.place.file)}:{consumer.line}"
        rows.append(
            (label, safe_text(consumer_label(consumer, table)), pods_label(consumer.pods), safe_text(usage), place)
        )
    lines = align_rows(rows) if rows else []
    if not to.wraps or all(column_width(line) <= to.width for line in lines):
        yield from lines
        return
    for line, (*_, usage, place) in zip(align_rows([row[:3] for row in rows]), rows, strict=True):
        yield line
        yield wrap_paragraph(f"{usage}  {place}" if usage else place, to.width, _BELOW, _BELOW)


def _largest_lines(table: QuotaTable, nearly_full: int) -> Iterator[str]:
    """The largest use that several snapshots show: amount, limit, time, and what that means."""
    rows = [
        (
            "  largest" if number == 0 else "",
            safe_text(row.resource),
            quantity.show(row.largest.amount),
            "of " + ("?" if row.hard is None else quantity.show(row.hard)),
            safe_text(row.largest.when) if row.largest.amount.nano else "",
            _meaning_words(row.largest.amount, row.hard, nearly_full),
        )
        for number, row in enumerate(row for row in table.rows if row.largest is not None)
        if row.largest is not None
    ]
    yield from (line.rstrip() for line in align_rows(rows, (2,)))


def _meaning_words(largest: Quantity, hard: Quantity | None, nearly_full: int) -> str:
    if hard is None or not hard.nano:
        return ""
    if not largest.nano:
        return "never used"
    if largest.nano > hard.nano:
        return "more than it allows"
    if largest.nano * 100 >= hard.nano * nearly_full:
        return "close to its limit"
    times = hard.nano // largest.nano
    return f"allows {times} times as much" if times >= _FAR_ABOVE else ""
