"""How much of a resource a ClusterQueue can have at most: its own quota, and what its cohort lends.

Source: Kueue 0.19, pkg/cache/scheduler/resource_node.go (potentialAvailable, localQuota, accumulateFromChild).
"""

from __future__ import annotations

from quotalint.kueue.queues import Allowance, FlavorResource, QueueNode, Queues
from quotalint.named_tuples import NamedTuple


class Capacity(NamedTuple):
    """The most that a ClusterQueue can admit of a resource in a flavor, in 10^-9 units."""

    amount: int
    is_sure: bool
    """Queues of the cohort that are not in view cannot add to it."""


def capacity(queue: QueueNode, key: FlavorResource, queues: Queues) -> Capacity | None:
    """The capacity if nothing else uses the cohort; None if an amount in it is unreadable, or Cohorts form a circle."""
    if not queue.parent:
        return Capacity(_nominal(queue, key), is_sure=True) if queue.is_readable else None
    above = _cohorts_above(queue, queues)
    if above is None:
        return None
    allowed = queue.allowances.get(key)
    total = _whole(above[-1], key, queues, 0)
    if total is None or not queue.is_readable:
        return None
    # From the root down: what each level can have.
    available = total
    for node in (*reversed(above[:-1]), queue):
        whole = _whole(node, key, queues, 0)
        if whole is None:
            return None
        own = node.allowances.get(key)
        available += _kept(whole, own)
        if own is not None and own.borrowing is not None:
            available = min(available, whole + own.borrowing)
    return Capacity(available, allowed is not None and allowed.borrowing is not None)


def _nominal(node: QueueNode, key: FlavorResource) -> int:
    allowance = node.allowances.get(key)
    return allowance.nominal if allowance is not None else 0


def _kept(whole: int, allowance: Allowance | None) -> int:
    """What a node does not lend (localQuota)."""
    lending = allowance.lending if allowance is not None else None
    return 0 if lending is None else max(0, whole - lending)


def _named_cohort(name: str, queues: Queues) -> QueueNode:
    return queues.cohorts.get(name) or QueueNode(None, name, "", (), {}, is_readable=True)


def _cohorts_above(queue: QueueNode, queues: Queues) -> list[QueueNode] | None:
    """The cohorts from the nearest to the root; None if they form a circle."""
    above: list[QueueNode] = []
    name = queue.parent
    while name:
        if any(node.name == name for node in above):
            return None
        above.append(_named_cohort(name, queues))
        name = above[-1].parent
    return above


def _whole(node: QueueNode, key: FlavorResource, queues: Queues, depth: int) -> int | None:
    """The quota of a node and of all below it, as far as they lend; None if an amount is unreadable."""
    if not node.is_readable or depth > len(queues.cohorts) + 1:
        return None
    whole = _nominal(node, key)
    if node.object is not None and node.object.kind == "ClusterQueue":
        return whole
    children = (*queues.cohorts.values(), *queues.cluster_queues.values())
    for child in (child for child in children if child.parent == node.name):
        below = _whole(child, key, queues, depth + 1)
        if below is None:
            return None
        whole += below - _kept(below, child.allowances.get(key))
    return whole
