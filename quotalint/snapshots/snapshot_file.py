"""Writes live objects as a snapshot: a List in kubectl's format, whose first item says what was read. The others have
only the fields that affect charges: no changing status, and no secrets.

The fields that are written are listed here; everything else is left out: environment variables, commands, annotations,
data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.snapshots.snapshot_header import SNAPSHOT_VERSION, About
from quotalint.text.dumping import dump_yaml
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.workloads.namespace_contents import is_made_by

_OPEN = """
    containerDefaultResourceLimit default defaultRequest hard limit limits matchLabels max maxAllowed
    maxLimitRequestRatio min minAllowed namespaceDefaultResourceQuota nodeSelector overhead podFixed requests
    resourceQuota selector
    """
"""Fields whose keys are arbitrary names: of resources, of labels."""
_CLOSED = """
    activeDeadlineSeconds advanced affinity allocateLoadBalancerNodePorts allocationMode apiVersion autoscalerRef
    behavior blueGreen broadcastJobTemplate canary clusterName clusterScope completionPolicy completions
    concurrencyPolicy container containerName containerPolicies containerSet controlledResources controlledValues
    count dag dependencies depends dependsOn deviceClassName devices dynamicStableScale elasticPolicy
    enableDNSHostnames end entrypoint ephemeral exactly execNewPod experiment extendedResourceName
    failedJobsHistoryLimit firstAvailable gatewayClassName globalDefault group hooks horizontalPodAutoscalerConfig
    hostNetwork inline items jobTargetRef jobTemplate key kind leaderTemplate leaderWorkerTemplate limitRanges
    managedBy matchExpressions matchTrafficWeight maxReplicaCount maxReplicas maxSurge maxTrafficWeight
    maxUnavailable metadata metrics mid minPodsPerReplicaSet minReplicaCount minReplicas mode name names namespaces
    namespaceSelector network networkConfig nodeAffinity nodeName nodePort nodeSelectorTerms onExit operator
    ordinals parallelism parent partition paused plural podAffinity podAffinityTerm podAntiAffinity podGC
    podManagementPolicy podPriorityClassName podTemplate ports post pre
    preferredDuringSchedulingIgnoredDuringExecution primaryScalerReplicas priorityClassName quota replicas
    replicatedJobs requiredDuringSchedulingIgnoredDuringExecution resourceClaims resourceClaimTemplateName
    resourcePolicy resourceQuotas resources restartPolicy revisionHistoryLimit rollingParams rollingUpdate
    rollingUpdateConfiguration rollingUpdateType rolloutStrategy runPolicy runtimeClassName scaleDown scaleTargetRef
    scaleUp schedule schedules scope scopeName scopes scopeSelector script selectPolicy service setCanaryScale
    setWeight sidecars size spec start startingDeadlineSeconds steps storageClassName strategy subdomain
    subdomainPolicy successfulJobsHistoryLimit suspend target targetRef tasks template templateDefaults templateRef
    templates test timeZone tolerations trafficRouting ttlSecondsAfterFinished type updateMode updatePolicy
    updateStrategy values volumeAttributesClassName volumeClaimTemplate volumeClaimTemplates volumes weight
    withItems withSequence workerTemplate workflowSpec workflowTemplateRef workloadRef
    """
_OPEN_FIELDS, _CLOSED_FIELDS = frozenset(_OPEN.split()), frozenset(_CLOSED.split())
_OF_CONTAINERS = frozenset(("name", "resources", "restartPolicy"))
_CONTAINERS = ("containers", "initContainers", "sidecars")
_ROOTS = ("spec", "globalDefault", "overhead", "containerDefaultResourceLimit", "namespaceDefaultResourceQuota")
_ANNOTATIONS = (
    "autoscaling.keda.sh/",
    "autoscaling.knative.dev/",
    "field.cattle.io/",
    "hnc.x-k8s.io/",
    "httpscaledobject.keda.sh/skip-scaledobject-creation",
    "meta.helm.sh/release-",
    "openshift.io/requester",
    "argocd.argoproj.io/tracking-id",
    "consul.hashicorp.com/connect-inject",
    "dapr.io/enabled",
    "kuma.io/sidecar-injection",
    "linkerd.io/inject",
    "sidecar.istio.io/inject",
    "storageclass.beta.kubernetes.io/is-default-class",
    "storageclass.kubernetes.io/is-default-class",
    "vault.hashicorp.com/agent-inject",
    "volume.beta.kubernetes.io/storage-class",
)
_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SELECTED = ("Namespace", "Project")
_WORDS = lazy_pattern(r"[^\n{\[]{0,100}")
_CHANGING = ("controller-uid", "controller-revision-hash", "job-name")
_USED = {"ResourceQuota": ("status", "used"), "ClusterResourceQuota": ("status", "total", "used")}
_OVER = ("Complete", "Failed", "Succeeded")


def reduced_objects(live: Iterable[Object]) -> list[dict[str, Any]]:
    """The reduced objects of a snapshot, in an order that does not depend on the cluster.

    Objects that others create (the pods of a ReplicaSet, the Jobs of a CronJob) are left out, because reading creates
    them again; so are finished ones.
    """
    objects = tuple(live)
    neighbours: dict[str, set[tuple[str, str, str]]] = {}
    for obj in objects:
        neighbours.setdefault(obj.namespace, set()).add((obj.group, obj.kind, obj.name))
    remaining = (obj for obj in objects if not is_made_by(obj, neighbours[obj.namespace]) and not _is_over(obj))
    ordered = sorted(remaining, key=lambda obj: (obj.group, obj.kind, obj.namespace, obj.name))
    return [reduce_object(obj) for obj in ordered]


def reduce_object(obj: Object) -> dict[str, Any]:
    """One object without the fields that no quota depends on."""
    metadata = {"name": obj.name, **({"namespace": obj.namespace} if obj.namespace else {})}
    metadata |= _described_metadata(obj)
    owners = [
        _owner(owner_reference)
        for owner_reference in map(mapping, sequence(obj.metadata.get("ownerReferences")))
        if owner_reference.get("name")
    ]
    body: dict[str, Any] = {"apiVersion": obj.api_version, "kind": obj.kind}
    body["metadata"] = {**metadata, **({"ownerReferences": owners} if owners else {})}
    for root in _ROOTS:
        if root in obj.body:
            body[root] = _fields({root: obj.body[root]}).get(root)
    if obj.kind == "Job" and _has_ended(obj):
        body["spec"]["suspend"] = True  # it counts as an object, but has no more pods
    if obj.kind in _USED:
        path = _USED[obj.kind]
        used = _sort_keys(dig(obj.body, *path))
        if isinstance(used, dict):
            for key in reversed(path):
                used = {key: used}
            body |= used
    if obj.kind == "Tenant" and sequence(dig(obj.body, "status", "namespaces")):
        body["status"] = {"namespaces": sorted(map(text, sequence(dig(obj.body, "status", "namespaces"))))}
    return body


def _described_metadata(obj: Object) -> Iterator[tuple[str, Any]]:
    labels = mapping(obj.metadata.get("labels"))
    # Selectors use the labels of namespaces; pods are matched with their owners by labels.
    stable_labels = {key: value for key, value in sorted(labels.items()) if not key.endswith(_CHANGING)}
    if stable_labels:
        yield "labels", stable_labels
    annotations = _annotations(obj.metadata)
    if obj.kind in _SELECTED:
        annotations = dict(sorted({**_plain_annotations(obj.metadata), **annotations}.items()))
    if annotations:
        yield "annotations", annotations


def _annotations(metadata: Mapping[str, object]) -> dict[str, object]:
    written = mapping(metadata.get("annotations"))
    return {key: value for key, value in sorted(written.items()) if key.startswith(_ANNOTATIONS)}


def _plain_annotations(metadata: Mapping[str, object]) -> dict[str, object]:
    """The annotations by which a ClusterResourceQuota may select a namespace: single lines, no documents."""
    written = mapping(metadata.get("annotations"))
    return {
        key: value
        for key, value in written.items()
        if key != _APPLIED and isinstance(value, str) and _WORDS.fullmatch(value)
    }


def _owner(reference: Mapping[str, object]) -> dict[str, object]:
    return {key: reference[key] for key in ("apiVersion", "controller", "kind", "name") if key in reference}


def _fields(value: Mapping[str, object]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, inner in sorted(value.items()):
        if key in _CONTAINERS:
            fields[key] = [_container(container) for container in map(mapping, sequence(inner))]
        elif key in ("container", "script"):
            fields[key] = _container(mapping(inner))
        elif key == "metadata":
            annotations = _annotations(mapping(inner))
            name = mapping(inner).get("name")
            reduced_metadata = {
                **({"name": name} if name else {}),
                **({"annotations": annotations} if annotations else {}),
            }
            fields[key] = reduced_metadata or None
        elif key == "withItems":
            fields[key] = [0] * len(sequence(inner))  # the number of items is enough
        elif key == "volumes":
            fields[key] = [_fields(volume) for volume in map(mapping, sequence(inner)) if "ephemeral" in volume]
        elif key in _OPEN_FIELDS:
            fields[key] = _sort_keys(inner)
        elif key in _CLOSED_FIELDS:
            fields[key] = _reduce_value(inner)
    return {key: field for key, field in fields.items() if field not in ([], None)}


def _sort_keys(value: object) -> object:
    if isinstance(value, list):
        return [_sort_keys(item) for item in value]
    return {key: _sort_keys(inner) for key, inner in sorted(value.items())} if isinstance(value, dict) else value


def _reduce_value(value: object) -> object:
    if isinstance(value, dict):
        return _fields(value)
    if isinstance(value, list):
        return [_reduce_value(item) for item in value]
    return value


def _container(value: Mapping[str, object]) -> dict[str, Any]:
    return {key: _reduce_value(value[key]) for key in sorted(value) if key in _OF_CONTAINERS}


def _is_over(obj: Object) -> bool:
    """Whether a pod is no longer charged (core/pods.go, QuotaV1Pod), or a training job has finished."""
    if obj.kind == "Pod":
        return text(dig(obj.body, "status", "phase")) in ("Succeeded", "Failed")
    return obj.group == "kubeflow.org" and _has_ended(obj)


def _has_ended(obj: Object) -> bool:
    conditions = map(mapping, sequence(dig(obj.body, "status", "conditions")))
    return any(
        condition.get("type") in _OVER and text(condition.get("status")) in ("True", "true") for condition in conditions
    )


_HEAD = "# Written by `quotalint snapshot`; for `quotalint --with`. It holds no secrets and may be committed.\n"


def snapshot_text(about: About, live: Iterable[Object]) -> str:
    """The text of the file."""
    items: Sequence[dict[str, Any]] = [_header(about), *reduced_objects(live)]
    return _HEAD + dump_yaml([{"apiVersion": "v1", "items": items, "kind": "List"}])


def _header(about: About) -> dict[str, Any]:
    spec: dict[str, Any] = {}
    for name in ("environment", "taken"):
        if getattr(about, name):
            spec[name] = getattr(about, name)
    if about.namespaces:
        spec["namespaces"] = sorted(about.namespaces)
    if about.read:
        spec["read"] = sorted(about.read)
    if about.unread:
        spec["unread"] = [{key: value for key, value in gap._asdict().items() if value} for gap in sorted(about.unread)]
    return {
        "apiVersion": SNAPSHOT_VERSION,
        "kind": "Snapshot",
        "metadata": {"name": about.cluster or "cluster"},
        "spec": spec,
    }
