"""An entry of a quota in words: what the cells of a table say of it."""

from __future__ import annotations

from quotalint.accounts.quota_table import Consumer, QuotaTable, Row
from quotalint.kube import quantity
from quotalint.kube.quantity import BINARY_SI, Quantity
from quotalint.quota.headroom import Headroom
from quotalint.quota.projection import ASSUMED, EXACT, UNKNOWN
from quotalint.reports.terminal import count_noun, safe_text
from quotalint.text.words import list_some
from quotalint.workloads.demand import Numbers

_SHOWN = 5  # namespaces of one quota
OVER = "over"
"""More than nothing, where that is what is allowed."""


def namespaces_label(table: QuotaTable) -> str:
    """Where the quota applies."""
    names = [safe_text(name) for name in table.quota.namespaces]
    return (
        f"{len(names)} namespaces ({list_some(names, _SHOWN)})" if len(names) > 1 else "".join(names) or "no namespace"
    )


def quota_label(table: QuotaTable) -> str:
    """The quota by its name, and by its kind where that is not ResourceQuota."""
    kind = table.quota.object.kind
    return safe_text(table.quota.name if kind == "ResourceQuota" else f"{kind} {table.quota.name}")


def consumer_label(consumer: Consumer, table: QuotaTable) -> str:
    """Who uses a quota, by kind and name, and by its namespace where the quota has several."""
    within = len(table.quota.namespaces) > 1 and table.quota.shares is None and consumer.owner.namespace
    return f"{consumer.owner.kind} {consumer.owner.name}" + (f" of {consumer.owner.namespace}" if within else "")


def pods_label(numbers: Numbers) -> str:
    """`3 pods`, or `3 to 6 pods` where there may be more at times; nothing where there are never any."""
    if not numbers.peak and not numbers.steady:
        return ""
    if numbers.peak <= numbers.steady:
        return count_noun(numbers.steady, "pod")
    return f"{numbers.steady} to {count_noun(numbers.peak, 'pod')}"


def refusal_words(headroom: Headroom) -> str:
    """Said of a workload whose pods are refused, or which is refused itself, where others say how many more fit."""
    itself = any(charge.admitted.as_written for charge in headroom.replica)
    return f"{'it is' if itself else 'its pods are'} refused, whatever room there is"


def unstated_words(workloads: int) -> str:
    """Why a quota is emptier than the manifests ask for: it refuses the pods of so many workloads."""
    alone = workloads == 1
    do, whose, they, leave = ("does", "its", "it", "leaves") if alone else ("do", "their", "they", "leave")
    return (
        f"{count_noun(workloads, 'workload')} {do} not state what this quota demands of each container (QL401): "
        f"{whose} pods are refused, and what {they} {leave} out counts as nothing here"
    )


def room_words(consumer: Consumer, table: QuotaTable) -> str:
    """`room for 5 more, 3 with a rollout`; nothing where no number of replicas says how many there are."""
    headroom = consumer.room
    if headroom is None or any(row.certainty == UNKNOWN for row in table.rows):
        return ""
    sure = all(row.certainty == EXACT for row in table.rows)
    if headroom.is_refused:
        return refusal_words(headroom)
    if not headroom.steady:
        return "no room for more"
    number = f"{'' if sure else 'at most '}{headroom.steady}"
    rolling = "" if headroom.rolling in (None, headroom.steady) else f", {headroom.rolling or 'none'} with a rollout"
    return f"room for {number} more{rolling}"


def steady_cell(row: Row) -> str:
    """What is used once everything has settled."""
    if row.steady is None:
        return "never counted"
    if row.certainty == UNKNOWN:
        return "unknown"
    return bound_mark(row) + amount_words(row, row.steady)


def amount_words(row: Row, amount: Quantity) -> str:
    """An amount beside what is allowed: 10Gi of 15Gi, though a claim asks for 10737418240; 800M stays what it is."""
    written = quantity.show(amount)
    if row.hard is None or row.hard.format != BINARY_SI:
        return written
    return min(written, quantity.show(Quantity(amount.nano, BINARY_SI)), key=len)


def bound_mark(row: Row) -> str:
    """What stands before an amount that is not exact: `≥ ` where more may come, `≈ ` where it rests on a guess."""
    return {EXACT: "", ASSUMED: "≈ ", UNKNOWN: "≈ "}.get(row.certainty, "≥ ")


def certainty_words(certainty: str) -> str:
    """The same in words, for the middle of a sentence."""
    return {EXACT: "", ASSUMED: "assumed "}.get(certainty, "at least ")


def charged_cell(row: Row) -> str:
    """What the cluster charges, with how much of it is in view where that is not all."""
    if row.used is None:
        return ""
    in_view = row.steady is None or row.steady.nano >= row.used.nano or row.used.nano <= 0
    share_of_it = "" if in_view or row.steady is None else f" ({quantity.percent(row.steady, row.used)} % in view)"
    return amount_words(row, row.used) + share_of_it


def surge_and_peak_cells(row: Row) -> tuple[str, str]:
    """Surge and peak, marked where they do not fit."""
    if row.surge is None or row.peak is None or row.certainty == UNKNOWN:
        return "", ""
    hard = row.hard
    surge, peak = (
        bound_mark(row) + amount_words(row, amount) + (" ✗" if hard is not None and amount.nano > hard.nano else "")
        for amount in (row.surge, row.peak)
    )
    return surge, peak


def hard_cell(row: Row) -> str:
    """What is allowed."""
    return "unknown" if row.hard is None else quantity.show(row.hard)


def share_words(row: Row, percent: int) -> str:
    """`95 %`. Where nothing is allowed, anything is more than can be said as a share."""
    return f"{percent} %" if row.hard is not None and row.hard.nano > 0 else OVER


def share_percent(row: Row) -> int | None:
    """Percent of hard that the demand which has to fit takes; None where nothing can be said."""
    if row.judged is None or row.hard is None or row.certainty == UNKNOWN:
        return None
    if row.hard.nano <= 0:
        return 101 if row.judged.nano > row.hard.nano else None
    return quantity.percent(row.judged, row.hard)
