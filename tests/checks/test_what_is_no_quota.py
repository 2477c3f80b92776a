"""Quotas that are none, definitions that nothing applies, and what to do about what is missing."""

from __future__ import annotations

from typing import Any

import pytest
from workspace import Workspace

WEB = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3, template: {spec: {containers: [{name: web, image: web}]}}}
"""


@pytest.mark.parametrize("head", ["apiVersion: v1\nkind: Resourcequota", "apiVersion: v2\nkind: ResourceQuota"])
def test_a_quota_of_no_such_kind_limits_nothing(head: str, workspace: Workspace) -> None:
    quota = f"{head}\nmetadata: {{name: base, namespace: shop}}\nspec: {{hard: {{pods: 1, podz: 1}}}}\n"
    workspace.put({"quota.yaml": quota, "web.yaml": WEB})
    report = workspace.report("check")
    assert ([finding["rule"] for finding in report["findings"]], report["quotas"]) == (["QL004"], [])


def test_a_limit_range_of_no_such_version_refuses_nothing(workspace: Workspace) -> None:
    limits = "apiVersion: v2\nkind: LimitRange\nmetadata: {name: l, namespace: shop}\nspec: {limits: [{type: No}]}\n"
    workspace.put({"limits.yaml": limits, "web.yaml": WEB})
    assert workspace.lines() == ["limits.yaml:1:1 QL004"]


@pytest.mark.parametrize(
    ("head", "write"),
    [
        ("apiVersion: v1\nkind: limitrange", "write `kind: LimitRange`"),
        ("apiVersion: v1beta1\nkind: LimitRange", "write `apiVersion: v1`"),
        ("apiVersion: apps/v1\nkind: Resourcequota", "write `kind: ResourceQuota` and `apiVersion: v1`"),
    ],
)
def test_what_to_write(head: str, write: str, workspace: Workspace) -> None:
    workspace.put({"quota.yaml": f"{head}\nmetadata: {{name: base, namespace: shop}}\n"})
    assert [finding["help"] for finding in workspace.report("check")["findings"]] == [write]


def _definition(plural: str, kind: str) -> str:
    return f"""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.argoproj.io}}
spec: {{group: argoproj.io, scope: Namespaced, names: {{kind: {kind}, plural: {plural}}}}}
"""


QUOTA = """
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: shop}
spec:
  hard: {count/workflows.argoproj.io: 5}
"""
ARGO = {
    "kustomization.yaml": "resources: [quota.yaml, projects.yaml]\n",
    "quota.yaml": QUOTA,
    "projects.yaml": _definition("appprojects", "AppProject"),
}


def test_a_definition_that_nothing_applies_is_known(workspace: Workspace) -> None:
    workspace.put({**ARGO, "workflows.yaml": _definition("workflows", "Workflow")})
    assert workspace.lines() == []


def test_nothing_is_suggested_that_is_spelled_otherwise(workspace: Workspace) -> None:
    workspace.put(ARGO)
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], "appprojects" in finding["help"]) == ("QL202", False)


LIMITED = {
    "quota/kustomization.yaml": "resources: [quota.yaml]\n",
    "quota/quota.yaml": (
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec: {hard: {pods: 4}}\n"
    ),
}


@pytest.mark.parametrize("entry", ["nope.yaml", "nope/", "empty"])
def test_a_path_that_leads_nowhere_is_to_be_corrected(entry: str, workspace: Workspace) -> None:
    workspace.put({**LIMITED, "kustomization.yaml": f"resources: [{entry}, quota]\n", "empty/notes.txt": ""})
    assert _helps(workspace.report("check")) == ["correct the path: `kustomize build` stops here"]


def test_a_remote_base_is_no_wrong_path(workspace: Workspace) -> None:
    workspace.put({**LIMITED, "kustomization.yaml": "resources: [quota, 'https://github.com/example/base?ref=v1']\n"})
    assert ["correct the path" in text for text in _helps(workspace.report("check"))] == [False]


def _helps(report: dict[str, Any]) -> list[str]:
    return [finding["help"] for finding in report["findings"] if finding["rule"] == "QL003"]


def test_texts_are_explained_without_holes(workspace: Workspace) -> None:
    _, out, _ = workspace.text("explain", "QL301")
    assert "  raise RESOURCE to AMOUNT or more" in out
