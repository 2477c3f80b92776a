"""Autoscalers, as the bounds of the replicas of each workload."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path
from quotalint.workloads.demand import Bounds, Demand, implied_objects, unknown_because


class _WrittenBounds(NamedTuple):
    """The fields with an autoscaler's bounds, and their defaults."""

    low: tuple[str, ...]
    low_default: int
    high: tuple[str, ...]
    high_default: int | None


_FIELDS = {
    ("autoscaling", "HorizontalPodAutoscaler"): _WrittenBounds(("minReplicas",), 1, ("maxReplicas",), None),
    ("http.keda.sh", "HTTPScaledObject"): _WrittenBounds(("replicas", "min"), 0, ("replicas", "max"), 100),
    ("keda.sh", "ScaledObject"): _WrittenBounds(("minReplicaCount",), 0, ("maxReplicaCount",), 100),
}
AUTOSCALING_KINDS = frozenset(_FIELDS)
MINIMUM_PATHS: Mapping[str, Path] = {kind: ("spec", *written.low) for (_, kind), written in _FIELDS.items()}
MAXIMUM_PATHS: Mapping[str, Path] = {kind: ("spec", *written.high) for (_, kind), written in _FIELDS.items()}
"""The path of each bound, by kind of autoscaler."""
_KEDA = frozenset({"http.keda.sh", "keda.sh"})
_PAUSED, _PAUSED_NOW = "autoscaling.keda.sh/paused-replicas", "autoscaling.keda.sh/paused"
_PAUSED_SCALE_OUT = "autoscaling.keda.sh/paused-scale-out"
_SKIP_SCALED_OBJECT = "httpscaledobject.keda.sh/skip-scaledobject-creation"


def autoscalers(objects: Iterable[Object]) -> Mapping[tuple[str, str], Bounds]:
    """The bounds of each scaled workload, by its kind and name. If several autoscalers scale one workload, the largest
    minimum and the largest maximum count, because each may win for a while."""
    return {target: _combined_bounds(target_bounds) for target, target_bounds in _by_target(objects).items()}


def rivals(objects: Iterable[Object]) -> Iterator[tuple[Object, ...]]:
    """The autoscalers of each workload that has several, in the order of kind and name."""
    for target_bounds in _by_target(objects).values():
        if len(target_bounds) > 1:
            yield tuple(bounds.autoscaler for bounds in target_bounds)


def _by_target(objects: Iterable[Object]) -> Mapping[tuple[str, str], list[Bounds]]:
    by_target: dict[tuple[str, str], list[Bounds]] = {}
    scalers = sorted((obj for obj in objects if (obj.group, obj.kind) in _FIELDS), key=lambda obj: (obj.kind, obj.name))
    made_by_keda = {(kind, name) for obj in scalers for _, kind, name in _made_by_keda(obj)}
    for obj in scalers:
        target = mapping(obj.spec.get("scaleTargetRef"))
        bounds = _bounds_by_spec(obj) if _finds_target(obj, target) else None
        # The HorizontalPodAutoscaler that KEDA makes is not a second autoscaler.
        if bounds is not None and text(target.get("name")) and (obj.kind, obj.name) not in made_by_keda:
            by_target.setdefault((text(target.get("kind")) or "Deployment", text(target.get("name"))), []).append(
                bounds
            )
    return by_target


def _combined_bounds(target_bounds: Sequence[Bounds]) -> Bounds:
    widest = max(target_bounds, key=lambda bounds: (bounds.grows, bounds.maximum))
    reasons = tuple(reason for bounds in target_bounds for reason in bounds.unknowns)
    wakes = any(bounds.wakes for bounds in target_bounds)
    least = max(bounds.minimum for bounds in target_bounds)
    return Bounds(least, widest.maximum, widest.autoscaler, reasons, wakes, widest.grows)


def _finds_target(scaler: Object, target: Body) -> bool:
    """Whether the target's kind exists in the named group. No autoscaler finds a target in an old group such as
    extensions/v1beta1 (podautoscaler/horizontal.go, reconcileAutoscaler: FailedGetScale). Without a version, the group
    is core, for KEDA apps/v1 (keda 2.17, apis/keda/v1alpha1/gvkr_types.go, ParseGVKR)."""
    version = text(target.get("apiVersion"))
    is_current = version.startswith("apps/") if version else scaler.group in _KEDA
    is_current = is_current or is_placeholder(version)
    return is_current or text(target.get("kind")) not in _OF_APPS


