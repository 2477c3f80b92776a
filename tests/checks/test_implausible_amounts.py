"""Amounts that are a thousand times what quotas and LimitRanges of the same name allow elsewhere."""

from __future__ import annotations

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


def test_a_limit_range_of_tests_may_be_out_of_line(workspace: Workspace) -> None:
    """Tests state amounts that nobody would deploy; they still say what is usual elsewhere."""
    folders = {"a": "4Gi", "b": "4Gi", "c": "4Gi", "tests": "4000Gi"}
    workspace.put({f"{folder}/limits.yaml": limit_range(folder, memory) for folder, memory in folders.items()})
    assert workspace.lines("--select", "QL603") == []


def test_a_limit_range_is_compared_with_all_others(workspace: Workspace) -> None:
    amounts = ["4Gi", "4Gi", "4Gi", "4Gi", "4000Gi"]
    workspace.put({f"{name}.yaml": limit_range(name, each) for name, each in zip("abcde", amounts, strict=True)})
    (finding,) = workspace.report("check", "--select", "QL603")["findings"]
    assert finding["message"] == (
        "max.memory 4000Gi of LimitRange base is 1000 times what 4 others of the same name have, such as 4Gi"
    )
