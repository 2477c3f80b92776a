"""ReplicaSet and ReplicationController."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, demand_of_itself, pods, replicas, size_with_step


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The object and its pods; it has no rolling update."""
    yield demand_of_itself(obj)
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, size_with_step(replicas(obj, surroundings)), surroundings)
