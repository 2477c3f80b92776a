"""The changed fields that may have moved an entry of a quota, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from quotalint.diff.field_changes import FieldChange
from quotalint.kube.resources import is_quota_huge_page
from quotalint.text.place import Path

_NUMBERS = frozenset(
    {
        "replicas",
        "parallelism",
        "completions",
        "minReplicas",
        "maxReplicas",
        "minReplicaCount",
        "maxReplicaCount",
        "maxSurge",
        "maxUnavailable",
        "concurrencyPolicy",
        "schedule",
        "suspend",
        "successfulJobsHistoryLimit",
        "failedJobsHistoryLimit",
        "minAvailable",
        "minScale",
        "maxScale",
        "podManagementPolicy",
        "revisionHistoryLimit",
        "paused",
        "allocateLoadBalancerNodePorts",
    }
)
_SCOPES = frozenset(
    {
        "priorityClassName",
        "activeDeadlineSeconds",
        "storageClassName",
        "volumeAttributesClassName",
        "runtimeClassName",
        "namespace",
        "namespaces",  # of affinity, as the next one
        "namespaceSelector",
    }
)
_SIZES = ("requests", "limits", "overhead", "default", "defaultRequest", "max", "min", "capacity", "maxAllowed")
_STRATEGIES = frozenset({"strategy", "updateStrategy"})
_ANNOTATIONS = (
    "argocd.argoproj.io/hook",
    "helm.sh/hook",
    "autoscaling.knative.dev/",
    "autoscaling.keda.sh/paused",
)
"""Prefixes of annotations that decide on the number of pods, or when they run."""
_NODE_LABELS = "nodeSelector"
_QUALIFIED = frozenset({*_SIZES, *_STRATEGIES, _NODE_LABELS, "labels"})
"""Parents without which the name of a field says too little."""
_PARTS = MappingProxyType(
    {
        "containers": "container",
        "initContainers": "init container",
        "volumes": "volume",
        "volumeClaimTemplates": "claim template",
        "resourceClaims": "resource claim",
    }
)
"""Lists whose items come or go as a whole, and the noun for an item."""
_CONTAINERS = frozenset((_PARTS["containers"], _PARTS["initContainers"]))

_KNOWN = MappingProxyType(
    {
        name.lower(): name
        for name in (*_NUMBERS, *_SCOPES, *_SIZES, *_STRATEGIES, *_PARTS, "spec", "template", "resources", "hard")
    }
)
"""Fields by lower-case name."""

_DEFAULTS: Mapping[Path, object] = MappingProxyType(
    {
        ("spec", "parallelism"): 1,
        ("spec", "replicas"): 1,
        ("spec", "type"): "ClusterIP",
        ("spec", "strategy", "type"): "RollingUpdate",
        ("spec", "strategy", "rollingUpdate", "maxSurge"): "25%",
        ("spec", "strategy", "rollingUpdate", "maxUnavailable"): "25%",
        ("spec", "updateStrategy", "type"): "RollingUpdate",
    }
)
"""Default values of the API server (pkg/apis/apps/v1/defaults.go and others)."""
_KNOWN_TO_DECIDE = 1
_IDLE = frozenset(
    ("annotations", "args", "command", "data", "env", "envFrom", "image", "labels", "livenessProbe", "readinessProbe")
)


def is_idle(change: FieldChange) -> bool:
    """Whether a field affects neither the requests of a pod nor its admission."""
    return not _IDLE.isdisjoint(change.path)


def known_field(name: str) -> str:
    """The deciding field with this name in any case; empty if there is none."""
    return _KNOWN.get(name.lower(), "")


def is_weighty(change: FieldChange) -> bool:
    """Whether a field decides on the namespace, requests or number of pods."""
    return _weight(change) <= _KNOWN_TO_DECIDE


def relevant_changes(
    changes: Iterable[FieldChange], resource: str, *, by_number: bool, per_node: bool = False
) -> tuple[FieldChange, ...]:
    """The changes that an entry of a quota depends on, the likeliest first; none where only others were made.
    `by_number`: it moved since there are more or fewer objects, rather than larger or smaller ones. `per_node`: there
    is one on each node, so that it matters which nodes."""
    rated = [
        (rank, at, change)
        for at, change in enumerate(changes)
        if not _is_written_default(change) and (per_node or _NODE_LABELS not in change.path)
        if (rank := _change_rank(change, resource, by_number=by_number)) is not None
    ]
    return tuple(change for _, _, change in sorted(rated, key=lambda rated_change: rated_change[:2]))


def _is_written_default(change: FieldChange) -> bool:
    """Whether a change only adds or removes the default value."""
    default = _DEFAULTS.get(change.path)
    return default is not None and (change.old, change.new) in ((None, default), (default, None))


def by_weight(changes: Iterable[FieldChange]) -> tuple[FieldChange, ...]:
    """All changes; namespaces and requests first, irrelevant ones last."""
    return tuple(sorted(changes, key=_weight))


def _weight(change: FieldChange) -> int:
    if is_idle(change):
        return 3
    # What a container that comes or goes asks for does so with it.
    is_container = part_noun(change.path) in _CONTAINERS
    if is_container or change.path == ("metadata", "namespace") or any(size in change.path for size in _SIZES):
        return 0
    return _KNOWN_TO_DECIDE if _change_rank(change, "", by_number=True) is not None else 2


def is_size(change: FieldChange) -> bool:
    """Whether a field sets or adds a requested amount, or decides which amounts add up."""
    steps = change.path
    is_sidecar = steps[-1:] == ("restartPolicy",) and "initContainers" in steps
    return is_sidecar or part_noun(steps) in _CONTAINERS or any(size in steps for size in _SIZES)


def size_changes(changes: Iterable[FieldChange]) -> tuple[FieldChange, ...]:
    """The changes of requests and limits of any resource: they decide whether a pod is BestEffort."""
    return tuple(
        change
        for change in changes
        if "resources" in change.path and not {"requests", "limits"}.isdisjoint(change.path)
    )


def other_changes(changes: Iterable[FieldChange]) -> tuple[FieldChange, ...]:
    """The likely changes of an object whose sum moved although no known field did: a configured kind may have its
    numbers anywhere."""
    busy = tuple(change for change in changes if not is_idle(change))
    numbers = tuple(change for change in busy if isinstance(change.new, int) and not isinstance(change.new, bool))
    return numbers or by_weight(busy)


def field_words(change: FieldChange) -> str:
    """The field in words: `replicas`, `requests.memory`, `default.memory`, `nodeSelector.pool`."""
    steps = [str(step) for step in change.path if isinstance(step, str)]
    if len(steps) > 1 and steps[-2] in _QUALIFIED:
        return f"{steps[-2]}.{steps[-1]}"
    return steps[-1] if steps else ""


def part_noun(path: Sequence[str | int]) -> str:
    """The noun for the item that the name at a path belongs to, such as a container; empty for other fields."""
    if path[-1:] != ("name",):
        return ""
    item = path[:-2] if path[-2:-1] == ("metadata",) else path[:-1]  # a claim template is named by its metadata
    if item[:-1] == ("spec", "ports"):  # of a Service; those of containers are not counted
        return "port"
    return _PARTS.get(str(item[-2]), "") if len(item) > 1 and isinstance(item[-1], int) else ""


def _change_rank(change: FieldChange, resource: str, *, by_number: bool) -> int | None:
    steps = change.path
    leaf = steps[-1] if steps else ""
    if leaf in _NUMBERS or (leaf in ("count", "size") and isinstance(change.new, int)) or _is_type(change.path):
        return 0 if by_number else 4
    if "annotations" in steps and str(leaf).startswith(_ANNOTATIONS):
        return 0 if by_number else 4
    if _NODE_LABELS in steps:
        return 3
    if leaf in _SCOPES or (leaf == "restartPolicy" and "initContainers" in steps):  # a sidecar adds to the others
        return 3
    kind, name = _resource_parts(resource)
    if name and leaf == name and any(size in steps for size in _SIZES):
        exactly = kind in steps or (kind == "limits" and "default" in steps) or "defaultRequest" in steps
        return 1 if exactly else 2
    if _is_part(change.path):
        return 5
    return None


def _is_type(path: Sequence[str | int]) -> bool:
    """Whether it is the type of a Service or of an update strategy."""
    return path[-1:] == ("type",) and (len(path) == 2 or path[-2] in _STRATEGIES)


def _is_part(path: Sequence[str | int]) -> bool:
    """Whether it is a container, claim, volume or port as a whole."""
    steps = [step for step in path if isinstance(step, str)]
    return bool(steps) and (steps[-1] in _PARTS or bool(part_noun(path)))


def _resource_parts(resource: str) -> tuple[str, str]:
    """`limits.memory` → limits and memory; empty for a number of objects."""
    plain = resource.rpartition("storageclass.storage.k8s.io/")[2]
    if plain.startswith(("requests.", "limits.")):
        kind, _, name = plain.partition(".")
        return kind, name
    of_pods = plain in ("cpu", "memory", "ephemeral-storage") or is_quota_huge_page(plain)
    return ("requests", plain) if of_pods else ("", "")
