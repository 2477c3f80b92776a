"""The requests that controllers send for the repository's objects: for pods, ReplicaSets, Jobs and claims.

Source: Kubernetes 1.36, pkg/controller/controller_utils.go (GetPodFromTemplate), pkg/controller/deployment/sync.go
(getNewReplicaSet), pkg/controller/cronjob/utils.go (getJobFromTemplate2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from quotalint.accounting import charges_in
from quotalint.accounts.facts import Facts
from quotalint.admission import Admitted
from quotalint.checks.lazy.admission_pods import pod_bodies
from quotalint.checks.lazy.admission_requests import AdmissionRequest, labels_with_name, placeholders_in
from quotalint.kube.admission_policies import PolicyTarget
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.kube.stored_objects import FILLED_ELSEWHERE, stored_object
from quotalint.named_tuples import NamedTuple
from quotalint.workloads.demand import Demand

ADDED_LABELS = frozenset(
    {
        *("pod-template-hash", "pod-template-generation", "controller-revision-hash", "controller-uid", "job-name"),
        *("batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name", "rollouts-pod-template-hash"),
        *("batch.kubernetes.io/job-completion-index", "statefulset.kubernetes.io/pod-name"),
        "apps.kubernetes.io/pod-index",
    }
)
"""Labels that controllers add to the objects that they make."""

_NAMED_WHEN_CREATED = frozenset({"metadata.name", "metadata.generateName", "generateName"})
_MAKERS: Mapping[tuple[str, str], str] = {
    ("apps", "Deployment"): "its ReplicaSet",
    ("batch", "CronJob"): "its Jobs",
}


class _Kind(NamedTuple):
    """A kind of object that controllers make."""

    group: str
    kind: str
    plural: str
    words: str


PODS = _Kind("", "Pod", "pods", "pods")
_REPLICA_SETS = _Kind("apps", "ReplicaSet", "replicasets", "ReplicaSets")
_JOBS = _Kind("batch", "Job", "jobs", "Jobs")
MADE = (PODS, _REPLICA_SETS, _JOBS)
"""The kinds made by controllers that are checked."""


def made_requests(
    facts: Facts, namespaces: Mapping[str, Object], plurals: Collection[str]
) -> Iterator[AdmissionRequest]:
    """The requests for objects of these kinds that the cluster's controllers make, including pods without a
    controller."""
    by_namespace = facts.cluster.by_namespace
    charges = facts.charges
    if PODS.plural in plurals:
        charges = {**charges, **charges_in(facts, [name for name in by_namespace if name not in charges])}
    for name, members in by_namespace.items():
        namespace = namespaces.get(name)
        if PODS.plural in plurals:
            for charge in charges[name]:
                if _creates_pods(charge.demand):
                    yield _pod_request(charge.admitted, facts, name, namespace)
        for obj in members:
            if obj.foreign or not obj.name:
                continue
            if (obj.group, obj.kind) == ("apps", "Deployment") and _REPLICA_SETS.plural in plurals:
                yield _request_for(obj, _REPLICA_SETS, _replica_set(obj), namespace)
            elif (obj.group, obj.kind) == ("batch", "CronJob") and _JOBS.plural in plurals:
                yield _request_for(obj, _JOBS, mapping(obj.spec.get("jobTemplate")), namespace)


def _creates_pods(demand: Demand) -> bool:
    status = mapping(demand.body.get("status"))
    return (
        (demand.group, demand.kind) == ("", "Pod")
        and demand.owner is not None
        and not demand.owner.foreign
        and not demand.grown
        and status.get("phase") not in ("Succeeded", "Failed")
        and bool(demand.body)
        and max(demand.size.numbers) > 0
    )


def _pod_request(admission: Admitted, facts: Facts, name: str, namespace: Object | None) -> AdmissionRequest:
    demand = admission.demand
    owner = demand.owner
    assert owner is not None
    is_bare_pod = (owner.group, owner.kind) == ("", "Pod")
    metadata = mapping(demand.body.get("metadata"))
    body = demand.body if is_bare_pod else {"metadata": _template_metadata(metadata), "spec": demand.body.get("spec")}
    bodies, filled = pod_bodies(body, admission, name, facts)
    placeholders = frozenset(placeholders_in(demand.body))
    if is_bare_pod and owner.name:
        target = _made_target(PODS, name, owner.name, metadata, namespace)
        return AdmissionRequest(
            owner, target, PODS.kind, bodies[0], placeholders, filled, None, namespace, "", bodies[1:]
        )
    target = _made_target(PODS, name, "", metadata, namespace)
    filled |= _NAMED_WHEN_CREATED | ADDED_LABELS | {"ownerReferences"}
    if owner.kind == "DaemonSet":
        filled |= {"affinity"}
    words = (
        f"the pods called {text(metadata.get('generateName'))}…"
        if is_bare_pod
        else f"the pods of {owner.kind} {owner.name}"
    )
    return AdmissionRequest(
        owner, target, PODS.kind, bodies[0], placeholders, filled, None, namespace, words, bodies[1:]
    )


def _request_for(owner: Object, kind: _Kind, body: Mapping[str, Any], namespace: Object | None) -> AdmissionRequest:
    metadata = mapping(body.get("metadata"))
    whole = {"metadata": _template_metadata(metadata), "spec": body.get("spec")}
    stored = stored_object(kind.group, "v1", kind.kind, owner.namespace, whole)
    filled = FILLED_ELSEWHERE[kind.group, kind.kind] | _NAMED_WHEN_CREATED | ADDED_LABELS
    filled |= {"ownerReferences", "annotations", *(() if kind == _JOBS else ("replicas",))}
    target = _made_target(kind, owner.namespace, "", metadata, namespace)
    words = f"the {kind.words} of {owner.kind} {owner.name}"
    placeholders = frozenset(placeholders_in(owner.body))
    return AdmissionRequest(owner, target, kind.kind, stored, placeholders, filled, None, namespace, words)


def _made_target(
    kind: _Kind, namespace: str, name: str, metadata: Mapping[str, Any], namespace_object: Object | None
) -> PolicyTarget:
    labels = mapping(metadata.get("labels"))
    return PolicyTarget(kind.group, "v1", kind.plural, namespace, name, labels, labels_with_name(namespace_object))


def _template_metadata(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata that an object takes from its template."""
    return {key: metadata[key] for key in ("labels", "annotations", "finalizers") if metadata.get(key)}


def _replica_set(deployment: Object) -> Mapping[str, Any]:
    spec = deployment.spec
    template = mapping(spec.get("template"))
    revision_fields = {key: spec[key] for key in ("minReadySeconds", "selector", "template") if key in spec}
    return {"metadata": {"labels": mapping(template.get("metadata")).get("labels")}, "spec": revision_fields}


def maker_of(owner: Object) -> str:
    """The controller that gets the refusal of a workload's pods; who applies the workload gets none."""
    return _MAKERS.get((owner.group, owner.kind), "its controller")
