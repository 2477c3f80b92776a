"""Quotas of bases that nothing builds on: what the API server will say of them is said, what they will hold is not."""

from __future__ import annotations

import pytest
from manifests import quota, web
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


ONLY_LISTS = "it only lists a base that overlays below build on"
AROUND = {
    "k8s/kustomization.yaml": "resources: [base]\n",
    "k8s/base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
    "k8s/base/web.yaml": web(3, namespace="shop"),
    "k8s/base/quota.yaml": quota(namespace="shop"),
    "k8s/overlays/dev/kustomization.yaml": "resources: [../../base]\n",
    "k8s/overlays/prod/kustomization.yaml": "resources: [../../base]\n",
}


def test_what_only_lists_the_base_of_overlays_below_is_no_environment(workspace: Workspace) -> None:
    workspace.put(AROUND)
    report = workspace.report("check")
    assert [quota["environment"] for quota in report["quotas"]] == ["dev", "prod"]
    assert report["skipped"] == [{"file": "k8s/kustomization.yaml", "reason": ONLY_LISTS, "namespaces": []}]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"k8s/kustomization.yaml": "namespace: demo\nresources: [base]\n"}, id="for a namespace"),
        pytest.param(
            {"k8s/kustomization.yaml": "resources: [base, more.yaml]\n", "k8s/more.yaml": web(1, "shop", "more")},
            id="with more",
        ),
        pytest.param(
            {"k8s/kustomization.yaml": "resources: [base, 'https://a.example/x']\n"}, id="with what is remote"
        ),
        pytest.param({"k8s/overlays/prod/kustomization.yaml": "resources: []\n"}, id="production may be itself"),
    ],
)
def test_what_may_be_applied_itself_is_counted(files: dict[str, str], workspace: Workspace) -> None:
    workspace.put({**AROUND, "k8s/overlays/staging/kustomization.yaml": "resources: [../../base]\n", **files})
    assert ONLY_LISTS not in [skipped["reason"] for skipped in workspace.report("check")["skipped"]]


OF_OTHERS = "a base that nothing in view builds on"
FOR_CUSTOMERS = {
    "apps/base/kustomization.yaml": "resources: [quota.yaml]\n",
    "apps/base/quota.yaml": quota(),
    "apps/production/web/kustomization.yaml": "namespace: shop\nresources: [web.yaml]\n",
    "apps/production/web/web.yaml": web(3),
}


def test_a_base_for_overlays_that_are_not_in_view_is_judged_in_no_namespace(workspace: Workspace) -> None:
    workspace.put(FOR_CUSTOMERS)
    report = workspace.report("check")
    assert (report["quotas"], report["findings"]) == ([], [])
    assert report["skipped"] == [{"file": "apps/base/kustomization.yaml", "reason": OF_OTHERS, "namespaces": []}]
    assert "is not applied: it is of a base that nothing in view builds on (apps/base/quota.yaml)." in " ".join(
        workspace.text("check")[1].split()
    )


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"apps/base/kustomization.yaml": "namespace: a\nresources: [quota.yaml]\n"}, id="for a namespace"),
        pytest.param({"apps/base/quota.yaml": quota("a")}, id="of objects that name theirs"),
        pytest.param(
            {"apps/production/web/kustomization.yaml": "namespace: shop\nresources: [web.yaml, ../../base]\n"},
            id="which an overlay builds on",
        ),
        pytest.param(
            {
                "apps/production/web/kustomization.yaml": None,
                "apps/production/web/web.yaml": None,
                "other/kustomization.yaml": "namespace: shop\nresources: [web.yaml]\n",
                "other/web.yaml": web(3),
            },
            id="beside no stage",
        ),
    ],
)
def test_a_base_that_may_be_applied_itself_is_counted(files: dict[str, str | None], workspace: Workspace) -> None:
    workspace.put({name: text for name, text in {**FOR_CUSTOMERS, **files}.items() if text is not None})
    assert OF_OTHERS not in [skipped["reason"] for skipped in workspace.report("check")["skipped"]]
