"""How full a quota was in earlier reports: a small line, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.reports.cells import share_percent
from quotalint.reports.chosen_quotas import tightest_row
from quotalint.reports.earlier import Point, share_points
from quotalint.reports.html.bars import percent_attribute as places
from quotalint.reports.html.markup import Html, code, element
from quotalint.reports.html.page_addresses import PageContext

_SPACE = "\u00a0"
_NAMED = 6  # reports whose shares are written out, the last ones
_WIDTH, _HEIGHT = 96, 20  # of the drawing
_TOP = 120  # percent; what is higher is drawn at the edge


def summary_line(table: QuotaTable, at: PageContext) -> Iterator[Html]:
    """The line for the head of a quota. It says nothing that the words in its body do not."""
    row = tightest_row(table)
    points = _row_points(table, row, at)
    if row is not None and points:
        yield element("span", _draw_points(points), class_="history", title=f"share of {row.resource} over time")


def history_list(table: QuotaTable, at: PageContext) -> Iterator[Html]:
    """How full each entry was, where it changed."""
    lines = []
    for row in table.rows:
        points = _row_points(table, row, at)
        if points and len({point.percent for point in points}) > 1:
            lines.append(element("li", code(row.resource), " ", _draw_points(points), " ", _points_words(points)))
    if lines:
        yield element("div", element("p", "Share over time", class_="quiet"), element("ul", *lines), class_="over-time")


def _row_points(table: QuotaTable, row: Row | None, at: PageContext) -> list[Point]:
    return (
        share_points(table, row, share_percent(row), at.earlier, at.scenario) if row is not None and at.earlier else []
    )


def _points_words(points: Sequence[Point]) -> str:
    shown = points[-_NAMED:]
    shares = [
        f"{point.name or 'now'}: {'not known' if point.percent is None else f'{point.percent}{_SPACE}%'}"
        for point in shown
    ]
    return ("…, " if len(points) > _NAMED else "") + ", ".join(shares)


def _draw_points(points: Sequence[Point]) -> Html:
    """From left to right; where a report says nothing, there is a gap. The dashed line is all that is allowed."""
    step = 10_000 // max(len(points) - 1, 1)
    at = [
        None if point.percent is None else (number * step, _drawn_height(point.percent))
        for number, point in enumerate(points)
    ]
    lines = [
        element("line", x1=places(start[0]), y1=str(start[1]), x2=places(end[0]), y2=str(end[1]))
        for start, end in pairwise(at)
        if start is not None and end is not None
    ]
    last = at[-1]
    over = points[-1].percent is not None and points[-1].percent > 100
    dot = [] if last is None else [element("circle", cx=places(last[0]), cy=str(last[1]), r="2.5")]
    allowed = element(
        "line", class_="allowed", x1="0%", x2="100%", y1=str(_drawn_height(100)), y2=str(_drawn_height(100))
    )
    size = {"width": str(_WIDTH), "height": str(_HEIGHT)}
    class_ = "sparkline over" if over else "sparkline"
    return element("svg", allowed, *lines, *dot, class_=class_, aria_hidden="true", **size)


def _drawn_height(percent: int) -> int:
    return _HEIGHT - 2 - min(max(percent, 0), _TOP) * (_HEIGHT - 4) // _TOP
