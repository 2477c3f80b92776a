"""Rancher's quotas: annotations of a Namespace, defaults of its Project, and the Project's budget.

Source: rancher/rancher, pkg/controllers/managementuser/resourcequota/resource_quota_sync.go
(deriveRequestedResourceQuota, completeQuota, getResourceLimitToUpdate, completeLimit) and
pkg/resourcequota/quota_validate.go (IsQuotaFit).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import ApiError, Wrong
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import EMPTY, Body, dig, mapping, text
from quotalint.kube.limit_range import LimitRange, limit_range
from quotalint.kube.objects import Object, Ref
from quotalint.named_tuples import NamedTuple
from quotalint.quota.family import PROJECT, Family
from quotalint.quota.family.described_namespaces import Namespace, described_namespaces
from quotalint.quota.quotas import Quota
from quotalint.quota.quotas import quota as quota_of
from quotalint.text.place import Path

_NAMES = {
    "configMaps": "configmaps",
    "limitsCpu": "limits.cpu",
    "limitsMemory": "limits.memory",
    "persistentVolumeClaims": "persistentvolumeclaims",
    "pods": "pods",
    "replicationControllers": "replicationcontrollers",
    "requestsCpu": "requests.cpu",
    "requestsMemory": "requests.memory",
    "requestsStorage": "requests.storage",
    "secrets": "secrets",
    "services": "services",
    "servicesLoadBalancers": "services.loadbalancers",
    "servicesNodePorts": "services.nodeports",
}
_EXTENDED = "extended"  # any other name of `hard`, as it is
_OF_CONTAINERS = {
    "limitsCpu": ("default", "cpu"),
    "limitsMemory": ("default", "memory"),
    "requestsCpu": ("defaultRequest", "cpu"),
    "requestsMemory": ("defaultRequest", "memory"),
}


class RancherLimits(NamedTuple):
    """The amounts in an annotation."""

    amounts: Body = EMPTY
    """Amounts by Rancher's keys; `extended` is a nested mapping."""
    problem: str = ""
    """Why Rancher cannot read it."""
    is_placeholder: bool = False
    """A template engine would have put something else there."""


def quota_annotation(written: str) -> RancherLimits:
    """The amounts of `field.cattle.io/resourceQuota`."""
    value = _parse_json(written)
    if isinstance(value, RancherLimits):
        return value
    limit = _field_value(value, "limit")
    if limit is not None and not isinstance(limit, dict):
        return RancherLimits(problem=f"Rancher reads a mapping in `limit`, not {_json_kind(limit)}")
    return _text_limits(mapping(limit), (*_NAMES, _EXTENDED), "limit.")


def container_annotation(written: str) -> RancherLimits:
    """The amounts of `field.cattle.io/containerDefaultResourceLimit`."""
    value = _parse_json(written)
    return value if isinstance(value, RancherLimits) else _text_limits(value, tuple(_OF_CONTAINERS), "")


def hard_amounts(amounts: Body) -> dict[str, object]:
    """Amounts by the names of `hard`. Rancher's own keys win over the same names under `extended`."""
    extended = {name: value for name, value in mapping(amounts.get(_EXTENDED)).items() if _is_given(value)}
    return {**extended, **{name: amounts[key] for key, name in _NAMES.items() if _is_given(amounts.get(key))}}


def hard_paths(amounts: Body, base: Path) -> dict[str, Path]:
    """The path of each name of `hard` below the amounts."""
    extended: dict[str, Path] = {name: (*base, _EXTENDED, name) for name in mapping(amounts.get(_EXTENDED))}
    return {**extended, **{name: (*base, key) for key, name in _NAMES.items() if _is_given(amounts.get(key))}}


def container_limits(amounts: Body) -> list[object]:
    """Amounts as the `limits` of a LimitRange; empty if no amount is given."""
    item: dict[str, dict[str, object]] = {}
    for key, (field, resource) in _OF_CONTAINERS.items():
        if _is_given(amounts.get(key)):
            item.setdefault(field, {})[resource] = amounts[key]
    return [{"type": "Container", **item}] if item else []


