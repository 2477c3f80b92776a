"""Kubeflow's Profile: a namespace of its name, with a ResourceQuota.

Source: kubeflow/dashboard, components/profile-controller/controllers/profile_controller.go (Reconcile: the
ResourceQuota kf-resource-quota with `resourceQuotaSpec` as it is, if its `hard` has an entry).
"""

from __future__ import annotations

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import dig, mapping
from quotalint.quota.family import PROFILE, Family
from quotalint.quota.quotas import quota
from quotalint.text.place import Path

_CALLED = "kf-resource-quota"
_SPEC: Path = ("spec", "resourceQuotaSpec")


def profile_quotas(cluster: Cluster) -> Family:
    """The quota of each Profile that has one."""
    limited = [obj for obj in cluster.of(*PROFILE) if mapping(dig(obj.body, *_SPEC, "hard"))]
    names = {obj.name for obj in limited}
    made = (obj.ref for obj in cluster.of("", "ResourceQuota") if obj.foreign and obj.name == _CALLED)
    return Family(
        tuple(quota(obj, (obj.name,), _SPEC)._replace(called=_CALLED) for obj in limited),
        made_refs=frozenset(ref for ref in made if ref.namespace in names),
    )
