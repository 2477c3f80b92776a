"""Capsule's Tenant: quotas and LimitRanges for all namespaces of a tenant.

Source: projectcapsule/capsule 0.14, pkg/api/resource_quota.go and limit_ranges.go (the fields),
internal/controllers/tenant/resourcequotas.go (scope Tenant: the ResourceQuota of each namespace is given what the
other namespaces leave; scope Namespace: each has all of it) and limitranges.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import ApiError, Wrong
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.objects import Object, Ref
from quotalint.quota.family import TENANT, Family
from quotalint.quota.family.described_namespaces import Namespace, described_namespaces
from quotalint.quota.quotas import Quota, quota
from quotalint.text.place import Path

_LABELS = ("projectcapsule.dev/tenant", "capsule.clastix.io/tenant")
_QUOTAS: Path = ("spec", "resourceQuotas")
_LIMITS: Path = ("spec", "limitRanges", "items")
_SHARED, _EACH = "Tenant", "Namespace"


def tenant_limits(cluster: Cluster) -> Family:
    """The quotas and LimitRanges of all tenants of a cluster."""
    namespaces = described_namespaces(cluster)
    members: dict[str, list[str]] = {}
    for namespace in namespaces.by_name.values():
        members.setdefault(_tenant_of(namespace), []).append(namespace.name)
    by_name = {
        obj.name: tuple(sorted({*members.get(obj.name, ()), *_namespaces_in_status(obj)} if obj.name else ()))
        for obj in cluster.of(*TENANT)
    }
    quotas: list[Quota] = []
    limits: list[LimitRange] = []
    for obj in cluster.of(*TENANT):
        quotas += _tenant_quotas(obj, by_name[obj.name], are_all=namespaces.are_shown)
        limits += _limit_ranges(obj, by_name[obj.name])
    return Family(tuple(quotas), tuple(limits), frozenset(_refs_made_for_tenants(cluster, by_name)))


def _tenant_of(namespace: Namespace) -> str:
    """The tenant of a namespace: from its owner reference, or from the label that becomes one."""
    for obj in namespace.objects:
        owner = _owning_tenant(obj)
        if owner:
            return owner
    return next((label_value for label in _LABELS if (label_value := text(namespace.labels.get(label)))), "")


def _owning_tenant(obj: Object) -> str:
    for reference in map(mapping, sequence(obj.metadata.get("ownerReferences"))):
        group = text(reference.get("apiVersion")).partition("/")[0]
        if (group, reference.get("kind")) == TENANT:
            return text(reference.get("name"))
    return ""


def _namespaces_in_status(obj: Object) -> tuple[str, ...]:
    """The namespaces that the status lists in a snapshot."""
    listed = sequence(dig(obj.body, "status", "namespaces")) if obj.foreign else ()
    return tuple(name for name in listed if isinstance(name, str))


def _tenant_quotas(obj: Object, members: tuple[str, ...], *, are_all: bool) -> Iterator[Quota]:
    scope = text(dig(obj.body, *_QUOTAS, "scope")) or _SHARED
    refused = () if scope in (_SHARED, _EACH) or is_placeholder(scope) else (_bad_scope(scope),)
    by_namespace = scope == _EACH and bool(members)
    # Tenant users create namespaces too.
    hidden = () if by_namespace or are_all else (f"tenant {obj.name} may have namespaces that are not in view",)
    for index, _ in enumerate(sequence(dig(obj.body, *_QUOTAS, "items"))):
        for quota_namespaces in [(name,) for name in members] if by_namespace else [members]:
            yield quota(obj, quota_namespaces, (*_QUOTAS, "items", index))._replace(
                called=f"capsule-{obj.name}-{index}", refused=refused, is_split=len(quota_namespaces) > 1, hidden=hidden
            )


def _bad_scope(scope: str) -> ApiError:
    path = (*_QUOTAS, "scope")
    detail = f'Unsupported value: "{scope[:40]}": supported values: "{_SHARED}", "{_EACH}"'
    return ApiError(Wrong.ELSEWHERE, "spec.resourceQuotas.scope", path, detail, scope)


def _limit_ranges(obj: Object, members: tuple[str, ...]) -> Iterator[LimitRange]:
    for index, _ in enumerate(sequence(dig(obj.body, *_LIMITS))):
        # A tenant without namespaces is read too, to find its errors.
        for namespace in members or ("",):
            yield limit_range(obj, namespace, f"capsule-{obj.name}-{index}", (*_LIMITS, index))


def _refs_made_for_tenants(cluster: Cluster, tenants_in_view: Mapping[str, tuple[str, ...]]) -> Iterator[Ref]:
    for kind in ("ResourceQuota", "LimitRange"):
        for obj in cluster.of("", kind):
            if obj.foreign and _owning_tenant(obj) in tenants_in_view:
                yield obj.ref