_OF_APPS = frozenset({"Deployment", "ReplicaSet", "StatefulSet"})


def _bounds_by_spec(obj: Object) -> Bounds | None:
    """The bounds that an autoscaler sets. None if it leaves its target alone, or if the maximum is missing or below the
    minimum. The API server refuses such bounds, and KEDA ignores them (keda 2.17,
    apis/keda/v1alpha1/scaledobject_types.go, CheckReplicaCountBoundsAreValid)."""
    paused = _paused_bounds(obj)
    if paused is not None:
        return paused
    if obj.group in _KEDA and (_is_paused(obj, _PAUSED_NOW) or _skips_scaled_object(obj)):
        return None
    low_path, low_default, high_path, high_default = _FIELDS[obj.group, obj.kind]
    low, high = integer(dig(obj.spec, *low_path)), integer(dig(obj.spec, *high_path))
    unknowns = tuple(
        unknown_because(obj, f"{'.'.join(path)} is the placeholder {written!r}")
        for path in (low_path, high_path)
        if is_placeholder(written := dig(obj.spec, *path))
    )
    low = low_default if low is None else low
    if high is None:
        high = low if unknowns else high_default
    if high is None or (high < low and not unknowns):
        return None
    # KEDA itself scales its target from zero to the minimum, or while a trigger is active (pkg/scaling/executor).
    return Bounds(max(0, low), max(low, high, 0), obj, unknowns, wakes=obj.group in _KEDA, grows=_adds_pods(obj))


def _adds_pods(obj: Object) -> bool:
    """Whether it may scale up. With `Disabled` it only moves its target to the minimum, or down
    (podautoscaler/horizontal.go, calculateScaleUpLimitWithScalingRules)."""
    if obj.group in _KEDA and _is_paused(obj, _PAUSED_SCALE_OUT):
        return False
    path = ("advanced", "horizontalPodAutoscalerConfig") if obj.group in _KEDA else ()
    return dig(obj.spec, *path, "behavior", "scaleUp", "selectPolicy") != "Disabled"


def _is_annotated(obj: Object, annotation: str) -> bool:
    return mapping(obj.metadata.get("annotations")).get(annotation) == "true"


def _is_paused(obj: Object, annotation: str) -> bool:
    """Whether an annotation is anything but false in Go (keda 2.17, apis/keda/v1alpha1, getBoolAnnotation)."""
    written = mapping(obj.metadata.get("annotations")).get(annotation)
    return isinstance(written, str) and written not in _GO_FALSE


_GO_FALSE = frozenset({"0", "f", "F", "false", "False", "FALSE"})  # strconv.ParseBool


def _skips_scaled_object(obj: Object) -> bool:
    """Whether an HTTPScaledObject tells KEDA not to make its ScaledObject."""
    return obj.kind == "HTTPScaledObject" and _is_annotated(obj, _SKIP_SCALED_OBJECT)


def _made_by_keda(obj: Object) -> tuple[tuple[str, str, str], ...]:
    """Group, kind and name of the autoscalers that KEDA makes: the HorizontalPodAutoscaler of a ScaledObject, and also
    the ScaledObject of an HTTPScaledObject (http-add-on, operator/controllers/http/scaled_object.go)."""
    if obj.group not in _KEDA or _skips_scaled_object(obj):
        return ()
    named = text(dig(obj.spec, "advanced", "horizontalPodAutoscalerConfig", "name"))
    horizontal = "autoscaling", "HorizontalPodAutoscaler", named or f"keda-hpa-{obj.name}"
    return (horizontal,) if obj.kind == "ScaledObject" else (("keda.sh", "ScaledObject", obj.name), horizontal)


def expand_scaled_object(obj: Object, _: object) -> Iterator[Demand]:
    """The autoscalers that KEDA makes for a ScaledObject or HTTPScaledObject."""
    for group, kind, name in _made_by_keda(obj):
        yield implied_objects(obj, group, kind, name=name)


def _paused_bounds(obj: Object) -> Bounds | None:
    annotations = mapping(obj.metadata.get("annotations"))
    written = text(annotations.get(_PAUSED)) if obj.group in _KEDA else ""
    return (
        Bounds(int(written), int(written), obj, wakes=True)
        if written.isascii() and written.isdigit() and len(written) < 10
        else None
    )
