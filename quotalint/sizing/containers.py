"""The stated resources of containers, and a LimitRange for those that state nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quotalint.kube import quantity
from quotalint.kube.pod import Container, Pod
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.sizing.proposed import LimitRangeProposal, proposed_object

NAME = "defaults"
_RESOURCES = ("cpu", "memory")


class Stated(NamedTuple):
    """The amounts that a namespace's containers state for one resource, as requests or limits."""

    amounts: tuple[Quantity, ...]
    """The stated amounts, in ascending order."""
    containers: int
    """The number of containers."""

    @property
    def by_all(self) -> bool:
        """Whether every container states it, and there is at least one."""
        return 0 < self.containers == len(self.amounts)

    @property
    def middle(self) -> Quantity:
        """The lower median of the stated amounts."""
        return self.amounts[(len(self.amounts) - 1) // 2]


def containers_of(charges: Iterable[Charge]) -> tuple[Container, ...] | None:
    """Every container of every pod template; None if a pod states pod-level resources, so that its containers need
    none."""
    containers: list[Container] = []
    for charge in charges:
        item = charge.admitted.item
        if isinstance(item, Pod) and charge.demand.place is not None and not item.finished:
            if item.has_resources:
                return None
            containers += item.all_containers
    return tuple(containers)


def stated_amounts(containers: Sequence[Container], side: str, resource: str) -> Stated:
    """The amounts that they state as `requests` or `limits`."""
    lists = (container.requests if side == "requests" else container.limits for container in containers)
    unknown = sum(
        resource in (container.unknown_requests if side == "requests" else container.unknown_limits)
        for container in containers
    )
    amounts = sorted((listed[resource] for listed in lists if resource in listed), key=lambda amount: amount.nano)
    # An unknown amount is stated, but says nothing about the usual amount.
    return Stated(tuple(amounts), len(containers) - unknown if amounts else len(containers))


def default_limits(
    environment: str, namespace: str, charges: Iterable[Charge], document: int
) -> LimitRangeProposal | None:
    """The LimitRange for a namespace without one: the usual requests of its containers, and limits only if every
    container has one, so that no running container gets a new limit."""
    containers = containers_of(charges)
    if not containers:
        return None
    requests: dict[str, Quantity] = {}
    limits: dict[str, Quantity] = {}
    because = []
    for resource in _RESOURCES:
        asked, bound = (stated_amounts(containers, side, resource) for side in ("requests", "limits"))
        if asked.amounts:
            requests[resource] = asked.middle
            missing = asked.containers - len(asked.amounts)
            more_than_one = len(asked.amounts) > 1
            what = (
                f"the middle request of {len(asked.amounts)} containers"
                if more_than_one
                else "the only request there is"
            )
            others = (
                f"{missing} containers have none and get it" if missing > 1 else "one container has none and gets it"
            )
            because.append(f"{resource}: {what}" + (f"; {others}" if missing else ""))
        if bound.by_all:
            limits[resource] = max(bound.middle, requests.get(resource, bound.middle), key=lambda amount: amount.nano)
    if not requests and not limits:
        return None
    item = {"type": "Container"}
    spec = {
        **item,
        **({"default": {name: quantity.show(amount) for name, amount in limits.items()}} if limits else {}),
        **({"defaultRequest": {name: quantity.show(amount) for name, amount in requests.items()}} if requests else {}),
    }
    obj = proposed_object("LimitRange", namespace, NAME, {"limits": [spec]}, document)
    return LimitRangeProposal(environment, obj, tuple(because))
