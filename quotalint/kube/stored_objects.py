"""An object as validating admission gets it: as it is written, with the API server's defaults.

Only for kinds whose defaults are all in this file. `FILLED_ELSEWHERE` has the fields that are filled in otherwise, by
the API server, admission plugins or webhooks: their values are unknown.

For a custom resource, the fields with defaults in its definition are known.

Source: Kubernetes 1.36, pkg/apis/{core,apps,batch}/v1/defaults.go; pkg/apis/core/v1/zz_generated.defaults.go;
pkg/registry/batch/job/strategy.go (PrepareForCreate comes before validating admission); apimachinery/pkg/runtime/
converter.go (a struct without `omitempty` for structs is there though it is empty);
apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go (Default).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from quotalint.kube import quantity
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.pod_specs import POD_SPECS

Fields = dict[str, Any]

KINDS = frozenset({*POD_SPECS, ("", "ResourceQuota"), ("", "LimitRange")})

FILLED_BY_SERVER = frozenset(
    {
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "managedFields",
        "selfLink",
        "status",
        "deletionTimestamp",
    }
)
_PROBES = frozenset({"timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold", "scheme"})
_FILLED_BY_OTHERS = frozenset(
    {"procMount", "defaultMode", "fieldRef", "hostPort", "volumeMode", "ephemeral", "projected"}
)
_POD = frozenset(
    {
        *("serviceAccountName", "serviceAccount", "tolerations", "volumes", "volumeMounts", "nodeName", "nodeSelector"),
        *("priority", "priorityClassName", "preemptionPolicy", "imagePullSecrets", "overhead", "runtimeClassName"),
        *("resources", "requests", "limits", "initContainers", "automountServiceAccountToken", "affinity"),
    }
)
_JOB = frozenset({"selector", "labels", "manualSelector", "podReplacementPolicy"})
FILLED_ELSEWHERE: Mapping[tuple[str, str], frozenset[str]] = {
    kind: FILLED_BY_SERVER
    | (_PROBES | _FILLED_BY_OTHERS if kind in POD_SPECS else frozenset())
    | (_POD if kind == ("", "Pod") else frozenset())
    | (_JOB if kind in (("batch", "Job"), ("batch", "CronJob")) else frozenset())
    for kind in KINDS
}
"""Names of fields that are filled in with unknown values, by kind."""
FILLED_IN_PODS = (
    FILLED_BY_SERVER
    | _PROBES
    | _FILLED_BY_OTHERS - {"projected", "ephemeral"}
    | {
        *("tolerations", "priority", "preemptionPolicy", "nodeName", "overhead"),
    }
)
"""The fields of a pod with unknown values after LimitRanger, the service account and the known classes are applied."""

_SPEC: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("apps", "Deployment"): {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600},
    ("apps", "StatefulSet"): {"replicas": 1, "revisionHistoryLimit": 10, "podManagementPolicy": "OrderedReady"},
    ("apps", "DaemonSet"): {"revisionHistoryLimit": 10},
    ("apps", "ReplicaSet"): {"replicas": 1},
    ("", "ReplicationController"): {"replicas": 1},
    ("batch", "CronJob"): {
        "concurrencyPolicy": "Allow",
        "suspend": False,
        "successfulJobsHistoryLimit": 3,
        "failedJobsHistoryLimit": 1,
    },
}
_JOB_SPEC = {"completionMode": "NonIndexed", "suspend": False, "backoffLimit": 6}
_POD_SPEC = {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "terminationGracePeriodSeconds": 30}
_CONTAINER = {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"}
_MAPS = frozenset({"labels", "annotations", "nodeSelector", "matchLabels"})
_PLAIN = frozenset(
    {
        *("hostNetwork", "hostPID", "hostIPC", "stdin", "stdinOnce", "tty", "readOnly", "paused", "minReadySeconds"),
        *("value", "workingDir", "subPath", "hostname", "subdomain", "nodeName", "serviceAccountName", "generateName"),
    }
)
"""Text, number and boolean fields that are omitted if they are empty, 0 or false."""
_AMOUNTS = frozenset(
    {"requests", "limits", "hard", "max", "min", "default", "defaultRequest", "maxLimitRequestRatio", "overhead"}
)


def stored_object(group: str, version: str, kind: str, namespace: str, body: Mapping[str, Any]) -> Fields:
    """The object as expressions get it; `body` is not changed."""
    stored: Fields = named_object(group, version, kind, namespace, _copy_stored(body))
    spec = _inner_fields(stored, "spec")
    key = group, kind
    _fill_defaults(spec, _SPEC.get(key, {}))
    fill_strategy = _STRATEGIES.get(key)
    if fill_strategy is not None:
        fill_strategy(spec)
    if key == ("batch", "Job"):
        _fill_job(spec)
    elif key == ("batch", "CronJob"):
        _fill_job(_inner_fields(_inner_fields(spec, "jobTemplate"), "spec"))
    elif key == ("", "LimitRange"):
        for item in _field_items(spec.get("limits")):
            _fill_limits(item)
    if key in POD_SPECS:
        pod_spec = stored
        for step in POD_SPECS[key]:
            pod_spec = _inner_fields(pod_spec, step)
        _fill_pod(pod_spec, is_pod=key == ("", "Pod"))
    return stored


def named_object(group: str, version: str, kind: str, namespace: str, body: Mapping[str, Any]) -> Fields:
    """The object with only the fields of every request; `body` is not changed."""
    metadata = {**mapping(body.get("metadata")), **({"namespace": namespace} if namespace else {})}
    return {**body, "apiVersion": f"{group}/{version}" if group else version, "kind": kind, "metadata": metadata}


def _copy_stored(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        if key in _AMOUNTS:
            return {name: _stored_amount(inner) for name, inner in value.items()}
        return {name: _copy_stored(inner, name) for name, inner in value.items() if not _is_omitted(name, inner)}
    return [_copy_stored(item) for item in value] if isinstance(value, list) else value


def _is_omitted(name: str, value: object) -> bool:
    """Whether a field is omitted as empty: `omitempty` on a non-pointer."""
    if value is None or (value == [] and name != "containers"):
        return True
    return (value == {} and name in (_MAPS | _AMOUNTS)) or (name in _PLAIN and not value)


def _stored_amount(value: Any) -> Any:
    """An amount as the API server prints it: always a string."""
    amount = quantity.parse(value)
    return quantity.show(quantity.stored_quantity(amount)) if isinstance(amount, quantity.Quantity) else value


def _inner_fields(fields: Fields, key: str) -> Fields:
    if not isinstance(fields.get(key), dict):
        fields[key] = {}
    inner: Fields = fields[key]
    return inner


def _field_items(value: object) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _fill_defaults(fields: Fields, defaults: Mapping[str, Any]) -> None:
    for key, value in defaults.items():
        fields.setdefault(key, value)


def _fill_deployment(spec: Fields) -> None:
    strategy = _inner_fields(spec, "strategy")
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        _fill_defaults(_inner_fields(strategy, "rollingUpdate"), {"maxSurge": "25%", "maxUnavailable": "25%"})


def _fill_stateful_set(spec: Fields) -> None:
    strategy = _inner_fields(spec, "updateStrategy")
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        _fill_defaults(_inner_fields(strategy, "rollingUpdate"), {"partition": 0})
    _fill_defaults(
        _inner_fields(spec, "persistentVolumeClaimRetentionPolicy"), {"whenDeleted": "Retain", "whenScaled": "Retain"}
    )


def _fill_daemon_set(spec: Fields) -> None:
    strategy = _inner_fields(spec, "updateStrategy")
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        _fill_defaults(_inner_fields(strategy, "rollingUpdate"), {"maxUnavailable": 1, "maxSurge": 0})


_STRATEGIES: Mapping[tuple[str, str], Callable[[Fields], None]] = {
    ("apps", "Deployment"): _fill_deployment,
    ("apps", "StatefulSet"): _fill_stateful_set,
    ("apps", "DaemonSet"): _fill_daemon_set,
}


def _fill_job(spec: Fields) -> None:
    if "completions" not in spec and "parallelism" not in spec:
        spec["completions"] = 1
    _fill_defaults(spec, {"parallelism": 1, **_JOB_SPEC})


def _fill_pod(spec: Fields, *, is_pod: bool) -> None:
    _fill_defaults(spec, {**_POD_SPEC, "schedulerName": "default-scheduler", "securityContext": {}})
    if is_pod:
        spec.setdefault("enableServiceLinks", True)
    for name in ("containers", "initContainers"):
        for container in _field_items(spec.get(name)):
            _fill_defaults(
                container,
                {**_CONTAINER, "resources": {}, "imagePullPolicy": _pull_policy(text(container.get("image")))},
            )
            for port in _field_items(container.get("ports")):
                port.setdefault("protocol", "TCP")
    for volume in _field_items(spec.get("volumes")):
        if isinstance(volume.get("hostPath"), dict):
            volume["hostPath"].setdefault("type", "")


def _pull_policy(image: str) -> str:
    """Always for `latest` or a missing tag (SetDefaults_Container)."""
    if "@" in image:
        return "IfNotPresent"
    tag = image.rpartition("/")[2].partition(":")[2]
    return "Always" if tag in ("", "latest") else "IfNotPresent"


def _fill_limits(item: Fields) -> None:
    """Fills in the defaults of a LimitRange item (SetDefaults_LimitRangeItem)."""
    if item.get("type") != "Container":
        return
    default = _inner_fields(item, "default")
    _fill_defaults(default, mapping(item.get("max")))
    requests = _inner_fields(item, "defaultRequest")
    _fill_defaults(requests, default)
    _fill_defaults(requests, mapping(item.get("min")))
    for key in ("default", "defaultRequest"):
        if not item[key]:
            del item[key]


def fields_with_defaults(definitions: Iterable[Object], group: str, version: str, kind: str) -> frozenset[str] | None:
    """The names of the fields of a kind that may be defaulted; None if no schema is known."""
    for definition in definitions:
        if (definition.spec.get("group"), dig(definition.spec, "names", "kind")) != (group, kind):
            continue
        for served in map(mapping, sequence(definition.spec.get("versions"))):
            schema = dig(served, "schema", "openAPIV3Schema")
            if served.get("name") == version and isinstance(schema, dict):
                return frozenset(_defaulted_names(schema))
    return None


def _defaulted_names(schema: object) -> Iterator[str]:
    """Every name that a default may add, at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from _defaulted_names(part)
        return
    for keyword, part in mapping(schema).items():
        if keyword != "properties":
            yield from _defaulted_names(part)
            continue
        for name, inner in mapping(part).items():
            if isinstance(inner, dict) and "default" in inner:
                yield str(name)
                yield from names_in(inner["default"])
            yield from _defaulted_names(inner)


def names_in(value: object) -> Iterator[str]:
    """The names of all fields, at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield str(name)
            yield from names_in(inner)
    elif isinstance(value, list):
        for item in value:
            yield from names_in(item)
