"""Manifests in, the numbers of a quota out: what tests of workloads and projections share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quotalint.admission import admit_demand
from quotalint.admission.plugins import cluster_plugins
from quotalint.gitops.default_namespaces import place_objects
from quotalint.gitops.rendering import Rendering
from quotalint.kube import quantity
from quotalint.kube.cluster import build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.limit_range import limit_range
from quotalint.kube.objects import objects
from quotalint.quota.charges import Charge, charges
from quotalint.quota.projection import Projection, entries_by_name, projections, uncertain_charges
from quotalint.quota.quotas import quota
from quotalint.settings import Nodes
from quotalint.text.place import Place
from quotalint.workloads.namespace_contents import demands

Manifest = dict[str, Any]
ALL = dict.fromkeys(
    (
        "pods",
        "count/pods",
        "cpu",
        "requests.cpu",
        "limits.cpu",
        "memory",
        "limits.memory",
        "requests.nvidia.com/gpu",
        "services",
        "services.nodeports",
        "services.loadbalancers",
        "persistentvolumeclaims",
        "requests.storage",
        "configmaps",
        "count/secrets",
        "count/deployments.apps",
        "count/replicasets.apps",
        "count/controllerrevisions.apps",
        "count/jobs.batch",
        "count/endpointslices.discovery.k8s.io",
        "gold.storageclass.storage.k8s.io/requests.storage",
    ),
    "1000",
)


def charged(manifests: Iterable[Manifest], nodes: int | None = None) -> tuple[Charge, ...]:
    """The charges of namespace team-a."""
    written = [obj for number, body in enumerate(manifests) for obj in objects(body, Place("a.yaml", number))]
    discovery = discover_kinds(written, "1.34")
    view = build_cluster(
        place_objects(Rendering(tuple(written)), discovery, lambda source: "team-a").objects, discovery
    )
    namespace_plugins = cluster_plugins(view, map(limit_range, view.of("", "LimitRange")), "1.34").within("team-a")
    wanted = demands(view.by_namespace.get("team-a", ()), Nodes(nodes))
    return charges((admit_demand(demand, namespace_plugins) for demand in wanted), discovery)


def projected(manifests: Iterable[Manifest], nodes: int | None = None, **spec: Any) -> tuple[Projection, ...]:
    """The projections of a quota with this spec; by default an unscoped one of many resources."""
    manifests = tuple(manifests)
    body = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": ALL, **spec}}
    (obj,) = objects(body, Place("q.yaml"))
    discovery = discover_kinds((obj for manifest in manifests for obj in objects(manifest, Place("a.yaml"))), "1.34")
    limited, charges = quota(obj._replace(namespace="team-a")), charged(manifests, nodes)
    entries = entries_by_name(limited, charges)
    return projections(limited, charges, uncertain_charges(charges), entries, discovery, (), True)


def used(manifests: Iterable[Manifest], nodes: int | None = None, **spec: Any) -> dict[str, str]:
    """What is used of each entry, where it is anything."""
    actual_projected = projected(manifests, nodes, **spec)
    return {
        projection.name: quantity.show(projection.steady) for projection in actual_projected if projection.steady.nano
    }


def amounts(manifests: Iterable[Manifest], **spec: Any) -> dict[str, int]:
    return {projection.name: projection.steady.nano for projection in projected(manifests, **spec)}


def container(name: str = "c", **resources: Any) -> Manifest:
    return {"name": name, "image": "i", "resources": resources}


def template(*containers: Manifest, **spec: Any) -> Manifest:
    return {"spec": {"containers": list(containers or [container()]), **spec}}


def manifest(kind: str, name: str = "w", group: str = "apps/v1", **spec: Any) -> Manifest:
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name}, "spec": spec}
