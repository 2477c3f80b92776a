"""Argo Rollouts' Rollout.

Source: Argo Rollouts 1.9.1: utils/replicaset/canary.go (CalculateReplicaCountsForBasicCanary,
CalculateReplicaCountsForTrafficRoutedCanary, UseSetCanaryScale), utils/replicaset/replicaset.go (NewRSNewReplicas,
resolveFenceposts), rollout/context.go (haltProgress), rollout/templateref.go, utils/defaults/defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.kube.fields import Body, dig, integer, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path, Place
from quotalint.workloads.demand import (
    ROLLOUT,
    Demand,
    Numbers,
    Replicas,
    Size,
    Step,
    Surroundings,
    implied_objects,
    number,
    pods,
    replicas,
    revision_history,
    size_with_step,
    uncounted_pods,
    unknown_because,
)
from quotalint.workloads.rolling_update import rolling_size, update_limits

_TEMPLATES: Mapping[tuple[str, str], Path] = {
    ("", "PodTemplate"): ("template",),
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
}
"""The path of the pod template in each kind that `workloadRef` may name."""


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ReplicaSets and the pods of a Rollout."""
    paused = obj.spec.get("paused") is True
    yield implied_objects(obj, "apps", "ReplicaSet") if paused else revision_history(obj, "apps", "ReplicaSet")
    template, place = obj.spec.get("template"), obj.at("spec", "template")
    if obj.spec.get("workloadRef") is not None:
        referred = _referred_template(obj, surroundings)
        if isinstance(referred, str):
            yield uncounted_pods(obj, referred)
            return
        template, place = referred
    wanted = replicas(obj, surroundings)
    size = size_with_step(wanted) if paused else _size_of_rollout(obj, wanted)
    yield from pods(obj, template, place, size, surroundings)


ARGO_ROLLOUT = ("argoproj.io", "Rollout")


def deployments_scaled_down(objects: Iterable[Object]) -> Mapping[str, Object]:
    """The Rollouts that scale a Deployment down once they run its pods, by the name of the Deployment."""
    by_deployment = {}
    for obj in objects:
        if (obj.group, obj.kind) == ARGO_ROLLOUT:
            reference = mapping(obj.spec.get("workloadRef"))
            if reference.get("kind") == "Deployment" and reference.get("scaleDown") in ("onsuccess", "progressively"):
                by_deployment[text(reference.get("name"))] = obj
    return by_deployment


def replaced_by_rollout(deployment: Object, size: Size, rollout: Object) -> Size:
    """The size of a Deployment that a Rollout replaces: zero once the Rollout's first revision is healthy, unless its
    replicas are applied again."""
    unknowns = size.unknowns
    if number(deployment, "replicas", 0).value:
        reason = f"Rollout {rollout.name} scales it to 0, and each time that its replicas are applied it has them again"
        unknowns = (*unknowns, unknown_because(deployment, reason))
    return Size(Numbers(0, 0, 0, size.numbers.peak), f"scaled down by Rollout {rollout.name}", unknowns)


def _referred_template(obj: Object, surroundings: Surroundings) -> tuple[object, Place] | str:
    """The template that `workloadRef` names, or why it is unknown."""
    reference = mapping(obj.spec.get("workloadRef"))
    kind, name = text(reference.get("kind")), text(reference.get("name"))
    group = text(reference.get("apiVersion")).rpartition("/")[0]
    path = _TEMPLATES.get((group, kind))
    if path is None:
        return f"workloadRef leads to no Deployment, ReplicaSet or PodTemplate, but to {kind or 'nothing'}"
    target = surroundings.objects.get((group, kind, name))
    if target is None:
        return f"{kind} {name}, which has its pod template (workloadRef), is not in view"
    return dig(target.body, *path), target.at(*path)


