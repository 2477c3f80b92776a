"""The evaluator of ResourceClaims (dynamic resource allocation).

Source: Kubernetes 1.36, pkg/quota/v1/evaluator/core/resource_claims.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.evaluators.evaluator import Evaluator, matches_no_scope, nothing_missing
from quotalint.kube import quantity, resource_list
from quotalint.kube.claim import DeviceClaim
from quotalint.kube.fields import Body, dig, integer, mapping, sequence, text
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import DEVICES_OF_CLASS, IMPLICIT_EXTENDED_QUOTA, is_extended_quota
from quotalint.kube.scheduler_claims import is_scheduler_claim

COUNT = "count/resourceclaims.resource.k8s.io"
_ALL = 32  # AllocationResultsMaxSize: the worst case of allocationMode All


def tracks(name: str) -> bool:
    """Whether ResourceClaims are charged to a name of `hard` (MatchingResources)."""
    return name == COUNT or name.endswith(DEVICES_OF_CLASS) or is_extended_quota(name)


def usage(claim: DeviceClaim) -> ResourceList:
    """One claim, and the most devices of each class that it may get; also as extended resources, if the release
    supports that."""
    requests = sequence(dig(claim.body, "spec", "devices", "requests"))
    by_class = resource_list.total(_request_usage(mapping(request)) for request in requests)
    charged = {COUNT: quantity.of(1), **{name + DEVICES_OF_CLASS: number for name, number in by_class.items()}}
    if claim.extended_names is not None:
        if not is_scheduler_claim(claim.body):
            charged |= {IMPLICIT_EXTENDED_QUOTA + name: number for name, number in by_class.items()}
        for name, number in by_class.items():
            extended = claim.extended_names.get(name)
            if extended:
                charged = resource_list.add(charged, {f"requests.{extended}": number})
    return charged


def _request_usage(request: Body) -> ResourceList:
    alternatives = [mapping(item) for item in sequence(request.get("firstAvailable"))]
    if alternatives:
        worst: ResourceList = {}
        for alternative in alternatives:
            worst = resource_list.maximum(worst, dict(_device_counts(alternative)))
        return worst
    # v1beta1 wrote the exact request inline, v1 and v1beta2 below `exactly`.
    exactly = request.get("exactly")
    return dict(_device_counts(mapping(exactly) if exactly is not None else request))


def _device_counts(request: Body) -> Iterator[tuple[str, quantity.Quantity]]:
    device_class = text(request.get("deviceClassName"))
    mode = request.get("allocationMode") or "ExactCount"
    count = integer(request.get("count"))
    if device_class and mode in ("ExactCount", "All"):
        devices = _ALL if mode == "All" else (1 if count is None else count)
        yield device_class, quantity.of(devices)


EVALUATOR = Evaluator(tracks, frozenset(), usage, matches_no_scope, nothing_missing)
