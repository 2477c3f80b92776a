"""What a snapshot does not show, where it says itself what was read: such sums are lower bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.deployed import About
from quotalint.kube.listed_kinds import PODS
from quotalint.quota.projection import HiddenObjects

_OF_KINDS = {
    "services": ("services", "services.loadbalancers", "services.nodeports"),
    "persistentvolumeclaims": ("persistentvolumeclaims", "storage"),
    "resourceclaims.resource.k8s.io": ("deviceclass",),
}


def hidden_by_snapshots(abouts: Sequence[About], namespace: str) -> Iterator[HiddenObjects]:
    """Why a namespace may hold more than the snapshots that are to hold it show of it."""
    for about in abouts:
        if not about.read or (about.namespaces and namespace not in about.namespaces):
            continue
        called = f"the snapshot of {about.cluster}"
        for gap in about.unread:
            if gap.namespace in ("", namespace):
                reason = f"{called} has no {gap.resource.partition('.')[0]}: {gap.reason}"
                if gap.resource in PODS:
                    yield HiddenObjects(reason)
                else:
                    yield HiddenObjects(reason, only=(gap.resource, *_OF_KINDS.get(gap.resource, ())))
        yield HiddenObjects(
            f"{called} does not show everything that is counted by number", others=frozenset(about.read)
        )
