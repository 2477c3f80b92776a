"""An entry of a quota in words: what the cells of a table say of it."""

from __future__ import annotations

from quotalint.kube import quantity
from quotalint.quota.projection import UNKNOWN
from quotalint.reports.quota_table import QuotaTable, Row
from quotalint.reports.terminal import listed, safe

_SHOWN = 5  # namespaces of one quota


def namespaces(table: QuotaTable) -> str:
    """Where the quota applies."""
    names = [safe(name) for name in table.quota.namespaces]
    return f"{len(names)} namespaces ({listed(names, _SHOWN)})" if len(names) > 1 else "".join(names) or "no namespace"


def named(table: QuotaTable) -> str:
    """The quota by its name, and by its kind where that is not ResourceQuota."""
    kind = table.quota.object.kind
    return safe(table.quota.name if kind == "ResourceQuota" else f"{kind} {table.quota.name}")


def steady(row: Row) -> str:
    """What is used once everything has settled."""
    if row.steady is None:
        return "never counted"
    if row.certainty == UNKNOWN and not row.steady.nano:
        return "unknown"
    return _at_least(row) + quantity.show(row.steady)


def _at_least(row: Row) -> str:
    return "≥ " if row.certainty != "exact" else ""


def later(row: Row) -> tuple[str, str]:
    """Surge and peak, marked where they do not fit."""
    if row.surge is None or row.peak is None or (row.certainty == UNKNOWN and not row.peak.nano):
        return "", ""
    surge, peak = (
        _at_least(row) + quantity.show(one) + (" ✗" if row.hard is not None and one.nano > row.hard.nano else "")
        for one in (row.surge, row.peak)
    )
    return surge, peak


def hard(row: Row) -> str:
    """What is allowed."""
    return "unknown" if row.hard is None else quantity.show(row.hard)


def share(row: Row) -> int | None:
    """Percent of hard that the demand which has to fit takes; None where nothing can be said. It is 100 for what is
    exactly full alone: rounding hides neither a rest nor an excess."""
    if row.judged is None or row.hard is None or (row.certainty == UNKNOWN and not row.judged.nano):
        return None
    if row.hard.nano <= 0:
        return 101 if row.judged.nano > row.hard.nano else None
    used, allowed = row.judged.nano, row.hard.nano
    rounded = (200 * used + allowed) // (2 * allowed)
    return max(rounded, 101) if used > allowed else min(rounded, 99) if used < allowed else 100
