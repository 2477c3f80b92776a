"""How many more replicas of each workload fit, in the steady state and with room for the next rollout.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest): every quota that
counts a pod, or a claim made for it, needs room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quotalint.kube import resource_list
from quotalint.kube.fields import integer
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.quota.admissions import Admissions
from quotalint.quota.charges import Charge
from quotalint.quota.creation import RefusalCause
from quotalint.quota.fitting import largest_while_growing
from quotalint.quota.next_rollouts import REVISIONS, STRATEGIES
from quotalint.quota.pools import Ledger, Shortage
from quotalint.quota.quotas import Quota

SCALED = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DeploymentConfig", "Rollout", "CloneSet")
"""Kinds whose `replicas` can be changed even if it is not written; other kinds count only if it is written."""
MOST = 10**6
"""The largest number that is computed: more replicas than this are not counted."""


class Headroom(NamedTuple):
    """How many more replicas of one workload fit beside everything else."""

    owner: Object
    namespace: str
    steady: int
    """In the steady state."""
    rolling: int | None
    """With room for a rolling update of all replicas; None if the workload has no rolling update."""
    limited_by: tuple[tuple[Quota, str], ...]
    """The entries without room for one more replica."""
    replica: tuple[Charge, ...] = ()
    """The charges of one replica: its pod, and the claims made for it."""
    is_refused: bool = False
    """The API server refuses a replica for a reason other than room."""

    def each_of(self, quota: Quota) -> ResourceList:
        """The charge of one more replica to a quota."""
        return _each_of(self.replica, quota)

    def surges(self, most: int) -> tuple[int, ...]:
        """The surge of a rolling update with 0, 1, … `most` replicas."""
        if self.owner.group != "apps" or self.owner.kind not in STRATEGIES:
            return (0,) * (most + 1)
        strategies = map(STRATEGIES[self.owner.kind](self.owner), range(most + 1))
        return tuple(strategy.surge if strategy is not None else 0 for strategy in strategies)


def _each_of(replica: Iterable[Charge], quota: Quota) -> ResourceList:
    total: ResourceList = {}
    for charge in replica:
        if charge.matches(quota.requirements):
            total = resource_list.add(total, resource_list.mask(charge.each, quota.hard))
    return resource_list.remove_zeros(total)


def headrooms(charges: Mapping[str, Sequence[Charge]], done: Admissions) -> tuple[Headroom, ...]:
    """The headroom of every workload under a quota, in the order of namespaces and files."""
    headrooms_found = []
    for namespace, own_charges in charges.items():
        too_small = _entries_too_small(namespace, own_charges, done)
        for group in _by_owner(own_charges):
            headroom = _headroom(namespace, group, done, too_small)
            if headroom is not None:
                headrooms_found.append(headroom)
    return tuple(headrooms_found)


def _entries_too_small(namespace: str, charges: Iterable[Charge], done: Admissions) -> tuple[tuple[Quota, str], ...]:
    """The entries too small for all current requests, even if a smaller request would fit."""
    shortages = (shortage for charge in charges if (shortage := done.fate_of(charge).shortage) is not None)
    return tuple(_exceeded_once(shortages, namespace, done.ledger))


def _by_owner(charges: Iterable[Charge]) -> Iterator[list[Charge]]:
    groups: dict[int, list[Charge]] = {}
    for charge in charges:
        owner = charge.admitted.demand.owner
        if owner is not None and (owner.kind in SCALED or integer(owner.spec.get("replicas"))):
            groups.setdefault(id(owner), []).append(charge)
    return iter(groups.values())


def _headroom(
    namespace: str, group: Sequence[Charge], done: Admissions, too_small: Iterable[tuple[Quota, str]]
) -> Headroom | None:
    pods = [charge for charge in group if _is_pod_charge(charge)]
    owner = pods[0].owner if len(pods) == 1 else None
    if owner is None or not _is_pod_per_replica(owner, pods[0]):
        return None
    claims = [charge for charge in group if charge.admitted.demand.before_pods or charge.admitted.demand.per_pod]
    replica = (pods[0], *claims)
    ledger = done.ledger
    if not any(ledger.counted_in(namespace, charge) for charge in replica):
        return None
    refused = [fate for charge in replica if (fate := done.fate_of(charge)).refused]
    short_entries = tuple((quota, name) for quota, name in too_small if name in _each_of(replica, quota))
    fits = 0 if refused or short_entries else ledger.room_together(namespace, [(charge, 1) for charge in replica], MOST)
    if fits >= MOST:
        return None
    limiting_entries = tuple(_entries_exceeded_by_next(namespace, replica, fits, ledger)) or short_entries
    rolling = _rolling_headroom(owner, namespace, group, pods[0], fits, ledger)
    is_refused = any(fate.cause not in (RefusalCause.QUOTA, RefusalCause.OWNER) for fate in refused)
    return Headroom(owner, namespace, fits, rolling, limiting_entries, replica, is_refused)


def _is_pod_per_replica(owner: Object, pods: Charge) -> bool:
    """Whether each replica is one pod; a LeaderWorkerSet has several pods for each."""
    return owner.kind in SCALED or integer(owner.spec.get("replicas")) == pods.number


def _is_pod_charge(charge: Charge) -> bool:
    demand, item = charge.admitted.demand, charge.admitted.item
    return demand.kind == "Pod" and not demand.grown and not (isinstance(item, Pod) and item.finished)


def _rolling_headroom(
    owner: Object, namespace: str, group: Sequence[Charge], pods: Charge, steady: int, ledger: Ledger
) -> int | None:
    """The most replicas that can be added with room left for their surge. A larger number never needs less."""
    if owner.group != "apps" or owner.kind not in STRATEGIES:
        return None
    number = pods.admitted.demand.number
    strategy_of = STRATEGIES[owner.kind](owner)
    per_pod = [charge for charge in group if charge.admitted.demand.per_pod]
    claims = [charge for charge in group if charge.admitted.demand.before_pods]
    revisions = [charge for charge in group if charge.admitted.demand.kind in REVISIONS]

    def fits(more: int) -> bool:
        strategy = strategy_of(number + more)
        surge = strategy.surge if strategy is not None else 0
        wanted = [
            (pods, more + surge),
            *((charge, more + surge) for charge in per_pod),
            *((claim, more) for claim in claims),
        ]
        wanted += [(revision, 1) for revision in revisions]
        return ledger.room_together(namespace, [(charge, number) for charge, number in wanted if number]) == 1

    if strategy_of(number) is None:
        return None
    if not fits(0):
        return 0
    return largest_while_growing(fits, steady)


def _entries_exceeded_by_next(
    namespace: str, replica: Sequence[Charge], fits: int, ledger: Ledger
) -> Iterator[tuple[Quota, str]]:
    """The entries that one more replica would exceed."""
    ledger_with_fitting = ledger.copy(namespace)
    for charge in replica:
        ledger_with_fitting.charge(namespace, charge, fits)
    return _exceeded_once(
        (ledger_with_fitting.shortage(namespace, charge) for charge in replica), namespace, ledger_with_fitting
    )


def _exceeded_once(shortages: Iterable[Shortage], namespace: str, ledger: Ledger) -> Iterator[tuple[Quota, str]]:
    """The exceeded entries, each once."""
    seen = set()
    for shortage in shortages:
        quotas = ledger.quotas_of(shortage, namespace)
        for _, names in shortage.exceeded:
            for name in names:
                quota = next((quota for quota in quotas if name in quota.hard), None)
                if quota is not None and (quota.id, name) not in seen:
                    seen.add((quota.id, name))
                    yield quota, name
