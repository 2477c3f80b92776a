"""Quotas for namespaces that nothing declares, where all others are declared (QL602)."""

from __future__ import annotations

import pytest
from manifests import head, namespace, quota
from workspace import Workspace

JOINT = "---\n"


@pytest.mark.parametrize(
    ("declared", "limited", "lines"),
    [
        pytest.param(["moss"], ["moss", "fern"], [], id="one of two"),
        pytest.param(["moss", "reed"], ["moss", "reed", "fern"], [13], id="one of three"),
        pytest.param(["moss", "reed", "sedge"], ["moss", "reed", "sedge", "fern", "heath"], [], id="two of five"),
        pytest.param(
            ["moss", "reed", "sedge", "bog"],
            ["moss", "reed", "sedge", "bog", "fern", "heath"],
            [23, 28],
            id="two of six",
        ),
    ],
)
def test_what_is_not_declared_is_the_exception(
    declared: list[str], limited: list[str], lines: list[int], workspace: Workspace
) -> None:
    workspace.put(
        {"namespaces.yaml": JOINT.join(map(namespace, declared)), "quotas.yaml": JOINT.join(map(quota, limited))}
    )
    expected = [f"quotas.yaml:{line}:24 QL602" for line in lines]
    assert workspace.lines("--select", "QL602") == expected


@pytest.mark.parametrize(
    ("live", "number"), [(namespace("fern"), 0), (head("v1", "ConfigMap", "fern", "moss"), 1)], ids=["it", "its like"]
)
def test_a_namespace_of_the_cluster_is_declared(live: str, number: int, workspace: Workspace) -> None:
    limited = JOINT.join(map(quota, ("moss", "reed", "fern")))
    workspace.put(
        {
            "repo/namespaces.yaml": JOINT.join(map(namespace, ("moss", "reed"))),
            "repo/quotas.yaml": limited,
            "live.yaml": live,
        }
    )
    assert len(workspace.lines("repo", "--with", "live.yaml", "--select", "QL602")) == number
