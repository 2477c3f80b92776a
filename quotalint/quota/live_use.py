"""What the cluster itself says that it charges: `status.used` of a quota, a lower bound of what is used."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.kube.amounts import amounts
from quotalint.kube.fields import dig
from quotalint.kube.objects import Object
from quotalint.quota.quotas import Quota

_USED = {
    ("", "ResourceQuota"): ("status", "used"),
    ("quota.openshift.io", "ClusterResourceQuota"): ("status", "total", "used"),
}


def with_live_use(quota: Quota, live: Iterable[Object]) -> Quota:
    """The quota with what is charged to it: as a snapshot shows it, else as it was exported."""
    obj = quota.object
    path = _USED.get((obj.group, obj.kind))
    if path is None:
        return quota
    shown = next((one for one in live if one.ref == obj.ref), obj)
    used = amounts(dig(shown.body, *path), path).known
    return quota._replace(used=used) if used else quota