def _is_given(value: object) -> bool:
    # Rancher omits empty values when it encodes the annotation (omitempty).
    return value is not None and value != ""


def _parse_json(written: str) -> Body | RancherLimits:
    import json

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    try:
        value = json.loads(written, parse_constant=refuse)
    except json.JSONDecodeError as error:
        problem = f"it is not JSON: {error.msg}, at character {error.pos + 1}"
        return RancherLimits(is_placeholder=True) if is_placeholder(written) else RancherLimits(problem=problem)
    except (ValueError, RecursionError):
        return RancherLimits(problem="it is not JSON that can be read")
    if value is None:
        return {}
    return (
        value
        if isinstance(value, dict)
        else RancherLimits(problem=f"Rancher reads a mapping there, not {_json_kind(value)}")
    )


def _text_limits(written: Body, keys: tuple[str, ...], before: str) -> RancherLimits:
    """The known keys as Go's decoder reads them: case-insensitive, string values only."""
    texts: dict[str, object] = {}
    for key in keys:
        value = _field_value(written, key)
        inner = value if isinstance(value, dict) and key == _EXTENDED else {key: value}
        for name, amount in inner.items():
            if amount is not None and not isinstance(amount, str):
                where = f"{before}{key}.{name}" if inner is value else f"{before}{key}"
                return RancherLimits(problem=f"Rancher reads a text in `{where}`, not {_json_kind(amount)}")
        if value is not None:
            texts[key] = value
    return RancherLimits(texts)


def _field_value(written: Body, key: str) -> object:
    if key in written:
        return written[key]
    return next((value for name, value in written.items() if name.lower() == key.lower()), None)


def _json_kind(value: object) -> str:
    kinds: Mapping[type, str] = {dict: "a mapping", list: "a list", str: "a text", bool: "true or false"}
    return kinds.get(type(value), "a number")


_QUOTA: Path = ("metadata", "annotations", "field.cattle.io/resourceQuota")
_CONTAINERS: Path = ("metadata", "annotations", "field.cattle.io/containerDefaultResourceLimit")
_PROJECT_ID = "field.cattle.io/projectId"
_MADE = "resourcequota.management.cattle.io/default-resource-quota"
_BUDGET: Path = ("spec", "resourceQuota", "limit")
_DEFAULT: Path = ("spec", "namespaceDefaultResourceQuota", "limit")
_CONTAINER_DEFAULT: Path = ("spec", "containerDefaultResourceLimit")
_CALLED = "default-*"  # the API server generates the suffix (generateName)


class _ManagedNamespace(NamedTuple):
    """A known namespace."""

    name: str
    object: Object
    """The Namespace object."""
    annotations: Body
    id: str
    """The ID of its project; empty if it has none."""
    project: Object | None
    """None if the project is not known."""

    def annotation_text(self, path: Path) -> str:
        """The text of an annotation, from the repository or the cluster."""
        return text(self.annotations.get(str(path[-1])))


def project_limits(cluster: Cluster) -> Family:
    """The quotas and LimitRanges that Rancher makes for the namespaces and projects of a cluster."""
    namespaces = described_namespaces(cluster)
    by_id = {_project_id(obj): obj for obj in cluster.of(*PROJECT)}
    managed = [member for namespace in namespaces.by_name.values() for member in _managed_namespaces(namespace, by_id)]
    own = {member.name: quota for member in managed if (quota := _namespace_quota(member)) is not None}
    limits = tuple(limits for member in managed if (limits := _limit_range(member)) is not None)
    budgets = [
        budget
        for id_, obj in by_id.items()
        if (
            budget := _project_budget(
                obj, [member.name for member in managed if member.id == id_], own, are_all=namespaces.are_shown
            )
        )
        is not None
    ]
    made_refs = _refs_made_by_rancher(cluster, own.keys() | {limits_made.namespace for limits_made in limits})
    return Family((*own.values(), *budgets), limits, frozenset(made_refs))


def _project_id(project: Object) -> str:
    return f"{text(project.spec.get('clusterName')) or project.namespace}:{project.name}"


