"""Objects that hold anything anywhere: there is an answer, and it is not an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.gitops.default_namespaces import with_resolved_namespaces
from quotalint.gitops.openshift_templates import process_templates
from quotalint.gitops.rendering import Rendering
from quotalint.kube.cluster import build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.limit_range import limit_range_errors
from quotalint.kube.objects import Object, objects
from quotalint.quota.family import Family, read_family
from quotalint.quota.validation import quota_errors
from quotalint.text.place import Place

ANYTHING: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "${X}",
    [],
    [None],
    [[]],
    {},
    {"": None},
    {"x": {"y": []}},
    "[" * 2000,
)

WHOLE: tuple[Mapping[str, Any], ...] = (
    {
        "apiVersion": "quota.openshift.io/v1",
        "kind": "ClusterResourceQuota",
        "metadata": {"name": "q", "labels": {"a": "b"}},
        "spec": {
            "selector": {
                "labels": {
                    "matchLabels": {"team": "a"},
                    "matchExpressions": [{"key": "team", "operator": "In", "values": ["a"]}],
                },
                "annotations": {"a": "b"},
            },
            "quota": {"hard": {"pods": "1"}, "scopes": ["BestEffort"]},
        },
    },
    {
        "apiVersion": "hnc.x-k8s.io/v1alpha2",
        "kind": "HierarchicalResourceQuota",
        "metadata": {"name": "q", "namespace": "a"},
        "spec": {"hard": {"pods": "1"}},
    },
    {
        "apiVersion": "hnc.x-k8s.io/v1alpha2",
        "kind": "HierarchyConfiguration",
        "metadata": {"name": "hierarchy", "namespace": "b"},
        "spec": {"parent": "a"},
    },
    {
        "apiVersion": "hnc.x-k8s.io/v1alpha2",
        "kind": "SubnamespaceAnchor",
        "metadata": {"name": "c", "namespace": "a"},
    },
    {
        "apiVersion": "capsule.clastix.io/v1beta2",
        "kind": "Tenant",
        "metadata": {"name": "oil"},
        "spec": {
            "resourceQuotas": {"scope": "Namespace", "items": [{"hard": {"pods": "1"}, "scopes": ["BestEffort"]}]},
            "limitRanges": {"items": [{"limits": [{"type": "Container", "default": {"cpu": "1"}}]}]},
        },
        "status": {"namespaces": ["a"]},
    },
    {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": "a",
            "labels": {"team": "a", "capsule.clastix.io/tenant": "oil", "x.tree.hnc.x-k8s.io/depth": "1"},
            "annotations": {
                "a": "b",
                "field.cattle.io/projectId": "c:p",
                "field.cattle.io/resourceQuota": '{"limit": {"pods": "1"}}',
                "field.cattle.io/containerDefaultResourceLimit": '{"limitsCpu": "1"}',
                "hnc.x-k8s.io/subnamespace-of": "b",
            },
            "ownerReferences": [{"apiVersion": "capsule.clastix.io/v1beta2", "kind": "Tenant", "name": "oil"}],
        },
    },
    {
        "apiVersion": "management.cattle.io/v3",
        "kind": "Project",
        "metadata": {"name": "p", "namespace": "c"},
        "spec": {
            "clusterName": "c",
            "resourceQuota": {"limit": {"pods": "1", "extended": {"count/jobs.batch": "1"}}},
            "namespaceDefaultResourceQuota": {"limit": {"pods": "1", "extended": {"count/jobs.batch": "1"}}},
            "containerDefaultResourceLimit": {"limitsCpu": "1"},
        },
    },
    {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "capsule-oil-0", "namespace": "a"}},
    {
        "apiVersion": "template.openshift.io/v1",
        "kind": "Template",
        "metadata": {"name": "t"},
        "labels": {"app": "${A}"},
        "parameters": [{"name": "A", "value": "a"}, {"name": "B", "generate": "expression"}],
        "objects": [
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "${A}", "namespace": "${A}"}, "spec": ["${{A}}"]}
        ],
    },
)


def paths(value: object, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The ways to everything in a value."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [way, *(path for key, item in inner for path in paths(item, (*way, key)))]


def replaced(value: Any, way: tuple[str | int, ...], by: object) -> Any:
    """The value with something else in one place."""
    if not way:
        return by
    key, *rest = way
    if isinstance(value, dict):
        return {**value, key: replaced(value[key], tuple(rest), by)}
    return [replaced(item, tuple(rest), by) if number == key else item for number, item in enumerate(value)]


def read(bodies: list[object], foreign: bool) -> Family:
    """What becomes of these objects; everything about it is looked at."""
    read_objects: list[Object] = []
    for number, body in enumerate(bodies):
        read_objects += (obj._replace(foreign=foreign) for obj in objects(body, Place("a.yaml", number)))
    made = process_templates(Rendering(tuple(read_objects))).objects
    discovery = discover_kinds(made, "1.34")
    kin = read_family(build_cluster(with_resolved_namespaces(made, discovery), discovery))
    for quota in kin.quotas:
        for name in quota.hard:
            assert (quota.entry(name).source, bool(quota.field(name))) == ("a.yaml", True)
        quota_errors(quota, "1.34")
    for limits in kin.limit_ranges:
        limit_range_errors(limits)
    return kin


WAYS = [(number, way) for number, body in enumerate(WHOLE) for way in paths(body) if way]


@pytest.mark.parametrize("foreign", [False, True], ids=["repository", "snapshot"])
def test_the_whole_is_read(foreign: bool) -> None:
    kin = read(list(WHOLE), foreign)
    assert (len(kin.quotas), len(kin.limit_ranges)) == (5, 2)


@pytest.mark.parametrize(("number", "way"), WAYS, ids=str)
def test_anything_may_stand_anywhere(number: int, way: tuple[str | int, ...]) -> None:
    for other in ANYTHING:
        read([replaced(body, way, other) if at == number else body for at, body in enumerate(WHOLE)], True)


@given(st.lists(st.tuples(st.sampled_from(WAYS), st.sampled_from(ANYTHING)), max_size=6))
def test_several_things_may_be_wrong_at_once(changes: list[tuple[tuple[int, tuple[str | int, ...]], object]]) -> None:
    bodies: list[Any] = list(WHOLE)
    for (number, way), other in changes:
        if way in paths(bodies[number]):
            bodies[number] = replaced(bodies[number], way, other)
    read(bodies, False)
