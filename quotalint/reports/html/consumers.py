"""Who uses a quota: in which order, by which number in the bars, and the list of them."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.kube import quantity
from quotalint.reports.cells import consumer_label, pods_label
from quotalint.reports.html.context import Context, place_link
from quotalint.reports.html.markup import NOTHING, Html, code, element
from quotalint.reports.html.sliders import replica_slider
from quotalint.reports.quota_table import Consumer, QuotaTable
from quotalint.reports.terminal import count_noun

KEYS = 12
"""Consumers with a number, and a segment of their own in the bars."""


def numbered_consumers(table: QuotaTable) -> tuple[Consumer, ...]:
    """Who uses the quota, those first that take the largest share of any entry."""
    totals = {row.resource: row.peak.nano for row in table.rows if row.peak is not None and row.peak.nano > 0}

    def largest(one: Consumer) -> int:
        shares = (amount.nano * 10_000 // totals[name] for name, amount in one.peak.items() if name in totals)
        return max(shares, default=0)

    return tuple(sorted((one for one in table.consumers if one.usage or one.peak), key=largest, reverse=True))


def consumer_list(table: QuotaTable, consumers: Sequence[Consumer], at: Context) -> Html:
    """The list below the bars: with their numbers those that have a segment, the others folded."""
    items = [_consumer_item(table, one, number, at) for number, one in enumerate(consumers, 1)]
    title = element("p", "Used by ", element("span", "(steady to peak)", class_="unseen"), class_="quiet")
    shown = element("ol", *items[:KEYS])
    left = len(items) - KEYS
    others = element("details", element("summary", count_noun(left, "other")), element("ol", *items[KEYS:]))
    return element("div", title, shown, others if left > 0 else NOTHING, class_="consumers")


def _consumer_item(table: QuotaTable, one: Consumer, number: int, at: Context) -> Html:
    names = sorted(name for name in {*one.usage, *one.peak} if name != "pods")
    amounts = [element("li", code(name), f" {_from_to(one, name)}") for name in names]
    return element(
        "li",
        _draw_swatch(number),
        element(
            "div",
            element("b", consumer_label(one, table)),
            " ",
            element("span", pods_label(one.pods), class_="pods"),
            " ",
            place_link(at, one.owner.place.real.source, one.line),
        ),
        element("ul", *amounts) if amounts else NOTHING,
        replica_slider(table, one),
    )


def _draw_swatch(number: int) -> Html:
    """The number and the colour of a consumer in the bars."""
    has_key = number <= KEYS
    key = element("text", str(number), class_=f"t{number}", x="11", y="12") if has_key else NOTHING
    box = element("rect", class_=f"part k{number if has_key else 0}", width="22", height="16")
    return element("svg", box, key, class_="swatch", width="22", height="16", aria_hidden="true")


def _from_to(one: Consumer, name: str) -> str:
    steady, peak = one.usage.get(name, quantity.ZERO), one.peak.get(name, quantity.ZERO)
    if peak.nano <= steady.nano:
        return quantity.show(steady)
    return f"{quantity.show(steady)} to {quantity.show(peak)}"
