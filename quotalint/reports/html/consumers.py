"""Who uses a quota: in which order, by which number in the bars, and the list of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quotalint.accounts.quota_table import Consumer, QuotaTable
from quotalint.kube import quantity
from quotalint.quota.projection import UNKNOWN
from quotalint.reports.cells import consumer_label, pods_label, room_words
from quotalint.reports.html.markup import NOTHING, Html, code, element, void
from quotalint.reports.html.page_addresses import PageContext, place_link
from quotalint.reports.terminal import count_noun

_MOST_REPLICAS = 200  # of a slider
KEYS = 12
"""Consumers with a number, and a segment of their own in the bars."""


def numbered_consumers(table: QuotaTable) -> tuple[Consumer, ...]:
    """Who uses the quota, those first that take the largest share of any entry."""
    totals = {row.resource: row.peak.nano for row in table.rows if row.peak is not None and row.peak.nano > 0}

    def largest(consumer: Consumer) -> int:
        shares = (amount.nano * 10_000 // totals[name] for name, amount in consumer.peak.items() if name in totals)
        return max(shares, default=0)

    return tuple(
        sorted((consumer for consumer in table.consumers if consumer.usage or consumer.peak), key=largest, reverse=True)
    )


def consumer_list(table: QuotaTable, consumers: Sequence[Consumer], at: PageContext) -> Html:
    """The list below the bars: with their numbers those that have a segment, the others folded."""
    items = [_consumer_item(table, consumer, number, at) for number, consumer in enumerate(consumers, 1)]
    title = element("p", "Used by ", element("span", "(steady to peak)", class_="unseen"), class_="quiet")
    shown = element("ol", *items[:KEYS])
    unlisted = len(items) - KEYS
    others = element("details", element("summary", count_noun(unlisted, "other")), element("ol", *items[KEYS:]))
    return element("div", title, shown, others if unlisted > 0 else NOTHING, class_="consumers")


def _consumer_item(table: QuotaTable, consumer: Consumer, number: int, at: PageContext) -> Html:
    resources = sorted(name for name in {*consumer.usage, *consumer.peak} if name != "pods")
    amounts = [element("li", code(name), f" {_from_to(consumer, name)}") for name in resources]
    return element(
        "li",
        _draw_swatch(number),
        element(
            "div",
            element("b", consumer_label(consumer, table)),
            " ",
            element("span", pods_label(consumer.pods), class_="pods"),
            " ",
            place_link(at, consumer.owner.place.file, consumer.line),
        ),
        element("ul", *amounts) if amounts else NOTHING,
        replica_slider(table, consumer),
    )


def _draw_swatch(number: int) -> Html:
    """The number and the colour of a consumer in the bars."""
    has_key = number <= KEYS
    key = element("text", str(number), class_=f"t{number}", x="11", y="12") if has_key else NOTHING
    box = element("rect", class_=f"part k{number if has_key else 0}", width="22", height="16")
    return element("svg", box, key, class_="swatch", width="22", height="16", aria_hidden="true")


def _from_to(consumer: Consumer, name: str) -> str:
    steady, peak = consumer.usage.get(name, quantity.ZERO), consumer.peak.get(name, quantity.ZERO)
    if peak.nano <= steady.nano:
        return quantity.show(steady)
    return f"{quantity.show(steady)} to {quantity.show(peak)}"


def replica_slider(table: QuotaTable, consumer: Consumer) -> Html:
    """The number of further replicas that fit, and a slider for the replicas of a workload. With it, a script in the
    page computes the sums of the quotas. The slider is hidden without the script."""
    headroom = consumer.room
    if headroom is None:
        return NOTHING
    now = headroom.replica[0].number
    pod_amounts = headroom.each_of(table.quota)
    entries = [
        [row.resource, str(row.hard.nano), str(row.steady.nano), str(pod_amounts[row.resource].nano), row.steady.format]
        for row in table.rows
        if row.resource in pod_amounts and row.hard is not None and row.steady is not None and row.certainty != UNKNOWN
    ]
    most = min(max(2 * now, now + headroom.steady + 3), _MOST_REPLICAS)
    words = element("span", room_words(consumer, table), class_="quiet")
    if not entries or now > most:
        return words
    data = json.dumps({"now": now, "entries": entries, "surges": headroom.surges(most)}, separators=(",", ":"))
    label = element(
        "label",
        "what if ",
        void("input", type="range", min="0", max=str(most), value=str(now)),
        element("output", ""),
        data_slider=data,
        hidden=True,
    )
    return element("div", words, " ", label, class_="sliding")
