"""One entry of a quota in two states → the workloads that use more or less of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.kube import quantity
from quotalint.kube.objects import Object, Ref
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import EntryCharge, Projection
from quotalint.settings import Scenario


class Share(NamedTuple):
    """The use of an entry by one workload."""

    owner: Object
    amount: Quantity
    number: int
    """The number of its pods or other counted objects."""
    scalers: tuple[Object, ...]
    """The autoscalers that decide on the number."""
    is_filled: bool = False
    """Whether LimitRanges set requests or limits of its pods."""


class Move(NamedTuple):
    """The use of one workload in both states; None if it uses nothing."""

    before: Share | None
    after: Share | None

    @property
    def share(self) -> Share:
        """The use in the head, or in the base if it has none now."""
        share = self.after or self.before
        assert share is not None
        return share

    @property
    def is_filled(self) -> bool:
        """Whether LimitRanges set requests or limits of its pods, in either state."""
        return any(share.is_filled for share in (self.before, self.after) if share is not None)

    @property
    def more(self) -> int:
        """The additional use, in 10^-9 units; negative if it is less."""
        return (self.after.amount.nano if self.after else 0) - (self.before.amount.nano if self.before else 0)

    @property
    def by_number(self) -> int:
        """The part of that from the number of pods, at their earlier size."""
        if self.before is None or self.after is None or not self.before.number:
            return self.more
        return self.before.amount.nano // self.before.number * (self.after.number - self.before.number)


def find_moves(
    before: Projection | None, after: Projection | None, scenario_of: Callable[[EntryCharge], Scenario]
) -> tuple[Move, ...]:
    """The workloads whose use of an entry changed, the largest increase first. `scenario_of`: the scenario that
    counts."""
    olds, news = _shares_by_owner(before, scenario_of), _shares_by_owner(after, scenario_of)
    pairs = [Move(olds.get(ref), news.get(ref)) for ref in dict.fromkeys((*news, *olds))]
    changed = [move for move in pairs if move.more or _number_changed(move)]
    return tuple(sorted(changed, key=lambda move: (-move.more, move.share.owner.kind, move.share.owner.name)))


def _number_changed(move: Move) -> bool:
    return move.before is not None and move.after is not None and move.before.number != move.after.number


def _shares_by_owner(
    projection: Projection | None, scenario_of: Callable[[EntryCharge], Scenario]
) -> Mapping[Ref, Share]:
    shares: dict[Ref, Share] = {}
    for entry in projection.entries if projection is not None else ():
        demand = entry.demand
        owner = demand.owner
        if owner is None:
            continue
        scenario = scenario_of(entry)
        amount = entry.amounts.of(scenario)
        many = demand.number_in(scenario)
        scaler = (demand.size.scaler,) if demand.size.scaler is not None else ()
        item = entry.charge.admitted.item
        is_filled = isinstance(item, Pod) and bool(item.filled)
        old = shares.get(owner.ref)
        if old is None:
            shares[owner.ref] = Share(owner, amount, many, scaler, is_filled)
        else:
            total = quantity.add(old.amount, amount)
            scalers = (*old.scalers, *scaler)
            shares[owner.ref] = Share(owner, total, max(old.number, many), scalers, old.is_filled or is_filled)
    return {ref: share for ref, share in shares.items() if share.amount.nano}
