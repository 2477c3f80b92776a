"""An entry of a quota as stacked bars: who uses how much, scenario by scenario, against hard.

Places on a bar are whole hundredths of a percent, so that nothing is rounded but once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.quota_table import Consumer, QuotaTable, Row
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import ASSUMED, EXACT
from quotalint.reports.cells import certainty_words, consumer_label, share_percent
from quotalint.reports.html.consumers import KEYS
from quotalint.reports.html.markup import NOTHING, Html, element
from quotalint.reports.terminal import count_noun

FULL = 10_000  # a bar from end to end
_HARD = 7_500  # where hard stands: at the same place in every bar that does not go far beyond it
_ROOM, _ROOMY = 450, 1400  # a segment as wide as its number: on a wide screen, on a narrow one


class Segment(NamedTuple):
    """The part of a bar that one consumer uses."""

    key: int
    """Its number in the list of consumers; 0: all the others."""
    name: str
    amount: Quantity


class Bar(NamedTuple):
    """One entry in one scenario."""

    scenario: str
    amount: Quantity
    segments: tuple[Segment, ...]


def entry_bars(table: QuotaTable, row: Row, consumers: Sequence[Consumer]) -> list[Bar]:
    """The bars of an entry; those that are the same in every part are one."""
    if row.steady is None or row.surge is None or row.peak is None:
        return []
    first = "steady" if row.actual is None else "potential"
    by_scenario: tuple[tuple[str, Quantity, Sequence[ResourceList]], ...] = (
        (first, row.steady, [consumer.usage for consumer in consumers]),
        ("surge", row.surge, _at_surge(row, consumers)),
        ("peak", row.peak, [consumer.peak for consumer in consumers]),
    )
    drawn_bars: list[Bar] = []
    for scenario, amount, used in by_scenario:
        bar = Bar(scenario, amount, tuple(_bar_segments(table, row.resource, amount, consumers, used)))
        if drawn_bars and drawn_bars[-1].segments == bar.segments and drawn_bars[-1].amount.nano == amount.nano:
            drawn_bars[-1] = drawn_bars[-1]._replace(scenario=f"{drawn_bars[-1].scenario}, {scenario}")
        else:
            drawn_bars.append(bar)
    if row.actual is not None:
        drawn_bars.append(_charged_bar("actual", row.actual))
    if row.used is not None:
        drawn_bars.append(_charged_bar("charged", row.used))
    return drawn_bars


CHARGED = ("actual", "charged")
"""Bars of all charges, without their users."""


def _charged_bar(name: str, amount: Quantity) -> Bar:
    return Bar(name, amount, (Segment(0, "charged", amount),) if amount.nano > 0 else ())


def _at_surge(row: Row, consumers: Sequence[Consumer]) -> list[ResourceList]:
    """What everybody uses while one, the most demanding, is in the middle of its step."""
    steps = [_nano_of(consumer.step, row.resource) - _nano_of(consumer.usage, row.resource) for consumer in consumers]
    most = max(range(len(steps)), key=lambda number: steps[number], default=-1)
    stepping = most if most >= 0 and steps[most] > 0 else -1
    return [consumer.step if number == stepping else consumer.usage for number, consumer in enumerate(consumers)]


def _nano_of(amounts: ResourceList, name: str) -> int:
    return amounts.get(name, quantity.ZERO).nano


def _bar_segments(
    table: QuotaTable, name: str, total: Quantity, consumers: Sequence[Consumer], used: Sequence[ResourceList]
) -> Iterator[Segment]:
    remainder = total
    others = 0
    for number, (consumer, amounts) in enumerate(zip(consumers, used, strict=True), 1):
        amount = amounts.get(name, quantity.ZERO)
        if number > KEYS:
            others += amount.nano > 0
        elif amount.nano > 0:
            remainder = quantity.subtract(remainder, amount)
            yield Segment(number, consumer_label(consumer, table), amount)
    if remainder.nano > 0:
        unwritten = "what every namespace has" if name in _EVERYWHERE else "others"
        yield Segment(0, count_noun(others, "other") if others else unwritten, remainder)


# Every namespace has a ConfigMap and a ServiceAccount that nobody wrote.
_EVERYWHERE = ("configmaps", "count/configmaps", "count/serviceaccounts")


def bar_scale(row: Row) -> int:
    """The length of a bar in 10^-9 units: room for all amounts, and beyond hard."""
    hard = row.hard.nano if row.hard is not None else 0
    most = max(
        amount.nano for amount in (row.steady, row.surge, row.peak, row.used, quantity.ZERO) if amount is not None
    )
    return max(-(-hard * FULL // _HARD), most, 1)


def draw_bar(bar: Bar, row: Row) -> Html:
    """The bar as a picture, with everything that it shows in words."""
    whole = bar_scale(row)
    line = None if row.hard is None else _position_on_bar(row.hard.nano, whole)
    parts = [_draw_box("track", 0, FULL)]
    if row.certainty not in (EXACT, ASSUMED) and bar.scenario not in CHARGED:
        parts.append(
            _draw_box(
                "more", _position_on_bar(bar.amount.nano, whole), FULL, "there may be more: not everything is in view"
            )
        )
    keys: list[Html] = []
    before = 0
    for segment in bar.segments:
        start, before = before, before + segment.amount.nano
        left, right = _position_on_bar(start, whole), _position_on_bar(before, whole)
        parts.append(_draw_box(f"part k{segment.key}", left, right, _segment_title(segment, row)))
        keys += _segment_number(segment, left, right, FULL if line is None else line)
    if row.hard is not None and line is not None:
        if bar.amount.nano > row.hard.nano:
            parts.append(_draw_box("beyond", line, _position_on_bar(bar.amount.nano, whole)))
        parts.append(_hard_line(line, "0", "24"))
    return element(
        "svg", *parts, *keys, role="img", aria_label=_bar_words(bar, row), class_="bar", width="100%", height="24"
    )


def draw_gauge(row: Row) -> Html:
    """A small bar of the demand that has to fit, for a line of text. It says nothing that the line does not."""
    if row.judged is None or row.hard is None:
        return NOTHING
    whole = bar_scale(row)
    line, end = _position_on_bar(row.hard.nano, whole), _position_on_bar(row.judged.nano, whole)
    over = [_draw_box("beyond", line, end)] if end > line else []
    parts = (_draw_box("track", 0, FULL), _draw_box("fill", 0, end), *over, _hard_line(line, "1", "23"))
    return element("svg", *parts, class_="gauge", aria_hidden="true")


def _position_on_bar(amount: int, whole: int) -> int:
    """Where on the bar an amount ends."""
    return min((max(amount, 0) * FULL + whole // 2) // whole, FULL)


def _segment_title(segment: Segment, row: Row) -> str:
    title = f"{segment.name}: {quantity.show(segment.amount)}"
    if row.hard is None:
        return title
    part = share_percent(row._replace(judged=segment.amount, certainty=EXACT))
    return f"{title} of {quantity.show(row.hard)}" + (f" ({part} %)" if part is not None and row.hard.nano > 0 else "")


def _segment_number(segment: Segment, start: int, end: int, line: int) -> Iterator[Html]:
    """The number of a consumer, within its segment, and not where hard is drawn across."""
    parts = [(start, line), (line, end)] if start < line < end else [(start, end)]
    for left, right in parts:
        if segment.key and right - left >= _ROOM:
            middle = percent_attribute((left + right) // 2)
            class_ = f"t{segment.key}" + (" small" if right - left < _ROOMY else "")
            yield element("text", str(segment.key), class_=class_, x=middle, y="16", aria_hidden="true")
            return


def _draw_box(class_: str, start: int, end: int, title: str = "") -> Html:
    inside = [element("title", title)] if title else []
    attributes: Mapping[str, str] = {"x": percent_attribute(start), "width": percent_attribute(end - start)}
    return element("rect", *inside, class_=class_, y="4", height="16", **attributes)


def _hard_line(place: int, top: str, bottom: str) -> Html:
    return element("line", class_="hard", x1=percent_attribute(place), x2=percent_attribute(place), y1=top, y2=bottom)


def _bar_words(bar: Bar, row: Row) -> str:
    at_least = certainty_words(row.certainty)
    hard = f"hard {quantity.show(row.hard)}" if row.hard is not None else "hard unknown"
    parts = (
        ", ".join(f"{segment.name} {quantity.show(segment.amount)}" for segment in bar.segments) or "nothing is used"
    )
    over = ", does not fit" if row.hard is not None and bar.amount.nano > row.hard.nano else ""
    return f"{bar.scenario} {at_least}{quantity.show(bar.amount)}, {hard}{over}: {parts}"


def percent_attribute(place: int) -> str:
    """Hundredths of a percent as SVG writes them: `33.25%`."""
    whole, decimals = divmod(place, 100)
    return f"{whole}.{decimals:02d}".rstrip("0").rstrip(".") + "%"
