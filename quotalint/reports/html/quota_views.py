"""The quotas: per environment and namespace how full each is, and who uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import groupby

from quotalint.accounts.quota_table import Consumer, QuotaTable, Row, TableId
from quotalint.kube import quantity
from quotalint.kube.guess import guess_sentences
from quotalint.kube.quantity import Quantity
from quotalint.quota.projection import ASSUMED, UNKNOWN
from quotalint.reports import cells
from quotalint.reports.html import bars, history
from quotalint.reports.html.bars import Bar
from quotalint.reports.html.consumers import consumer_list, numbered_consumers
from quotalint.reports.html.fullness import (
    AT_TIMES,
    FAILING,
    REFUSED,
    STATES,
    UNCERTAIN,
    EntryState,
    state_of_entry,
    state_of_quota,
)
from quotalint.reports.html.markup import NOTHING, Html, Piece, code, element, join_pieces, prose, raw
from quotalint.reports.html.page_addresses import PageContext, permanent_link, place_link
from quotalint.reports.terminal import count_noun
from quotalint.settings import Settings

_REASONS = 3  # why a quota cannot be judged; more of them are folded
_OPEN = 6  # quotas that are all shown in full
_FAILING_OPEN = 4  # of more quotas, those that do not fit and are shown in full


def quotas_section(tables: Sequence[QuotaTable], settings: Settings, at: PageContext) -> Html:
    """All quotas of a report."""
    title = element("h2", "Quotas")
    if not tables:
        return element("section", title, element("p", "There is no quota.", class_="quiet"), id="quotas")
    failing = [table for table in tables if state_of_quota(table, at.nearly_full) in (*FAILING, REFUSED)]
    shown = tables if len(tables) <= _OPEN else failing[:_FAILING_OPEN]
    show = partial(_quota_block, opened=frozenset(table.identity for table in shown), at=at)
    groups = list(_environment_sections(tables, show))
    overview = _state_counts(tables, settings.nearly_full)
    return element("section", title, overview, _reading_help(settings), *groups, id="quotas", data_group=True)


def _environment_sections(tables: Sequence[QuotaTable], show: Callable[[QuotaTable, int], Html]) -> Iterator[Html]:
    if len({table.environment for table in tables}) < 2:
        yield from _namespace_sections(tables, show, 3)
        return
    for name, group in groupby(tables, key=lambda table: table.environment):
        title = element("h3", element("span", "environment ", class_="quiet"), name)
        yield element("section", title, *_namespace_sections(group, show, 4), class_="environment", data_group=True)


def _namespace_sections(
    tables: Iterable[QuotaTable], show: Callable[[QuotaTable, int], Html], level: int
) -> Iterator[Html]:
    for name, group in groupby(tables, key=_namespace_title):
        title = element(f"h{level}", element("span", "namespace ", class_="unseen"), name)
        quotas = element("div", *(show(table, level + 1) for table in group))
        yield element("section", title, quotas, class_="namespace", data_group=True)


def _namespace_title(table: QuotaTable) -> str:
    return cells.namespaces_label(table) + (" (assumed)" if table.quota.object.has_assumed_namespace else "")


def _state_counts(tables: Sequence[QuotaTable], nearly_full: int) -> Html:
    """The number of quotas in each state."""
    states = [state_of_quota(table, nearly_full) for table in tables]
    items = [
        element("li", _state_badge(state), " ", element("b", str(states.count(state))))
        for state in STATES
        if state in states
    ]
    return element("ul", *items, class_="overview")


def _reading_help(settings: Settings) -> Html:
    """What the bars mean."""
    judged = settings.scenario
    explanations = (
        ("steady", "what is used once everything has settled"),
        ("surge", "with the most demanding rolling update, or run of a schedule, of one workload"),
        ("peak", "with all autoscalers at their maximum, all rollouts under way and all schedules running"),
        ("always", "the three are the same"),
        ("charged", "what the cluster itself says is used of the quota"),
        ("│", "hard: what the quota allows. What goes beyond it is hatched and marked ✗"),
        ("1, 2, …", "who uses it, as numbered below the bars; the last, grey part is all the others together"),
        ("≥", "at least: not everything is in view, so there may be more (dotted)"),
        ("%", f"share of hard. A quota fits when its {judged} demand does"),
    )
    items = [part for word, text in explanations for part in (element("dt", word), element("dd", text))]
    return element("details", element("summary", "How to read the bars"), element("dl", *items), class_="how")


def _quota_block(table: QuotaTable, level: int, at: PageContext, *, opened: Set[TableId]) -> Html:
    stands = state_of_quota(table, at.nearly_full)
    head: list[Piece] = [
        element(f"h{level}", cells.quota_label(table)),
        _state_badge(stands),
        *_fullest_entry(table, stands),
        *history.summary_line(table, at),
    ]
    name = at.quotas[table.identity]
    return element(
        "details",
        element("summary", join_pieces(head, " ")),
        element(
            "div", *_quota_body(table, stands, at), permanent_link(name, "quota"), id=name, class_="body", tabindex="-1"
        ),
        class_=f"quota {stands.name}",
        data_environment=table.environment,
        data_quota="failing" if stands in FAILING else stands.name,
        data_where=f"{table.environment} {' '.join(table.quota.namespaces)}".strip(),
        open=table.identity in opened,
    )


def _fullest_entry(table: QuotaTable, stands: EntryState) -> Iterator[Html]:
    """The entry that is nearest to its limit, or farthest beyond it; or the reason if none can be judged."""
    at_peak = stands is AT_TIMES
    rows = [row._replace(judged=row.peak) if at_peak else row for row in table.rows if not table.rejected]
    shares = [(percent, number) for number, row in enumerate(rows) if (percent := cells.share_percent(row)) is not None]
    percent, number = max(shares, default=(None, 0))
    if stands is UNCERTAIN and table.unknowns and percent is None:
        yield element("span", table.unknowns[0], class_="fullest reason")
    if percent is not None:
        fullest = rows[number]
        at_least = cells.bound_mark(fullest)
        when = " at the peak" if at_peak else ""
        yield element("span", code(fullest.resource), f" {at_least}{percent}{_SPACE}%{when}", class_="fullest")
        yield bars.draw_gauge(fullest)


def _state_badge(of: EntryState) -> Html:
    return element("span", f"{of.mark} {of.words}", class_=f"badge {of.name}")


def _quota_body(table: QuotaTable, stands: EntryState, at: PageContext) -> Iterator[Piece]:
    obj = table.quota.object
    scopes = f" · scopes: {', '.join(table.scopes)}" if table.scopes else ""
    yield element("p", place_link(at, obj.place.file, table.line), scopes, class_="quiet")
    if stands is REFUSED:
        yield element("p", prose("The API server refuses this quota: `quotalint check` says why."))
        return
    if not table.rows:
        yield element("p", "It limits nothing.")
        return
    if table.unknowns or table.guesses:
        yield _not_seen(table)
    yield from history.history_list(table, at)
    is_short = table.identity in at.shortened
    consumers = () if is_short else numbered_consumers(table)
    yield element(
        "table",
        element("caption", f"Entries of {cells.quota_label(table)}", class_="unseen"),
        _COLUMN_WIDTHS,
        element("thead", element("tr", *(element("th", name, scope="col") for name in _COLUMNS)), class_="unseen"),
        *(_entry_rows(table, row, consumers, at.nearly_full) for row in table.rows),
        class_="entries",
    )
    if is_short:
        yield _consumers_hint(table)
    elif consumers:
        yield consumer_list(table, consumers, at)


def _consumers_hint(table: QuotaTable) -> Html:
    """The text that replaces the consumers if a page cannot show those of all quotas."""
    number = count_noun(len(table.consumers), "consumer")
    where = f"{table.quota.namespaces[0]}/" if len(table.quota.namespaces) == 1 else ""
    command = code(f"quotalint usage {where}{table.quota.name}")
    return element("p", f"Used by {number}, more than a page shows for all quotas: ", command, " lists them.")


_COLUMNS = ("scenario", "amount", "who uses it", "share of hard")
_COLUMN_WIDTHS = raw('<colgroup><col class="scenario"><col class="amount"><col><col class="share"></colgroup>')
_SPACE = "\u00a0"  # where no line may break


def _not_seen(table: QuotaTable) -> Html:
    """Why the amounts are less than certain."""
    if table.certainty == ASSUMED:
        lack = "These sums rest on a guess"
    else:
        unknown = table.certainty == UNKNOWN
        lack = "Not everything can be judged" if unknown else "There may be more than is counted here"
    guessed = guess_sentences(table.guesses, most=len(table.guesses))
    reasons = [element("li", reason) for reason in (*guessed, *table.unknowns)]
    unlisted = len(reasons) - _REASONS
    more = element("details", element("summary", f"{unlisted} more"), element("ul", *reasons[_REASONS:]))
    shown = element("ul", *reasons[: _REASONS if unlisted > 1 else None])
    return element("div", element("p", f"{lack}. Why:"), shown, more if unlisted > 1 else NOTHING, class_="not-seen")


def _entry_rows(table: QuotaTable, row: Row, consumers: Sequence[Consumer], nearly_full: int) -> Html:
    stands = state_of_entry(row, nearly_full)
    head = element(
        "tr",
        element(
            "th",
            element(
                "div",
                code(row.resource),
                " ",
                element("span", "hard ", element("b", cells.hard_cell(row)), class_="of"),
                " ",
                _state_badge(stands),
            ),
            colspan="4",
            scope="rowgroup",
        ),
    )
    is_said = stands.name == "unknown" and (row.peak is None or not row.peak.nano)
    lines = [] if is_said else [_bar_row(bar, row) for bar in bars.entry_bars(table, row, consumers)]
    return element("tbody", head, *lines, class_=stands.name)


def _bar_row(bar: Bar, row: Row) -> Html:
    steady_to_peak = {"steady, surge, peak": "always"}
    over = row.hard is not None and bar.amount.nano > row.hard.nano and bar.scenario not in bars.CHARGED
    percent = None if bar.scenario in bars.CHARGED else cells.share_percent(row._replace(judged=bar.amount))
    picture = bars.draw_bar(bar, row) if row.hard is not None else NOTHING
    return element(
        "tr",
        element("th", steady_to_peak.get(bar.scenario, bar.scenario), scope="row"),
        element("td", _bar_amount(bar.amount, row, bar.scenario) + (f"{_SPACE}✗" if over else ""), class_="amount"),
        element("td", picture, class_="picture"),
        element("td", "" if percent is None else f"{percent}{_SPACE}%", class_="share"),
        class_="over" if over else "",
    )


def _bar_amount(amount: Quantity, row: Row, scenario: str) -> str:
    if scenario in bars.CHARGED:
        return quantity.show(amount)
    return cells.steady_cell(row._replace(steady=amount))
