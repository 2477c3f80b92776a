"""What the API server says of an object that a quota has no room for.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest): only names with a
charge above zero are compared, and the refusal names those that failed.
"""

from __future__ import annotations

from quotalint.kube import quantity, resource_list
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota

_ZERO = quantity.ZERO


class Refusal(NamedTuple):
    """Objects of one demand that will not be admitted."""

    charge: Charge
    refused: int
    """How many of the demand's objects."""
    names: tuple[str, ...]
    """The entries of `hard` that the first of them exceeds."""
    message: str
    """What the API server will say of the first one."""


def refusal_of(quota: Quota, charge: Charge, refused: int, used: ResourceList, delta: ResourceList) -> Refusal:
    """That so many objects are refused, each of which asks for `delta` when so much is in use."""
    names = resource_list.exceeded_names(resource_list.add(resource_list.mask(used, delta), delta), quota.hard)
    return Refusal(charge, refused, names, exceeded_message(quota, delta, used))


def exceeded_message(quota: Quota, requested: ResourceList, used: ResourceList) -> str:
    """What the API server says of an object that asks for so much when so much is in use."""
    total = resource_list.add(resource_list.mask(used, requested), requested)
    names = resource_list.exceeded_names(total, quota.hard)
    taken = {name: used.get(name, _ZERO) for name in names}
    begin = quota.exceeding or f"exceeded quota: {quota.enforced_as or quota.name}"
    asked = f"{begin}, requested: {resource_list.show(resource_list.mask(requested, names))}"
    if quota.is_split:
        return asked
    limited = resource_list.show(resource_list.mask(quota.hard, names))
    return f"{asked}, used: {resource_list.show(taken)}, limited: {limited}"
