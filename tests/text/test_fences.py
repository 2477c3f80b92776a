"""A manifest that was pasted with its fence is broken in one place; a text with examples is no manifest at all."""

from __future__ import annotations

from typing import Any

import pytest
from manifests import quota, web
from workspace import Workspace

from quotalint.text.documents import read
from quotalint.text.fences import read_fenced

FENCED = f"```yaml\n{quota()}```\n"
SECTION = f"## Section\n\n{FENCED}\n---\n\n"
TEXT = f"# Contract\n\n**Version**: 1.0.0\n\n---\n\n{SECTION * 3}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (FENCED, 1),
        (f"{quota()}```\n", quota().count("\n") + 1),
        (f"Here is the quota:\n\n{FENCED}", 3),
        (f"{web(1)}---\n{FENCED}", web(1).count("\n") + 2),
    ],
    ids=["around all", "left at the end", "below a sentence", "around the second"],
)
def test_a_fence_is_told_once(workspace: Workspace, text: str, line: int) -> None:
    workspace.put({"quota.yaml": text})
    (finding,) = workspace.report("check", "--select", "QL001")["findings"]
    assert (finding["line"], finding["severity"]) == (line, "error")
    assert "a line of three backticks is Markdown" in finding["message"]
    assert finding["help"].startswith("remove the lines with three backticks")


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("---", "")], ids=["of sections", "in one piece"])
def test_a_text_with_examples_is_no_manifest(workspace: Workspace, text: str) -> None:
    workspace.put({"specs/contract.yaml": text, "quota.yaml": quota("team-b")})
    report = workspace.report("check")
    assert report["findings"] == []
    assert [skipped["reason"] for skipped in report["skipped"]] == [
        "not readable as YAML, and does not claim to be a manifest"
    ]
    assert [table["namespace"] for table in report["quotas"]] == ["team-b"]


@pytest.mark.parametrize(
    "files",
    [
        {"k8s/a.yaml": web(1), "k8s/b.yaml": quota(), "k8s/c.yaml": TEXT},
        {"k8s/kustomization.yaml": "resources: [c.yaml]\n", "k8s/c.yaml": TEXT},
    ],
    ids=["among manifests", "in a kustomization"],
)
def test_a_text_that_is_applied_is_told(workspace: Workspace, files: dict[str, str]) -> None:
    workspace.put(files)
    findings = workspace.report("check", "--select", "QL001")["findings"]
    assert [finding["file"] for finding in findings] == ["k8s/c.yaml"]


@pytest.mark.parametrize("broken", ["metadata: {name: a\n", "metadata: {name: a}\n"], ids=["above", "below"])
def test_a_fence_in_a_text_of_a_manifest_is_not_what_is_wrong(workspace: Workspace, broken: str) -> None:
    data = "data:\n  a: |\n" + "    A text.\n    ```\n    b\n    ```\n" * 3 + "  b: [\n"
    workspace.put({"a.yaml": f"apiVersion: v1\nkind: ConfigMap\n{broken}{data}"})
    (finding,) = workspace.report("check", "--select", "QL001")["findings"]
    assert "three backticks" not in finding["message"]


def test_a_manifest_with_fences_behind_it_is_no_text(workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota().replace("{pods:", "{pods: [") + FENCED * 3})
    (finding,) = workspace.report("check", "--select", "QL001")["findings"]
    assert finding["severity"] == "error"


class _Counted(bytes):
    """Bytes that know how often lines were counted in them from their beginning."""

    passes = 0

    def count(self, *given: Any) -> int:
        self.passes += 1
        return super().count(*given)


def test_each_fence_is_not_looked_for_from_the_beginning() -> None:
    """A file of nothing else has millions of them."""
    text = _Counted(b"apiVersion: v1\n" + b"```\n" * 500)
    fenced = read_fenced(text, read(bytes(text)))
    assert fenced is not None
    assert [failure.line for failure in fenced.reading.failures] == [2]
    assert text.passes < 10
