"""Objects of other kinds that limit what namespaces use: one file per kind, read only where there are such objects."""

from __future__ import annotations

from typing import NamedTuple

from quotalint.cluster import Cluster
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Ref
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
    made: frozenset[Ref] = frozenset()
    """The ResourceQuotas and LimitRanges that a snapshot shows and controllers made of these: each is counted once."""


def read_family(view: Cluster) -> Family:
    """Everything that limits the namespaces of a cluster and is neither a ResourceQuota nor a LimitRange."""
    # Each is imported where a cluster has such an object.
    families: list[Family] = []
    if view.of(*CLUSTER_RESOURCE_QUOTA) or view.of("", "ClusterResourceQuota"):
        from quotalint.quota.family.openshift import cluster_resource_quotas

        families.append(Family(tuple(cluster_resource_quotas(view))))
    if view.of(*HIERARCHICAL_RESOURCE_QUOTA):
        from quotalint.quota.family.hierarchy import hierarchical_resource_quotas

        families.append(hierarchical_resource_quotas(view))
    if view.of(*TENANT):
        from quotalint.quota.family.capsule import tenant_limits

        families.append(tenant_limits(view))
    if view.of(*PROJECT) or _has_annotations_of_rancher(view):
        from quotalint.quota.family.rancher import project_limits

        families.append(project_limits(view))
    return Family(
        tuple(quota for each in families for quota in each.quotas),
        tuple(limit_range for each in families for limit_range in each.limit_ranges),
        frozenset(ref for each in families for ref in each.made),
    )


def _has_annotations_of_rancher(view: Cluster) -> bool:
    for obj in (*view.of("", "Namespace"), *view.live):
        annotations = obj.metadata.get("annotations")
        if isinstance(annotations, dict) and any(str(key).startswith(_OF_RANCHER) for key in annotations):
            return True
    return False
