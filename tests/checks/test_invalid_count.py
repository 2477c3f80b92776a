"""Numbers of pods that the API server refuses are said where they are written, in its own words."""

from __future__ import annotations

import pytest
from workspace import Workspace

DECODED = (
    'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal {} '
    "into Go struct field DeploymentSpec.spec.replicas of type int32"
)


def deployment(replicas: str) -> str:
    return (
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: a}\nspec: {hard: {pods: '3'}}\n---\n"
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: w, namespace: a}}\nspec:\n  replicas: {replicas}\n"
        "  template: {spec: {containers: [{name: c, image: x}]}}\n"
    )


@pytest.mark.parametrize(
    ("replicas", "message"),
    [
        ("'5'", DECODED.format("string")),
        ("many", DECODED.format("string")),
        ("yes", DECODED.format("bool")),
        ("[1]", DECODED.format("array")),
        ("{a: 1}", DECODED.format("object")),
        ("2147483648", DECODED.format("number 2147483648")),
        ("-2147483649", DECODED.format("number -2147483649")),
        ("1000000000000000000", DECODED.format("number 1000000000000000000")),
        ("18446744073709551615", DECODED.format("number 18446744073709551615")),
        ("18446744073709551616", DECODED.format("number of about 20 digits")),
        ("2.5", DECODED.format("number 2.5")),
        (
            "-2147483648",
            'Deployment.apps "w" is invalid: spec.replicas: Invalid value: -2147483648: '
            "must be greater than or equal to 0",
        ),
        (
            "-1",
            'Deployment.apps "w" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        ),
    ],
)
def test_what_is_refused_is_quoted_with_its_line(workspace: Workspace, replicas: str, message: str) -> None:
    workspace.put({"d.yaml": deployment(replicas)})
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["file"], finding["line"]) == ("QL405", "d.yaml", 10)
    assert message in finding["message"]


def test_a_kind_without_a_group_is_called_without_one(workspace: Workspace) -> None:
    manifest = deployment("-1").replace("apps/v1", "v1").replace("Deployment", "ReplicationController")
    workspace.put({"d.yaml": manifest})
    (finding,) = workspace.report("check")["findings"]
    assert 'ReplicationController "w" is invalid: spec.replicas: Invalid value: -1' in finding["message"]


@pytest.mark.parametrize("replicas", ["9" * 5000, "-" + "9" * 5000, "1e300", "0x" + "f" * 9000])
def test_what_is_far_too_large_is_said_as_well(workspace: Workspace, replicas: str) -> None:
    workspace.put({"d.yaml": deployment(replicas)})
    assert "d.yaml:10:3 QL405" in workspace.lines()


@pytest.mark.parametrize("replicas", ["0", "3", "3.0", "null", "2147483647", "'${REPLICAS}'", "REPLICAS", "'{{ n }}'"])
def test_what_is_a_number_or_may_become_one_is_not(workspace: Workspace, replicas: str) -> None:
    workspace.put({"d.yaml": deployment(replicas)})
    assert not [line for line in workspace.lines() if "QL405" in line]
