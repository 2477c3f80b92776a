"""Karmada's FederatedResourceQuota: a ResourceQuota in each cluster that it names, and a limit over all clusters.

Which objects of its namespace go to which cluster is decided by Karmada, so these quotas are checked, and count
nothing here. Source: karmada-io/karmada, pkg/apis/policy/v1alpha1/federatedresourcequota_types.go,
pkg/controllers/federatedresourcequota/federated_resource_quota_sync_controller.go (buildWorks).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import mapping, sequence
from quotalint.kube.objects import Object
from quotalint.quota.family import FEDERATED_RESOURCE_QUOTA, Family
from quotalint.quota.quotas import Quota, quota

_OVERALL = ("spec", "overall")


def federated_resource_quotas(cluster: Cluster) -> Family:
    """What every FederatedResourceQuota limits, in each cluster and in all."""
    return Family(tuple(part for obj in cluster.of(*FEDERATED_RESOURCE_QUOTA) for part in _parts(obj)))


def _parts(obj: Object) -> Iterator[Quota]:
    # Karmada itself counts extended resources by their own names, which no ResourceQuota does.
    overall = {name: amount for name, amount in mapping(obj.spec.get("overall")).items() if "/" not in str(name)}
    if overall:
        keys = {str(name): (*_OVERALL, str(name)) for name in overall}
        yield quota(obj, (), spec={"hard": overall})._replace(keys=keys)
    for index, _ in enumerate(sequence(obj.spec.get("staticAssignments"))):
        yield quota(obj, (), ("spec", "staticAssignments", index))
