"""What containers state of their resources, and the LimitRange that follows from it for those that state nothing."""

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
    """What the containers of a namespace say of one resource, as requests or as limits."""

    amounts: tuple[Quantity, ...]
    """Of those that say it, from the least on."""
    containers: int
    """How many there are."""

    @property
    def by_all(self) -> bool:
        """Whether each container says it, and there is one."""
        return 0 < self.containers == len(self.amounts)

    @property
    def middle(self) -> Quantity:
        """What half of them do not exceed; one of the amounts that are written."""
        return self.amounts[(len(self.amounts) - 1) // 2]


def containers_of(charges: Iterable[Charge]) -> tuple[Container, ...] | None:
    """Every container of every pod template; None where a pod states resources for all of its containers together, so
    that they need none of their own."""
    containers: list[Container] = []
    for charge in charges:
        item = charge.admitted.item
        if isinstance(item, Pod) and charge.demand.place is not None and not item.finished:
            if item.has_resources:
                return None
            containers += item.all_containers
    return tuple(containers)


def stated_amounts(containers: Sequence[Container], side: str, resource: str) -> Stated:
    """What they say as `requests` or `limits`."""
    lists = (container.requests if side == "requests" else container.limits for container in containers)
    unknown = sum(
        resource in (container.unknown_requests if side == "requests" else container.unknown_limits)
        for container in containers
    )
    amounts = sorted((listed[resource] for listed in lists if resource in listed), key=lambda amount: amount.nano)
    # One of an amount that is not known is stated all the same, and says nothing of what is usual.
    return Stated(tuple(amounts), len(containers) - unknown if amounts else len(containers))


def default_limits(
    environment: str, namespace: str, charges: Iterable[Charge], document: int
) -> LimitRangeProposal | None:
    """The LimitRange for a namespace that has none: requests as the containers there usually state them, and limits
    where every one of them has some, so that nothing that runs gets one it did not have."""
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
