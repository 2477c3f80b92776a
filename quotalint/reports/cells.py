"""A quota entry in words: the cells of tables."""

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
"""The share of an entry that allows nothing but is used."""


def namespaces_label(table: QuotaTable) -> str:
    """The namespaces that the quota limits. A ClusterQueue belongs to the cluster."""
    names = [safe_text(name) for name in table.quota.namespaces]
    if len(names) > 1:
        return f"{len(names)} namespaces ({list_some(names, _SHOWN)})"
    return "".join(names) or ("cluster" if table.quota.object.kind == "ClusterQueue" else "no namespace")


def quota_label(table: QuotaTable) -> str:
    """The name of the quota, with its kind unless that is ResourceQuota."""
    kind = table.quota.object.kind
    return safe_text(table.quota.name if kind == "ResourceQuota" else f"{kind} {table.quota.name}")


def consumer_label(consumer: Consumer, table: QuotaTable) -> str:
    """A user of a quota: kind and name, and the namespace if the quota has several."""
    within = len(table.quota.namespaces) > 1 and table.quota.shares is None and consumer.owner.namespace
    return f"{consumer.owner.kind} {consumer.owner.title}" + (f" of {consumer.owner.namespace}" if within else "")


def pods_label(numbers: Numbers) -> str:
    """`3 pods`, or `3 to 6 pods` if there may be more at times; empty if there are never any."""
    if not numbers.peak and not numbers.steady:
        return ""
    if numbers.peak <= numbers.steady:
        return count_noun(numbers.steady, "pod")
    return f"{numbers.steady} to {count_noun(numbers.peak, 'pod')}"


def refusal_words(headroom: Headroom) -> str:
    """Words for a workload that is refused, or whose pods are, in place of how many more fit."""
    itself = any(charge.admitted.as_written for charge in headroom.replica)
    return f"{'it is' if itself else 'its pods are'} refused, whatever room there is"


def unstated_words(workloads: int) -> str:
    """Why a quota looks emptier than the manifests: it refuses the pods of so many workloads."""
    alone = workloads == 1
    do, whose, they, leave = ("does", "its", "it", "leaves") if alone else ("do", "their", "they", "leave")
    return (
        f"{count_noun(workloads, 'workload')} {do} not state what this quota demands of each container (QL401): "
        f"{whose} pods are refused, and what {they} {leave} out is not counted here"
    )


def room_words(consumer: Consumer, table: QuotaTable) -> str:
    """`room for 5 more, 3 with a rollout`; empty if no number of replicas is stated."""
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
    """The settled use."""
    if row.steady is None:
        return "never counted"
    if row.certainty == UNKNOWN:
        return "unknown"
    return bound_mark(row) + amount_words(row, row.steady)


def amount_words(row: Row, amount: Quantity) -> str:
    """An amount in the unit of the limit: 10Gi of 15Gi, even if a claim requests 10737418240; 800M stays."""
    written = quantity.show(amount)
    if row.hard is None or row.hard.format != BINARY_SI:
        return written
    return min(written, quantity.show(Quantity(amount.nano, BINARY_SI)), key=len)


def bound_mark(row: Row) -> str:
    """The mark before an inexact amount: `≥ ` for a lower bound, `≈ ` for one that depends on a guess."""
    return {EXACT: "", ASSUMED: "≈ ", UNKNOWN: "≈ "}.get(row.certainty, "≥ ")


def certainty_words(certainty: str) -> str:
    """The same in words, for the middle of a sentence."""
    return {EXACT: "", ASSUMED: "assumed "}.get(certainty, "at least ")


def charged_cell(row: Row) -> str:
    """The amount that the cluster charges, with the share in view if that is less."""
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
    """The limit."""
    return "unknown" if row.hard is None else quantity.show(row.hard)


def share_words(row: Row, percent: int) -> str:
    """`95 %`; a mark if the entry allows nothing."""
    return f"{percent} %" if row.hard is not None and row.hard.nano > 0 else OVER


def share_percent(row: Row) -> int | None:
    """Percent of the limit that the demand of the scenario takes; None if unknown."""
    if row.judged is None or row.hard is None or row.certainty == UNKNOWN:
        return None
    if row.hard.nano <= 0:
        return 101 if row.judged.nano > row.hard.nano else None
    return quantity.percent(row.judged, row.hard)
