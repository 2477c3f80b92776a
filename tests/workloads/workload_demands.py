"""Manifests in, demands out: what tests of single controllers share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotalint.kube.objects import objects
from quotalint.settings import Nodes, Workload
from quotalint.text.place import Place
from quotalint.workloads.demand import Demand
from quotalint.workloads.namespace_contents import demands

Manifest = dict[str, Any]
Four = tuple[int, int, int, int]
"""Settled, during the workload's most demanding step, at the maximum of its autoscaler, at the peak."""


def demanded(
    *manifests: Manifest, nodes: int | None = 4, configured: Mapping[str, Workload] | None = None
) -> tuple[Demand, ...]:
    """What the manifests of one namespace bring into being, without what every namespace has."""
    matching = [obj for number, body in enumerate(manifests) for obj in objects(body, Place("a.yaml", number))]
    return tuple(demand for demand in demands(matching, Nodes(nodes), configured or {}) if demand.owner is not None)


def pods(*manifests: Manifest, **options: Any) -> Four:
    """How many pods there are that have not ended."""
    matching = [
        demand for demand in demanded(*manifests, **options) if demand.kind == "Pod" and "status" not in demand.body
    ]
    return _summed(matching)


def pods_of_template(*manifests: Manifest, **options: Any) -> dict[str, Four]:
    """How many pods there are by the names of their containers."""
    by_names: dict[str, list[Demand]] = {}
    for demand in demanded(*manifests, **options):
        if demand.kind == "Pod" and demand.place is not None and "status" not in demand.body:
            names = ",".join(container["name"] for container in demand.body["spec"]["containers"])  # type: ignore[index]  # a test's own manifest
            by_names.setdefault(names, []).append(demand)
    return {names: _summed(value) for names, value in by_names.items()}


def made(*manifests: Manifest, **options: Any) -> dict[str, Four]:
    """How many objects there are that nobody wrote, by kind; pods aside."""
    written = {(body["kind"], body["metadata"]["name"]) for body in manifests}
    by_kind: dict[str, list[Demand]] = {}
    for demand in demanded(*manifests, **options):
        if demand.kind != "Pod" and (demand.kind, demand.name) not in written:
            by_kind.setdefault(demand.kind, []).append(demand)
    return {kind: _summed(value) for kind, value in by_kind.items()}


def ended(*manifests: Manifest, **options: Any) -> int:
    """How many pods there are at most that have ended."""
    matching = [
        demand for demand in demanded(*manifests, **options) if demand.kind == "Pod" and "status" in demand.body
    ]
    return _summed(matching)[3]


def unknowns(*manifests: Manifest, **options: Any) -> tuple[str, ...]:
    """Why there may be more pods."""
    unknowns = (
        reason for demand in demanded(*manifests, **options) if demand.kind == "Pod" for reason in demand.size.unknowns
    )
    return tuple(dict.fromkeys(unknowns))


def manifest(kind: str, group: str, spec: object, name: str = "w", **metadata: Any) -> Manifest:
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def template(name: str = "c", **spec: Any) -> Manifest:
    return {"spec": {"containers": [{"name": name}], **spec}}


def scaler(kind: str, low: int | None, high: int, group: str = "apps/v1") -> Manifest:
    target = {"apiVersion": group, "kind": kind, "name": "w"}
    spec = {"scaleTargetRef": target, "minReplicas": low, "maxReplicas": high}
    return manifest("HorizontalPodAutoscaler", "autoscaling/v2", spec, "scaler")


def _summed(actual: list[Demand]) -> Four:
    steady, step, scaled, peak = (
        (sum(numbers) for numbers in zip(*(demand.size.numbers for demand in actual), strict=True))
        if actual
        else (0,) * 4
    )
    return steady, step, scaled, peak