def _size_of_rollout(obj: Object, wanted: Replicas) -> Size:
    strategy = mapping(obj.spec.get("strategy"))
    if isinstance(strategy.get("blueGreen"), dict):
        # previewReplicaCount applies until promotion; before that, the new set grows to its full size.
        return _size_beside(wanted, wanted.steady, wanted.maximum, "blueGreen starts a second set", "blueGreen")
    canary = strategy.get("canary")
    if not isinstance(canary, dict):
        return size_with_step(wanted)._replace(
            unknowns=(*wanted.unknowns, unknown_because(obj, "its strategy is neither blueGreen nor canary"))
        )
    size = _canary_size(obj, wanted, canary)
    if any(isinstance(mapping(step).get("experiment"), dict) for step in sequence(canary.get("steps"))):
        size = size._replace(
            unknowns=(*size.unknowns, unknown_because(obj, "the pods of its experiments are not counted"))
        )
    return size


def _canary_size(obj: Object, wanted: Replicas, canary: Body) -> Size:
    routing = canary.get("trafficRouting")
    if not isinstance(routing, dict):
        # A string without `%` is a percentage too.
        written = {key: f"{value}%" if _is_bare(value) else value for key, value in canary.items()}
        return rolling_size(obj, wanted, update_limits(written), ("spec", "strategy", "canary", "maxSurge"))
    if canary.get("dynamicStableScale") is not True:
        # The stable set keeps its size, and after the last step the canary has the same size.
        steady, most = (
            max(total, _largest_weight(canary) if total else 0) for total in (wanted.steady, wanted.maximum)
        )
        return _size_beside(wanted, steady, most, "the canary grows beside the stable set", "canary")
    # An aborted canary keeps its size until the stable set has grown back.
    peak = max(wanted.maximum, _largest_weight(canary) if wanted.maximum else 0)
    largest = max(0, integer(routing.get("maxTrafficWeight")) or 0) or 100
    more = _shrink_increment(canary, wanted.steady, largest)
    return _size_beside(wanted, more, max(peak, more), "the canary grows before the stable set shrinks", "canary")


def _size_beside(wanted: Replicas, more: int, most: int, because: str, field: str) -> Size:
    step = Step(ROLLOUT, because, ("spec", "strategy", field)) if more else None
    numbers = Numbers(wanted.steady, wanted.steady + more, wanted.maximum, wanted.maximum + most)
    return Size(numbers, wanted.because, wanted.unknowns, step, wanted.scaler)


def _is_bare(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit()


def _largest_weight(canary: Body) -> int:
    """The largest number of replicas that a step sets for the canary."""
    scales = (dig(step, "setCanaryScale", "replicas") for step in sequence(canary.get("steps")))
    return max((integer(scale) or 0 for scale in scales), default=0)


def _shrink_increment(canary: Body, total: int, largest: int) -> int:
    """The most extra pods while the stable set shrinks as the canary grows."""
    at_least = min(max(0, integer(canary.get("minPodsPerReplicaSet")) or 0), total)
    weight, more = 0, 0
    scale: Body = {}
    for step in (*map(mapping, sequence(canary.get("steps"))), {"setWeight": largest, "setCanaryScale": {}}):
        stable_pods = _share_of_weight(largest - weight, total, largest, at_least)
        weight = min(max(0, integer(step.get("setWeight", weight)) or 0), largest)
        scale = mapping(step["setCanaryScale"]) if "setCanaryScale" in step else scale
        explicit, scaled = integer(scale.get("replicas")), integer(scale.get("weight"))
        if scale.get("matchTrafficWeight") is True:
            explicit = scaled = None
        canary_pods = _share_of_weight(weight if scaled is None else min(scaled, largest), total, largest, at_least)
        more = max(more, stable_pods + (canary_pods if explicit is None else max(0, explicit)) - total)
    return more if total else 0


def _share_of_weight(weight: int, total: int, largest: int, at_least: int) -> int:
    share = -(-max(0, weight) * total // largest)
    return max(share, at_least) if share else 0
