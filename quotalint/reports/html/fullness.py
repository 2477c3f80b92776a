"""The state of a quota entry and of a whole quota, in words and with a mark, so that colour is never the only sign."""

from __future__ import annotations

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import ASSUMED as GUESSED
from quotalint.quota.projection import EXACT, UNKNOWN
from quotalint.reports.cells import share_percent


class EntryState(NamedTuple):
    """A state of an entry or quota: one of the values below."""

    name: str
    """The name in the style sheet and the filter."""
    mark: str
    words: str


OVER = EntryState("over", "✗", "does not fit")
REFUSED = EntryState("refused", "✗", "refused by the API server")
AT_TIMES = EntryState("at-times", "✗", "exceeded during rollouts or at the peak")
UNCERTAIN = EntryState("unknown", "?", "unknown")
NEVER_COUNTED = EntryState("never", "∅", "never counted")
FULL = EntryState("full", "▲", "nearly full")
AT_LEAST = EntryState("at-least", "≥", "fits, by a lower bound")
ASSUMED = EntryState("assumed", "≈", "fits, if what is assumed is so")
FITS = EntryState("fits", "✓", "fits")
EMPTY = EntryState("empty", "∅", "limits nothing")
STATES = (OVER, REFUSED, AT_TIMES, UNCERTAIN, NEVER_COUNTED, FULL, AT_LEAST, ASSUMED, FITS, EMPTY)
"""All states, the most important first."""
FAILING = (OVER, AT_TIMES)


def state_of_entry(row: Row, nearly_full: int) -> EntryState:
    """The state of an entry. A lower bound above the limit is proof; an unknown sum is none."""
    if row.untracked:
        return NEVER_COUNTED
    if row.certainty == UNKNOWN:
        return UNCERTAIN
    percent = share_percent(row)
    if percent is not None and percent > 100:
        return OVER
    amounts = (row.steady, row.surge, row.peak)
    if row.hard is not None and any(amount is not None and amount.nano > row.hard.nano for amount in amounts):
        return AT_TIMES
    if row.hard is None:
        return UNCERTAIN
    if percent is not None and percent > nearly_full:
        return FULL
    return {EXACT: FITS, GUESSED: ASSUMED}.get(row.certainty, AT_LEAST)


def state_of_quota(table: QuotaTable, nearly_full: int) -> EntryState:
    """The state of a quota: the worst of its entries."""
    if table.rejected:
        return REFUSED
    return min((state_of_entry(row, nearly_full) for row in table.rows), key=STATES.index, default=EMPTY)
