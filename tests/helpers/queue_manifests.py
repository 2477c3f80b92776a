"""Kueue's objects as manifests, and a cluster of them."""

from __future__ import annotations

from typing import Any

from quotalint.kube.cluster import Cluster, build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import objects
from quotalint.text.place import Place

Manifest = dict[str, Any]


def quotas(**by_resource: object) -> list[Manifest]:
    """The resources of a flavor: `cpu=8`, or `cpu={"nominalQuota": 8, "borrowingLimit": 2}`."""
    return [
        {"name": name, **(amounts if isinstance(amounts, dict) else {"nominalQuota": amounts})}
        for name, amounts in by_resource.items()
    ]


def queue_object(kind: str, name: str, *groups: dict[str, list[Manifest]], **spec: object) -> Manifest:
    """A ClusterQueue or Cohort; each group has the resources of its flavors by name."""
    written = [
        {
            "coveredResources": [quota["name"] for quota in next(iter(flavors.values()))],
            "flavors": [{"name": flavor, "resources": resources} for flavor, resources in flavors.items()],
        }
        for flavors in groups
    ]
    return _manifest(kind, name, {"resourceGroups": written, **spec})


def local_queue(name: str, cluster_queue: str, namespace: str = "team") -> Manifest:
    return _manifest("LocalQueue", name, {"clusterQueue": cluster_queue}, namespace=namespace)


def flavor(name: str, **spec: object) -> Manifest:
    return _manifest("ResourceFlavor", name, spec)


def cluster_of(*manifests: Manifest) -> Cluster:
    """What is applied to one cluster."""
    found = [obj for number, body in enumerate(manifests) for obj in objects(body, Place("a.yaml", number))]
    return build_cluster(found, discover_kinds(found, "1.34"))


def _manifest(kind: str, name: str, spec: object, **metadata: str) -> Manifest:
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": kind,
        "metadata": {"name": name, **metadata},
        "spec": spec,
    }
