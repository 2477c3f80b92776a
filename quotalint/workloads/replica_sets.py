"""ReplicaSet and ReplicationController."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, itself, pods, replicas, sized


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The object and its pods, which nothing updates."""
    yield itself(obj)
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, sized(replicas(obj, surroundings)), surroundings)
