"""A line for each quota, the fullest first, and why others are unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import EXACT, Operated, Uninhabited
from quotalint.reports.cells import amount_words, bound_mark, hard_cell, namespaces_label, share_percent, share_words
from quotalint.reports.chosen_quotas import fullest_first, short_rows, tightest_row
from quotalint.reports.terminal import (
    Terminal,
    align_left,
    align_right,
    column_width,
    count_noun,
    safe_text,
    wrap_paragraph,
)
from quotalint.settings import Settings
from quotalint.text.words import list_some
from quotalint.unknowns.causes import FAMILIES, cause_of

_BAR = 10  # columns
_EIGHTHS = " ▏▎▍▌▋▊▉"
_EXAMPLES = 2  # that a cause names
_CUT = {"environment": 10, "namespace": 24, "quota": 10, "resource": 18}
_TINY = {"environment": 6, "namespace": 16, "quota": 8, "resource": 14}
"""The least columns of long names in a narrow line."""


class QuotaLine(NamedTuple):
    """One quota by its tightest entry."""

    table: QuotaTable
    row: Row
    percent: int


class QuotasByStanding(NamedTuple):
    """The quotas by their standing."""

    known: tuple[QuotaLine, ...]
    unknown: tuple[QuotaTable, ...]
    refused: tuple[QuotaTable, ...]
    """Quotas that the API server refuses."""
    empty: tuple[QuotaTable, ...]
    """They limit nothing, or only what nothing counts."""


def sort_by_standing(tables: Sequence[QuotaTable]) -> QuotasByStanding:
    """The quotas by standing; the fullest first."""
    known, unknown, refused, empty = [], [], [], []
    for table in fullest_first(tables):
        row = tightest_row(table)
        if table.rejected:
            refused.append(table)
        elif row is not None:
            known.append(QuotaLine(table, row, share_percent(row) or 0))
        elif any(not row.untracked for row in table.rows):
            unknown.append(table)
        else:
            empty.append(table)
    return QuotasByStanding(tuple(known), tuple(unknown), tuple(refused), tuple(empty))


def overview_lines(tables: Sequence[QuotaTable], environments: int, settings: Settings, to: Terminal) -> Iterator[str]:
    """The number of quotas by standing, a line for each known quota, and the reasons of the unknown ones."""
    by_standing = sort_by_standing(tables)
    yield wrap_paragraph(standing_headline(by_standing, len(tables), environments, settings.nearly_full), to.width)
    if by_standing.known:
        yield ""
        yield from _quota_lines(by_standing.known, settings.nearly_full, to, several_environments=environments > 1)
    others = [*unknown_line(by_standing.unknown), *_refused_line(by_standing.refused), *_empty_line(by_standing.empty)]
    if others:
        yield ""
        yield from (wrap_paragraph(text, to.width, "", "  ") for text in others)


def standing_headline(by_standing: QuotasByStanding, quotas: int, environments: int, nearly_full: int) -> str:
    """`5 quotas: 1 exceeded, 3 fit, 1 not known.`"""
    exceeded = sum(line.percent > 100 for line in by_standing.known)
    within = [line for line in by_standing.known if line.percent <= 100]
    refusing = [line for line in within if line.table.unstated]
    moving = [line for line in within if line not in refusing and short_rows(line.table, "surge")]
    full = [line for line in within if line not in (*refusing, *moving) and line.percent > nearly_full]
    scaled = [line for line in within if line not in (*refusing, *moving, *full) and short_rows(line.table, "peak")]
    fit = [line for line in within if line not in (*refusing, *moving, *full, *scaled)]
    lower = sum(line.row.certainty != EXACT for line in fit)
    parts = [
        (exceeded, "exceeded"),
        (len(refusing), f"{'refuses' if len(refusing) == 1 else 'refuse'} pods"),
        (len(moving), "short during rollouts"),
        (len(full), f"above {nearly_full} %"),
        (len(scaled), "short at the peak"),
        (len(fit), f"{'fits' if len(fit) == 1 else 'fit'}" + (f" ({lower} not certain)" if lower else "")),
        (len(by_standing.unknown), "not known"),
        (len(by_standing.refused), "refused"),
        (len(by_standing.empty), "without a limit that counts"),
    ]
    where = f" in {count_noun(environments, 'environment')}" if environments > 1 else ""
    return (
        f"{count_noun(quotas, 'quota')}{where}: {', '.join(f'{number} {words}' for number, words in parts if number)}."
    )


def draw_bar(percent: int, width: int) -> str:
    """The share as a bar of eighths, padded with spaces."""
    eighths = min(percent, 100) * width * 8 // 100
    drawn = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")
    return drawn + " " * (width - column_width(drawn))


_MARK_STYLES = {"✗": "red", "!": "yellow"}


def style_of(percent: int, nearly_full: int) -> str:
    """The colour of a standing."""
    return "red" if percent > 100 else "yellow" if percent > nearly_full else "green"


def _quota_lines(
    quota_lines: Sequence[QuotaLine], nearly_full: int, to: Terminal, *, several_environments: bool
) -> Iterator[str]:
    texts = {
        "environment": [safe_text(line.table.environment or "-") for line in quota_lines]
        if several_environments
        else [],
        "namespace": [_namespace_cell(line.table) for line in quota_lines],
        "quota": [safe_text(line.table.quota.name) for line in quota_lines],
        "resource": [safe_text(line.row.resource) for line in quota_lines],
    }
    amounts = [_amounts_cell(line.row) for line in quota_lines]
    of_amounts = max(map(column_width, amounts))
    marks = [_mark_words(line, nearly_full) for line in quota_lines]
    # Two spaces before the line and between its columns; the share takes six.
    room = to.width - 2 - (of_amounts + 2) - 6 - max(2, *map(column_width, marks))
    widths, drawn = _fit_widths(
        {name: max(map(column_width, cells), default=0) for name, cells in texts.items()}, quota_lines, room
    )
    for at, line in enumerate(quota_lines):
        cells = [align_left(_shorten_middle(texts[name][at], width), width) for name, width in widths.items() if width]
        gauge = f"{draw_bar(line.percent, drawn)}  " if drawn else ""
        percent_cell = to.paint(
            f"{gauge}{share_words(line.row, line.percent):>5} {marks[at]}".rstrip(),
            _MARK_STYLES.get(marks[at][:1]) or style_of(line.percent, nearly_full),
        )
        yield f"  {'  '.join(cells)}  {align_right(amounts[at], of_amounts)}  {percent_cell}"


def _mark_words(line: QuotaLine, nearly_full: int) -> str:
    """`✗`: exceeded, or it refuses pods and so looks emptier; `!`: nearly full, or another entry will be short
    later."""
    if line.table.unstated:
        return "✗ pods refused"
    if line.percent > 100:
        return "✗"
    for scenario, when in (("surge", "during rollouts"), ("peak", "at the peak")):
        short = short_rows(line.table, scenario)
        if short and line.row not in short:
            return f"! {safe_text(short[0].resource)} {when}"
        if short:
            return "!"
    return "!" if line.percent > nearly_full else ""


def _fit_widths(widths: Mapping[str, int], quota_lines: Sequence[QuotaLine], room: int) -> tuple[dict[str, int], int]:
    """The widths of name columns and bar that fit into the line: first the bar shrinks, then names of quotas that their
    namespaces identify are dropped, then the longest names are cut."""
    alone = Counter((line.table.environment, line.table.quota.namespaces) for line in quota_lines)
    telling = {**widths, "quota": 0} if max(alone.values()) == 1 else dict(widths)
    cut = {name: min(width, _CUT[name]) for name, width in telling.items()}
    tiny = {name: min(width, _TINY[name]) for name, width in telling.items()}
    tries = ((dict(widths), _BAR), (dict(widths), _BAR // 2), (telling, _BAR // 2), (cut, _BAR // 2), (tiny, _BAR // 2))
    for least, drawn in tries:
        free = room - sum(width + 2 for width in least.values() if width) - drawn - 2
        if free >= 0:
            return _grow_widths(least, telling if least is not widths else widths, free), drawn
    return tiny, 0


def _grow_widths(least: Mapping[str, int], wanted: Mapping[str, int], free: int) -> dict[str, int]:
    """The widths, enlarged to the wanted ones while there is room; the name of the quota first."""
    grown = dict(least)
    for name in ("namespace", "quota", "environment", "resource"):
        if grown[name]:
            more = min(free, max(0, wanted[name] - grown[name]))
            grown[name] += more
            free -= more
    return grown


def _namespace_cell(table: QuotaTable) -> str:
    namespaces = table.quota.namespaces
    return f"{len(namespaces)} namespaces" if len(namespaces) > 1 else namespaces_label(table)


def _amounts_cell(row: Row) -> str:
    assert row.judged is not None
    return f"{bound_mark(row)}{amount_words(row, row.judged)} of {hard_cell(row)}"


def _shorten_middle(text: str, width: int) -> str:
    if column_width(text) <= width:
        return text
    head = (width - 1) // 2
    tail = width - 1 - head
    return f"{text[:head]}…{text[len(text) - tail :]}"


def unknown_line(tables: Sequence[QuotaTable]) -> Iterator[str]:
    """How many quotas are unknown, and why; empty if none is."""
    if not tables:
        return
    examples: dict[str, dict[str, None]] = {}
    number: Counter[str] = Counter()
    for table in tables:
        words, example = _unknown_cause(table)
        number[words] += 1
        examples.setdefault(words, {}).update({example: None} if example else {})
    ordered = sorted(examples, key=lambda words: (words == _OTHER, -number[words], words))
    parts = [
        f"{number[words]} {words}" + (f" ({list_some(list(examples[words]), _EXAMPLES)})" if examples[words] else "")
        for words in ordered
    ]
    yield f"Not known ({len(tables)}): {' · '.join(parts) if len(parts) > 1 else parts[0].partition(' ')[2]}"


_OTHER = "for other reasons"


def _unknown_cause(table: QuotaTable) -> tuple[str, str]:
    """Why a quota is unknown, in a few words that others may share, and its subject."""
    for reason in table.unknowns:
        cause = cause_of(reason)
        if cause is not None:
            return f"waiting for {FAMILIES[cause.family].awaited}", _last_part(cause.name)
    if any(isinstance(reason, Uninhabited) for reason in table.unknowns):
        return "without a workload here", ""
    if any(isinstance(reason, Operated) for reason in table.unknowns):
        return "with pods that operators make", ""
    return _OTHER, safe_text(table.unknowns[0]) if table.unknowns else ""


def _last_part(name: str) -> str:
    """`podinfo` of `https://example.org/charts/podinfo?ref=main`."""
    return safe_text(name.partition("?")[0].rstrip("/").rpartition("/")[2].removesuffix(".git"))


def _refused_line(tables: Sequence[QuotaTable]) -> Iterator[str]:
    if tables:
        yield f"Refused by the API server ({len(tables)}): {_quota_names(tables)}. `quotalint check` says why."


def _empty_line(tables: Sequence[QuotaTable]) -> Iterator[str]:
    if tables:
        yield f"Without a limit that counts ({len(tables)}): {_quota_names(tables)}."


def _quota_names(tables: Sequence[QuotaTable]) -> str:
    return list_some(
        [safe_text("/".join(filter(None, (table.quota.namespace, table.quota.name)))) for table in tables], 4
    )
