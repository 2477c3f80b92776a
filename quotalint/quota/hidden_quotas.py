"""Quotas that a namespace may have and that are not in view."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.deployed import Unseen
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.quota.quotas import Quota

_DEPTH = 64  # a template in a template in a template …: deeper than anyone writes


def hiding_quotas(unseen: Iterable[Unseen], objects: Iterable[Object]) -> frozenset[str]:
    """The namespaces that may have a quota which is not in view; empty: any may."""
    hidden = (gap.namespace for gap in unseen if not gap.kinds or "ResourceQuota" in gap.kinds)
    return frozenset((*hidden, *([""] if any(map(_brings_quotas, objects)) else ())))


def is_unplaced(quota: Quota) -> bool:
    """Whether a quota in view may be one of any namespace."""
    return quota.object.homeless or bool(quota.hidden) or any(map(is_placeholder, quota.namespaces))


def _brings_quotas(obj: Object) -> bool:
    # A policy that generates quotas, a template of projects, a manifest for another cluster.
    return obj.kind != "ResourceQuota" and _holds_quota(obj.body, _DEPTH)


def _holds_quota(value: object, depth: int) -> bool:
    if isinstance(value, dict):
        inner = value.values()
        is_quota = (value.get("apiVersion"), value.get("kind")) == ("v1", "ResourceQuota")
        return is_quota or any(_holds_quota(child, depth - 1) for child in inner if depth)
    return isinstance(value, list) and any(_holds_quota(child, depth - 1) for child in value if depth)
