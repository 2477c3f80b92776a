"""Reads the settings of a cluster: `capacity`, `sizes`, `nodes`, `scenario`, `platform`, `workloads`, `templates`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from quotalint.settings import PLATFORMS, SCENARIOS, Capacity, FootprintPods, Nodes, Scenario, Workload
from quotalint.settings.checking import Checks, known_entries, one_of
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path

_QUANTITY = lazy_pattern(r"[0-9]+(\.[0-9]+)?([numkMGTPE]|[KMGTPE]i|[eE][0-9]{1,2})?")
_FIELD_PATH = lazy_pattern(r"[A-Za-z_*][A-Za-z0-9_-]*(\.(\*|[A-Za-z0-9_-]+))*")
_KIND = lazy_pattern(r"[A-Z][A-Za-z0-9]*(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


def read_capacity(value: object, path: Path, checks: Checks) -> Capacity:
    """Reads the total capacity of all nodes, and the reserve."""
    amounts: dict[str, str] = {}
    reserve: Mapping[str, str] = {}
    for key, inner in known_entries(value, path, None, checks):
        if key == "reserve":
            reserve = dict(
                _read_amount(name, amount, (*path, key), checks)
                for name, amount in known_entries(inner, (*path, key), None, checks)
            )
        else:
            amounts.update((_read_amount(key, inner, path, checks),))
    return Capacity(MappingProxyType(amounts), MappingProxyType(dict(reserve)))


def _read_amount(name: str, value: object, path: Path, checks: Checks) -> tuple[str, str]:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")
    if not is_number and not (isinstance(value, str) and _QUANTITY.fullmatch(value)):
        checks.refuse((*path, name), "an amount such as 26, 500m or 41Gi", value)
    return name, str(value)


def read_sizes(value: object, path: Path, checks: Checks) -> Mapping[str, Mapping[str, str]]:
    """Reads the quota sizes from which `quotalint suggest` chooses, by name."""
    named_sizes = {}
    for name, hard in known_entries(value, path, None, checks):
        listed = known_entries(hard, (*path, name), None, checks)
        named_sizes[name] = MappingProxyType(
            dict(_read_amount(entry, amount, (*path, name), checks) for entry, amount in listed)
        )
        if hard == {}:
            checks.refuse((*path, name), "a map from entries of a quota to amounts", hard)
    return MappingProxyType(named_sizes)


def read_templates(value: object, path: Path, checks: Checks) -> bool:
    """Reads whether objects in OpenShift Templates count."""
    if not isinstance(value, bool):
        checks.refuse(path, "true or false", value)
    return value is True


def read_platforms(value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    """Reads the platforms that keep objects or limit pods in every namespace: one, or a list."""
    if isinstance(value, list):
        return tuple(one_of(PLATFORMS, platform, (*path, index), checks) for index, platform in enumerate(value))
    return (one_of(PLATFORMS, value, path, checks),)


def read_workloads(value: object, path: Path, checks: Checks) -> Mapping[str, Workload]:
    """Reads the kinds that make pods, with the paths of templates and numbers."""
    kinds = {}
    for kind, inner in known_entries(value, path, None, checks):
        if not _KIND.fullmatch(kind):
            checks.say((*path, kind), f"`{kind}` is not a kind with its group, such as Rollout.argoproj.io")
        kinds[kind] = _read_workload(inner, (*path, kind), checks)
    return MappingProxyType(kinds)


def _read_workload(value: object, path: Path, checks: Checks) -> Workload:
    fields: dict[str, Any] = {}
    footprint: tuple[FootprintPods, ...] | None = None
    for key, inner in known_entries(value, path, (*_WORKLOAD, _FOOTPRINT), checks):
        if key == _FOOTPRINT:
            footprint = _read_footprint(inner, (*path, key), checks)
        else:
            fields[_WORKLOAD[key]] = _field_path(inner, (*path, key), checks)
    name = f"`{'.'.join(map(str, path))}`"
    if footprint is not None and fields:
        checks.say(path, f"{name} has a footprint, which is the same whatever the fields of an object say")
    elif isinstance(value, dict) and footprint is None and "podTemplate" not in value:
        words = "such as `podTemplate: spec.template`, and no footprint, such as `footprint: []`"
        checks.say(path, f"{name} names no pod template, {words}")
    return Workload(**{"pod_template": (), **fields, "footprint": footprint})


def _read_footprint(value: object, path: Path, checks: Checks) -> tuple[FootprintPods, ...]:
    """Reads a list of equal pods, each with their number and the amounts of one pod."""
    if not isinstance(value, list):
        checks.refuse(path, "a list of pods, such as [{pods: 2, requests: {cpu: 500m}}], or []", value)
        return ()
    footprint = []
    for index, item in enumerate(value):
        at = (*path, index)
        entries = dict(known_entries(item, at, ("pods", "requests", "limits"), checks))
        number = read_count(entries.get("pods", 1), (*at, "pods"), checks)
        requests, limits = (
            dict(
                _read_amount(name, amount, (*at, field), checks)
                for name, amount in known_entries(entries.get(field, {}), (*at, field), None, checks)
            )
            for field in ("requests", "limits")
        )
        footprint.append(FootprintPods(number, MappingProxyType(requests), MappingProxyType(limits)))
    return tuple(footprint)


def _field_path(value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    if not isinstance(value, str) or not _FIELD_PATH.fullmatch(value):
        checks.refuse(path, "the way to a field, such as spec.template or spec.roles.*.replicas", value)
        return ()
    return tuple(value.split("."))


_FOOTPRINT = "footprint"
_WORKLOAD = {
    "podTemplate": "pod_template",
    "replicas": "replicas",
    "minReplicas": "minimum",
    "maxReplicas": "maximum",
    "autoscaler": "autoscaler",
    "selector": "selector",
}


def read_nodes(value: object, path: Path, checks: Checks) -> Nodes:
    if not isinstance(value, dict):
        return Nodes(read_count(value, path, checks, "a whole number, or a map from labels of nodes to whole numbers"))
    default = None
    by_selector = {}
    for selector, number in value.items():
        count = read_count(number, (*path, selector), checks)
        if selector == "*":
            default = count
            continue
        labels = ",".join(sorted(label.strip() for label in selector.split(",")))
        if not all(re.search(_LABEL, label) for label in labels.split(",")):
            checks.say((*path, selector), f"`{selector}` must be labels such as `disk=ssd,zone=a`, or `*` for the rest")
        elif labels in by_selector:
            checks.say((*path, selector), f"`{labels}` is given twice")
        by_selector[labels] = count
    return Nodes(default, MappingProxyType(by_selector))


_LABEL = "^[A-Za-z0-9][-A-Za-z0-9_./]*=[-A-Za-z0-9_.]*$"


def read_count(value: object, path: Path, checks: Checks, must: str = "a whole number, 0 or more") -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    checks.refuse(path, must, value)
    return 0


def read_scenario(value: object, path: Path, checks: Checks) -> Scenario:
    written = one_of(SCENARIOS, value, path, checks)
    return next((scenario for scenario in SCENARIOS if scenario == written), Scenario.STEADY)
