"""Autoscalers → the bounds between which they move a workload."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.kube.fields import integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Bounds, Demand, implied, itself

# (group, kind) → (field of the minimum, its default, field of the maximum, its default)
_FIELDS = {
    ("autoscaling", "HorizontalPodAutoscaler"): ("minReplicas", 1, "maxReplicas", None),
    ("keda.sh", "ScaledObject"): ("minReplicaCount", 0, "maxReplicaCount", 100),
}
_PAUSED = "autoscaling.keda.sh/paused-replicas"


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
            bounds = _paused(obj) or Bounds(max(0, low), max(low, high, 0), obj)
            found[text(target.get("kind")) or "Deployment", name] = bounds
    return found


def expand_scaled_object(obj: Object, _: object) -> Iterator[Demand]:
    """The ScaledObject, and the HorizontalPodAutoscaler that KEDA makes of it."""
    yield itself(obj)
    yield implied(obj, "autoscaling", "HorizontalPodAutoscaler", name=f"keda-hpa-{obj.name}")


def _paused(obj: Object) -> Bounds | None:
    annotations = mapping(obj.metadata.get("annotations"))
    written = text(annotations.get(_PAUSED)) if obj.group == "keda.sh" else ""
    return (
        Bounds(int(written), int(written), obj)
        if written.isascii() and written.isdigit() and len(written) < 10
        else None
    )
