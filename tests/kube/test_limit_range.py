"""A LimitRange as the API server stores it."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.limit_range import FIELDS, LimitRange, limit_range
from quotalint.kube.objects import objects
from quotalint.kube.resource_list import show
from quotalint.text.place import Place


def stored(limits: str) -> LimitRange:
    spec = {"limits": yaml.safe_load(limits)}
    body = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l"}, "spec": spec}
    (obj,) = objects(body, Place("l.yaml"))
    return limit_range(obj)


# an entry → max, min, default, defaultRequest, maxLimitRequestRatio
DEFAULTED: dict[str, tuple[str, tuple[str, str, str, str, str]]] = {
    "max is the default and the default request": (
        "type: Container, max: {cpu: 2}",
        ("cpu=2", "", "cpu=2", "cpu=2", ""),
    ),
    "default is the default request": ("type: Container, default: {cpu: 1}", ("", "", "cpu=1", "cpu=1", "")),
    "min is the default request": ("type: Container, min: {cpu: 50m}", ("", "cpu=50m", "", "cpu=50m", "")),
    "max goes before min": (
        "type: Container, min: {cpu: 50m}, max: {cpu: 2}",
        ("cpu=2", "cpu=50m", "cpu=2", "cpu=2", ""),
    ),
    "default goes before max": (
        "type: Container, default: {cpu: 1}, max: {cpu: 2}",
        ("cpu=2", "", "cpu=1", "cpu=1", ""),
    ),
    "what is written stays": (
        "type: Container, min: {cpu: 1m}, default: {cpu: 1}, defaultRequest: {cpu: 100m}, max: {cpu: 2}",
        ("cpu=2", "cpu=1m", "cpu=1", "cpu=100m", ""),
    ),
    "resource by resource": (
        "type: Container, max: {cpu: 2}, default: {memory: 1Gi}, min: {ephemeral-storage: 1Ki}",
        ("cpu=2", "ephemeral-storage=1Ki", "cpu=2,memory=1Gi", "cpu=2,ephemeral-storage=1Ki,memory=1Gi", ""),
    ),
    "a ratio fills nothing": ("type: Container, maxLimitRequestRatio: {cpu: 4}", ("", "", "", "", "cpu=4")),
    "pods have no defaults": (
        "type: Pod, max: {cpu: 2}, min: {memory: 1}",
        ("cpu=2", "memory=1", "", "", ""),
    ),
    "claims have no defaults": (
        "type: PersistentVolumeClaim, max: {storage: 2Gi}",
        ("storage=2Gi", "", "", "", ""),
    ),
    "no type is not Container": ("max: {cpu: 2}", ("cpu=2", "", "", "", "")),
    "the type is case-sensitive": ("type: container, max: {cpu: 2}", ("cpu=2", "", "", "", "")),
}


@pytest.mark.parametrize("case", DEFAULTED)
def test_defaults_of_a_limit_range_are_filled_in(case: str) -> None:
    text, expected = DEFAULTED[case]
    (item,) = stored(f"[{{{text}}}]").items
    assert tuple(show(item.field(field)) for field in FIELDS) == expected


def test_entries_know_their_place() -> None:
    limit_range = stored("[{type: Pod}, {type: Container}]")
    assert [(item.type, item.path) for item in limit_range.items] == [
        ("Pod", ("spec", "limits", 0)),
        ("Container", ("spec", "limits", 1)),
    ]


NONSENSE: dict[str, tuple[str, tuple[str, ...], tuple[UnknownAmount, ...]]] = {
    "limits that are a mapping": ("{type: Container}", (), ()),
    "limits that are null": ("null", (), ()),
    "an entry that is text": ("[Container]", ("",), ()),
    "a type that is a list": ("[{type: [Container]}]", ("",), ()),
    "a placeholder": (
        "[{type: Container, default: {cpu: '${CPU}'}}]",
        ("Container",),
        (UnknownAmount(("spec", "limits", 0, "default", "cpu"), "is the placeholder '${CPU}'"),),
    ),
    "a field that is a list": (
        "[{type: Container, max: [cpu]}]",
        ("Container",),
        (UnknownAmount(("spec", "limits", 0, "max"), "is not a mapping of resource names to quantities"),),
    ),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_what_is_no_limit_is_noted(case: str) -> None:
    text, types, unknowns = NONSENSE[case]
    limit_range = stored(text)
    assert (tuple(item.type for item in limit_range.items), limit_range.unknowns) == (types, unknowns)


# an entry → default, resources of unknown default, defaultRequest, resources of unknown default request
PLACEHOLDERS: dict[str, tuple[str, tuple[str, set[str], str, set[str]]]] = {
    "a default is not max": ("default: {cpu: '${CPU}'}, max: {cpu: 2}", ("", {"cpu"}, "", {"cpu"})),
    "a default is the default request, not min": (
        "default: {cpu: '${CPU}'}, min: {cpu: 50m}",
        ("", {"cpu"}, "", {"cpu"}),
    ),
    "a default beside a default request": (
        "default: {cpu: '${CPU}'}, defaultRequest: {cpu: 100m}",
        ("", {"cpu"}, "cpu=100m", set()),
    ),
    "a default request is not the default": (
        "default: {cpu: 1}, defaultRequest: {cpu: '${CPU}'}, min: {cpu: 50m}",
        ("cpu=1", set(), "", {"cpu"}),
    ),
    "max is the default and the default request": (
        "max: {cpu: '${CPU}'}, min: {cpu: 50m}",
        ("", {"cpu"}, "", {"cpu"}),
    ),
    "max after a default": ("max: {cpu: '${CPU}'}, default: {cpu: 1}", ("cpu=1", set(), "cpu=1", set())),
    "min is the default request": ("min: {cpu: '${CPU}'}", ("", set(), "", {"cpu"})),
    "min after max": ("min: {cpu: '${CPU}'}, max: {cpu: 2}", ("cpu=2", set(), "cpu=2", set())),
    "resource by resource": (
        "default: {cpu: '${CPU}'}, max: {cpu: 2, memory: 1Gi}",
        ("memory=1Gi", {"cpu"}, "memory=1Gi", {"cpu"}),
    ),
    "what is no amount": ("default: {cpu: 4Gb}, max: {cpu: 2}", ("", {"cpu"}, "", {"cpu"})),
    "a field that is no mapping names no resource": ("default: [cpu], max: {cpu: 2}", ("cpu=2", set(), "cpu=2", set())),
}


@pytest.mark.parametrize("case", PLACEHOLDERS)
def test_a_placeholder_is_stated_and_not_known(case: str) -> None:
    # What counts is that the name is there (SetDefaults_LimitRangeItem): nothing else takes the place of its amount.
    text, (default, unknown_default, request, unknown_request) = PLACEHOLDERS[case]
    (item,) = stored(f"[{{type: Container, {text}}}]").items
    actual = (
        show(item.default),
        set(item.unknown_default),
        show(item.default_request),
        set(item.unknown_default_request),
    )
    assert actual == (default, unknown_default, request, unknown_request)


def test_placeholders_default_nothing_in_other_types() -> None:
    (item,) = stored("[{type: Pod, max: {cpu: '${CPU}'}, min: {memory: '${MEMORY}'}}]").items
    assert (item.unknown_default, item.unknown_default_request) == (frozenset(), frozenset())
