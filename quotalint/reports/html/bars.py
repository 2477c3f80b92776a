"""An entry of a quota as stacked bars: who uses how much, scenario by scenario, against hard.

Places on a bar are whole hundredths of a percent, so that nothing is rounded but once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.quota.projection import ASSUMED, EXACT
from quotalint.reports.cells import share, sureness, user
from quotalint.reports.html.consumers import KEYS
from quotalint.reports.html.markup import NOTHING, Html, element
from quotalint.reports.quota_table import Consumer, QuotaTable, Row
from quotalint.reports.terminal import counted

FULL = 10_000  # a bar from end to end
_HARD = 7_500  # where hard stands: at the same place in every bar that does not go far beyond it
_ROOM, _ROOMY = 450, 1400  # a segment as wide as its number: on a wide screen, on a narrow one


class Segment(NamedTuple):
    """What of a bar is used by one consumer."""

    key: int
    """Its number in the list of consumers; 0: all the others."""
    name: str
    amount: Quantity


class Bar(NamedTuple):
    """One entry in one scenario."""

    scenario: str
    amount: Quantity
    segments: tuple[Segment, ...]


def bars(table: QuotaTable, row: Row, consumers: Sequence[Consumer]) -> list[Bar]:
    """The bars of an entry; those that are the same in every part are one."""
    if row.steady is None or row.surge is None or row.peak is None:
        return []
    first = "steady" if row.actual is None else "potential"
    by_scenario: tuple[tuple[str, Quantity, Sequence[ResourceList]], ...] = (
        (first, row.steady, [one.usage for one in consumers]),
        ("surge", row.surge, _at_surge(row, consumers)),
        ("peak", row.peak, [one.peak for one in consumers]),
    )
    found: list[Bar] = []
    for scenario, amount, used in by_scenario:
        bar = Bar(scenario, amount, tuple(_segments(table, row.resource, amount, consumers, used)))
        if found and found[-1].segments == bar.segments and found[-1].amount.nano == amount.nano:
            found[-1] = found[-1]._replace(scenario=f"{found[-1].scenario}, {scenario}")
        else:
            found.append(bar)
    if row.actual is not None:
        found.append(_charged("actual", row.actual))
    if row.used is not None:
        found.append(_charged("charged", row.used))
    return found


CHARGED = ("actual", "charged")
"""Bars of what is charged, whoever uses it."""


def _charged(name: str, amount: Quantity) -> Bar:
    return Bar(name, amount, (Segment(0, "charged", amount),) if amount.nano > 0 else ())


def _at_surge(row: Row, consumers: Sequence[Consumer]) -> list[ResourceList]:
    """What everybody uses while one, the most demanding, is in the middle of its step."""
    steps = [_nano(one.step, row.resource) - _nano(one.usage, row.resource) for one in consumers]
    most = max(range(len(steps)), key=lambda number: steps[number], default=-1)
    stepping = most if most >= 0 and steps[most] > 0 else -1
    return [one.step if number == stepping else one.usage for number, one in enumerate(consumers)]


def _nano(amounts: ResourceList, name: str) -> int:
    return amounts.get(name, quantity.ZERO).nano


def _segments(
    table: QuotaTable, name: str, total: Quantity, consumers: Sequence[Consumer], used: Sequence[ResourceList]
) -> Iterator[Segment]:
    rest = total
    others = 0
    for number, (one, amounts) in enumerate(zip(consumers, used, strict=True), 1):
        amount = amounts.get(name, quantity.ZERO)
        if number > KEYS:
            others += amount.nano > 0
        elif amount.nano > 0:
            rest = quantity.subtract(rest, amount)
            yield Segment(number, user(one, table), amount)
    if rest.nano > 0:
        unwritten = "what every namespace has" if name in _EVERYWHERE else "others"
        yield Segment(0, counted(others, "other") if others else unwritten, rest)


# Every namespace has a ConfigMap and a ServiceAccount that nobody wrote.
_EVERYWHERE = ("configmaps", "count/configmaps", "count/serviceaccounts")


def scale(row: Row) -> int:
    """What a bar comes to from end to end, in 10^-9 units: as much as leaves room beyond hard, and for everything."""
    hard = row.hard.nano if row.hard is not None else 0
    most = max(one.nano for one in (row.steady, row.surge, row.peak, row.used, quantity.ZERO) if one is not None)
    return max(-(-hard * FULL // _HARD), most, 1)


def drawn(bar: Bar, row: Row) -> Html:
    """The bar as a picture, with everything that it shows in words."""
    whole = scale(row)
    line = None if row.hard is None else _place(row.hard.nano, whole)
    parts = [_box("track", 0, FULL)]
    if row.certainty not in (EXACT, ASSUMED) and bar.scenario not in CHARGED:
        parts.append(_box("more", _place(bar.amount.nano, whole), FULL, "there may be more: not everything is in view"))
    keys: list[Html] = []
    before = 0
    for one in bar.segments:
        start, before = before, before + one.amount.nano
        left, right = _place(start, whole), _place(before, whole)
        parts.append(_box(f"part k{one.key}", left, right, _said(one, row)))
        keys += _key(one, left, right, FULL if line is None else line)
    if row.hard is not None and line is not None:
        if bar.amount.nano > row.hard.nano:
            parts.append(_box("beyond", line, _place(bar.amount.nano, whole)))
        parts.append(_line(line, "0", "24"))
    return element(
        "svg", *parts, *keys, role="img", aria_label=_words(bar, row), class_="bar", width="100%", height="24"
    )


def gauge(row: Row) -> Html:
    """A small bar of the demand that has to fit, for a line of text. It says nothing that the line does not."""
    if row.judged is None or row.hard is None:
        return NOTHING
    whole = scale(row)
    line, end = _place(row.hard.nano, whole), _place(row.judged.nano, whole)
    over = [_box("beyond", line, end)] if end > line else []
    parts = (_box("track", 0, FULL), _box("fill", 0, end), *over, _line(line, "1", "23"))
    return element("svg", *parts, class_="gauge", aria_hidden="true")


def _place(amount: int, whole: int) -> int:
    """Where on the bar an amount ends."""
    return min((max(amount, 0) * FULL + whole // 2) // whole, FULL)


def _said(one: Segment, row: Row) -> str:
    said = f"{one.name}: {quantity.show(one.amount)}"
    if row.hard is None:
        return said
    part = share(row._replace(judged=one.amount, certainty=EXACT))
    return f"{said} of {quantity.show(row.hard)}" + (f" ({part} %)" if part is not None and row.hard.nano > 0 else "")


def _key(one: Segment, start: int, end: int, line: int) -> Iterator[Html]:
    """The number of a consumer, within its segment, and not where hard is drawn across."""
    parts = [(start, line), (line, end)] if start < line < end else [(start, end)]
    for left, right in parts:
        if one.key and right - left >= _ROOM:
            middle = percent((left + right) // 2)
            class_ = f"t{one.key}" + (" small" if right - left < _ROOMY else "")
            yield element("text", str(one.key), class_=class_, x=middle, y="16", aria_hidden="true")
            return


def _box(class_: str, start: int, end: int, title: str = "") -> Html:
    inside = [element("title", title)] if title else []
    attributes: Mapping[str, str] = {"x": percent(start), "width": percent(end - start)}
    return element("rect", *inside, class_=class_, y="4", height="16", **attributes)


def _line(place: int, top: str, bottom: str) -> Html:
    return element("line", class_="hard", x1=percent(place), x2=percent(place), y1=top, y2=bottom)


def _words(bar: Bar, row: Row) -> str:
    at_least = sureness(row.certainty)
    hard = f"hard {quantity.show(row.hard)}" if row.hard is not None else "hard unknown"
    parts = ", ".join(f"{one.name} {quantity.show(one.amount)}" for one in bar.segments) or "nothing is used"
    over = ", does not fit" if row.hard is not None and bar.amount.nano > row.hard.nano else ""
    return f"{bar.scenario} {at_least}{quantity.show(bar.amount)}, {hard}{over}: {parts}"


def percent(place: int) -> str:
    """Hundredths of a percent as SVG writes them: `33.25%`."""
    whole, rest = divmod(place, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".") + "%"
