"""Which of the fields that changed moved an entry of a quota."""

from __future__ import annotations

import pytest

from quotalint.diff.field_changes import FieldChange
from quotalint.diff.relevance import by_weight, field_words, part_noun, relevant_changes

CONTAINER = ("spec", "template", "spec", "containers", 0)
CHANGES = tuple(
    FieldChange(path, "1", "2")
    for path in (
        (*CONTAINER, "image"),
        (*CONTAINER, "resources", "limits", "cpu"),
        (*CONTAINER, "resources", "requests", "cpu"),
        (*CONTAINER, "resources", "requests", "memory"),
        ("spec", "replicas"),
        ("spec", "template", "spec", "priorityClassName"),
    )
)


@pytest.mark.parametrize(
    ("resource", "by_number", "expected"),
    [
        ("requests.cpu", False, ["requests.cpu", "limits.cpu", "priorityClassName", "replicas"]),
        ("cpu", False, ["requests.cpu", "limits.cpu", "priorityClassName", "replicas"]),
        ("limits.cpu", False, ["limits.cpu", "requests.cpu", "priorityClassName", "replicas"]),
        ("requests.cpu", True, ["replicas", "requests.cpu", "limits.cpu", "priorityClassName"]),
        ("memory", True, ["replicas", "requests.memory", "priorityClassName"]),
        ("pods", True, ["replicas", "priorityClassName"]),
    ],
)
def test_the_likeliest_comes_first(resource: str, by_number: bool, expected: list[str]) -> None:
    assert [field_words(change) for change in relevant_changes(CHANGES, resource, by_number=by_number)] == expected


def test_what_decides_for_pods_comes_before_what_describes_them() -> None:
    paths = (
        ("metadata", "labels", "app"),
        ("metadata", "namespace"),
        (*CONTAINER, "imagePullPolicy"),
        (*CONTAINER, "resources", "requests", "cpu"),
        (*CONTAINER, "image"),
        ("spec", "replicas"),
    )
    ordered = by_weight(FieldChange(path, "1", "2") for path in paths)
    expected = ["namespace", "requests.cpu", "replicas", "imagePullPolicy", "labels.app", "image"]
    assert [field_words(change) for change in ordered] == expected


@pytest.mark.parametrize(
    ("step", "resource", "expected"),
    [
        ("defaultRequest", "requests.cpu", 1),
        ("default", "limits.cpu", 1),
        ("max", "limits.cpu", 1),
        ("max", "limits.memory", 0),
    ],
)
def test_a_limit_range_decides_by_each_of_its_amounts(step: str, resource: str, expected: int) -> None:
    change = FieldChange(("spec", "limits", 0, step, "cpu"), "1", "2")
    assert len(relevant_changes([change], resource, by_number=False)) == expected


@pytest.mark.parametrize("resource", ["hugepages-2Mi", "requests.hugepages-2Mi"])
def test_huge_pages_are_counted_under_either_name(resource: str) -> None:
    change = FieldChange((*CONTAINER, "resources", "requests", "hugepages-2Mi"), "1Gi", "2Gi")
    other = FieldChange((*CONTAINER, "resources", "requests", "hugepages-1Gi"), "1Gi", "2Gi")
    assert relevant_changes([change, other], resource, by_number=False) == (change,)


def test_a_number_is_likelier_than_a_container_that_comes_to_move_an_amount() -> None:
    changes = [
        FieldChange(("spec", "template", "spec", "containers"), [], [{}]),
        FieldChange(("spec", "replicas"), 1, 2),
    ]
    relevant = relevant_changes(changes, "requests.cpu", by_number=False)
    assert [field_words(change) for change in relevant] == ["replicas", "containers"]


@pytest.mark.parametrize(
    ("path", "new", "is_relevant"),
    [
        (("spec", "devices", "requests", 0, "count"), 2, True),
        (("metadata", "annotations", "count"), "2", False),
        (("spec", "minReadySeconds"), 2, False),
        (("spec", "strategy", "type"), "Recreate", True),
        (("spec", "strategy", "type"), "RollingUpdate", False),  # as where nothing is written
        (("spec", "strategy", "rollingUpdate", "maxSurge"), "25%", False),
        (("spec", "strategy", "rollingUpdate", "maxSurge"), "50%", True),
        (("spec", "strategy", "canary", "maxSurge"), "25%", True),
        (("spec", "replicas"), 1, False),
        (("spec", "replicas"), 2, True),
        (("spec", "type"), "LoadBalancer", True),
        (("spec", "template", "spec", "volumes", 0, "hostPath", "type"), "Directory", False),
        (("spec", "template", "spec", "initContainers", 0, "restartPolicy"), "Always", True),
        (("spec", "template", "spec", "restartPolicy"), "Always", False),
        (("spec", "paused"), False, True),
        (("spec", "allocateLoadBalancerNodePorts"), True, True),
        (("spec", "ports", 1, "name"), "http", True),
        (("spec", "template", "spec", "containers", 0, "ports", 1, "name"), "http", False),
        (("spec", "template", "spec", "affinity", "podAffinity", "x", 0, "namespaceSelector"), {}, True),
    ],
)
def test_numbers_of_what_is_counted_are_relevant(path: tuple[str | int, ...], new: object, is_relevant: bool) -> None:
    assert bool(relevant_changes([FieldChange(path, None, new)], "pods", by_number=True)) == is_relevant


def test_a_default_request_is_likelier_than_a_default_limit_to_move_requests() -> None:
    changes = [FieldChange(("spec", "limits", 0, field, "cpu"), "1", "2") for field in ("default", "defaultRequest")]
    relevant = relevant_changes(changes, "requests.cpu", by_number=False)
    assert [field_words(change) for change in relevant] == ["defaultRequest.cpu", "default.cpu"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((*CONTAINER, "name"), "container"),
        (("spec", "initContainers", 1, "name"), "init container"),
        (("spec", "volumeClaimTemplates", 0, "metadata", "name"), "claim template"),
        ((*CONTAINER, "env", 0, "name"), ""),
        ((*CONTAINER, "ports", 0, "name"), ""),
        ((*CONTAINER, "envFrom", 0, "secretRef", "name"), ""),
        (("spec", "volumes", 0, "configMap", "name"), ""),
        (("metadata", "name"), ""),
    ],
)
def test_a_part_is_named_by_its_own_name(path: tuple[str | int, ...], expected: str) -> None:
    assert part_noun(path) == expected
    change = FieldChange(path, None, "web")
    assert relevant_changes([change], "requests.cpu", by_number=False) == ((change,) if expected else ())
