"""Deployment."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, implied, itself, pods, replicas


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Deployment, one ReplicaSet (older ones are history), and its pods."""
    yield itself(obj)
    yield implied(obj, "apps", "ReplicaSet")
    place = obj.at("spec", "template")
    yield from pods(obj, obj.spec.get("template"), place, replicas(obj, surroundings), surroundings)
