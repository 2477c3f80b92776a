"""Autoscalers → the bounds between which they move a workload."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotalint.kube.fields import integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Bounds

# (group, kind) → (field of the minimum, its default, field of the maximum, its default)
_FIELDS = {
    ("autoscaling", "HorizontalPodAutoscaler"): ("minReplicas", 1, "maxReplicas", None),
    ("keda.sh", "ScaledObject"): ("minReplicaCount", 0, "maxReplicaCount", 100),
}


def autoscalers(objects: Iterable[Object]) -> Mapping[tuple[str, str], Bounds]:
    """The bounds by kind and name of the workload that they scale."""
    found: dict[tuple[str, str], Bounds] = {}
    for obj in objects:
        fields = _FIELDS.get((obj.group, obj.kind))
        if fields is None:
            continue
        low_field, low_default, high_field, high_default = fields
        target = mapping(obj.spec.get("scaleTargetRef"))
        low = integer(obj.spec.get(low_field))
        high = integer(obj.spec.get(high_field))
        high = high_default if high is None else high
        name = text(target.get("name"))
        if name and high is not None:
            low = low_default if low is None else low
            found[text(target.get("kind")) or "Deployment", name] = Bounds(low, max(low, high), obj)
    return found
