"""What is proposed: quotas with new amounts, LimitRanges, and why some are left alone."""

from __future__ import annotations

from quotalint.fixes.fix import Replace
from quotalint.kube.fields import Body
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
