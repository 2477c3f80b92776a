"""Service."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, implied_objects


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Endpoints and EndpointSlice for the selector of a Service."""
    if obj.spec.get("selector") and obj.spec.get("type") != "ExternalName":
        yield implied_objects(obj, "", "Endpoints", name=obj.name)
        yield implied_objects(obj, "discovery.k8s.io", "EndpointSlice")
