"""Workloads of one environment beside quotas of another with a related name: how to join them is said once."""

from __future__ import annotations

import pytest
from manifests import quota, web
from workspace import Workspace

pytest.importorskip("helm_python")


def _chart(folder: str, template: str) -> dict[str, str]:
    name = folder.rpartition("/")[2]
    return {
        f"{folder}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n",
        f"{folder}/templates/all.yaml": template,
    }


def _files() -> dict[str, str]:
    def helmfile(environment: str, chart: str) -> str:
        return (
            f"environments: {{{environment}: {{}}}}\n---\n"
            f"releases: [{{name: {chart}, namespace: shop, chart: ./{chart}}}]\n"
        )

    return {
        "quotas/helmfile.yaml": helmfile("staging-east", "quota"),
        **_chart("quotas/quota", quota("shop", hard="pods: 3")),
        "services/helmfile.yaml": helmfile("staging", "web"),
        **_chart("services/web", web(4, "shop")),
    }


def test_the_line_that_joins_them(workspace: Workspace) -> None:
    workspace.put(_files())
    text = " ".join(workspace.text("check")[1].split())
    assert text.count("If they are one, `environmentAliases: {staging: staging-east}` in .quotalint.yaml joins") == 1


def test_what_it_joins(workspace: Workspace) -> None:
    workspace.put({**_files(), ".quotalint.yaml": "environmentAliases: {staging: staging-east}\n"})
    (table,) = workspace.report("usage")["quotas"]
    assert (table["environment"], table["resources"][0]["steady"]) == ("staging-east", "4")
    assert "environmentAliases" not in workspace.text("check")[1]


def test_other_names_are_not_related(workspace: Workspace) -> None:
    files = _files()
    files["services/helmfile.yaml"] = files["services/helmfile.yaml"].replace("staging", "canary")
    workspace.put(files)
    assert "environmentAliases" not in workspace.text("check")[1]
