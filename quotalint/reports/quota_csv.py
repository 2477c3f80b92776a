"""The quota table for spreadsheets (RFC 4180): a line for each entry of each quota."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.quota.projection import UNKNOWN
from quotalint.reports.cells import share_percent
from quotalint.reports.json import amount_or_none
from quotalint.reports.terminal import safe_text

COLUMNS = (
    *("environment", "namespace", "kind", "quota", "resource"),
    *("hard", "steady", "surge", "peak", "percent", "certainty", "exceeded"),
    *("hard_number", "steady_number", "surge_number", "peak_number"),
    *("file", "line"),
)
"""Each amount has two columns: as Kubernetes prints it, and as a plain number (cores, bytes, pieces)."""


def render(tables: Sequence[QuotaTable]) -> str:
    """A header, then the entries in the order of the tables. An unknown amount is empty."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows(_row_cells(table, row) for table in tables for row in table.rows)
    return written.getvalue()


def _row_cells(table: QuotaTable, row: Row) -> Iterator[str]:
    obj = table.quota.object
    percent = share_percent(row)
    yield from map(
        _text_cell, (table.environment, " ".join(table.quota.namespaces), obj.kind, table.quota.name, row.resource)
    )
    unknown = row.certainty == UNKNOWN
    amounts = (row.hard, *((None,) * 3 if unknown else (row.steady, row.surge, row.peak)))
    yield from (amount_or_none(amount) or "" for amount in amounts)
    yield "" if percent is None or row.hard is None or row.hard.nano <= 0 else str(percent)
    yield "untracked" if row.untracked else row.certainty
    yield "" if percent is None else "yes" if percent > 100 else "no"
    yield from map(_number_cell, amounts)
    yield _text_cell(obj.place.file)
    yield str(table.line)


def _number_cell(amount: Quantity | None) -> str:
    return "" if amount is None else quantity.decimal(amount)


def _text_cell(text: str) -> str:
    """A cell that no spreadsheet reads as a formula (OWASP, CSV Injection): a manifest may contain any name."""
    text = safe_text(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
