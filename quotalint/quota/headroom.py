"""How many more replicas of each workload fit: settled, and so that the next rollout still ends at once.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest): every quota that
counts a pod, or a claim that is made for it, has to have room.
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
"""Kinds of which `replicas` may be another number, written or not; others are such where it is written."""
MOST = 10**6
"""As many fit where it is no use to count."""


class Headroom(NamedTuple):
    """How many more of one workload fit, beside all that is there."""

    owner: Object
    namespace: str
    steady: int
    """Settled."""
    rolling: int | None
    """So that a rolling update of all of them has room as well; None where it has no rolling update of its own."""
    limited_by: tuple[tuple[Quota, str], ...]
    """The entries that have no room for one more."""
    replica: tuple[Charge, ...] = ()
    """What a replica is: its pod, and the claims that are made for it."""
    is_refused: bool = False
    """Whatever room there is: the API server refuses what a replica is for another reason."""

    def each_of(self, quota: Quota) -> ResourceList:
        """What one more replica is charged to a quota."""
        return _each_of(self.replica, quota)

    def surges(self, most: int) -> tuple[int, ...]:
        """How many pods more a rolling update has for a while, with 0, 1, … replicas."""
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
    """Of every workload that some quota limits, in the order of namespaces and files."""
    headrooms_found = []
    for namespace, mine in charges.items():
        missed = _missed(namespace, mine, done)
        for group in _by_owner(mine):
            headroom = _headroom(namespace, group, done, missed)
            if headroom is not None:
                headrooms_found.append(headroom)
    return tuple(headrooms_found)


def _missed(namespace: str, charges: Iterable[Charge], done: Admissions) -> tuple[tuple[Quota, str], ...]:
    """The entries that have no room for all that is asked for already, though they may have some for less."""
    shortages = (shortage for charge in charges if (shortage := done.fate_of(charge).shortage) is not None)
    return tuple(_short_of(shortages, namespace, done.ledger))


def _by_owner(charges: Iterable[Charge]) -> Iterator[list[Charge]]:
    groups: dict[int, list[Charge]] = {}
    for charge in charges:
        owner = charge.admitted.demand.owner
        if owner is not None and (owner.kind in SCALED or integer(owner.spec.get("replicas"))):
            groups.setdefault(id(owner), []).append(charge)
    return iter(groups.values())


def _headroom(
    namespace: str, group: Sequence[Charge], done: Admissions, missed: Iterable[tuple[Quota, str]]
) -> Headroom | None:
    pods = [charge for charge in group if _is_of_pods(charge)]
    owner = pods[0].owner if len(pods) == 1 else None
    if owner is None or not _is_pod_per_replica(owner, pods[0]):
        return None
    claims = [charge for charge in group if charge.admitted.demand.before_pods or charge.admitted.demand.per_pod]
    together = (pods[0], *claims)
    ledger = done.ledger
    if not any(ledger.counted_in(namespace, charge) for charge in together):
        return None
    refused = [fate for charge in together if (fate := done.fate_of(charge)).refused]
    wanted = tuple((quota, name) for quota, name in missed if name in _each_of(together, quota))
    fits = 0 if refused or wanted else ledger.room_together(namespace, [(charge, 1) for charge in together], MOST)
    if fits >= MOST:
        return None
    full = tuple(_full(namespace, together, fits, ledger)) or wanted
    rolling = _rolling(owner, namespace, group, pods[0], fits, ledger)
    is_refused = any(fate.cause not in (RefusalCause.QUOTA, RefusalCause.OWNER) for fate in refused)
    return Headroom(owner, namespace, fits, rolling, full, together, is_refused)


def _is_pod_per_replica(owner: Object, pods: Charge) -> bool:
    """Whether one replica more is one pod more: a LeaderWorkerSet has several for each."""
    return owner.kind in SCALED or integer(owner.spec.get("replicas")) == pods.number


def _is_of_pods(charge: Charge) -> bool:
    demand, item = charge.admitted.demand, charge.admitted.item
    return demand.kind == "Pod" and not demand.grown and not (isinstance(item, Pod) and item.finished)


def _rolling(
    owner: Object, namespace: str, group: Sequence[Charge], pods: Charge, steady: int, ledger: Ledger
) -> int | None:
    """The most that may come and leave room for the surge of all; every further one needs no less."""
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


def _full(namespace: str, together: Sequence[Charge], fits: int, ledger: Ledger) -> Iterator[tuple[Quota, str]]:
    """The entries that one more would exceed."""
    books = ledger.copy(namespace)
    for charge in together:
        books.charge(namespace, charge, fits)
    return _short_of((books.shortage(namespace, charge) for charge in together), namespace, books)


def _short_of(shortages: Iterable[Shortage], namespace: str, books: Ledger) -> Iterator[tuple[Quota, str]]:
    """The entries that are exceeded, each once."""
    entries_named = set()
    for shortage in shortages:
        quotas = books.quotas_of(shortage, namespace)
        for _, names in shortage.exceeded:
            for name in names:
                quota = next((quota for quota in quotas if name in quota.hard), None)
                if quota is not None and (quota.id, name) not in entries_named:
                    entries_named.add((quota.id, name))
                    yield quota, name
