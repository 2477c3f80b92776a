"""Proposals: quotas with new amounts, LimitRanges, quotas that stay, and the edits in bases, patches or chart
values."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.fixes.fix import Add, Edit, Fix, Replace
from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.fields import Body, dig
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import EXACT
from quotalint.quota.quotas import Quota
from quotalint.text.place import Place

PROPOSED = "<proposed>"
"""The file name for objects that are not written yet."""


class EntryProposal(NamedTuple):
    """The proposal for one entry of `hard`."""

    name: str
    before: Quantity | None
    """None if there is no such entry yet, or its amount is a placeholder."""
    needed: Quantity | None
    """None if the need is unknown, or nothing counts the entry."""
    after: Quantity | None
    """None if it is not changed."""
    because: str
    """What needs this amount, or why it is not changed."""
    certainty: str = EXACT
    reasons: tuple[str, ...] = ()
    """Why the need may differ."""
    sufficient: Quantity | None = None
    """A sufficient amount below the current one, if the entry is not lowered."""

    @property
    def changes(self) -> bool:
        """Whether a different amount is proposed."""
        return self.after is not None and (self.before is None or self.after.nano != self.before.nano)

    @property
    def lowers(self) -> bool:
        """Whether a lower amount is proposed."""
        return self.after is not None and self.before is not None and self.after.nano < self.before.nano

    @property
    def final(self) -> Quantity | None:
        """The amount after the proposal."""
        return self.before if self.after is None else self.after


class QuotaProposal(NamedTuple):
    """The proposal for a quota of one environment."""

    environment: str
    quota: Quota
    """The current quota, or the proposed one if it is new."""
    new: bool
    entries: tuple[EntryProposal, ...]
    size: str = ""
    """The name of the chosen size, if the quota has no amounts of its own."""
    notes: tuple[str, ...] = ()
    """Notes for the reader."""
    instead: Replace | None = None
    """An edit that replaces the amounts: another Component."""

    @property
    def changes(self) -> bool:
        """Whether anything in it is new."""
        return self.new or any(entry.changes for entry in self.entries)


class LimitRangeProposal(NamedTuple):
    """A new LimitRange of one environment."""

    environment: str
    object: Object
    because: tuple[str, ...]


class Unsized(NamedTuple):
    """A namespace or quota without a known size."""

    environment: str
    namespace: str
    quota: str
    """The name of the quota; empty if there is none."""
    reasons: tuple[str, ...]


class Promised(NamedTuple):
    """The amount of a cluster's resource that all quotas of an environment allow."""

    environment: str
    resource: str
    promised: Quantity
    capacity: Quantity
    reserve: Quantity

    @property
    def fits(self) -> bool:
        """Whether the cluster has this much beside its reserve."""
        return self.promised.nano <= self.capacity.nano - self.reserve.nano


class Proposal(NamedTuple):
    """The whole proposal."""

    quotas: tuple[QuotaProposal, ...]
    limit_ranges: tuple[LimitRangeProposal, ...]
    unsized: tuple[Unsized, ...]
    promised: tuple[Promised, ...] = ()
    left: tuple[str, ...] = ()
    """The findings that `check` would still report."""


def proposed_object(kind: str, namespace: str, name: str, spec: Body, document: int) -> Object:
    """An object of `v1` that is not written yet."""
    body = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}
    return Object("", "v1", kind, namespace, name, body, Place(PROPOSED, document))


def edits_of(quota_proposal: QuotaProposal) -> Fix:
    """The fix that writes the proposed amounts of a quota."""
    if quota_proposal.instead is not None:
        return Fix((quota_proposal.instead,), safe=False, words=f"take the size {quota_proposal.size}")
    changed = [entry for entry in quota_proposal.entries if entry.changes and entry.after is not None]
    words = ", ".join(f"{entry.name} {quantity.show(entry.after)}" for entry in changed if entry.after is not None)
    inside = next((entry.name for entry in changed if is_inside(quota_proposal.quota, entry.name)), "")
    obstacle = f"{inside} is not written there by itself" if inside else ""
    return Fix(tuple(_edits(quota_proposal)), safe=False, words=f"write {words}", obstacle=obstacle)


def _edits(quota_proposal: QuotaProposal) -> Iterator[Edit]:
    for entry in quota_proposal.entries:
        if not entry.changes or entry.after is None:
            continue
        place, shown = quota_proposal.quota.entry(entry.name), quantity.show(entry.after)
        if entry.before is None:
            yield Add(
                quota_proposal.quota.object.at(*quota_proposal.quota.way(entry.name)[:-1]),
                entry.name,
                shown,
                size=entry.after.nano,
            )
        else:
            before = dig(quota_proposal.quota.object.body, *quota_proposal.quota.way(entry.name))
            yield Replace(place, before, shown, entry.after.nano)


def is_inside(quota: Quota, name: str) -> bool:
    """Whether the amount is part of a longer text: Rancher's annotation has all amounts."""
    if name not in quota.hard:
        return False
    parsed = amount(dig(quota.object.body, *quota.way(name)))
    return not isinstance(parsed, Quantity) or parsed.nano != quota.hard[name].nano
