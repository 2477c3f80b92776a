"""Flagger's Canary: a second Deployment serves in the steady state. The written Deployment is scaled down until it
changes.

Source: Flagger 1.42: pkg/canary/deployment_controller.go (createPrimaryDeployment, Promote, ScaleToZero,
ScaleFromZero), pkg/controller/scheduler.go (advanceCanary), pkg/router/kubernetes_default.go (Initialize, Reconcile).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.kube.fields import integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import (
    FLAGGER_CANARY,
    ROLLOUT,
    Demand,
    Number,
    Numbers,
    Replicas,
    Size,
    Step,
    Surroundings,
    constant_size,
    implied_objects,
    number,
    pods,
    replicas,
    revision_history,
    uncounted_pods,
    unknown_because,
)
from quotalint.workloads.deployments import update_size


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Services of a Canary, the primary Deployment, and the pods of the primary and of the watched Deployment."""
    kind, name = _target(obj)
    apex = text(mapping(obj.spec.get("service")).get("name")) or name
    for service in (apex, f"{apex}-canary", f"{apex}-primary"):
        yield implied_objects(obj, "", "Service", name=service)
    if kind == "Service":
        return
    target = surroundings.objects.get(("apps", kind, name))
    if target is None or kind != "Deployment":
        problem = "is not in view" if target is None else "is no Deployment"
        yield uncounted_pods(obj, f"{kind} {name}, which it copies (targetRef), {problem}")
        return
    yield implied_objects(obj, "apps", "Deployment", name=f"{name}-primary")
    yield revision_history(target, "apps", "ReplicaSet")
    scaler = mapping(obj.spec.get("autoscalerRef"))
    if text(scaler.get("kind")) == "HorizontalPodAutoscaler":
        yield implied_objects(obj, "autoscaling", "HorizontalPodAutoscaler", name=f"{text(scaler.get('name'))}-primary")
    for copied_kind in ("ConfigMap", "Secret"):
        reason = f"copies of each {copied_kind} that {name} reads are not counted"
        yield Demand(obj, "", copied_kind, "", {}, None, constant_size(0, "", (unknown_because(obj, reason),)))
    size = _size_of_both(obj, target, surroundings)
    if (kind, name) in surroundings.growths:
        reason = unknown_because(obj, f"how large a VerticalPodAutoscaler makes the pods of {name} is not counted")
        size = size._replace(unknowns=(*size.unknowns, reason))
    yield from pods(obj, target.spec.get("template"), target.at("spec", "template"), size, surroundings)


def watched_deployments(objects: Iterable[Object]) -> Mapping[str, Object]:
    """The Canaries by the name of the Deployment that they watch."""
    canaries = (obj for obj in objects if (obj.group, obj.kind) == FLAGGER_CANARY)
    return {name: obj for obj in canaries for kind, name in (_target(obj),) if kind == "Deployment"}


def scaled_down(deployment: Object, size: Size, canary: Object) -> Size:
    """The size of a watched Deployment. Its pods during a canary analysis count with the Canary."""
    unknowns = size.unknowns
    if deployment.spec.get("replicas") and number(deployment, "replicas", 0).value:
        reason = f"Canary {canary.name} scales it to 0, and each time that its replicas are applied it has them again"
        unknowns = (*unknowns, unknown_because(deployment, reason))
    return Size(Numbers(0, 0, 0, 0), f"scaled down by Canary {canary.name}", unknowns)


def _target(obj: Object) -> tuple[str, str]:
    reference = mapping(obj.spec.get("targetRef"))
    return text(reference.get("kind")), text(reference.get("name"))


def _size_of_both(obj: Object, target: Object, surroundings: Surroundings) -> Size:
    """The size of the primary, plus the canary's pods from a change until the primary is updated."""
    written = number(target, "replicas", 1)
    canary = replicas(target, surroundings, written._replace(value=max(1, written.value)))
    primary = _primary_replicas(obj, canary, written)
    rolled = update_size(target, primary)
    steady, surge, scaled, peak = rolled.numbers
    numbers = Numbers(steady, surge + canary.steady, scaled, peak + canary.maximum)
    step = Step(ROLLOUT, "Flagger runs the new pods beside the old ones", ("spec", "targetRef"))
    return rolled._replace(numbers=numbers, step=step)


def _primary_replicas(obj: Object, canary: Replicas, written: Number) -> Replicas:
    """The primary has the canary's replicas if Flagger copies its autoscaler; else those written when it was
    created."""
    scaler = mapping(obj.spec.get("autoscalerRef"))
    if not scaler:
        steady = max(1, written.value)
        return canary._replace(steady=steady, maximum=steady, because=written.because, scaler=None)
    bounds = mapping(scaler.get("primaryScalerReplicas"))
    least, most = integer(bounds.get("minReplicas")), integer(bounds.get("maxReplicas"))
    maximum = canary.maximum if most is None else most
    steady = min(canary.steady if least is None else max(canary.steady, least), maximum)
    return canary._replace(steady=steady, maximum=max(steady, maximum))
