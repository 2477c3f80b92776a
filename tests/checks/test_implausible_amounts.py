"""Amounts that are a thousand times what quotas and LimitRanges of the same name allow elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from workspace import Workspace


def quota(namespace: str, memory: str) -> str:
    metadata = f"{{name: base, namespace: {namespace}}}"
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {metadata}\nspec: {{hard: {{requests.memory: {memory}}}}}\n"


def limit_range(namespace: str, memory: str) -> str:
    metadata = f"{{name: base, namespace: {namespace}}}"
    limits = f"[{{type: Container, max: {{memory: {memory}}}}}]"
    return f"apiVersion: v1\nkind: LimitRange\nmetadata: {metadata}\nspec: {{limits: {limits}}}\n"


@pytest.mark.parametrize("written", [quota, limit_range])
@pytest.mark.parametrize(
    ("amounts", "files"),
    [
        (["4Gi", "4Gi", "4Gi", "4Gi"], []),
        (["4Gi", "4Gi", "4Gi", "4000Gi"], ["d.yaml"]),
        (["4Mi", "4Gi", "4Gi", "4Gi"], ["a.yaml"]),
        # Three are too few to say which of them is out of line.
        (["4Gi", "4Gi", "4000Gi"], []),
        (["4Gi", "6Gi", "8Gi", "40Gi"], []),
        # What is absurd by itself is reported once, for what it is.
        (["4Gi", "4Gi", "4Gi", "4m"], ["d.yaml"]),
    ],
)
def test_amounts_out_of_line(written: object, amounts: list[str], files: list[str], workspace: Workspace) -> None:
    assert callable(written)
    workspace.put({f"{name}.yaml": written(f"team-{name}", each) for name, each in zip("abcd", amounts, strict=False)})
    assert [line.partition(":")[0] for line in workspace.lines("--select", "QL603")] == files


def test_quotas_may_count_a_thousandth_of_what_others_count(workspace: Workspace) -> None:
    counts = {"a": "5k", "b": "5k", "c": "5k", "d": "5"}
    workspace.put(
        {f"{name}.yaml": quota(name, "1Gi").replace("requests.memory: 1Gi", f"pods: {n}") for name, n in counts.items()}
    )
    assert workspace.lines("--select", "QL603") == []


def test_a_limit_range_of_tests_may_be_out_of_line(workspace: Workspace) -> None:
    """Tests that somebody asks about state amounts that nobody would deploy."""
    amounts = ["4Gi", "4Gi", "4Gi", "4000Gi"]
    workspace.put({f"e2e/{name}.yaml": limit_range(name, each) for name, each in zip("abcd", amounts, strict=True)})
    assert workspace.lines("--select", "QL603", "e2e") == []


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ("4000Gi", "1000 times what 4 others of the same name have, such as 4Gi"),
        ("4Mi", "1/1024 of what 4 others of the same name have, such as 4Gi"),
        ("4m", "0.004 bytes; the API server accepts it, but it is hardly intended"),
    ],
)
@pytest.mark.parametrize(
    ("written", "subject"),
    [(limit_range, "max.memory {} of LimitRange"), (quota, "requests.memory {} of quota")],
)
def test_it_is_compared_with_all_others(
    written: Callable[[str, str], str], subject: str, memory: str, message: str, workspace: Workspace
) -> None:
    amounts = ["4Gi", "4Gi", "4Gi", "4Gi", memory]
    workspace.put({f"{name}.yaml": written(name, each) for name, each in zip("abcde", amounts, strict=True)})
    (finding,) = workspace.report("check", "--select", "QL603")["findings"]
    assert finding["message"] == f"{subject.format(memory)} base is {message}"


def test_the_median_of_the_others_is_what_is_usual(workspace: Workspace) -> None:
    amounts = ["4000Gi", "2Gi", "6Gi", "3Gi", "4Gi"]
    workspace.put({f"{name}.yaml": limit_range(name, each) for name, each in zip("abcde", amounts, strict=True)})
    (finding,) = workspace.report("check", "--select", "QL603")["findings"]
    assert finding["file"] == "a.yaml"
    assert finding["message"].endswith(" what 4 others of the same name have, such as 4Gi")


def listed(amounts: str) -> str:
    return f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q, namespace: a}}\nspec: {{hard: {{{amounts}}}}}\n"


@pytest.mark.parametrize(
    ("amounts", "names"),
    [
        ('limits.cpu: "4000", limits.memory: 10Gi', ["spec.hard[limits.cpu]"]),
        ('requests.cpu: "500", limits.memory: 1Gi', ["spec.hard[requests.cpu]"]),
        ("limits.memory: 512Gi, requests.memory: 384Mi", ["spec.hard[limits.memory]"]),
        # Large clusters have the memory for it.
        ('limits.cpu: "4000", limits.memory: 32Ti', []),
        ('limits.cpu: "4000", limits.memory: 1000Gi', []),
        # Few CPUs may have little memory.
        ('limits.cpu: "8", limits.memory: 64Mi', []),
        ("limits.cpu: 4000m, limits.memory: 10Gi", []),
        ("limits.memory: 64Gi, requests.memory: 1Gi", []),
    ],
)
def test_amounts_of_one_list(amounts: str, names: list[str], workspace: Workspace) -> None:
    workspace.put({"q.yaml": listed(amounts)})
    findings = workspace.report("check", "--select", "QL603")["findings"]
    assert [finding["field"] for finding in findings] == names


def test_what_the_workloads_use_is_meant(workspace: Workspace) -> None:
    pods = (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: sieve, namespace: a}\nspec: {replicas: %s, "
        "template: {spec: {containers: [{name: c, image: c, resources: {requests: {cpu: 8, memory: 64Mi}}}]}}}\n"
    )
    workspace.put({"q.yaml": listed('requests.cpu: "1000", requests.memory: 8Gi'), "d.yaml": pods % 12})
    assert workspace.lines("--select", "QL603") == []
    workspace.put({"d.yaml": (pods % 12).replace("cpu: 8", "cpu: 80m")})
    assert workspace.lines("--select", "QL603") == ["q.yaml:4:15 QL603"]


def test_keys_that_an_object_repeats_are_one_finding(workspace: Workspace) -> None:
    config = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: b}\ndata:\n  x: 1\n  x: 2\n  z: 1\n  z: 2\n"
    )
    workspace.put({"c.yaml": f"{config % 'a'}---\n{config % 'b'}"})
    first, second = workspace.report("check", "--select", "QL002")["findings"]
    assert (first["line"], second["line"]) == (6, 15)
    assert first["notes"] == ["also: repeated here: `z` on line 8"]
