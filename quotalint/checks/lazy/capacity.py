"""Checks of the total that all quotas of a cluster allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import EntryNeed, Hit, Note, Related
from quotalint.kube import quantity
from quotalint.kube.amounts import amount, rounded_down
from quotalint.kube.discovery import MISSING
from quotalint.kube.quantity import Quantity
from quotalint.kube.resources import alias
from quotalint.named_tuples import NamedTuple
from quotalint.quota.coverage import Limit, LimitShare, namespace_shares
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import tracking_state

_SHOWN = 8  # quotas that are listed; the rest is summed up


class ClusterCapacity(NamedTuple):
    """The capacity of one resource."""

    capacity: Quantity
    reserve: Quantity

    @property
    def available(self) -> Quantity:
        remainder = quantity.subtract(self.capacity, self.reserve)
        return remainder if remainder.nano > 0 else Quantity(0, remainder.format)


def promised_beyond_capacity(facts: Facts) -> Iterator[Hit]:
    """The resources for which all quotas together allow more than the cluster has."""
    for resource, room, needed, quota_shares in promised_shares(facts):
        if needed.nano > room.available.nano:
            yield from _capacity_hit(resource, room, needed, quota_shares)


def promised_shares(facts: Facts) -> Iterator[tuple[str, ClusterCapacity, Quantity, tuple[LimitShare, ...]]]:
    """For each resource with a configured capacity: the total that all quotas allow, and their shares."""
    rooms = _configured_capacities(facts)
    if not rooms:
        return
    quotas = list(
        {quota.id: quota for enforced_quotas in facts.enforced.values() for quota in enforced_quotas}.values()
    )
    # A quota whose `hard` is unreadable may limit any resource.
    namespaces_with_unknown_hard = {
        namespace for quota in quotas if _has_unknown_hard(quota) for namespace in quota.namespaces
    }
    namespaces = [namespace for namespace in facts.enforced if namespace not in namespaces_with_unknown_hard]
    limits: dict[str, list[Limit]] = {}
    for limit in _entry_limits(quotas, facts):
        limits.setdefault(resource_of(limit.name), []).append(limit)
    for resource, room in rooms.items():
        quota_shares = namespace_shares(limits.get(resource, ()), namespaces)
        yield (
            resource,
            room,
            Quantity(sum(share.amount.nano for share in quota_shares), room.capacity.format),
            quota_shares,
        )


def resource_of(name: str) -> str:
    """The node resource that an entry of `hard` limits: `cpu` for `requests.cpu`; empty for a sum of limits, because
    nodes need not have that much."""
    if name.startswith("limits."):
        return ""
    return "pods" if name == "count/pods" else alias(name).removeprefix("requests.")


def _configured_capacities(facts: Facts) -> Mapping[str, ClusterCapacity]:
    written = facts.settings.capacity
    reserve = {resource_of(name): amount(text) for name, text in written.reserve.items()}
    rooms = {}
    for name, text in written.amounts.items():
        resource = resource_of(name)
        capacity, reserved = amount(text), reserve.get(resource, quantity.ZERO)
        if resource and isinstance(capacity, Quantity) and isinstance(reserved, Quantity):
            rooms[resource] = ClusterCapacity(capacity, reserved)
    return rooms


def _entry_limits(quotas: list[Quota], facts: Facts) -> Iterator[Limit]:
    for quota in quotas:
        for name, hard in quota.hard.items():
            if tracking_state(name, facts.cluster.discovery) != MISSING:
                yield Limit(quota, name, hard)
        for unknown in quota.unknowns:
            if unknown.path[-2] == "hard":
                # A placeholder may be zero.
                yield Limit(quota, str(unknown.path[-1]), quantity.ZERO)


def _has_unknown_hard(quota: Quota) -> bool:
    return any(unknown.path[-1] == "hard" for unknown in quota.unknowns)


def _capacity_hit(
    resource: str, room: ClusterCapacity, needed: Quantity, quota_shares: tuple[LimitShare, ...]
) -> Iterator[Hit]:
    ordered = sorted(
        quota_shares,
        key=lambda share: (-share.amount.nano, _namespace_words(share.limit.quota), share.limit.quota.name),
    )
    own = [share for share in ordered if not share.limit.quota.object.foreign]
    if not own:
        return
    largest_share = own[0]
    quota, name, hard = largest_share.limit
    need = EntryNeed(resource, needed, room.available)
    # If another quota reduces the share, a lower limit here changes nothing.
    lower = hard.nano - need.short.nano if largest_share.amount.nano == hard.nano else -1
    values = {
        "resource": resource,
        "needed": quantity.show(needed),
        "available": quantity.show(room.available),
        "short": quantity.show(need.short),
        "entry": name,
        "lower": quantity.show(rounded_down(name, Quantity(max(lower, 0), hard.format))),
        "quota": quota.name,
    }
    others = [share for share in ordered if share is not largest_share]
    yield Hit(
        quota.entry(name),
        values,
        quota.object,
        quota.field(name),
        variant="default" if lower >= 0 else "several",
        related=tuple(_related_share(share) for share in others[:_SHOWN]),
        notes=(*_partial_note(largest_share), *_reserve_note(room), *_further_note(others[_SHOWN:])),
        resource=name,
        needs=(need,),
    )


def _namespace_words(quota: Quota) -> str:
    return quota.namespaces[0] if len(quota.namespaces) == 1 else f"{len(quota.namespaces)} namespaces"


def _related_share(share: LimitShare) -> Related:
    return Related("and", share.limit.quota.entry(share.limit.name), _share_words(share))


def _share_words(share: LimitShare) -> str:
    quota, _, hard = share.limit
    part = f" of {quantity.show(hard)}" if share.amount.nano != hard.nano else ""
    return f"quota {quota.name} of {_namespace_words(quota)}: {quantity.show(share.amount)}{part}"


def _partial_note(share: LimitShare) -> Iterator[Note]:
    if share.amount.nano != share.limit.hard.nano:
        yield Note("here", f"{_share_words(share)}; other quotas take the rest")


def _reserve_note(room: ClusterCapacity) -> Iterator[Note]:
    if room.reserve.nano:
        text = f"the capacity is {quantity.show(room.capacity)}; {quantity.show(room.reserve)} of it is in reserve"
        yield Note("note", text)


def _further_note(shares: list[LimitShare]) -> Iterator[Note]:
    if shares:
        total = Quantity(sum(share.amount.nano for share in shares), shares[0].amount.format)
        yield Note("and", f"{len(shares)} more quotas allow {quantity.show(total)}")
