"""Reads ClusterQueues, Cohorts, LocalQueues and ResourceFlavors.

Source: Kueue 0.19, apis/kueue/v1beta1 and v1beta2 (v1beta2 calls `cohort` of a ClusterQueue `cohortName`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quotalint.kube.amounts import amount, is_placeholder
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, mapping, sequence, strings, text
from quotalint.kube.kinds import KUEUE
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

FlavorResource = tuple[str, str]
"""The names of a ResourceFlavor and of a resource."""


class Allowance(NamedTuple):
    """What a queue or cohort has of one resource in one flavor, in 10^-9 units."""

    nominal: int
    borrowing: int | None
    """The most that it may borrow; None: whatever its cohort has."""
    lending: int | None
    """The most that it lends; None: everything."""
    path: Path


class ResourceGroup(NamedTuple):
    """Resources for which one flavor is chosen together."""

    resources: tuple[str, ...]
    flavors: tuple[str, ...]
    """In the order in which they are tried."""
    path: Path


class QueueNode(NamedTuple):
    """A ClusterQueue or a Cohort."""

    object: Object | None
    """None for a Cohort that is only named."""
    name: str
    parent: str
    """The Cohort above it; empty if there is none."""
    groups: tuple[ResourceGroup, ...]
    allowances: Mapping[FlavorResource, Allowance]
    is_readable: bool
    """Whether all amounts and names are known."""

    @property
    def parent_path(self) -> Path:
        """The path of the field that names the Cohort above it."""
        if self.object is None or self.object.kind == "Cohort":
            return ("spec", "parentName")
        return ("spec", "cohortName" if "cohortName" in self.object.spec else "cohort")

    @property
    def resources(self) -> frozenset[str]:
        """All resources that its groups cover."""
        return frozenset(name for group in self.groups for name in group.resources)

    def group_of(self, resource: str) -> ResourceGroup | None:
        """The group that covers a resource."""
        return next((group for group in self.groups if resource in group.resources), None)


class Queues(NamedTuple):
    """The queues of one cluster."""

    cluster_queues: Mapping[str, QueueNode]
    cohorts: Mapping[str, QueueNode]
    """The Cohorts that objects define, by name."""
    local_queues: Mapping[tuple[str, str], Object]
    """By namespace and name."""
    flavors: Mapping[str, Object]

    def cluster_queue_of(self, namespace: str, local_queue: str) -> QueueNode | None:
        """The ClusterQueue behind a LocalQueue; None if either is not in view."""
        local = self.local_queues.get((namespace, local_queue))
        return self.cluster_queues.get(cluster_queue_name(local)) if local is not None else None


def cluster_queue_name(local_queue: Object) -> str:
    """The ClusterQueue that a LocalQueue names."""
    return text(local_queue.spec.get("clusterQueue"))


def queues_of(cluster: Cluster) -> Queues:
    """All queues of a cluster."""
    return Queues(
        {obj.name: _read_node(obj) for obj in cluster.of(KUEUE, "ClusterQueue") if obj.name},
        {obj.name: _read_node(obj) for obj in cluster.of(KUEUE, "Cohort") if obj.name},
        {(obj.namespace, obj.name): obj for obj in cluster.of(KUEUE, "LocalQueue")},
        {obj.name: obj for obj in cluster.of(KUEUE, "ResourceFlavor")},
    )


def _read_node(obj: Object) -> QueueNode:
    spec = obj.spec
    parents = ("parentName", "parent") if obj.kind == "Cohort" else ("cohortName", "cohort")
    parent = next((name for name in (text(spec.get(field)) for field in parents) if name), "")
    groups, allowances = [], {}
    readable = not is_placeholder(parent)
    for index, written in enumerate(map(mapping, sequence(spec.get("resourceGroups")))):
        path: Path = ("spec", "resourceGroups", index)
        flavors = [mapping(flavor) for flavor in sequence(written.get("flavors"))]
        names = tuple(text(flavor.get("name")) for flavor in flavors)
        groups.append(ResourceGroup(strings(written.get("coveredResources")), names, path))
        readable = readable and not any(map(is_placeholder, names))
        for key, allowance in _read_flavors(flavors, (*path, "flavors")):
            if allowance is None:
                readable = False
            else:
                allowances[key] = allowance
    return QueueNode(obj, obj.name, parent, tuple(groups), allowances, readable)


def _read_flavors(flavors: Iterable[Body], path: Path) -> Iterator[tuple[FlavorResource, Allowance | None]]:
    """The amounts of each flavor and resource; None if one cannot be read."""
    for index, flavor in enumerate(flavors):
        for position, quota in enumerate(map(mapping, sequence(flavor.get("resources")))):
            key = (text(flavor.get("name")), text(quota.get("name")))
            nominal, borrowing, lending = (
                amount(quota[field]) if quota.get(field) is not None else None
                for field in ("nominalQuota", "borrowingLimit", "lendingLimit")
            )
            limits = [limit.nano if isinstance(limit, Quantity) else None for limit in (borrowing, lending)]
            unread = any(limit is not None and not isinstance(limit, Quantity) for limit in (borrowing, lending))
            if unread or not isinstance(nominal, Quantity):
                yield key, None
            else:
                at = (*path, index, "resources", position)
                yield key, Allowance(nominal.nano, limits[0], limits[1], at)
