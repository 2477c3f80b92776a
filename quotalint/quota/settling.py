"""Enforcement that is deferred to scheduling.

With deferred enforcement (the proposal of 2025-09) compute quotas do not refuse a pod that no node is named for: it is
created, stays Pending as long as the quota has no room, and is charged for compute only once it is bound. Potential use
is then what is declared, actual use what is bound.
"""

from __future__ import annotations

from quotalint.kube import quantity, resource_list
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota


def is_deferred(charge: Charge, enforcement: str) -> bool:
    """Whether compute quotas leave these objects to the scheduler."""
    pod = charge.admitted.item
    return enforcement == "deferred" and isinstance(pod, Pod) and not pod.has_node


def unschedulable_message(quota: Quota, requested: ResourceList, used: ResourceList, nodes: int | None) -> str:
    """What the scheduler says of a pod that asks for so much when so much is in use."""
    names = [name for name in sorted(requested) if _is_short(quota, name, requested[name], used)]
    return (
        f"0/{nodes or 1} nodes are available: quota exceeded: {quota.name}, "
        f"requested: {resource_list.show(resource_list.mask(requested, names))}, "
        f"used: {resource_list.show({name: used.get(name, quantity.ZERO) for name in names})}, "
        f"limited: {resource_list.show(resource_list.mask(quota.hard, names))}."
    )


def _is_short(quota: Quota, name: str, requested: Quantity, used: ResourceList) -> bool:
    return used.get(name, quantity.ZERO).nano + requested.nano > quota.hard[name].nano
