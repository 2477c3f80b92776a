"""Quotas of bases that nothing builds on: what the API server will say of them is said, what they will hold is not."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: base}}\nspec:\n  hard: {{{hard}}}\n"
USED = {
    "overlays/prod/kustomization.yaml": "namespace: shop\nresources: [../../bases/web]\n",
    "bases/web/kustomization.yaml": "resources: [web.yaml]\n",
    "bases/web/web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n",
    "bases/small/kustomization.yaml": "resources: [quota.yaml]\n",
}


@pytest.mark.parametrize(
    ("hard", "lines"),
    [
        pytest.param("memory.limit: 1Gi", ["bases/small/quota.yaml:5:10 QL102"], id="the API server refuses it"),
        pytest.param("nvidia.com/gpu: 1", ["bases/small/quota.yaml:5:10 QL201"], id="it is never enforced"),
        pytest.param("configmaps: 0", [], id="what will be in the namespace is not known"),
        pytest.param("", [], id="an overlay may say more"),
    ],
)
def test_an_unused_base(hard: str, lines: list[str], workspace: Workspace) -> None:
    workspace.put({**USED, "bases/small/quota.yaml": QUOTA.format(hard=hard)})
    assert workspace.lines() == lines


def test_a_limit_range(workspace: Workspace) -> None:
    limits = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Nothing}]}\n"
    workspace.put({**USED, "bases/small/quota.yaml": limits})
    assert workspace.lines() == ["bases/small/quota.yaml:4:18 QL121"]


def test_it_shows_in_no_table_and_makes_no_environment(workspace: Workspace) -> None:
    workspace.put({**USED, "bases/small/quota.yaml": QUOTA.format(hard="memory.limit: 1Gi")})
    report = workspace.report("check")
    assert (report["quotas"], report["summary"]["quotas"], report["findings"][0]["environments"]) == ([], 0, [])


def test_a_used_base_is_judged_where_it_is_applied(workspace: Workspace) -> None:
    overlay = "namespace: shop\nresources: [../../bases/web, ../../bases/small]\npatches: [{path: patch.yaml}]\n"
    patch = quota(hard="memory.limit: null, pods: 1")
    files = {"overlays/prod/kustomization.yaml": overlay, "overlays/prod/patch.yaml": patch}
    workspace.put({**USED, **files, "bases/small/quota.yaml": QUOTA.format(hard="memory.limit: 1Gi")})
    assert workspace.lines() == []


def test_it_is_suppressed_and_repaired_like_any_other(workspace: Workspace) -> None:
    text = QUOTA.format(hard="nvidia.com/gpu: 1")
    workspace.put({**USED, "bases/small/quota.yaml": f"# quotalint: ignore[QL201] our scheduler\n{text}"})
    assert workspace.lines() == ["bases/small/quota.yaml:6:10 QL201 comment bases/small/quota.yaml:1: our scheduler"]
    workspace.put({**USED, "bases/small/quota.yaml": text})
    workspace.text("check", "--fix")
    assert (workspace.folder / "bases/small/quota.yaml").read_text() == text.replace("nvidia", "requests.nvidia")
