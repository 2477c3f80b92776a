"""One entry of a quota in two states → who takes more of it, and who less."""

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
    """What one workload takes of an entry."""

    owner: Object
    amount: Quantity
    number: int
    """Of its pods, or of what else is counted; 0 where there is none of it."""
    scalers: tuple[Object, ...]
    """The autoscalers that decide on the number."""
    is_filled: bool = False
    """Whether LimitRanges put requests or limits into its pods."""


class Move(NamedTuple):
    """What one workload took before, and takes now. None where it took nothing."""

    before: Share | None
    after: Share | None

    @property
    def share(self) -> Share:
        """As it is now, or was last."""
        share = self.after or self.before
        assert share is not None
        return share

    @property
    def is_filled(self) -> bool:
        """Whether LimitRanges decide, or decided, on what its pods ask for."""
        return any(share.is_filled for share in (self.before, self.after) if share is not None)

    @property
    def more(self) -> int:
        """How much more it takes, in 10^-9 units; below zero where it takes less."""
        return (self.after.amount.nano if self.after else 0) - (self.before.amount.nano if self.before else 0)

    @property
    def by_number(self) -> int:
        """How much of that is because there are more of its pods, at the size that they had."""
        if self.before is None or self.after is None or not self.before.number:
            return self.more
        return self.before.amount.nano // self.before.number * (self.after.number - self.before.number)


def find_moves(
    before: Projection | None, after: Projection | None, scenario_of: Callable[[EntryCharge], Scenario]
) -> tuple[Move, ...]:
    """Who takes another amount of an entry than before: those that take more first, the most first. `scenario_of` says
    which number of a demand counts."""
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
