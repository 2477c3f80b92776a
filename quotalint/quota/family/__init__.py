"""Other kinds of objects that limit the use of namespaces: one module per kind, imported only if such objects exist."""

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
CLUSTER_POLICY = ("kyverno.io", "ClusterPolicy")
GENERATING = tuple(("policies.kyverno.io", kind) for kind in ("GeneratingPolicy", "NamespacedGeneratingPolicy"))
PROFILE = ("kubeflow.org", "Profile")
ACCOUNT_QUOTA = ("config.kiosk.sh", "AccountQuota")
FEDERATED_RESOURCE_QUOTA = ("policy.karmada.io", "FederatedResourceQuota")
_OF_RANCHER = "field.cattle.io/"


class Family(NamedTuple):
    """The quotas and LimitRanges that such objects stand for."""

    quotas: tuple[Quota, ...] = ()
    limit_ranges: tuple[LimitRange, ...] = ()
    made_refs: frozenset[Ref] = frozenset()
    """ResourceQuotas and LimitRanges in a snapshot that controllers made from these objects; they are not counted
    twice."""


READERS: Mapping[tuple[str, str], str] = {
    ("", "ClusterResourceQuota"): "openshift.cluster_resource_quotas",
    CLUSTER_RESOURCE_QUOTA: "openshift.cluster_resource_quotas",
    HIERARCHICAL_RESOURCE_QUOTA: "hierarchy.hierarchical_resource_quotas",
    TENANT: "capsule.tenant_limits",
    PROJECT: "rancher.project_limits",
    CLUSTER_POLICY: "generated.generated_limits",
    **dict.fromkeys(GENERATING, "generated.generated_limits"),
    PROFILE: "kubeflow.profile_quotas",
    ACCOUNT_QUOTA: "kiosk.account_quotas",
    FEDERATED_RESOURCE_QUOTA: "karmada.federated_resource_quotas",
}
"""Group and kind → the function that reads all objects of that kind, as `module.function`."""


def read_family(cluster: Cluster) -> Family:
    """Everything except ResourceQuotas and LimitRanges that limits the namespaces of a cluster."""
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
    """The limits that one reader finds. Its module is imported only when a cluster has such an object."""
    from importlib import import_module

    module, _, name = reader.partition(".")
    read: Callable[[Cluster], Family] = getattr(import_module(f"quotalint.quota.family.{module}"), name)
    return read(cluster)
