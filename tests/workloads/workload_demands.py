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
    found = [obj for number, body in enumerate(manifests) for obj in objects(body, Place("a.yaml", number))]
    return tuple(one for one in demands(found, Nodes(nodes), configured or {}) if one.owner is not None)


def pods(*manifests: Manifest, **options: Any) -> Four:
    """How many pods there are that have not ended."""
    found = [one for one in demanded(*manifests, **options) if one.kind == "Pod" and "status" not in one.body]
    return _summed(found)


def pods_of_template(*manifests: Manifest, **options: Any) -> dict[str, Four]:
    """How many pods there are by the names of their containers."""
    by_names: dict[str, list[Demand]] = {}
    for one in demanded(*manifests, **options):
        if one.kind == "Pod" and one.place is not None and "status" not in one.body:
            names = ",".join(container["name"] for container in one.body["spec"]["containers"])  # type: ignore[index]  # a test's own manifest
            by_names.setdefault(names, []).append(one)
    return {names: _summed(found) for names, found in by_names.items()}


def made(*manifests: Manifest, **options: Any) -> dict[str, Four]:
    """How many objects there are that nobody wrote, by kind; pods aside."""
    written = {(body["kind"], body["metadata"]["name"]) for body in manifests}
    by_kind: dict[str, list[Demand]] = {}
    for one in demanded(*manifests, **options):
        if one.kind != "Pod" and (one.kind, one.name) not in written:
            by_kind.setdefault(one.kind, []).append(one)
    return {kind: _summed(found) for kind, found in by_kind.items()}


def ended(*manifests: Manifest, **options: Any) -> int:
    """How many pods there are at most that have ended."""
    found = [one for one in demanded(*manifests, **options) if one.kind == "Pod" and "status" in one.body]
    return _summed(found)[3]


def unknowns(*manifests: Manifest, **options: Any) -> tuple[str, ...]:
    """Why there may be more pods."""
    found = (reason for one in demanded(*manifests, **options) if one.kind == "Pod" for reason in one.size.unknowns)
    return tuple(dict.fromkeys(found))


def manifest(kind: str, group: str, spec: object, name: str = "w", **metadata: Any) -> Manifest:
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def template(name: str = "c", **spec: Any) -> Manifest:
    return {"spec": {"containers": [{"name": name}], **spec}}


def scaler(kind: str, low: int | None, high: int, group: str = "apps/v1") -> Manifest:
    target = {"apiVersion": group, "kind": kind, "name": "w"}
    spec = {"scaleTargetRef": target, "minReplicas": low, "maxReplicas": high}
    return manifest("HorizontalPodAutoscaler", "autoscaling/v2", spec, "scaler")


def _summed(found: list[Demand]) -> Four:
    steady, step, scaled, peak = (
        (sum(numbers) for numbers in zip(*(one.size.numbers for one in found), strict=True)) if found else (0,) * 4
    )
    return steady, step, scaled, peak
