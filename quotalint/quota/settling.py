"""What really comes to be when everything is created in the order of the files and each quota has its say.

With deferred enforcement (the proposal of 2025-09) compute quotas do not refuse a pod that no node is named for: it is
created, stays Pending as long as the quota has no room, and is charged for compute only once it is bound. Potential use
is then what is declared, actual use what is bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from quotalint.kube import quantity, resource_list
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import COMPUTE
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Identity, Quota
from quotalint.quota.refusals import Refusal, refusal


class Pending(NamedTuple):
    """Pods of one demand that are created and never scheduled."""

    charge: Charge
    quota: Quota
    """The first one that has no room."""
    number: int
    names: tuple[str, ...]
    """Its entries that the first of the pods exceeds."""
    message: str
    """What the scheduler says of it."""


class Settled(NamedTuple):
    """The outcome."""

    actual: Mapping[Identity, ResourceList]
    """By the identity of the quota: what is charged."""
    refused: tuple[tuple[Quota, Refusal], ...]
    """What the first quota without room does not admit."""
    pending: tuple[Pending, ...]


def is_deferred(charge: Charge, enforcement: str) -> bool:
    """Whether compute quotas leave these objects to the scheduler."""
    pod = charge.admitted.item
    return enforcement == "deferred" and isinstance(pod, Pod) and not pod.has_node


def settled(
    charges: Mapping[str, Sequence[Charge]], enforced: Mapping[str, Sequence[Quota]], nodes: int | None
) -> Settled:
    """Charges and quotas by namespace → what is charged, refused, and stays Pending.

    `nodes`: how many there are, where that is known.
    """
    actual: dict[Identity, ResourceList] = {quota.id: {} for quotas in enforced.values() for quota in quotas}
    refused: list[tuple[Quota, Refusal]] = []
    pending: list[Pending] = []
    for namespace in sorted(charges):
        for charge in charges[namespace]:
            quotas = [
                one for one in enforced.get(namespace, ()) if one.shares is None and charge.matches(one.requirements)
            ]
            number = charge.admitted.demand.number
            if not number or not quotas:
                continue
            deferred = is_deferred(charge, "deferred")
            created = min([number, *(_room(one, charge, actual, not deferred, True) for one in quotas)])
            bound = (
                min([created, *(_room(one, charge, actual, True, False) for one in quotas)]) if deferred else created
            )
            for one in quotas:
                actual[one.id] = _charged(one, charge, actual[one.id], created, bound)
            if created < number:
                full = next(one for one in quotas if _room(one, charge, actual, not deferred, True) <= 0)
                delta = _asked(full, charge, not deferred, True)
                refused.append((full, refusal(full, charge, number - created, actual[full.id], delta)))
            if bound < created:
                full = next(one for one in quotas if _room(one, charge, actual, True, False) <= 0)
                pending.append(_pending(full, charge, actual[full.id], created - bound, nodes))
    return Settled(actual, tuple(refused), tuple(pending))


def unschedulable(quota: Quota, requested: ResourceList, used: ResourceList, nodes: int | None) -> str:
    """What the scheduler says of a pod that asks for so much when so much is in use."""
    names = [name for name in sorted(requested) if _short(quota, name, requested[name], used)]
    return (
        f"0/{nodes or 1} nodes are available: quota exceeded: {quota.name}, "
        f"requested: {resource_list.show(resource_list.mask(requested, names))}, "
        f"used: {resource_list.show({name: used.get(name, quantity.ZERO) for name in names})}, "
        f"limited: {resource_list.show(resource_list.mask(quota.hard, names))}."
    )


def _short(quota: Quota, name: str, requested: Quantity, used: ResourceList) -> bool:
    return used.get(name, quantity.ZERO).nano + requested.nano > quota.hard[name].nano


def _asked(quota: Quota, charge: Charge, compute: bool, others: bool) -> ResourceList:
    delta = resource_list.remove_zeros(resource_list.mask(charge.each, quota.hard))
    return {name: amount for name, amount in delta.items() if (compute if name in COMPUTE else others)}


def _room(quota: Quota, charge: Charge, actual: Mapping[Identity, ResourceList], compute: bool, others: bool) -> int:
    """How many more of the objects fit, by compute resources, by all others, or by both."""
    used = actual[quota.id]
    delta = _asked(quota, charge, compute, others)
    free = {name: max(0, quota.hard[name].nano - used.get(name, quantity.ZERO).nano) for name in delta}
    return min((free[name] // delta[name].nano for name in delta), default=charge.admitted.demand.number)


def _charged(quota: Quota, charge: Charge, used: ResourceList, created: int, bound: int) -> ResourceList:
    compute = resource_list.multiply(_asked(quota, charge, True, False), bound)
    others = resource_list.multiply(_asked(quota, charge, False, True), created)
    return resource_list.total((used, compute, others))


def _pending(quota: Quota, charge: Charge, used: ResourceList, number: int, nodes: int | None) -> Pending:
    delta = _asked(quota, charge, True, False)
    names = tuple(name for name in sorted(delta) if _short(quota, name, delta[name], used))
    return Pending(charge, quota, number, names, unschedulable(quota, delta, used, nodes))
