"""The pods of what Kueue queues: it suspends Jobs and the like, and starts them as their ClusterQueue has room. So not
all of them count in a ResourceQuota at once.

Source: Kueue 0.19, pkg/controller/jobframework/defaults.go (ApplyDefaultForSuspend). Pods that Kueue holds back by
scheduling gates exist, and are charged (pkg/quota/v1/evaluator/core/pods.go of Kubernetes, QuotaV1Pod).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, integer, mapping, text
from quotalint.kube.guess import CONTENT, LEFT_OUT, Guess
from quotalint.kube.kinds import KUEUE
from quotalint.kube.objects import Object, ObjectId
from quotalint.kube.pod import Pod
from quotalint.kube.pod_resources import pod_requests
from quotalint.kube.queue_names import stated_queue, suspended_for
from quotalint.kueue.admission import PodSet, obstacle, run_at_once
from quotalint.kueue.queues import QueueNode, Queues, queues_of
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.text.digits import whole_number
from quotalint.text.words import list_some
from quotalint.workloads.demand import Numbers, has_ended

_UNSEEN = Guess(
    LEFT_OUT,
    "Kueue decides when the workloads with a queue-name run, and their ClusterQueue is not in view",
    "put the ClusterQueues and LocalQueues in view, in the repository or with `--with`",
)
_NAMED = 3  # that wait
_LEAST_PARALLELISM = f"{KUEUE}/job-min-parallelism"


class QueuedWorkload(NamedTuple):
    """An object that a LocalQueue holds back, with its pods."""

    owner: Object
    queue: str
    """The name of the LocalQueue, in the namespace of the object."""
    pod_sets: tuple[PodSet, ...]


def as_queued(charges: Sequence[Charge], members: Sequence[Object], view: Cluster) -> tuple[Charge, ...]:
    """The charges of a namespace. What Kueue queues counts only as far as it lets its owners run at once."""
    written = {(obj.group, obj.kind, obj.name) for obj in members}
    queue_of = {obj.identity: name for obj in members if (name := suspended_for(obj, written))}
    if not queue_of:
        return tuple(charges)
    queues = queues_of(view)
    workloads = [found for found in _workloads(charges) if found.owner.identity in queue_of]
    states = _states(workloads, queue_of, queues)
    return tuple(
        _with_state(charge, states[charge.owner.identity])
        if charge.owner is not None and charge.owner.identity in states and _is_held_back(charge)
        else charge
        for charge in charges
    )


def queued_workloads(charges: Iterable[Charge], members: Sequence[Object]) -> Iterator[QueuedWorkload]:
    """All objects of a namespace that Kueue queues, including those whose pods exist and wait."""
    written = {(obj.group, obj.kind, obj.name) for obj in members}
    for found in _workloads(charges):
        name = suspended_for(found.owner, written) or stated_queue(found.owner)
        if name:
            yield found._replace(queue=name)


class _State(NamedTuple):
    """Whether the pods of an object run."""

    guess: Guess | None = None
    """Why it is not sure that they run; None: they do not."""
    unknowns: tuple[str, ...] = ()
    """Why they may run instead of others; empty if their queue never admits them."""


def _states(
    workloads: Iterable[QueuedWorkload], queue_of: dict[ObjectId, str], queues: Queues
) -> dict[ObjectId, _State]:
    states: dict[ObjectId, _State] = {}
    by_queue: dict[str, list[QueuedWorkload]] = {}
    for found in workloads:
        by_queue.setdefault(queue_of[found.owner.identity], []).append(found)
    for name, waiting in by_queue.items():
        queue = queues.cluster_queue_of(waiting[0].owner.namespace, name)
        if queue is None or not queue.is_readable:
            states |= {found.owner.identity: _State(_UNSEEN) for found in waiting}
            continue
        able = [found for found in waiting if obstacle(found.pod_sets, queue, queues) is None]
        runs, _ = run_at_once([found.pod_sets for found in able], queue, queues)
        left = [found.owner.name for found, is_admitted in zip(able, runs, strict=True) if not is_admitted]
        why = f"{len(left)} more of LocalQueue {name} {'wait' if len(left) > 1 else 'waits'}: {list_some(left, _NAMED)}"
        states |= {found.owner.identity: _State() for found in waiting}
        for found, is_admitted in zip(able, runs, strict=True):
            # What a CronJob starts, and when, is a matter of its schedule.
            if is_admitted or found.owner.kind == "CronJob":
                states[found.owner.identity] = _State(order_guess(name, queue))
            else:
                states[found.owner.identity] = _State(unknowns=(why,))
    return states


def order_guess(name: str, queue: QueueNode) -> Guess:
    """Why it is not sure which workloads of a LocalQueue run."""
    reason = (
        f"Kueue starts what waits in LocalQueue {name} as ClusterQueue {queue.name} has room, in an order of its own"
    )
    return Guess(CONTENT, reason, "keep what the queue may admit within the quota: then every order fits")


def _is_held_back(charge: Charge) -> bool:
    demand = charge.demand
    return (demand.kind == "Pod" and not has_ended(demand)) or demand.per_pod


def _with_state(charge: Charge, state: _State) -> Charge:
    demand = charge.demand
    size = demand.size._replace(queued=demand.size.numbers.steady or demand.size.numbers.surge)
    if state.guess is not None:
        doubts = {**demand.doubts, **dict.fromkeys(charge.each, state.guess)}
        demand = demand._replace(size=size, doubts=MappingProxyType(doubts))
    else:
        size = size._replace(numbers=Numbers(0, 0, 0, 0), unknowns=(*size.unknowns, *state.unknowns))
        demand = demand._replace(size=size)
    return charge._replace(admitted=charge.admitted._replace(demand=demand))


def _workloads(charges: Iterable[Charge]) -> Iterator[QueuedWorkload]:
    """The owners of pods with the pods that Kueue admits together."""
    owners: dict[ObjectId, tuple[Object, list[PodSet]]] = {}
    for charge in charges:
        owner, item = charge.owner, charge.admitted.item
        if owner is None or not isinstance(item, Pod) or item.finished or charge.demand.grown:
            continue
        number = _pods_together(charge, owner)
        pods = _pod_set(item, number, _least(owner, number), charge.demand.body)
        owners.setdefault(owner.identity, (owner, []))[1].append(pods)
    for owner, pod_sets in owners.values():
        yield QueuedWorkload(owner, "", tuple(pod_sets))


def _pod_set(item: Pod, number: int, least: int, body: Body) -> PodSet:
    requests = {name: amount.nano for name, amount in pod_requests(item).items()}
    return PodSet(requests, number, least, mapping(body.get("spec")))


def _pods_together(charge: Charge, owner: Object) -> int:
    """How many of the pods are admitted together: those of one run, one group, or one of a Deployment."""
    size = charge.demand.size
    number = size.queued or size.numbers.steady or size.numbers.surge
    if owner.kind == "Deployment":
        return min(number, 1)
    replicas = integer(owner.spec.get("replicas")) if owner.kind == "LeaderWorkerSet" else None
    return number // replicas if replicas else number


def _least(owner: Object, number: int) -> int:
    """The fewest pods of a Job that Kueue may admit."""
    if owner.kind != "Job":
        return number
    written = text(mapping(owner.metadata.get("annotations")).get(_LEAST_PARALLELISM))
    least = whole_number(written)
    return number if least is None else min(number, least)
