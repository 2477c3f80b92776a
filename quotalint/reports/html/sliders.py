"""A slider for the replicas of a workload: what a quota would be asked for, computed in the page from exact numbers."""

from __future__ import annotations

import json

from quotalint.quota.projection import UNKNOWN
from quotalint.reports.cells import room_words
from quotalint.reports.html.markup import NOTHING, Html, element, void
from quotalint.reports.quota_table import Consumer, QuotaTable

_MOST = 200  # replicas


def replica_slider(table: QuotaTable, consumer: Consumer) -> Html:
    """How many more fit, and the slider, which is of no use without the script and hidden until that shows it."""
    headroom = consumer.room
    if headroom is None:
        return NOTHING
    now = headroom.replica[0].number
    each = headroom.each_of(table.quota)
    entries = [
        [row.resource, str(row.hard.nano), str(row.steady.nano), str(each[row.resource].nano), row.steady.format]
        for row in table.rows
        if row.resource in each and row.hard is not None and row.steady is not None and row.certainty != UNKNOWN
    ]
    most = min(max(2 * now, now + headroom.steady + 3), _MOST)
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
