"""What can be rolled out: how each workload is updated, what is charged for it now, and who else wants the room.

Source: Kubernetes 1.36, pkg/apis/apps/v1/defaults.go (strategies); pkg/controller/deployment/sync.go (a paused one
makes no ReplicaSet).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object, ObjectId
from quotalint.kube.pod import Pod
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge
from quotalint.quota.creation import Fate, RefusalCause
from quotalint.workloads.rolling_update import update_limits

REVISIONS = ("ReplicaSet", "ControllerRevision")
"""The kinds of what a workload keeps of its history."""


class Strategy(NamedTuple):
    """How a workload is updated."""

    surge: int
    unavailable: int
    recreate: bool = False


class Rollout(NamedTuple):
    """What is charged for a workload that can be updated."""

    owner: Object
    namespace: str
    pods: Charge
    per_pod: tuple[Charge, ...]
    """What is made for each pod once it is there: ephemeral claims, ResourceClaims."""
    revision: Charge | None
    """Its ReplicaSet or ControllerRevision."""
    strategy: Strategy
    running: int
    """How many of its pods are admitted."""
    ready: int
    """How many of these have all that is made for them."""
    competitors: tuple[tuple[Charge, int], ...] = ()
    """What else of the namespace is refused now for want of room, and how many: one for all that ask for the same."""
    waiting: tuple[Fate, ...] = ()
    """All that is refused so in the namespace, its own pods among them."""
    ending: tuple[tuple[Charge, int], ...] = ()
    """The pods of the namespace that end by themselves, of Jobs and the like, and how many are admitted."""


def next_rollouts(charges: Sequence[Charge], namespace: str, done: Admissions) -> list[Rollout]:
    """The workloads of a namespace that can be updated."""
    by_owner: dict[ObjectId, list[Charge]] = {}
    for charge in charges:
        owner = charge.owner
        if owner is not None and owner.group == "apps" and owner.kind in STRATEGIES:
            by_owner.setdefault(owner.identity, []).append(charge)
    rollouts_found = []
    refused = [done.fate_of(charge) for charge in charges if charge.identity in done.fates]
    short = (fate for fate in refused if fate.cause is RefusalCause.QUOTA and fate.charge.kind == "Pod")
    # What nobody makes again when it is refused, a Pod that is written as such, does not wait.
    waiting = tuple(fate for fate in short if fate.charge.owner is not None and fate.charge.owner.kind != "Pod")
    queue = _waiting_queue(waiting, done, namespace)
    ending = tuple((charge, done.fate_of(charge).admitted) for charge in charges if _ends_by_itself(charge))
    for mine in by_owner.values():
        owner = mine[0].owner
        pods = [
            charge
            for charge in mine
            if charge.kind == "Pod"
            and not charge.demand.grown
            and not (isinstance(item := charge.admitted.item, Pod) and item.finished)
        ]
        if owner is None or len(pods) != 1:
            continue
        number = pods[0].number
        strategy = STRATEGIES[owner.kind](owner)(number)
        itself = next((charge for charge in mine if charge.kind == owner.kind), None)
        gone = itself is not None and done.fate_of(itself).refused
        if strategy is None or gone:
            continue
        fate = done.fate_of(pods[0])
        if fate.cause in (
            RefusalCause.INVALID,
            RefusalCause.LIMIT_RANGE,
            RefusalCause.MUST_SPECIFY,
            RefusalCause.LIMITED,
        ):
            continue  # no rollout of it ever begins, and that is said of its pods
        companions = tuple(charge for charge in mine if charge.demand.per_pod)
        revision = next((charge for charge in mine if charge.kind in REVISIONS), None)
        ready = min([fate.admitted, *(done.fate_of(charge).admitted for charge in companions)])
        others = _queue_without(queue, fate, done, namespace)
        there = fate.admitted, ready
        rollouts_found.append(
            Rollout(owner, namespace, pods[0], companions, revision, strategy, *there, others, waiting, ending)
        )
    return rollouts_found


def _ends_by_itself(charge: Charge) -> bool:
    """Whether a pod is not started again once it has ended well: what runs for ever is restarted always."""
    policy = text(mapping(charge.demand.body.get("spec")).get("restartPolicy"))
    return charge.kind == "Pod" and policy in ("Never", "OnFailure")


_Queue = Mapping[Hashable, tuple[Charge, int]]


def _waiting_queue(waiting: Iterable[Fate], done: Admissions, namespace: str) -> _Queue:
    """What waits for room, and how many: what asks for the same of the same quotas stands together."""
    queue: dict[Hashable, tuple[Charge, int]] = {}
    for fate in waiting:
        key = _asked_of_quotas(fate.charge, done, namespace)
        first, number = queue.get(key, (fate.charge, 0))
        queue[key] = first, number + fate.refused
    return queue


def _asked_of_quotas(charge: Charge, done: Admissions, namespace: str) -> Hashable:
    asked = frozenset((name, amount.nano) for name, amount in charge.each.items())
    return asked, done.ledger.counted_in(namespace, charge)


def _queue_without(queue: _Queue, mine: Fate, done: Admissions, namespace: str) -> tuple[tuple[Charge, int], ...]:
    """What waits of others."""
    own = _asked_of_quotas(mine.charge, done, namespace) if mine.cause is RefusalCause.QUOTA else None
    less = ((charge, number - mine.refused if key == own else number) for key, (charge, number) in queue.items())
    return tuple((charge, number) for charge, number in less if number)


StrategyBySize: TypeAlias = Callable[[int], Strategy | None]
"""How a workload of so many replicas is updated."""


def _deployment_strategies(owner: Object) -> StrategyBySize:
    strategy = mapping(owner.spec.get("strategy"))
    if owner.spec.get("paused") is True:
        return _never_updated
    if strategy.get("type") == "Recreate":
        return lambda number: Strategy(0, number, recreate=True)
    limits = update_limits(strategy.get("rollingUpdate"))
    return lambda number: Strategy(*limits.resolve_limits(number))


def _daemon_set_strategies(owner: Object) -> StrategyBySize:
    strategy = mapping(owner.spec.get("updateStrategy"))
    if strategy.get("type") == "OnDelete":
        return _never_updated
    limits = update_limits(strategy.get("rollingUpdate"), surge=0, unavailable=1)
    return lambda number: Strategy(*limits.resolve_limits(number))


def _stateful_set_strategies(owner: Object) -> StrategyBySize:
    strategy = mapping(owner.spec.get("updateStrategy"))
    return _never_updated if strategy.get("type") == "OnDelete" else lambda number: Strategy(0, 1)


def _never_updated(number: int) -> None:
    return None


STRATEGIES: Mapping[str, Callable[[Object], StrategyBySize]] = {
    "Deployment": _deployment_strategies,
    "DaemonSet": _daemon_set_strategies,
    "StatefulSet": _stateful_set_strategies,
}
"""How many new pods may be there beside old ones, and how many may be missing; None where nothing is rolled out."""
