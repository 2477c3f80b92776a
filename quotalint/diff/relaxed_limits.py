"""Entries that a quota loses while it stays."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.diff.changes import QuotaChange
from quotalint.kube.resources import alias
from quotalint.named_tuples import NamedTuple


class RelaxedLimit(NamedTuple):
    """A quota that stays, and the entries that it no longer limits."""

    change: QuotaChange
    entries: tuple[str, ...]


def relaxed_quotas(quotas: Sequence[QuotaChange]) -> list[RelaxedLimit]:
    """The quotas that lose entries that no other quota of their namespaces takes over."""
    loosened = []
    for change in quotas:
        others = [other for other in quotas if other is not change and _home(other) == _home(change)]
        entries = [name for name in dropped_entries(change) if not any(_takes_over(other, name) for other in others)]
        if entries:
            loosened.append(RelaxedLimit(change, tuple(entries)))
    return loosened


def dropped_entries(change: QuotaChange) -> tuple[str, ...]:
    """The removed entries that limited something, if the quota stays in force."""
    return () if change.whole else _only_in(change.before, change.after)


def added_entries(change: QuotaChange) -> tuple[str, ...]:
    """The added entries that limit something, if the quota was in force before."""
    return () if change.whole else _only_in(change.after, change.before)


def _only_in(table: QuotaTable | None, other: QuotaTable | None) -> tuple[str, ...]:
    there = {alias(row.resource) for row in _limiting_rows(other)}
    return tuple(row.resource for row in _limiting_rows(table) if alias(row.resource) not in there)


def _limiting_rows(table: QuotaTable | None) -> list[Row]:
    # An entry that nothing enforces limits nothing, whether or not it is written.
    return [row for row in table.rows if not row.untracked] if table is not None else []


def _home(change: QuotaChange) -> tuple[str, Sequence[str]]:
    return change.environment, change.table.quota.namespaces


def _takes_over(other: QuotaChange, name: str) -> bool:
    """Whether a new quota, or a new entry of one, limits this resource now."""
    if other.after is None or other.after.rejected:
        return False
    rows = _only_in(other.after, None) if other.before is None or other.before.rejected else added_entries(other)
    return alias(name) in map(alias, rows)
