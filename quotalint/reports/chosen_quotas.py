"""The quotas that the user chose to show, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.named_tuples import NamedTuple
from quotalint.reports.cells import share_percent

FULLEST, BY_NAMESPACE, BY_ENVIRONMENT = "share", "namespace", "environment"


class Choice(NamedTuple):
    """The choice of `usage`."""

    quota_names: tuple[str, ...] = ()
    """`NAMESPACE` or `NAMESPACE/QUOTA`; `*` and `?` match any text and any character."""
    environments: tuple[str, ...] = ()
    exceeded: bool = False
    top: int | None = None
    """Only the N fullest."""
    order: str | None = None
    """FULLEST, BY_NAMESPACE or BY_ENVIRONMENT; None: what suits the format."""
    in_detail: bool = False
    """Every quota in detail."""

    @property
    def is_for_details(self) -> bool:
        """Whether so few quotas are chosen that each is shown in full."""
        return bool(self.in_detail or self.quota_names or self.exceeded or self.top is not None)


def tightest_row(table: QuotaTable) -> Row | None:
    """The fullest entry; None if all are unknown."""
    return max((row for row in table.rows if share_percent(row) is not None), key=_share_millionths, default=None)


def is_exceeded(table: QuotaTable) -> bool:
    """Whether the demand of an entry exceeds its limit."""
    row = tightest_row(table)
    return row is not None and (share_percent(row) or 0) > 100


def short_rows(table: QuotaTable, scenario: str) -> list[Row]:
    """The entries whose limit is below a scenario: `surge`, or `peak`, which is never less."""
    demands = ((row, row.surge if scenario == "surge" else row.peak) for row in table.rows)
    return [row for row, need in demands if need is not None and row.hard is not None and need.nano > row.hard.nano]


def choose_tables(tables: Sequence[QuotaTable], choice: Choice) -> tuple[QuotaTable, ...]:
    """The chosen tables, in the chosen order."""
    chosen = [
        table
        for table in tables
        if (not choice.environments or table.environment in choice.environments)
        and (not choice.quota_names or any(_is_named(table, name) for name in choice.quota_names))
        and (not choice.exceeded or is_exceeded(table))
    ]
    if choice.top is not None:
        chosen = fullest_first(chosen)[: choice.top]
    if choice.order == FULLEST:
        chosen = fullest_first(chosen)
    elif choice.order is not None:
        by_environment = choice.order == BY_ENVIRONMENT
        chosen.sort(key=lambda table: (table.environment if by_environment else "", *_name_order(table)))
    return tuple(chosen)


def unmatched_names(tables: Iterable[QuotaTable], quota_names: Iterable[str]) -> tuple[str, ...]:
    """The names that match no quota."""
    known_tables = tuple(tables)
    return tuple(name for name in quota_names if not any(_is_named(table, name) for table in known_tables))


def fullest_first(tables: Iterable[QuotaTable]) -> list[QuotaTable]:
    """Sorted by the fullest entry; unknown ones last."""
    return sorted(tables, key=lambda table: (-_share_millionths(tightest_row(table)), *_name_order(table)))


def _share_millionths(row: Row | None) -> int:
    """Millionths of the limit."""
    if row is None or row.judged is None or row.hard is None:
        return -1
    if row.hard.nano <= 0:
        return _BEYOND if row.judged.nano > row.hard.nano else 0
    return row.judged.nano * 10**6 // row.hard.nano


_BEYOND = 10**30
"""Above every share: the entry allows nothing but is used."""


def _name_order(table: QuotaTable) -> tuple[str, str, str, str]:
    return table.quota.namespace, table.quota.name, table.environment, table.quota.object.place.file


def _is_named(table: QuotaTable, name: str) -> bool:
    namespace, _, quota = name.partition("/")
    places = table.quota.namespaces or (table.quota.namespace,)
    return any(fnmatchcase(place, namespace) for place in places) and (
        not quota or fnmatchcase(table.quota.name, quota)
    )
