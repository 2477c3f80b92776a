"""The verdict on a change that breaks no quota: that what it touches has room, or that nobody can tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from quotalint.diff.changes import Changes, QuotaChange
from quotalint.quota.projection import UNKNOWN
from quotalint.reports.marks import mark_name
from quotalint.reports.people_units import in_one_unit
from quotalint.reports.terminal import count_noun

_ENTRIES = 2  # of a quota that are named
_NOTHING = "changes"


class Verdict(NamedTuple):
    """The first line."""

    severity: str
    """error, warning, info, or empty for good news."""
    text: str
    """To be marked (`reports/marks.py`)."""


def quiet_verdict(found: Changes) -> Verdict:
    """What is said where nothing breaks, gets worse or is repaired."""
    if not found.quotas:
        return Verdict("", f"No quota is affected ({found.checked} checked).")
    if len(found.quotas) == 1:
        one = found.quotas[0]
        name, where = mark_name(one.table.quota.name), mark_name(one.table.quota.namespace)
        if one.renamed:
            text = f"quota {mark_name(one.renamed)} of {where} is now called {name}"
            if _is_unknown(one) and _change_words(one) != _NOTHING:
                return Verdict("info", f"{text} and {_change_words(one)}; how much of it is used is not known")
            return Verdict("", text)
        if one.moved_from:
            return Verdict("", f"quota {name} goes to {where} instead of {mark_name(one.moved_from)}")
        if _is_unknown(one):
            return Verdict("info", f"quota {name} of {where} {_change_words(one)}; how much of it is used is not known")
        return Verdict("", f"the one quota that changes has room: {where} (of {found.checked} checked)")
    new = replacing_quota(found.quotas)
    unknown = [one for one in found.quotas if one.after is not None and _is_unknown(one)]
    if new is not None:
        old = next(one for one in found.quotas if one is not new)
        text = f"quota {mark_name(new.table.quota.name)} of {mark_name(new.table.quota.namespace)} replaces "
        text += mark_name(old.table.quota.name)
        return Verdict("info" if unknown else "", text + ("; how much of it is used is not known" if unknown else ""))
    checked = f"(of {found.checked} checked)"
    if not unknown:
        return Verdict("", f"all {len(found.quotas)} quotas that change have room {checked}")
    some = f"{count_noun(len(found.quotas), 'quota')} change {checked}"
    if len(unknown) == len(found.quotas):
        return Verdict("info", f"{some}; how much of them is used is not known")
    return Verdict("info", f"{some}; none is short, but how much of {len(unknown)} is used is not known")


def replacing_quota(quotas: Sequence[QuotaChange]) -> QuotaChange | None:
    """The new one of two quotas of a namespace, where the other one goes for it."""
    if len(quotas) != 2:
        return None
    new = next((one for one in quotas if one.before is None), None)
    old = next((one for one in quotas if one.after is None and not one.lost), None)
    if new is None or old is None or new.environment != old.environment:
        return None
    return new if new.table.quota.namespaces == old.table.quota.namespaces else None


def _is_unknown(one: QuotaChange) -> bool:
    """Whether nothing can be said of how much is used: no workload may be in view."""
    rows = [row for row in one.table.rows if row.steady is not None]
    return bool(rows) and all(row.certainty == UNKNOWN for row in rows)


def _change_words(one: QuotaChange) -> str:
    """What becomes of the quota itself, as a verb and its object."""
    if one.before is None:
        return "is new"
    said = []
    for entry in one.entries:
        old, new = (row.hard if row is not None else None for row in (entry.before, entry.after))
        if old is not None and new is not None and old.nano != new.nano:
            before, after = in_one_unit(entry.resource, [old, new])
            said.append(f"{entry.resource} {after} instead of {before}")
    more = f" and {len(said) - _ENTRIES} more" if len(said) > _ENTRIES else ""
    return f"allows {' and '.join(said[:_ENTRIES])}{more}" if said else _NOTHING
