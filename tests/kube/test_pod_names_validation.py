"""Which names in a pod are refused, in the API server's words."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube.pod_names_validation import name_errors


def errors(spec: str, *, has_all_volumes: bool = True) -> list[str]:
    found = name_errors(yaml.safe_load(spec), has_all_volumes=has_all_volumes)
    return [f"{error.field}: {error.detail}" for error in found]


FIRST = "spec.containers[0]"
OF_CONTAINER = "{containers: [{name: c, %s}]}"
MOUNTS = "volumes: [%s], containers: [{name: c, volumeMounts: [%s]}]"
SIGN = "a valid environment variable name must consist only of printable ASCII characters other than '='"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("{containers: [{name: a}, {name: b}], initContainers: [{name: c}]}", []),
        ("{containers: [{name: a}, {name: a}]}", ['spec.containers[1].name: Duplicate value: "a"']),
        (
            "{containers: [{name: a}], initContainers: [{name: a}]}",
            ['spec.initContainers[0].name: Duplicate value: "a"'],
        ),
        (
            "{containers: [{name: '${A}'}, {name: '${A}'}, {image: a}, {name: '', image: a}]}",
            ["spec.containers[2].name: Required value", "spec.containers[3].name: Required value"],
        ),
        ("{initContainers: [{}, {image: a}]}", ["spec.initContainers[1].name: Required value"]),
        ("{containers: []}", ["spec.containers: Required value"]),
        ("{initContainers: []}", []),
        ("{volumes: [{name: v}, {name: v}]}", ['spec.volumes[1].name: Duplicate value: "v"']),
        (
            OF_CONTAINER
            % "ports: [{name: http, containerPort: 1}, {name: http, containerPort: 2}, {containerPort: 3}]",
            [f'{FIRST}.ports[1].name: Duplicate value: "http"'],
        ),
        ("{containers: [{name: a, ports: [{name: http}]}, {name: b, ports: [{name: http}]}]}", []),
        (OF_CONTAINER % "env: [{name: A, value: b}, {name: A, value: c}, {name: a.b-c}]", []),
        (OF_CONTAINER % "env: [{name: A=b}]", [f'{FIRST}.env[0].name: Invalid value: "A=b": {SIGN}']),
        (OF_CONTAINER % "env: '${ENVIRONMENT}', ports: null", []),
    ],
)
def test_names(spec: str, expected: list[str]) -> None:
    assert errors(spec) == expected


@pytest.mark.parametrize(
    ("volumes", "mounts", "expected"),
    [
        ("{name: v}", "{name: v, mountPath: /a}, {name: v, mountPath: /b}", []),
        ("{name: v}", "{name: w, mountPath: /a}", ['[0].name: Not found: "w"']),
        ("", "{name: w, mountPath: /a}", ['[0].name: Not found: "w"']),
        ("{name: '${V}'}", "{name: w, mountPath: /a}", []),
        ("{name: v}", "{name: '${V}', mountPath: /a}", []),
        (
            "{name: v}",
            "{name: v, mountPath: /a}, {name: v, mountPath: /a}",
            ['[1].mountPath: Invalid value: "/a": must be unique'],
        ),
    ],
)
def test_what_is_mounted(volumes: str, mounts: str, expected: list[str]) -> None:
    spec = f"{{{MOUNTS % (volumes, mounts)}}}"
    assert errors(spec) == [f"{FIRST}.volumeMounts{error}" for error in expected]
    assert errors(spec, has_all_volumes=False) == [
        f"{FIRST}.volumeMounts{error}" for error in expected if "Not found" not in error
    ]


LABEL = "a lowercase RFC 1123 label must consist of"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("{containers: [{name: Web-1}]}", [f'{FIRST}.name: Invalid value: "Web-1": {LABEL}']),
        ("{containers: [{name: c}], volumes: [{name: x.y}]}", [f'spec.volumes[0].name: Invalid value: "x.y": {LABEL}']),
        ("{containers: [{name: '${NAME}'}, {name: web}], volumes: [{name: data-1}]}", []),
    ],
)
def test_names_are_labels(spec: str, expected: list[str]) -> None:
    assert [error[: error.index(LABEL) + len(LABEL)] for error in errors(spec)] == expected
