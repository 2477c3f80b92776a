"""Deployment."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.workloads.demand import (
    FLAGGER_CANARY,
    Demand,
    Numbers,
    Replicas,
    Size,
    Surroundings,
    pods,
    replicas,
    revision_history,
    size_with_step,
    unknown_because,
)
from quotalint.workloads.rolling_update import rolling_size, update_limits
from quotalint.workloads.rollouts import replaced_by_rollout


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ReplicaSets and the pods."""
    paused = obj.spec.get("paused") is True
    revisions = revision_history(obj, "apps", "ReplicaSet")
    yield revisions._replace(size=_paused_size(obj, revisions.size)) if paused else revisions
    place = obj.at("spec", "template")
    size = update_size(obj, replicas(obj, surroundings))
    if paused:
        size = _paused_size(obj, size)
    if obj.name in surroundings.taken_over:
        size = _replaced_size(obj, size, surroundings.taken_over[obj.name])
    yield from pods(obj, obj.spec.get("template"), place, size, surroundings)


def _replaced_size(obj: Object, size: Size, successor: Object) -> Size:
    if (successor.group, successor.kind) != FLAGGER_CANARY:
        return replaced_by_rollout(obj, size, successor)
    from quotalint.workloads.flagger import scaled_down

    return scaled_down(obj, size, successor)


def _paused_size(obj: Object, size: Size) -> Size:
    """The size of a paused Deployment. If it is created paused, it has neither ReplicaSet nor pods
    (deployment_controller.go, syncDeployment). If it ran before, it keeps them."""
    reason = unknown_because(
        obj, "it is paused: if it ran before, it keeps its ReplicaSet and pods; if not, it has none"
    )
    most = size.numbers.scaled
    return Size(Numbers(0, 0, 0, most), "paused", (*size.unknowns, reason), None, size.scaler)


def update_size(obj: Object, wanted: Replicas) -> Size:
    """The number of pods of a Deployment with these replicas, including a rollout."""
    strategy = mapping(obj.spec.get("strategy"))
    # `paused` only stops rollouts; Recreate waits until the old pods are deleted (deployment/recreate.go).
    if obj.spec.get("paused") is True or strategy.get("type") == "Recreate":
        return size_with_step(wanted)
    path = ("spec", "strategy", "rollingUpdate", "maxSurge")
    return rolling_size(obj, wanted, update_limits(strategy.get("rollingUpdate")), path)
