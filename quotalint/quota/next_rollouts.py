"""The workloads that can be rolled out: their strategy, their current charges, and the refused objects that compete for
room.

Source: Kubernetes 1.36, pkg/apis/apps/v1/defaults.go (strategies); pkg/controller/deployment/sync.go (a paused
Deployment makes no ReplicaSet).
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
"""The kinds that record a workload's history."""


class Strategy(NamedTuple):
    """How a workload is updated: numbers of pods."""

    surge: int
    unavailable: int
    recreate: bool = False


class Rollout(NamedTuple):
    """The charges of a workload that can be updated."""

    owner: Object
    namespace: str
    pods: Charge
    per_pod: tuple[Charge, ...]
    """Objects made for each pod after it is created: ephemeral claims, ResourceClaims."""
    revision: Charge | None
    """Its ReplicaSet or ControllerRevision."""
    strategy: Strategy
    running: int
    """How many of its pods are admitted."""
    ready: int
    """How many of its pods have all objects that are made for them."""
    competitors: tuple[tuple[Charge, int], ...] = ()
    """Other refused objects of the namespace that wait for room, and their number, grouped by equal requests."""
    waiting: tuple[Fate, ...] = ()
    """All objects of the namespace that wait for room, including the workload's own pods."""
    ending: tuple[tuple[Charge, int], ...] = ()
    """Pods of the namespace that terminate by themselves (Jobs and similar), and the admitted number."""


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
    # A refused Pod without a controller is not created again, so it does not wait.
    waiting = tuple(fate for fate in short if fate.charge.owner is not None and fate.charge.owner.kind != "Pod")
    queue = _waiting_queue(waiting, done, namespace)
    ending = tuple((charge, done.fate_of(charge).admitted) for charge in charges if _ends_by_itself(charge))
    for own_charges in by_owner.values():
        owner = own_charges[0].owner
        pods = [
            charge
            for charge in own_charges
            if charge.kind == "Pod"
            and not charge.demand.grown
            and not (isinstance(item := charge.admitted.item, Pod) and item.finished)
        ]
        if owner is None or len(pods) != 1:
            continue
        number = pods[0].number
        strategy = STRATEGIES[owner.kind](owner)(number)
        own_charge = next((charge for charge in own_charges if charge.kind == owner.kind), None)
        is_refused = own_charge is not None and done.fate_of(own_charge).refused
        if strategy is None or is_refused:
            continue
        fate = done.fate_of(pods[0])
        if fate.cause in (
            RefusalCause.INVALID,
            RefusalCause.LIMIT_RANGE,
            RefusalCause.MUST_SPECIFY,
            RefusalCause.LIMITED,
        ):
            continue  # no rollout of it begins; its refused pods are reported
        companions = tuple(charge for charge in own_charges if charge.demand.per_pod)
        revision = next((charge for charge in own_charges if charge.kind in REVISIONS), None)
        ready = min([fate.admitted, *(done.fate_of(charge).admitted for charge in companions)])
        competitors = _queue_without(queue, fate, done, namespace)
        admitted_and_ready = fate.admitted, ready
        rollouts_found.append(
            Rollout(
                owner,
                namespace,
                pods[0],
                companions,
                revision,
                strategy,
                *admitted_and_ready,
                competitors,
                waiting,
                ending,
            )
        )
    return rollouts_found


def _ends_by_itself(charge: Charge) -> bool:
    """Whether a pod is not restarted after it succeeded."""
    policy = text(mapping(charge.demand.body.get("spec")).get("restartPolicy"))
    return charge.kind == "Pod" and policy in ("Never", "OnFailure")


_Queue = Mapping[Hashable, tuple[Charge, int]]


def _waiting_queue(waiting: Iterable[Fate], done: Admissions, namespace: str) -> _Queue:
    """The objects that wait for room, grouped by equal requests to the same quotas, with their number."""
    queue: dict[Hashable, tuple[Charge, int]] = {}
    for fate in waiting:
        key = _request_key(fate.charge, done, namespace)
        first, number = queue.get(key, (fate.charge, 0))
        queue[key] = first, number + fate.refused
    return queue


def _request_key(charge: Charge, done: Admissions, namespace: str) -> Hashable:
    asked = frozenset((name, amount.nano) for name, amount in charge.each.items())
    return asked, done.ledger.counted_in(namespace, charge)


def _queue_without(queue: _Queue, own_fate: Fate, done: Admissions, namespace: str) -> tuple[tuple[Charge, int], ...]:
    """The waiting objects of other workloads."""
    own_key = _request_key(own_fate.charge, done, namespace) if own_fate.cause is RefusalCause.QUOTA else None
    others = (
        (charge, number - own_fate.refused if key == own_key else number) for key, (charge, number) in queue.items()
    )
    return tuple((charge, number) for charge, number in others if number)


StrategyBySize: TypeAlias = Callable[[int], Strategy | None]
"""The update strategy of a workload for a number of replicas; None if its pods are not replaced."""


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
"""The update strategy of each kind, from the workload's object."""
