"""Checks of what Kueue queues: workloads that their ClusterQueue never admits, and queues that admit more than a
ResourceQuota allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.accounting import charges_in
from quotalint.accounts.facts import Facts
from quotalint.accounts.queued import QueuedWorkload, queued_workloads
from quotalint.checks.hit import EntryNeed, Hit, Related
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import mapping, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.label_selectors import NAMESPACE_NAME, selector_keys, selects
from quotalint.kube.quantity import Quantity, in_usual_format, show
from quotalint.kube.queue_names import LOCAL_QUEUE, QUEUE_NAME, SUSPENDED, labels_path, stated_queue
from quotalint.kube.resources import alias
from quotalint.kueue.admission import PODS, obstacle, requested
from quotalint.kueue.capacity import capacity
from quotalint.kueue.configuration import resource_policy
from quotalint.kueue.queues import QueueNode, Queues, cluster_queue_name, queues_of
from quotalint.quota.projection import Projection
from quotalint.quota.quotas import Quota


def inadmissible_workloads(facts: Facts) -> Iterator[Hit]:
    """Workloads that need more than any flavor of their queue can have."""
    queues, policy = queues_of(facts.cluster), resource_policy(facts.cluster)
    for workload, queue in _workloads(facts, queues):
        pod_sets = tuple(map(policy.counted, workload.pod_sets))
        short = obstacle(pod_sets, queue, queues)
        if short is None or any(name not in queue.resources for name in requested(pod_sets)):
            continue  # a resource that is not covered is reported first
        values = {
            **_workload_values(workload, queue),
            "resource": short.resource,
            "needed": show(in_usual_format(short.resource, short.needed)),
            "allowed": show(in_usual_format(short.resource, short.allowed)),
            "flavors": ", ".join(short.flavors),
        }
        cohort = Guess(
            CONTENT,
            f"cohort {queue.parent} is taken to have no other ClusterQueues than those in view",
            "set `borrowingLimit`, or let all queues of the cohort be in view",
        )
        yield _workload_hit(workload, queue, values)._replace(
            variant="unmatched" if short.flavors else "default",
            guesses=(*_guesses(queue, facts, workload), *(() if short.is_sure else (cohort,))),
        )


def excluded_workloads(facts: Facts) -> Iterator[Hit]:
    """Workloads that request what no resource group covers, and LocalQueues in namespaces that the selector of their
    ClusterQueue leaves out."""
    queues, policy = queues_of(facts.cluster), resource_policy(facts.cluster)
    for workload, queue in _workloads(facts, queues):
        names = requested(map(policy.counted, workload.pod_sets))
        missing = [name for name in names if name not in queue.resources and not _is_summed_up(name, queue)]
        if missing and not policy.ignores_undeclared:
            values = {**_workload_values(workload, queue), "resources": ", ".join(missing)}
            guesses = _guesses(queue, facts, workload)
            yield _workload_hit(workload, queue, values)._replace(guesses=guesses)
    labels_of = {obj.name: mapping(obj.metadata.get("labels")) for obj in facts.cluster.of("", "Namespace")}
    for local in queues.local_queues.values():
        queue_ = queues.cluster_queues.get(cluster_queue_name(local))
        if queue_ is None or queue_.object is None or local.foreign or local.homeless:
            continue
        selector = queue_.object.spec.get("namespaceSelector")
        labels = {**labels_of.get(local.namespace, {}), NAMESPACE_NAME: local.namespace}
        is_known = local.namespace in labels_of and not any(map(is_placeholder, labels.values()))
        is_known = is_known or selector_keys(selector) <= {NAMESPACE_NAME}
        # A selector that is not written selects nothing (LabelSelectorAsSelector).
        if selector is not None and (not is_known or selects(selector, labels)):
            continue
        values = {"local_queue": local.name, "namespace": local.namespace, "queue": queue_.name}
        related = (Related("selects", queue_.object.at("spec", "namespaceSelector"), f"ClusterQueue {queue_.name}"),)
        guesses = (*queue_.object.guesses, *local.guesses)
        variant = "nowhere" if selector is None else "namespace"
        place = local.at("spec", "clusterQueue")
        yield Hit(place, values, local, "spec.clusterQueue", variant, related, guesses=guesses)


def queues_above_quotas(facts: Facts) -> Iterator[Hit]:
    """Queues that may admit more than a ResourceQuota of their namespace allows."""
    queues = queues_of(facts.cluster)
    for local in queues.local_queues.values():
        queue = queues.cluster_queues.get(cluster_queue_name(local))
        for quota in facts.enforced.get(local.namespace, ()) if queue is not None else ():
            above = _above(queue, queues, quota) if queue is not None else {}
            if not above or queue is None or quota.object.foreign:
                continue
            first = next(iter(above))
            need = EntryNeed(first, above[first], quota.hard[first])
            amounts = [f"{name} {show(amount)}" for name, amount in above.items()]
            values = {
                "local_queue": local.name,
                "queue": queue.name,
                "namespace": local.namespace,
                "quota": quota.name,
                "amounts": ", ".join(amounts),
                "hard": ", ".join(f"{name} {show(quota.hard[name])}" for name in above),
            }
            related = [Related("queue", local.at("spec", "clusterQueue"), f"LocalQueue {local.name}")]
            if queue.object is not None:
                related.append(
                    Related("admits", queue.object.at("spec", "resourceGroups"), f"ClusterQueue {queue.name}")
                )
            guesses = (*quota.object.guesses, *local.guesses, *(queue.object.guesses if queue.object else ()))
            yield Hit(
                quota.entry(first),
                values,
                quota.object,
                quota.field(first),
                related=tuple(related),
                resource=first,
                needs=(need,),
                guesses=tuple(dict.fromkeys(guesses)),
            )


def is_told_of_queue(projection: Projection, facts: Facts) -> bool:
    """Whether an entry is only exceeded because a queue may admit too much, which QL705 reports."""
    others = tuple(entry for entry in projection.entries if not entry.demand.size.queued)
    if projection.with_entries(others).exceeds(facts.settings.scenario):
        return False
    queues = queues_of(facts.cluster)
    return any(
        projection.name in _above(queue, queues, projection.quota)
        for local in queues.local_queues.values()
        if local.namespace in projection.quota.namespaces
        and (queue := queues.cluster_queues.get(cluster_queue_name(local)))
    )


def _above(queue: QueueNode, queues: Queues, quota: Quota) -> Mapping[str, Quantity]:
    """What a queue may admit of the entries of a quota, as far as that is more than the quota allows."""
    if quota.requirements or quota.unknowns:
        return {}
    above = {}
    for name, hard in quota.hard.items():
        resource = PODS if name in ("pods", "count/pods") else alias(name).removeprefix("requests.")
        group = queue.group_of(resource)
        if group is None or (resource == alias(name) and resource != PODS):
            continue
        capacities = [capacity(queue, (flavor, resource), queues) for flavor in group.flavors]
        most = sum(flavor_capacity.amount for flavor_capacity in capacities if flavor_capacity is not None)
        if most > hard.nano:
            above[name] = Quantity(most, hard.format)
    return above


def _workloads(facts: Facts, queues: Queues) -> Iterator[tuple[QueuedWorkload, QueueNode]]:
    """The queued workloads of the repository whose ClusterQueue is in view and readable."""
    members_of = {
        namespace: members
        for namespace, members in facts.cluster.by_namespace.items()
        if any((obj.group, obj.kind) in SUSPENDED or stated_queue(obj) for obj in members)
    }
    others = [namespace for namespace in members_of if namespace not in facts.charges]
    charges = {**facts.charges, **charges_in(facts, others)}
    contested = {overwritten.winner.ref for overwritten in facts.cluster.overwritten}
    for namespace, members in members_of.items():
        for workload in queued_workloads(charges.get(namespace, ()), members):
            queue = queues.cluster_queue_of(namespace, workload.queue)
            owner = workload.owner
            is_elsewhere = owner.foreign or owner.homeless or owner.has_assumed_namespace
            if queue is None or queue.object is None or not queue.is_readable or is_elsewhere:
                continue
            if queue.object.ref not in contested:  # of several versions it is not known which one counts
                yield workload, queue


def _is_summed_up(name: str, queue: QueueNode) -> bool:
    """Whether a transformation seems to make a covered resource of this one: `nvidia.com/total-gpumem` of
    `nvidia.com/gpumem`."""
    domain, slash, last = name.partition("/")
    return bool(slash) and any(
        covered.startswith(f"{domain}/") and covered.endswith(f"-{last}") for covered in queue.resources
    )


def _workload_values(workload: QueuedWorkload, queue: QueueNode) -> dict[str, str]:
    owner = workload.owner
    name = owner.name or text(owner.metadata.get("generateName"))
    return {"kind": owner.kind, "name": name, "local_queue": workload.queue, "queue": queue.name}


def _workload_hit(workload: QueuedWorkload, queue: QueueNode, values: Mapping[str, str]) -> Hit:
    owner = workload.owner
    named = stated_queue(owner)
    path = (*labels_path(owner), QUEUE_NAME)
    field = field_path(path, keyed=("labels",))
    queue_place = queue.object.at("spec", "resourceGroups") if queue.object is not None else owner.place
    related = (Related("queue", queue_place, f"ClusterQueue {queue.name}"),)
    return Hit(owner.at(*path) if named else owner.place, values, owner, field if named else "", related=related)


def _guesses(queue: QueueNode, facts: Facts, workload: QueuedWorkload) -> tuple[Guess, ...]:
    local = next(
        (
            obj
            for obj in facts.cluster.of(*LOCAL_QUEUE)
            if (obj.namespace, obj.name) == (workload.owner.namespace, workload.queue)
        ),
        None,
    )
    objects = (queue.object, local, workload.owner)
    return tuple(dict.fromkeys(guess for obj in objects if obj is not None for guess in obj.guesses))
