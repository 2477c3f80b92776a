"""The map on top: a cell for each quota, with the share of its tightest entry as a number and a colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from quotalint.quota.projection import ASSUMED, EXACT, UNKNOWN
from quotalint.reports import cells
from quotalint.reports.chosen_quotas import fullest_first, tightest
from quotalint.reports.html.markup import NOTHING, Html, element
from quotalint.reports.html.states import AT_TIMES, OVER, REFUSED, state
from quotalint.reports.quota_table import QuotaTable

_ROWS = 24  # of a table; more namespaces than fit on a screen are set as tiles
_SPACE = "\u00a0"


def anchors(tables: Sequence[QuotaTable]) -> Mapping[int, str]:
    """The id of each quota on the page, by the identity of its table."""
    return {id(table): f"quota-{number}" for number, table in enumerate(tables, 1)}


def section(tables: Sequence[QuotaTable], nearly_full: int) -> Html:
    """All quotas at a glance, the fullest first; those of which nothing is known by name alone."""
    if len(tables) < 2:
        return NOTHING
    at = anchors(tables)
    ordered = fullest_first(tables)
    known = [one for one in ordered if tightest(one) is not None or one.rejected]
    unknown = [one for one in ordered if tightest(one) is None and not one.rejected]
    environments = sorted({one.environment for one in tables})
    rows = list(dict.fromkeys(_name(one) for one in known))
    if not known:
        body = NOTHING
    elif len(environments) > 1 and len(rows) <= _ROWS:
        body = _table(known, rows, environments, at, nearly_full)
    else:
        several = Counter((one.environment, _name(one)) for one in known)
        crowded = frozenset(key for key, number in several.items() if number > 1)
        tiles = (_tile(one, crowded, at, nearly_full) for one in known)
        body = element("div", *tiles, class_="tiles")
    return element("section", element("h2", "At a glance"), body, _unknown(unknown, at), id="map")


def _table(
    known: Iterable[QuotaTable],
    rows: Sequence[str],
    environments: Sequence[str],
    at: Mapping[int, str],
    nearly_full: int,
) -> Html:
    found: dict[tuple[str, str], list[QuotaTable]] = {}
    for one in known:
        found.setdefault((_name(one), one.environment), []).append(one)
    head = element(
        "tr", element("th", "namespace", scope="col"), *(element("th", one, scope="col") for one in environments)
    )
    lines = [
        element(
            "tr",
            element("th", row, scope="row"),
            *(
                element("td", *(_cell(one, at, nearly_full) for one in found.get((row, environment), ())))
                for environment in environments
            ),
        )
        for row in rows
    ]
    return element("table", element("thead", head), element("tbody", *lines), class_="map")


def _tile(table: QuotaTable, crowded: Set[tuple[str, str]], at: Mapping[int, str], nearly_full: int) -> Html:
    """A quota by its environment and namespace, and by its own name where the namespace has several."""
    own = f" / {table.quota.name}" if (table.environment, _name(table)) in crowded else ""
    name = f"{table.environment} · {_name(table)}{own}" if table.environment else f"{_name(table)}{own}"
    return element("span", element("span", name, class_="name"), " ", _cell(table, at, nearly_full), class_="tile")


def _cell(table: QuotaTable, at: Mapping[int, str], nearly_full: int) -> Html:
    row = tightest(table)
    stands = state(table, nearly_full)
    if row is None or stands is REFUSED:
        return element("a", "refused", href=f"#{at[id(table)]}", class_="cell over", title=_title(table, "refused"))
    percent = cells.share(row) or 0
    # What is nothing of nothing allowed has no share.
    share = f"{cells.bound(row)}{percent}{_SPACE}%" if row.hard is not None and row.hard.nano > 0 else "over"
    mark = f"{_SPACE}{stands.mark}" if stands in (OVER, AT_TIMES) else ""
    colour = "over" if percent > 100 else "full" if percent > nearly_full or stands is AT_TIMES else "fits"
    sure = " assumed" if row.certainty in (ASSUMED, UNKNOWN) else "" if row.certainty == EXACT else " at-least"
    words = f"{row.resource} {cells.steady(row)} of {cells.hard(row)}: {stands.words}"
    return element(
        "a", share + mark, href=f"#{at[id(table)]}", class_=f"cell {colour}{sure}", title=_title(table, words)
    )


def _unknown(tables: Sequence[QuotaTable], at: Mapping[int, str]) -> Html:
    if not tables:
        return NOTHING
    names = list(_joined(tables, at))
    title = element("summary", f"Not known ({len(tables)})")
    return element("details", title, element("p", *names, class_="names"), class_="not-known")


def _joined(tables: Sequence[QuotaTable], at: Mapping[int, str]) -> Iterator[Html | str]:
    for number, one in enumerate(tables):
        name = f"{one.environment} · {_name(one)}" if one.environment else _name(one)
        yield ", " if number else ""
        yield element("a", name, href=f"#{at[id(one)]}", class_="cell-name")


def _name(table: QuotaTable) -> str:
    several = table.quota.namespaces
    return table.quota.name if len(several) != 1 else several[0]


def _title(table: QuotaTable, words: str) -> str:
    where = f" in {table.environment}" if table.environment else ""
    return f"{_name(table)} / {cells.named(table)}{where}: {words}"