def _managed_namespaces(namespace: Namespace, by_id: dict[str, Object]) -> Iterator[_ManagedNamespace]:
    own = [obj for obj in namespace.objects if (obj.group, obj.kind) == ("", "Namespace")]
    for obj in own[:1]:
        id_ = text(namespace.annotations.get(_PROJECT_ID))
        yield _ManagedNamespace(namespace.name, obj, namespace.annotations, id_, by_id.get(id_))


def _namespace_quota(namespace: _ManagedNamespace) -> Quota | None:
    """The namespace's own amounts, completed by the defaults of its project."""
    own = quota_annotation(written) if (written := namespace.annotation_text(_QUOTA)) else None
    if namespace.project is None:
        return _annotated_quota(namespace, own) if own is not None else None
    default = mapping(dig(namespace.project.body, *_DEFAULT))
    if not mapping(dig(namespace.project.body, *_BUDGET[:-1])) or not default:
        return None  # without a default, Rancher deletes the quotas of the namespaces
    if own is None:
        return _defaulted_quota(namespace, namespace.project, default)
    # A namespace can only request resources that the project has a default for.
    return _annotated_quota(
        namespace, own._replace(amounts={key: own.amounts.get(key, default[key]) for key in default})
    )


def _annotated_quota(namespace: _ManagedNamespace, limits: RancherLimits) -> Quota | None:
    amounts = hard_amounts(limits.amounts)
    if limits.is_placeholder or not (amounts or limits.problem):
        return None
    annotated = quota_of(namespace.object, (namespace.name,), _QUOTA, {"hard": {} if limits.problem else amounts})
    refused = (ApiError(Wrong.ELSEWHERE, annotated.within(), _QUOTA, limits.problem),) if limits.problem else ()
    return annotated._replace(called=_CALLED, refused=refused, keys=dict.fromkeys(amounts, _QUOTA))


def _defaulted_quota(namespace: _ManagedNamespace, project: Object, default: Body) -> Quota | None:
    amounts = hard_amounts(default)
    if not amounts:
        return None
    defaulted = quota_of(project, (namespace.name,), _DEFAULT[:-1], {"hard": amounts})
    return defaulted._replace(called=_CALLED, keys=hard_paths(default, _DEFAULT))


def _limit_range(namespace: _ManagedNamespace) -> LimitRange | None:
    own = container_annotation(written) if (written := namespace.annotation_text(_CONTAINERS)) else None
    default = mapping(dig(namespace.project.body, *_CONTAINER_DEFAULT)) if namespace.project is not None else {}
    if own is not None and (own.problem or own.is_placeholder):
        return limit_range(namespace.object, namespace.name, _CALLED, _CONTAINERS, {})._replace(problem=own.problem)
    if own is None or not own.amounts:
        limits = container_limits(default)
        obj, path = namespace.project or namespace.object, _CONTAINER_DEFAULT
    else:
        limits = container_limits({**default, **own.amounts})
        obj, path = namespace.object, _CONTAINERS
    return limit_range(obj, namespace.name, _CALLED, path, {"limits": limits}) if limits else None


def _project_budget(project: Object, members: list[str], own: dict[str, Quota], *, are_all: bool) -> Quota | None:
    """The project's limit for the sum of its namespaces' quotas."""
    written = mapping(dig(project.body, *_BUDGET))
    amounts = hard_amounts(written)
    if not amounts:
        return None
    budget = quota_of(project, tuple(members), _BUDGET[:-1], {"hard": amounts})
    hidden = () if are_all else (f"project {project.name} may have namespaces that are not in view",)
    shares = tuple(own[name] for name in members if name in own and not own[name].refused)
    return budget._replace(keys=hard_paths(written, _BUDGET), hidden=hidden, shares=shares)


def _refs_made_by_rancher(cluster: Cluster, within: Iterable[str]) -> Iterator[Ref]:
    names = frozenset(within)
    for kind in ("ResourceQuota", "LimitRange"):
        for obj in cluster.of("", kind):
            labels = mapping(obj.metadata.get("labels"))
            if obj.foreign and obj.namespace in names and labels.get(_MADE) == "true":
                yield obj.ref
