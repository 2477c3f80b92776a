"""What is kept although it is of no more use: after how many changes or runs a quota has no room for another object.

Source: Kubernetes 1.36, pkg/controller/deployment/sync.go (cleanupDeployment: old ReplicaSets beyond
`revisionHistoryLimit` go only once a rollout is complete), statefulset/stateful_set_control.go (truncateHistory),
daemon/update.go (cleanupHistory), cronjob/cronjob_controllerv2.go (cleanupFinishedJobs) and
pkg/quota/v1/evaluator/core/pods.go (podObjectCountName counts pods that have ended).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from quotalint.kube.objects import Object, ObjectId
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge
from quotalint.quota.creation import RefusalCause
from quotalint.quota.pools import Shortage
from quotalint.quota.quotas import Identity, Quota
from quotalint.quota.sequences import RolloutOutcome
from quotalint.workloads.demand import RUN, Kept, has_ended


class History(NamedTuple):
    """The shortage of room for all objects that are kept."""

    owner: Object
    """The workload that keeps most of them."""
    charge: Charge
    """One of them."""
    kept: Kept
    changes: int
    """How many more fit before one is refused."""
    shortage: Shortage
    """What that one lacks."""
    lacking: int
    """How many more would have to fit."""
    workloads: int
    """How many workloads keep such objects; `changes` counts those of all of them."""
    quota: Quota
    """The first quota without room."""


class _Keeping(NamedTuple):
    owner: Object
    charge: Charge
    kept: Kept


def histories(
    charges: Mapping[str, Sequence[Charge]], done: Admissions, rollouts: Mapping[ObjectId, RolloutOutcome]
) -> Mapping[Identity, tuple[History, ...]]:
    """What each quota has no room to keep, by its identity. Workloads that cannot be rolled out now are left out."""
    by_quota: dict[Identity, list[History]] = {}
    for namespace, own_charges in charges.items():
        groups: dict[Hashable, list[_Keeping]] = {}
        for keeping in _keeping_charges(own_charges, done, rollouts):
            charge = keeping.charge
            key = charge.demand.group, charge.kind, has_ended(charge.demand), done.ledger.counted_in(namespace, charge)
            groups.setdefault(key, []).append(keeping)
        for group in groups.values():
            for history in _histories_of(group, namespace, done):
                by_quota.setdefault(history.quota.id, []).append(history)
    return {quota: tuple(found) for quota, found in by_quota.items()}


def _keeping_charges(
    charges: Sequence[Charge], done: Admissions, rollouts: Mapping[ObjectId, RolloutOutcome]
) -> Iterator[_Keeping]:
    hopeless = {
        charge.owner.identity
        for charge in charges
        if charge.owner is not None and done.fate_of(charge).cause not in (None, RefusalCause.QUOTA)
    }
    for charge in charges:
        owner, kept = charge.owner, charge.demand.kept
        if owner is None or kept is None or owner.identity in hopeless or done.fate_of(charge).refused:
            continue
        outcome = rollouts.get(owner.identity)
        if outcome is None or outcome.moves:
            yield _Keeping(owner, charge, kept)


def _histories_of(group: Sequence[_Keeping], namespace: str, done: Admissions) -> Iterator[History]:
    """The shortage of each workload alone; if each has room alone, that of all together."""
    alone = [history for keeping in group if (history := _history([keeping], namespace, done)) is not None]
    # Runs that are scheduled are compared one by one with their peak.
    yield from (history for history in alone if not _is_scheduled(history.owner))
    if not alone and len(group) > 1:
        together = _history(group, namespace, done)
        if together is not None:
            yield together


def _is_scheduled(owner: Object) -> bool:
    return "schedule" in owner.spec or "schedules" in owner.spec


def _history(group: Sequence[_Keeping], namespace: str, done: Admissions) -> History | None:
    # Only one workload is changed or runs at a time.
    wanted = sum(keeping.kept.number for keeping in group) + max(keeping.kept.beyond for keeping in group)
    largest = max(group, key=lambda keeping: (not keeping.owner.foreign, keeping.kept.number))
    charge, ledger = largest.charge, done.ledger
    room = ledger.room(namespace, charge, wanted)
    if not 0 < room < wanted:
        return None
    later = ledger.copy(namespace)
    later.charge(namespace, charge, room)
    shortage = later.shortage(namespace, charge)
    first = next(iter(ledger.quotas_of(shortage, namespace)), None)
    if first is None:
        return None
    return History(largest.owner, charge, largest.kept, room, shortage, wanted - room, len(group), first)


def is_of_runs(history: History) -> bool:
    """Whether runs add the objects, not changes."""
    return history.kept.step == RUN
