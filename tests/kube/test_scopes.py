"""The scopes: which there are in a release, what each admits, what a selector matches."""

from __future__ import annotations

import pytest

from quotalint.kube.resources import STANDARD_QUOTA
from quotalint.kube.scopes import Requirement, admits, known_scopes, selects

OLD = {"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"}


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.28", OLD),
        ("1.33", OLD),
        ("1.34", OLD | {"VolumeAttributesClass"}),
        ("1.35", OLD | {"VolumeAttributesClass"}),
    ],
)
def test_each_release_knows_these_scopes(release: str, expected: set[str]) -> None:
    assert known_scopes(release) == expected


COMPUTE = {"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
ADMITTED = {
    "BestEffort": {"pods"},
    "NotBestEffort": {"pods"} | COMPUTE,
    "Terminating": {"pods"} | COMPUTE,
    "NotTerminating": {"pods"} | COMPUTE,
    # The documentation lists ephemeral storage here; the API server refuses it.
    "PriorityClass": {"pods"} | COMPUTE,
    "CrossNamespacePodAffinity": {"pods"} | COMPUTE,
    "VolumeAttributesClass": {"persistentvolumeclaims", "requests.storage"},
}


@pytest.mark.parametrize("scope", ADMITTED)
def test_a_scope_admits_of_the_standard_resources(scope: str) -> None:
    assert {name for name in (*STANDARD_QUOTA, "hugepages-2Mi") if admits(scope, name)} == ADMITTED[scope]


def test_a_scope_that_there_is_not_admits_everything() -> None:
    assert admits("Priority", "configmaps")


# operator, values, class of the object ("" is none) → matches
SELECTED = [
    ("In", ("high", "low"), "high", True),
    ("In", ("high", "low"), "other", False),
    ("In", ("high",), "", False),
    ("In", ("",), "", False),
    ("NotIn", ("high",), "high", False),
    ("NotIn", ("high",), "other", True),
    ("NotIn", ("high",), "", True),
    ("Exists", (), "high", True),
    ("Exists", (), "", False),
    ("DoesNotExist", (), "high", False),
    ("DoesNotExist", (), "", True),
    ("In", ("High",), "high", False),
]


@pytest.mark.parametrize(("operator", "values", "name", "expected"), SELECTED)
def test_an_operator_selects_these_values(operator: str, values: tuple[str, ...], name: str, expected: bool) -> None:
    assert selects(Requirement("PriorityClass", operator, values, ()), name) == expected
