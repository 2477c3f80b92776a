"""Which namespaces may have quotas that are not known here."""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.quota.quotas import Quota
from quotalint.unknowns.unseen import Unseen

_DEPTH = 64  # nested templates: deeper than any real manifest


def namespaces_with_hidden_quotas(unseen: Iterable[Unseen], objects: Iterable[Object]) -> frozenset[str]:
    """The namespaces that may have an unknown quota; the empty name stands for any namespace."""
    hidden = (gap.namespace for gap in unseen if not gap.kinds or "ResourceQuota" in gap.kinds)
    return frozenset((*hidden, *([""] if any(map(_contains_quotas, objects)) else ())))


def may_apply_anywhere(quota: Quota) -> bool:
    """Whether a quota may apply to any namespace."""
    return quota.object.homeless or bool(quota.hidden) or any(map(is_placeholder, quota.namespaces))


def _contains_quotas(obj: Object) -> bool:
    # For example a policy that generates quotas, a project template, or a manifest for another cluster.
    return obj.kind != "ResourceQuota" and _holds_quota(obj.body, _DEPTH)


def _holds_quota(value: object, depth: int) -> bool:
    if isinstance(value, dict):
        inner = value.values()
        is_quota = (value.get("apiVersion"), value.get("kind")) == ("v1", "ResourceQuota")
        return is_quota or any(_holds_quota(child, depth - 1) for child in inner if depth)
    return isinstance(value, list) and any(_holds_quota(child, depth - 1) for child in value if depth)
