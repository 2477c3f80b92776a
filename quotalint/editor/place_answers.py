"""Answers about a place: the users of a quota entry, the usage of a workload, how many more fit, the tightest entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.quota_table import Consumer, QuotaTable, Row
from quotalint.editor.looking import Look
from quotalint.kube import quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.headroom import headrooms
from quotalint.quota.projection import EXACT, UNKNOWN
from quotalint.reports.cells import (
    hard_cell,
    refusal_words,
    share_percent,
    share_words,
    steady_cell,
    surge_and_peak_cells,
)
from quotalint.reports.chosen_quotas import fullest_first, tightest_row
from quotalint.reports.markdown import code_text, table_row
from quotalint.reports.usage_overview import draw_bar

_BAR = 16
_SHOWN = 12  # who uses an entry


class Lens(NamedTuple):
    """A line of text above a line of a file."""

    line: int
    """From 1."""
    text: str


def lenses(look: Look, file: str) -> list[Lens]:
    """A lens for each entry of each quota in a file: `requests.cpu 3800m of 4`."""
    texts_by_entry: dict[tuple[int, str], list[str]] = {}
    for table, row, line in _entries(look, file):
        where = [table.environment, table.quota.namespace] if len(look_environments(look)) > 1 else []
        texts_by_entry.setdefault((line, row.resource), []).append(
            f"{' '.join(filter(None, where))}{': ' if where else ''}"
            f"{row.resource} {steady_cell(row)} of {hard_cell(row)}"
        )
    return [Lens(line, " · ".join(dict.fromkeys(texts))) for (line, _), texts in sorted(texts_by_entry.items())]


def look_environments(look: Look) -> tuple[str, ...]:
    """The environments in view."""
    return tuple(facts.environment for facts in look.result.environments) if look.result else ()


def hover(look: Look, file: str, line: int, lines: Sequence[str]) -> str:
    """The Markdown for a line of a file with these lines; empty if there is none."""
    shown = [_entry(table, row) for table, row, at in _entries(look, file) if at == line]
    if not shown:
        first = _first_line(look, file, line, lines)
        shown = [
            _titled(table) for table in look.tables if table.quota.object.place.file == file and table.line == first
        ]
        shown += _workloads(look, file, first)
    return "\n\n".join(dict.fromkeys(shown))


def _first_line(look: Look, file: str, line: int, lines: Sequence[str]) -> int:
    """Where the quota or user that a line belongs to begins; 0 if it belongs to none."""
    quotas = (table.line for table in look.tables if table.quota.object.place.file == file)
    users = (user.line for table in look.tables for user in table.consumers if user.owner.place.file == file)
    first = max((at for at in (*quotas, *users) if at <= line), default=0)
    return 0 if any(text.startswith("---") for text in lines[first:line]) else first


class Tightest(NamedTuple):
    """The fullest entry of the quotas of a file's namespaces."""

    text: str
    """`pods 9 of 4 (225 %)`."""
    percent: int
    tooltip: str
    """These quotas in Markdown."""
    file: str
    line: int


def tightest(look: Look, file: str) -> Tightest | None:
    """The fullest quota entry of the namespaces of a file's objects; None if there is none, or none is known."""
    namespaces = {
        (facts.environment, obj.namespace)
        for facts in (look.result.environments if look.result else ())
        for obj in facts.cluster.objects
        if obj.namespace and obj.place.file == file
    }
    tables = [
        table
        for table in look.tables
        if table.quota.object.place.file == file
        or any((table.environment, namespace) in namespaces for namespace in table.quota.namespaces)
    ]
    first = next(iter(fullest_first(tables)), None)
    row = tightest_row(first) if first is not None else None
    if look.result is None or first is None or row is None:
        return None
    place = first.quota.entry(row.resource)
    percent = share_percent(row) or 0
    return Tightest(
        f"{row.resource} {steady_cell(row)} of {hard_cell(row)} ({share_words(row, percent)})",
        percent,
        "\n\n".join(map(_titled, fullest_first(tables)[:_SHOWN])),
        place.file,
        look.result.locate([place])[place].line,
    )


