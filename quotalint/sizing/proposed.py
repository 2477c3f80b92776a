"""What is proposed: quotas with new amounts, LimitRanges, why some are left alone, and what is to be edited where they
are written: a base, an overlay's patch, values of a chart."""

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
"""The file of what nobody has written yet."""


class EntryProposal(NamedTuple):
    """One entry of `hard`."""

    name: str
    before: Quantity | None
    """None: there is no such entry yet, or its amount is a placeholder."""
    needed: Quantity | None
    """None: nothing is known of it, or nothing counts it."""
    after: Quantity | None
    """None: it is left as it is."""
    because: str
    """What needs that much, or why it is left."""
    certainty: str = EXACT
    reasons: tuple[str, ...] = ()
    """Why the need may be another one."""
    sufficient: Quantity | None = None
    """What would do, where that is less than what there is, and it is left as it is all the same."""

    @property
    def changes(self) -> bool:
        """Whether another amount than the present one is proposed."""
        return self.after is not None and (self.before is None or self.after.nano != self.before.nano)

    @property
    def lowers(self) -> bool:
        """Whether it becomes less than it is."""
        return self.after is not None and self.before is not None and self.after.nano < self.before.nano

    @property
    def final(self) -> Quantity | None:
        """What it will be."""
        return self.before if self.after is None else self.after


class QuotaProposal(NamedTuple):
    """A quota of one environment."""

    environment: str
    quota: Quota
    """As it is; of a new one, as it is proposed."""
    new: bool
    entries: tuple[EntryProposal, ...]
    size: str = ""
    """The name of the size that was chosen of several, in place of amounts of its own."""
    notes: tuple[str, ...] = ()
    """What somebody should know of it."""
    instead: Replace | None = None
    """What is written elsewhere in place of the amounts: another Component."""

    @property
    def changes(self) -> bool:
        """Whether anything of it is new."""
        return self.new or any(entry.changes for entry in self.entries)


class LimitRangeProposal(NamedTuple):
    """A new LimitRange of one environment."""

    environment: str
    object: Object
    because: tuple[str, ...]


class Unsized(NamedTuple):
    """A namespace or quota of which no size is known."""

    environment: str
    namespace: str
    quota: str
    """Its name; empty where there is none."""
    reasons: tuple[str, ...]


class Promised(NamedTuple):
    """What all quotas of an environment let be had of a resource of its cluster."""

    environment: str
    resource: str
    promised: Quantity
    capacity: Quantity
    reserve: Quantity

    @property
    def fits(self) -> bool:
        """Whether the cluster has as much, beside what is in reserve."""
        return self.promised.nano <= self.capacity.nano - self.reserve.nano


class Proposal(NamedTuple):
    """All of it."""

    quotas: tuple[QuotaProposal, ...]
    limit_ranges: tuple[LimitRangeProposal, ...]
    unsized: tuple[Unsized, ...]
    promised: tuple[Promised, ...] = ()
    left: tuple[str, ...] = ()
    """What `check` would still say of what is proposed."""


def proposed_object(kind: str, namespace: str, name: str, spec: Body, document: int) -> Object:
    """An object of `v1` that nobody has written yet."""
    body = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}
    return Object("", "v1", kind, namespace, name, body, Place(PROPOSED, document))


def edits_of(quota_proposal: QuotaProposal) -> Fix:
    """The repair that gives a quota the amounts that are proposed for it."""
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
    """Whether the amount is a part of a longer text: an annotation of Rancher holds all of them."""
    if name not in quota.hard:
        return False
    parsed = amount(dig(quota.object.body, *quota.way(name)))
    return not isinstance(parsed, Quantity) or parsed.nano != quota.hard[name].nano
