"""Service."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, demand_of_itself, implied_objects


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Service, and the Endpoints and EndpointSlice for its selector."""
    yield demand_of_itself(obj)
    if obj.spec.get("selector") and obj.spec.get("type") != "ExternalName":
        yield implied_objects(obj, "", "Endpoints", name=obj.name)
        yield implied_objects(obj, "discovery.k8s.io", "EndpointSlice")
