"""Kueue's ClusterQueues as tables beside those of quotas: what each may admit, and what runs of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.accounting import charges_in
from quotalint.accounts.facts import Facts
from quotalint.accounts.queued import QueuedWorkload, order_guess, queued_workloads
from quotalint.accounts.quota_table import Consumer, QuotaTable, Row
from quotalint.kube.quantity import ZERO, Quantity, in_usual_format
from quotalint.kube.queue_names import LOCAL_QUEUE
from quotalint.kueue.admission import obstacle, run_at_once
from quotalint.kueue.capacity import capacity
from quotalint.kueue.queues import QueueNode, Queues, queues_of
from quotalint.quota.projection import ASSUMED, UNKNOWN
from quotalint.quota.quotas import Quota
from quotalint.text.place import Path, Place, Span
from quotalint.text.words import list_some
from quotalint.workloads.demand import Numbers

Locate = Callable[[Iterable[Place]], Mapping[Place, Span]]
_NAMED = 3  # that wait


def with_queues(tables: Sequence[QuotaTable], environments: Sequence[Facts], locate: Locate) -> tuple[QuotaTable, ...]:
    """The tables, with those of the ClusterQueues of each environment behind its own."""
    ordered: list[QuotaTable] = []
    for facts in environments:
        ordered += (table for table in tables if table.environment == facts.environment)
        ordered += _queue_tables(facts, locate)
    return tuple(ordered)


def _queue_tables(facts: Facts, locate: Locate) -> Iterator[QuotaTable]:
    queues = queues_of(facts.cluster)
    namespaces = sorted({obj.namespace for obj in facts.cluster.of(*LOCAL_QUEUE)})
    charges = {**facts.charges, **charges_in(facts, [name for name in namespaces if name not in facts.charges])}
    waiting: dict[str, list[QueuedWorkload]] = {}
    for namespace in namespaces:
        members = facts.cluster.by_namespace.get(namespace, ())
        for workload in queued_workloads(charges.get(namespace, ()), members):
            queue = queues.cluster_queue_of(namespace, workload.queue)
            if queue is not None and workload.owner.kind != "CronJob":
                waiting.setdefault(queue.name, []).append(workload)
    for name, queue in sorted(queues.cluster_queues.items()):
        if queue.object is not None and queue.is_readable:
            yield _queue_table(facts, queue, queues, waiting.get(name, []), locate)


def _queue_table(
    facts: Facts, queue: QueueNode, queues: Queues, waiting: Sequence[QueuedWorkload], locate: Locate
) -> QuotaTable:
    assert queue.object is not None
    hard, used, keys = dict[str, Quantity](), dict[str, Quantity](), dict[str, Path]()
    able = [workload for workload in waiting if obstacle(workload.pod_sets, queue, queues) is None]
    running, room = run_at_once([workload.pod_sets for workload in able], queue, queues)
    for group in queue.groups:
        for flavor in group.flavors:
            for resource in group.resources:
                most = capacity(queue, (flavor, resource), queues)
                name = resource if len(group.flavors) == 1 else f"{resource} ({flavor})"
                allowance = queue.allowances.get((flavor, resource))
                if most is not None and allowance is not None:
                    hard[name] = in_usual_format(resource, most.amount)
                    used[name] = in_usual_format(resource, room.get((flavor, resource), 0))
                    keys[name] = (*allowance.path, "nominalQuota")
    quota = Quota(
        queue.object,
        (),  # it belongs to no namespace
        ("spec",),
        hard,
        (),
        (),
        queue.object.spec,
        keys=keys,
    )
    runs = [workload for workload, is_running in zip(able, running, strict=True) if is_running]
    left = [workload.owner.name for workload in waiting if workload not in runs]
    spans = locate([queue.object.place, *(workload.owner.place for workload in runs)])
    certainty = ASSUMED if waiting else UNKNOWN
    why = (f"{len(left)} {'wait' if len(left) > 1 else 'waits'}: {list_some(left, _NAMED)}",) if left else ()
    unseen = () if waiting else ("no workload of the queue is in view",)
    guesses = {order_guess(workload.queue, queue): None for workload in runs}
    return QuotaTable(
        environment=facts.environment,
        quota=quota,
        line=spans[queue.object.place].line,
        rejected=False,
        certainty=certainty,
        unknowns=(*why, *unseen),
        scopes=(),
        rows=tuple(_row(name, hard[name], used[name], certainty) for name in sorted(hard)),
        consumers=tuple(_consumer(workload, spans) for workload in runs),
        guesses=tuple(guesses),
    )


def _row(name: str, hard: Quantity, used: Quantity, certainty: str) -> Row:
    return Row(name, hard, used, used, used, untracked=False, certainty=certainty, judged=used)


def _consumer(workload: QueuedWorkload, spans: Mapping[Place, Span]) -> Consumer:
    number = sum(pods.number for pods in workload.pod_sets)
    names = {name for pods in workload.pod_sets for name in pods.requests}
    amounts = {
        name: in_usual_format(name, sum(pods.of(name, pods.number) for pods in workload.pod_sets))
        for name in sorted(names)
    }
    usage = {name: amount for name, amount in amounts.items() if amount.nano > ZERO.nano}
    owner = workload.owner
    return Consumer(owner, spans[owner.place].line, Numbers(*(number,) * 4), usage, usage, usage)
