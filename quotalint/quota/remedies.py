"""Changes that would let a rollout end, found by running its sequence again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.quota.fitting import largest_while_growing
from quotalint.quota.next_rollouts import STRATEGIES, Strategy
from quotalint.quota.pools import Ledger
from quotalint.quota.quotas import PoolKey
from quotalint.quota.sequences import RolloutOutcome, RolloutVerdict, fits_at_once, play_rollout
from quotalint.workloads.demand import constant_size

_TRIES = 64
"""How often the limits are raised by what the next pod lacks."""
_ENDING = (RolloutVerdict.WELL, RolloutVerdict.SLOWLY)


def smallest_raise(outcome: RolloutOutcome, ledger: Ledger) -> Mapping[PoolKey, Mapping[str, int]] | None:
    """By how much limits must grow at least for the rollout to end, in 10^-9 units, found by running it again. None if
    no limit helps or `_TRIES` increases are not enough."""
    more: dict[PoolKey, dict[str, int]] = {}
    ledger = ledger.copy(outcome.rollout.namespace)
    for _ in range(_TRIES):
        shortage = outcome.shortage
        if outcome.verdict in _ENDING:
            return _least_raise(outcome, more, ledger)
        if shortage is None or not shortage.exceeded:
            return None
        larger = ledger.with_larger_limits(more)
        for pool, names in shortage.exceeded:
            for name in names:
                used = shortage.used[pool].get(name)
                lacking = (used.nano if used else 0) + shortage.asked[name].nano - larger.limit(pool, name)
                pool_increase = more.setdefault(pool, {})
                pool_increase[name] = pool_increase.get(name, 0) + lacking
        outcome = play_rollout(outcome.rollout, ledger.with_larger_limits(more))
    return None


def _least_raise(
    outcome: RolloutOutcome, more: dict[PoolKey, dict[str, int]], ledger: Ledger
) -> Mapping[PoolKey, Mapping[str, int]]:
    """Reduces each increase to what is needed. A pod that lacks two resources requests both, and the room for one may
    come from an old pod that is deleted."""
    for names in more.values():
        for name, amount in names.items():

            def is_enough(less: int, names: dict[str, int] = names, name: str = name) -> bool:
                names[name] = less
                return play_rollout(outcome.rollout, ledger.with_larger_limits(more)).verdict in _ENDING

            names[name] = _least_amount(amount, is_enough)
    return more


def _least_amount(enough: int, is_enough: Callable[[int], bool]) -> int:
    """The smallest amount that is enough; nearly always `enough` itself."""
    if not is_enough(enough - 1):
        return enough
    return enough - largest_while_growing(lambda less: is_enough(enough - less), enough)


def ends_with(outcome: RolloutOutcome, strategy: Strategy, ledger: Ledger) -> bool:
    """Whether the rollout would complete with another strategy."""
    again = play_rollout(outcome.rollout._replace(strategy=strategy), ledger)
    return again.verdict in _ENDING


def fits_with(outcome: RolloutOutcome, replicas: int, ledger: Ledger) -> bool:
    """Whether a rollout with fewer replicas would have no refusal."""
    rollout = outcome.rollout
    namespace, pods = rollout.namespace, rollout.pods
    strategy = STRATEGIES[rollout.owner.kind](rollout.owner)(replicas) or rollout.strategy
    ledger = ledger.copy(namespace)
    ledger.charge(namespace, pods, replicas - rollout.running)
    for charge in rollout.per_pod:
        ledger.charge(namespace, charge, replicas - rollout.ready)
    demand = pods.demand._replace(size=constant_size(replicas, ""))
    fewer = pods._replace(admitted=pods.admitted._replace(demand=demand))
    return fits_at_once(rollout._replace(pods=fewer, strategy=strategy), ledger)
