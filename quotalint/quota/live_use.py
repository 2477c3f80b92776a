"""What the cluster itself says that it charges: `status.used` of a quota, a lower bound of what is used; and of several
snapshots the largest of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quotalint.kube.amounts import amounts
from quotalint.kube.fields import dig
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.quota.quotas import Largest, Quota

_USED = {
    ("", "ResourceQuota"): ("status", "used"),
    ("quota.openshift.io", "ClusterResourceQuota"): ("status", "total", "used"),
}


Moment = tuple[str, Sequence[Object]]
"""When a snapshot was taken, and what it shows."""


def with_live_use(quota: Quota, live: Iterable[Object]) -> Quota:
    """The quota with what is charged to it: as a snapshot shows it, else as it was exported."""
    obj = quota.object
    used = live_use(next((live_object for live_object in live if live_object.ref == obj.ref), obj))
    return quota._replace(used=used) if used else quota


def live_use(obj: Object) -> Mapping[str, Quantity]:
    """What the status of an object says to be charged, by entry; nothing where it is no quota, or says nothing."""
    path = _USED.get((obj.group, obj.kind))
    return {} if path is None else amounts(dig(obj.body, *path), path).known


def with_largest_use(quota: Quota, history: Iterable[Moment]) -> Quota:
    """The quota with the largest use that was seen; of several alike the first. Without several there is none."""
    largest: dict[str, Largest] = {}
    for when, objects in history:
        for obj in objects:
            if obj.ref != quota.object.ref:
                continue
            for name, amount in live_use(obj).items():
                if name not in largest or amount.nano > largest[name].amount.nano:
                    largest[name] = Largest(amount, when)
    return quota._replace(largest=largest) if largest else quota