def definition(look: Look, file: str, line: int) -> list[tuple[str, int]]:
    """The other places of the findings of a line, by file and line."""
    places = []
    for finding in look.result.findings if look.result else ():
        if finding.suppressed is None and finding.file == file and finding.span.line == line:
            places += [(place.file, place.span.line) for place in finding.related]
    for table, row, at in _entries(look, file):
        if at == line:
            users = (user for user in table.consumers if row.resource in user.usage or row.resource in user.peak)
            places += [(user.owner.place.file, user.line) for user in users]
    for table in look.tables:
        for user in table.consumers:
            if user.owner.place.file == file and user.line == line:
                places.append((table.quota.object.place.file, table.line))
    return list(dict.fromkeys(places))


def _entries(look: Look, file: str) -> Iterator[tuple[QuotaTable, Row, int]]:
    """The quota entries in a file, each with its line."""
    if look.result is None:
        return
    mine = [
        (table, row, table.quota.entry(row.resource))
        for table in look.tables
        for row in table.rows
        if table.quota.entry(row.resource).file == file
    ]
    spans = look.result.locate([place for _, _, place in mine]) if mine else {}
    for table, row, place in mine:
        yield table, row, spans[place].line


def _entry(table: QuotaTable, row: Row) -> str:
    percent = share_percent(row)
    lines = [f"**{code_text(row.resource)}** {steady_cell(row)} of {hard_cell(row)} ({code_text(_where(table))})"]
    if percent is not None:
        lines.append(f"`{draw_bar(percent, _BAR)}` {percent} %")
    if row.untracked:
        lines.append("Nothing ever counts this entry.")
    elif row.certainty != UNKNOWN and row.surge is not None and row.peak is not None:
        lines.append(f"surge {quantity.show(row.surge)} · peak {quantity.show(row.peak)}")
    users = [
        consumer for consumer in table.consumers if row.resource in consumer.usage or row.resource in consumer.peak
    ]
    for user in users[:_SHOWN]:
        amount = quantity.show(user.usage[row.resource]) if row.resource in user.usage else "0"
        place = f"{user.owner.place.file}:{user.line}"
        lines.append(f"- {user.owner.kind} {code_text(user.owner.name)} {amount} ({code_text(place)})")
    if len(users) > _SHOWN:
        lines.append(f"- and {len(users) - _SHOWN} more")
    if row.certainty != EXACT:
        lines.append(f"*{row.certainty}*: {code_text('; '.join(table.unknowns[:2]) or 'something was guessed')}")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:])


def _workloads(look: Look, file: str, line: int) -> Iterator[str]:
    for table in look.tables:
        for user in table.consumers:
            if user.owner.place.file == file and user.line == line and (user.usage or user.peak):
                title = f"**{user.owner.kind} {code_text(user.owner.name)}** takes of {code_text(_where(table))}:"
                yield "\n".join((title, "", _rows(table, user), *_room(look, table, file, user.owner.name)))


def _titled(table: QuotaTable) -> str:
    return f"**{table.quota.object.kind}** {code_text(_where(table))}\n\n{_rows(table)}"


def _rows(table: QuotaTable, user: Consumer | None = None) -> str:
    """A quota as a Markdown table, with what one of its users takes."""
    titles = ["", "it takes", "steady", "hard", "", "surge", "peak"]
    rows = [titles, ["---", *["--:"] * (len(titles) - 1)]]
    for row in table.rows:
        percent = share_percent(row)
        share = "" if percent is None else share_words(row, percent)
        taken = quantity.show(user.usage.get(row.resource, quantity.ZERO)) if user is not None else ""
        rows.append(
            [code_text(row.resource), taken, steady_cell(row), hard_cell(row), share, *surge_and_peak_cells(row)]
        )
    return "".join(table_row(cells if user is not None else [*cells[:1], *cells[2:]]) for cells in rows)


def _where(table: QuotaTable) -> str:
    return " / ".join(filter(None, (table.environment, table.quota.namespace, table.quota.name)))


def _room(look: Look, table: QuotaTable, file: str, name: str) -> Iterator[str]:
    for facts in look.result.environments if look.result else ():
        if facts.environment == table.environment:
            for headroom in headrooms(facts.charges, facts.admissions):
                if headroom.owner.name == name and headroom.owner.place.file == file:
                    rolling = "" if headroom.rolling is None else f", {headroom.rolling} with room for rollouts"
                    yield (
                        f"\n{refusal_words(headroom).capitalize()}."
                        if headroom.is_refused
                        else f"\n{headroom.steady} more fit{rolling}."
                    )
                    return
