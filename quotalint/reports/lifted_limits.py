"""The verdict on a change that removes a quota or an entry."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.relaxed_limits import RelaxedLimit, relaxed_quotas
from quotalint.reports.diff_words import where_words
from quotalint.reports.marks import mark_name
from quotalint.reports.quiet_changes import Verdict, replacing_quotas
from quotalint.text.words import list_some

_ENTRIES = 2  # that are named


def lifted_verdict(changes: Changes) -> Verdict | None:
    """Which quotas are gone, otherwise which limit less; None if all limits remain."""
    gone = [
        change for change in changes.quotas if change.after is None and not replacing_quotas(change, changes.quotas)
    ]
    if gone:
        first, others_gone = gone[0], len(gone) - 1
        if others_gone:
            lost = "are no longer in view" if first.lost else "are gone, so they no longer limit anything"
            return Verdict("info", f"{quota_words(first)} and {others_gone} more {lost}")
        return Verdict("info", f"{quota_words(first)} {_how_it_went(first)}")
    loosened = relaxed_quotas(changes.quotas)
    return Verdict("info", _loosened_words(loosened)) if loosened else None


def quota_words(change: QuotaChange) -> str:
    """The quota and its namespace."""
    quota = change.table.quota
    where = where_words(quota.namespace, [change.environment] if change.environment else [])
    return f"quota {mark_name(quota.name)} of {where}"


def _how_it_went(change: QuotaChange) -> str:
    if change.lost:
        return "is no longer in view"
    if change.table.rejected:
        return "is gone; the API server refused it, so it limited nothing"
    return "is gone, so it no longer limits anything"


def _loosened_words(loosened: Sequence[RelaxedLimit]) -> str:
    first, others = loosened[0], loosened[1:]
    is_same = all(other.entries == first.entries for other in others)
    what = list_some(first.entries, _ENTRIES) if is_same else "all that they did"
    which = f"{quota_words(first.change)} and {len(others)} more" if others else quota_words(first.change)
    return f"{which} no longer {'limit' if others else 'limits'} {what}"
