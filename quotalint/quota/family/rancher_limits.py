"""How Rancher writes amounts: under keys of its own, in objects and in the JSON of annotations.

Source: rancher/rancher, pkg/apis/management.cattle.io/v3/resource_quota_types.go (ResourceQuotaLimit,
ContainerResourceLimit: texts, all of them), pkg/resourcequota/quota_validate.go (ConvertLimitToResourceList) and
pkg/controllers/managementuser/resourcequota/resource_quota_common.go (convertPodResourceLimitToLimitRangeSpec).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import EMPTY, Body, mapping
from quotalint.named_tuples import NamedTuple
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
    """What an annotation says."""

    amounts: Body = EMPTY
    """By Rancher's keys; `extended` is a mapping of its own."""
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
    """Amounts under the names of `hard`. Rancher's own keys win over the same names under `extended`."""
    extended = {name: value for name, value in mapping(amounts.get(_EXTENDED)).items() if _is_given(value)}
    return {**extended, **{name: amounts[key] for key, name in _NAMES.items() if _is_given(amounts.get(key))}}


def hard_paths(amounts: Body, base: Path) -> dict[str, Path]:
    """Where each name of `hard` stands below the amounts."""
    extended: dict[str, Path] = {name: (*base, _EXTENDED, name) for name in mapping(amounts.get(_EXTENDED))}
    return {**extended, **{name: (*base, key) for key, name in _NAMES.items() if _is_given(amounts.get(key))}}


def container_limits(amounts: Body) -> list[object]:
    """Amounts as the `limits` of a LimitRange; none where nothing is given."""
    item: dict[str, dict[str, object]] = {}
    for key, (field, resource) in _OF_CONTAINERS.items():
        if _is_given(amounts.get(key)):
            item.setdefault(field, {})[resource] = amounts[key]
    return [{"type": "Container", **item}] if item else []


def _is_given(value: object) -> bool:
    # What is empty is left out when Rancher encodes it again (omitempty).
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
    """The known keys, as Go's decoder takes them: in any case, and nothing but texts."""
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
