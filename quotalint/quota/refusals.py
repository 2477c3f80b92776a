"""Messages for objects that exceed a quota: from the API server, or from the scheduler with deferred enforcement.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest): only entries with a
charge above zero are compared, and the refusal names those that failed. With deferred enforcement (the proposal of
2025-09), compute quotas do not refuse a pod without a node. The pod stays Pending while the quota has no room, and
compute is charged once it is bound. Potential use is then the declared use, actual use the bound one.
"""

from __future__ import annotations

from quotalint.kube import quantity, resource_list
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota

_ZERO = quantity.ZERO


class Refusal(NamedTuple):
    """Objects of one demand that are refused."""

    charge: Charge
    refused: int
    """How many of the demand's objects are refused."""
    names: tuple[str, ...]
    """The entries of `hard` that the first refused object exceeds."""
    message: str
    """The API server's message for the first refused object."""
    is_change: bool = False
    """The object exists already and its change is refused."""


def refusal_of(quota: Quota, charge: Charge, refused: int, used: ResourceList, delta: ResourceList) -> Refusal:
    """The refusal of `refused` objects, each requesting `delta` when `used` is already charged."""
    names = resource_list.exceeded_names(resource_list.add(resource_list.mask(used, delta), delta), quota.hard)
    return Refusal(charge, refused, names, exceeded_message(quota, delta, used))


def exceeded_message(quota: Quota, requested: ResourceList, used: ResourceList) -> str:
    """The API server's message for an object that requests so much at this usage."""
    total = resource_list.add(resource_list.mask(used, requested), requested)
    names = resource_list.exceeded_names(total, quota.hard)
    taken = {name: used.get(name, _ZERO) for name in names}
    begin = quota.exceeding or f"exceeded quota: {quota.enforced_as or quota.name}"
    asked = f"{begin}, requested: {resource_list.show(resource_list.mask(requested, names))}"
    if quota.is_split:
        return asked
    limited = resource_list.show(resource_list.mask(quota.hard, names))
    return f"{asked}, used: {resource_list.show(taken)}, limited: {limited}"


def is_deferred(charge: Charge, enforcement: str) -> bool:
    """Whether compute quotas leave these objects to the scheduler."""
    pod = charge.admitted.item
    return enforcement == "deferred" and isinstance(pod, Pod) and not pod.has_node


def unschedulable_message(quota: Quota, requested: ResourceList, used: ResourceList, nodes: int | None) -> str:
    """The scheduler's message for a pod that requests so much at this usage."""
    names = [name for name in sorted(requested) if _is_exceeded(quota, name, requested[name], used)]
    return (
        f"0/{nodes or 1} nodes are available: quota exceeded: {quota.name}, "
        f"requested: {resource_list.show(resource_list.mask(requested, names))}, "
        f"used: {resource_list.show({name: used.get(name, quantity.ZERO) for name in names})}, "
        f"limited: {resource_list.show(resource_list.mask(quota.hard, names))}."
    )


def _is_exceeded(quota: Quota, name: str, requested: Quantity, used: ResourceList) -> bool:
    return used.get(name, quantity.ZERO).nano + requested.nano > quota.hard[name].nano
