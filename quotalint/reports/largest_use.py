"""What several snapshots show that a quota was ever used for, beside what it allows."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.reports.quota_table import QuotaTable
from quotalint.reports.terminal import align_rows, safe_text

_FAR_ABOVE = 4  # so many times as much as was ever used


def largest_lines(table: QuotaTable, nearly_full: int) -> Iterator[str]:
    """A line for each entry: how much, of how much, when, and what that means."""
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
