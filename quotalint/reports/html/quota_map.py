"""The map on top: a cell for each quota, with the share of its tightest entry as a number and a colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from quotalint.accounts.quota_table import QuotaTable
from quotalint.quota.projection import ASSUMED, EXACT, UNKNOWN
from quotalint.reports import cells
from quotalint.reports.chosen_quotas import fullest_first, tightest_row
from quotalint.reports.html.fullness import AT_TIMES, FULL, OVER, REFUSED, state_of_quota
from quotalint.reports.html.markup import NOTHING, Html, element
from quotalint.reports.html.page_addresses import PageContext
from quotalint.reports.usage_overview import unknown_line

_ROWS = 40  # of tables; more namespaces than fit on a screen are set as tiles
_OF_A_TABLE = 20  # rows; the next ones stand in a table beside it
_SPACE = "\u00a0"
_WORST = (OVER, REFUSED, AT_TIMES, FULL)


def map_section(tables: Sequence[QuotaTable], at: PageContext) -> Html:
    """All quotas at a glance, the worst first; unknown ones only by name."""
    if len(tables) < 2:
        return NOTHING
    ordered = sorted(fullest_first(tables), key=lambda table: _severity_rank(table, at.nearly_full))
    known_tables = [table for table in ordered if _is_known(table)]
    unknown = [table for table in ordered if not _is_known(table)]
    environments = sorted({table.environment for table in tables})
    rows = list(dict.fromkeys(map(_namespace_or_name, known_tables)))
    if not known_tables:
        body = NOTHING
    elif len(environments) > 1 and len(rows) <= _ROWS:
        within = [table for table in unknown if _namespace_or_name(table) in set(rows)]
        unknown = [table for table in unknown if _namespace_or_name(table) not in set(rows)]
        parts = [rows[first : first + _OF_A_TABLE] for first in range(0, len(rows), _OF_A_TABLE)]
        drawn = (_map_table([*known_tables, *within], part, environments, at) for part in parts)
        body = element("div", *drawn, class_="tables", tabindex="0", role="region", aria_label="Quotas by environment")
    else:
        quotas_per_tile = Counter((table.environment, _namespace_or_name(table)) for table in known_tables)
        crowded = frozenset(key for key, number in quotas_per_tile.items() if number > 1)
        tiles = (_quota_tile(table, crowded, at) for table in known_tables)
        body = element("div", *tiles, class_="tiles")
    reasons = unknown_line([table for table in ordered if not _is_known(table)])
    parts_below = (_unknown_quotas(unknown, reasons, at), _color_legend() if known_tables else NOTHING)
    return element("section", element("h2", "At a glance"), body, *parts_below, id="map")


def _is_known(table: QuotaTable) -> bool:
    return tightest_row(table) is not None or table.rejected


def _severity_rank(table: QuotaTable, nearly_full: int) -> int:
    stands = state_of_quota(table, nearly_full)
    return _WORST.index(stands) if stands in _WORST and _is_known(table) else len(_WORST)


def _map_table(
    known_tables: Iterable[QuotaTable], rows: Sequence[str], environments: Sequence[str], at: PageContext
) -> Html:
    by_cell: dict[tuple[str, str], list[QuotaTable]] = {}
    for table in known_tables:
        by_cell.setdefault((_namespace_or_name(table), table.environment), []).append(table)
    head = element(
        "tr",
        element("th", "namespace", scope="col"),
        *(element("th", environment, scope="col") for environment in environments),
    )
    lines = [
        element(
            "tr",
            element("th", row, scope="row"),
            *(
                element(
                    "td",
                    *(_quota_cell(table, at) for table in by_cell.get((row, environment), ())),
                    data_of=environment,
                )
                for environment in environments
            ),
        )
        for row in rows
    ]
    return element("table", element("thead", head), element("tbody", *lines), class_="map")


def _quota_tile(table: QuotaTable, crowded: Set[tuple[str, str]], at: PageContext) -> Html:
    """A quota by its environment and namespace, and by its own name where the namespace has several."""
    own = f" / {table.quota.name}" if (table.environment, _namespace_or_name(table)) in crowded else ""
    name = (
        f"{table.environment} · {_namespace_or_name(table)}{own}"
        if table.environment
        else f"{_namespace_or_name(table)}{own}"
    )
    return element("span", element("span", name, class_="name", title=name), " ", _quota_cell(table, at), class_="tile")


def _quota_cell(table: QuotaTable, at: PageContext) -> Html:
    row = tightest_row(table)
    stands = state_of_quota(table, at.nearly_full)
    to = f"#{at.quotas[table.identity]}"
    if row is None and not table.rejected:
        why = table.unknowns[0] if table.unknowns else stands.words
        return element("a", "?", href=to, class_="cell unknown", title=_cell_title(table, f"not known: {why}"))
    if row is None or stands is REFUSED:
        return element(
            "a", "refused", href=to, class_="cell over", title=_cell_title(table, "refused by the API server")
        )
    percent = cells.share_percent(row) or 0
    # What is nothing of nothing allowed has no share.
    share = f"{cells.bound_mark(row)}{percent}{_SPACE}%" if row.hard is not None and row.hard.nano > 0 else "over"
    mark = f"{_SPACE}{stands.mark}" if stands in (OVER, AT_TIMES) else ""
    colour = "over" if percent > 100 else "full" if percent > at.nearly_full or stands is AT_TIMES else "fits"
    sure = " assumed" if row.certainty in (ASSUMED, UNKNOWN) else "" if row.certainty == EXACT else " at-least"
    words = f"{row.resource} {cells.steady_cell(row)} of {cells.hard_cell(row)}: {stands.words}"
    return element("a", share + mark, href=to, class_=f"cell {colour}{sure}", title=_cell_title(table, words))


def _unknown_quotas(tables: Sequence[QuotaTable], reasons: Iterable[str], at: PageContext) -> Html:
    """Grey, by environment, with the reasons once."""
    why = [element("p", reason, class_="why") for reason in reasons]
    by_environment: dict[str, list[QuotaTable]] = {}
    for table in sorted(tables, key=lambda table: (table.environment, _namespace_or_name(table), table.quota.name)):
        by_environment.setdefault(table.environment, []).append(table)
    lines = (element("p", *_quota_chips(name, quotas, at), class_="names") for name, quotas in by_environment.items())
    return element("div", *why, *lines, class_="not-known") if why else NOTHING


def _quota_chips(environment: str, tables: Sequence[QuotaTable], at: PageContext) -> Iterator[Html | str]:
    if environment:
        yield element("b", environment)
        yield " "
    crowded = Counter(map(_namespace_or_name, tables))
    for table in tables:
        own = f" / {table.quota.name}" if crowded[_namespace_or_name(table)] > 1 else ""
        yield element("a", _namespace_or_name(table) + own, href=f"#{at.quotas[table.identity]}", class_="chip")
        yield " "


_LEGEND: Mapping[str, str] = {
    "over": "more than allowed",
    "full": "nearly full, or short during rollouts (✗)",
    "fits": "fits",
    "fits assumed": "assumed",
    "unknown": "not known",
}


def _color_legend() -> Html:
    keys = (
        element("span", element("span", "", class_=f"cell {name}", aria_hidden="true"), f" {words}", class_="key")
        for name, words in _LEGEND.items()
    )
    return element("p", "Share of the tightest entry: ", *keys, class_="legend")


def _namespace_or_name(table: QuotaTable) -> str:
    namespaces = table.quota.namespaces
    return table.quota.name if len(namespaces) != 1 else namespaces[0]


def _cell_title(table: QuotaTable, words: str) -> str:
    where = f" in {table.environment}" if table.environment else ""
    return f"{_namespace_or_name(table)} / {cells.quota_label(table)}{where}: {words}"
