"""The verdict on a change that breaks no quota: enough room, or unknown."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.accounts.quota_table import Row
from quotalint.diff.change_summary import QuotaSummary
from quotalint.diff.changes import Changes, QuotaChange
from quotalint.diff.pairs import quota_source
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import AT_LEAST, UNKNOWN
from quotalint.reports.cells import certainty_words
from quotalint.reports.chosen_quotas import is_exceeded, short_rows, tightest_row
from quotalint.reports.diff_cells import in_one_unit
from quotalint.reports.diff_words import where_words
from quotalint.reports.marks import mark_name
from quotalint.reports.terminal import count_noun
from quotalint.text.words import join_with_and, list_some

_ENTRIES = 2  # of a quota that are named
_NOTHING = "changes"


class Verdict(NamedTuple):
    """The first line."""

    severity: str
    """error, warning, info, or empty for good news."""
    text: str
    """A text with marks (`reports/marks.py`)."""
    about: QuotaSummary | None = None
    """The summary of the quota in the text."""
    compared: Sequence[str] = ()
    """The entries whose amounts the text shows."""


def quiet_verdict(changes: Changes) -> Verdict:
    """The verdict if nothing breaks, gets worse or is repaired."""
    if not changes.quotas:
        if changes.same_files:
            return Verdict("", "Nothing changes: both hold the same files.")
        none = f"No quota is affected ({changes.quotas_checked} checked)."
        return Verdict("", none if changes.quotas_checked else "No quota is in view, so none is compared.")
    exceeded = [change for change in changes.quotas if change.after is not None and is_exceeded(change.table)]
    if exceeded:
        return Verdict("info", _exceeded_words(exceeded))
    doubted = {(finding.namespace, finding.values.get("quota")) for finding in changes.findings.unknown}

    def is_unknown(change: QuotaChange) -> bool:
        quota = change.table.quota
        return _is_unknown(change) or (quota.namespace, quota.name) in doubted

    distinct = quotas_without_copies(changes.quotas)
    if len(distinct) == 1:
        change = distinct[0]
        copies = [copy.environment for copy in changes.quotas] if len(changes.quotas) > 1 else []
        name, where = mark_name(change.table.quota.name), where_words(change.table.quota.namespace, copies)
        if change.former_name:
            text = f"quota {mark_name(change.former_name)} of {where} is now called {name}"
            if is_unknown(change) and _change_words(change) != _NOTHING:
                return Verdict("info", f"{text} and {_change_words(change)}; {_unknown_words(change)}")
            return Verdict("", text)
        if change.moved_from:
            return Verdict("", f"quota {name} goes to {where} instead of {mark_name(change.moved_from)}")
        if any(map(is_unknown, changes.quotas)):
            return Verdict("info", f"quota {name} of {where} {_change_words(change)}; {_unknown_words(change)}")
        short, when = _shortage_at_times(changes.quotas)
        room = f"room at rest, not {when}" if short else _room_words(changes.quotas)
        return Verdict(
            "info" if short else "",
            f"the one quota that changes has {room}: {where} (of {changes.quotas_checked} checked)",
        )
    unknown = [change for change in changes.quotas if change.after is not None and is_unknown(change)]
    replacing = _replacing_words(changes.quotas)
    if replacing:
        doubt = "; how much of it is used is not known" if unknown else ""
        return Verdict("info" if unknown else "", f"{replacing}{doubt}")
    checked = f"(of {changes.quotas_checked} checked)"
    if not unknown:
        number = sum(change.after is not None for change in changes.quotas)
        quantifier = "both" if number == 2 else f"all {number}"
        which = "quotas that change" if any(change.before is not None for change in changes.quotas) else "new quotas"
        short, when = _shortage_at_times(changes.quotas)
        room = f"room at rest, {short} of them not {when}" if short else _room_words(changes.quotas)
        return Verdict("info" if short else "", f"{quantifier} {which} have {room} {checked}")
    verb = "change" if any(change.before is not None for change in changes.quotas) else "are new"
    some = f"{count_noun(len(changes.quotas), 'quota')} {verb} {checked}"
    if len(unknown) == len(changes.quotas):
        return Verdict("info", f"{some}; how much of them is used is not known")
    return Verdict("info", f"{some}; none is short, but how much of {len(unknown)} is used is not known")


def _shortage_at_times(quotas: Sequence[QuotaChange]) -> tuple[int, str]:
    """How many quotas fit at rest but not later, and the first moment of that; their findings are unchanged or switched
    off."""
    tables = [change.table for change in quotas if change.after is not None]
    short = sum(bool(short_rows(table, "peak")) for table in tables)
    return short, "during rollouts" if any(short_rows(table, "surge") for table in tables) else "at the peak"


def _room_words(quotas: Sequence[QuotaChange]) -> str:
    """Words that everything fits, restricted to what is in view if that is not everything."""
    rows = (entry.after for change in quotas for entry in change.entries)
    is_bounded = any(row is not None and row.certainty == AT_LEAST for row in rows)
    return "room for what is in view" if is_bounded else "room"


def _exceeded_words(exceeded: Sequence[QuotaChange]) -> str:
    """The exceeded quotas, and why no finding reports them."""
    fullest = [row for row in (tightest_row(change.table) for change in exceeded) if row is not None]
    quota, row = exceeded[0].table.quota, fullest[0]
    amounts = " of ".join(in_one_unit(row.resource, [row.judged, row.hard]))
    short = f"({row.resource} {certainty_words(row.certainty)}{amounts})"
    name = f"quota {mark_name(quota.name)} of {mark_name(quota.namespace)}"
    before = all(_is_as_before(change, row) for change, row in zip(exceeded, fullest, strict=True))
    state = "exceeded as before" if before else "exceeded"
    words = f"{name} {short} and {len(exceeded) - 1} more are {state}" if exceeded[1:] else f"{name} is {state} {short}"
    return words if before else f"{words}; its finding is suppressed, switched off, or as it was"


def _is_as_before(change: QuotaChange, row: Row) -> bool:
    """Whether demand and limit of an entry are unchanged."""
    rows = change.before.rows if change.before is not None else ()
    old = next((old for old in rows if old.resource == row.resource), None)
    return old is not None and (old.judged, old.hard) == (row.judged, row.hard)


def replacing_quotas(old: QuotaChange, quotas: Sequence[QuotaChange]) -> Sequence[QuotaChange]:
    """The new quotas that replace one that goes: the other of two, or those that together limit the same."""
    if old.after is not None or old.lost:
        return ()
    home = old.environment, old.table.quota.namespaces
    new = [change for change in quotas if change.before is None]
    new = [change for change in new if (change.environment, change.table.quota.namespaces) == home]
    limited = {name for change in new for name in change.table.quota.hard}
    return new if len(quotas) == 2 or limited.issuperset(old.table.quota.hard) else ()


def _replacing_words(quotas: Sequence[QuotaChange]) -> str:
    """Which quotas replace which; empty if more changes, or in several places."""
    gone = [change for change in quotas if change.after is None]
    new = {id(other): other for change in gone for other in replacing_quotas(change, quotas)}
    homes = {(change.environment, change.table.quota.namespaces) for change in quotas}
    if not new or len(homes) > 1 or len(gone) + len(new) < len(quotas):
        return ""
    old_names, new_names = ([mark_name(change.table.quota.name) for change in side] for side in (gone, new.values()))
    quota, verb = ("quota", "replaces") if len(new_names) == 1 else ("quotas", "replace")
    where = mark_name(quotas[0].table.quota.namespace)
    return f"{quota} {join_with_and(new_names)} of {where} {verb} {join_with_and(old_names)}"


def quotas_without_copies(quotas: Sequence[QuotaChange]) -> Sequence[QuotaChange]:
    """The quotas; one that several environments get from one place, with the same limits, is there once."""
    copies: dict[object, QuotaChange] = {}
    for change in quotas:
        sides = tuple(table and quota_source(table.quota) for table in (change.before, change.after))
        copies.setdefault(sides, change)
    return list(copies.values())


def _is_unknown(change: QuotaChange) -> bool:
    """Whether the use of the quota or of a changed entry is unknown, because no workload may be in view."""
    rows = [row for row in change.table.rows if row.steady is not None]
    return bool(rows) and (all(row.certainty == UNKNOWN for row in rows) or bool(_unknown_entries(change)))


def _unknown_entries(change: QuotaChange) -> Sequence[str]:
    """The entries that change and whose use is unknown now."""
    rows = [entry.after for entry in change.entries]
    return [row.resource for row in rows if row is not None and row.steady is not None and row.certainty == UNKNOWN]


def _unknown_words(change: QuotaChange) -> str:
    names = _unknown_entries(change)
    is_all = len(names) in (0, len(change.table.rows))
    return f"how much of {'it' if is_all else list_some(names, _ENTRIES)} is used is not known"


def _change_words(change: QuotaChange) -> str:
    """The change of the quota itself, as verb and object."""
    if change.before is None:
        return "is new"
    amounts = []
    for entry in change.entries:
        old, new = (row.hard if row is not None else None for row in (entry.before, entry.after))
        if old is not None and new is not None and old.nano != new.nano:
            before, after = in_one_unit(entry.resource, [old, new])
            amounts.append(f"{entry.resource} {after} instead of {before}")
    more = f" and {len(amounts) - _ENTRIES} more" if len(amounts) > _ENTRIES else ""
    return f"allows {' and '.join(amounts[:_ENTRIES])}{more}" if amounts else _NOTHING
