"""Objects of other kinds that limit what namespaces use: one file per kind, read only where there are such objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import mapping
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Ref
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota

CLUSTER_RESOURCE_QUOTA = ("quota.openshift.io", "ClusterResourceQuota")
HIERARCHICAL_RESOURCE_QUOTA = ("hnc.x-k8s.io", "HierarchicalResourceQuota")
TENANT = ("capsule.clastix.io", "Tenant")
PROJECT = ("management.cattle.io", "Project")
_OF_RANCHER = "field.cattle.io/"


class Family(NamedTuple):
    """What such objects come to."""

    quotas: tuple[Quota, ...] = ()
    limit_ranges: tuple[LimitRange, ...] = ()
    made_refs: frozenset[Ref] = frozenset()
    """The ResourceQuotas and LimitRanges that a snapshot shows and controllers made of these: each is counted once."""


READERS: Mapping[tuple[str, str], str] = {
    ("", "ClusterResourceQuota"): "openshift.cluster_resource_quotas",
    CLUSTER_RESOURCE_QUOTA: "openshift.cluster_resource_quotas",
    HIERARCHICAL_RESOURCE_QUOTA: "hierarchy.hierarchical_resource_quotas",
    TENANT: "capsule.tenant_limits",
    PROJECT: "rancher.project_limits",
}
"""Group and kind → the function that reads all objects of it, as `module.function`."""


def read_family(cluster: Cluster) -> Family:
    """Everything that limits the namespaces of a cluster and is neither a ResourceQuota nor a LimitRange."""
    readers = dict.fromkeys(reader for kind, reader in READERS.items() if cluster.of(*kind))
    annotated = (obj.metadata.get("annotations") for obj in (*cluster.of("", "Namespace"), *cluster.live))
    if any(str(key).startswith(_OF_RANCHER) for annotations in annotated for key in mapping(annotations)):
        readers[READERS[PROJECT]] = None
    families = [_read_with(reader, cluster) for reader in readers]
    return Family(
        tuple(quota for family in families for quota in family.quotas),
        tuple(limit_range for family in families for limit_range in family.limit_ranges),
        frozenset(ref for family in families for ref in family.made_refs),
    )


def _read_with(reader: str, cluster: Cluster) -> Family:
    """What the objects come to that a reader is for. It is imported only now, where a cluster has such an object."""
    from importlib import import_module

    module, _, name = reader.partition(".")
    read: Callable[[Cluster], Family] = getattr(import_module(f"quotalint.quota.family.{module}"), name)
    return read(cluster)
