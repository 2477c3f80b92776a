"""A part of a repository is looked at with what it builds on."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import TWO, Outcome, checked, needed_helm, outcome
from manifests import LIST, quota, quota_and_web, web
from team_a_repositories import BASE, PATCH, TEAM_A, component
from written_files import Files

OVERLAYS: Files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    **BASE,
    "dev/kustomization.yaml": TEAM_A,
    "prod/kustomization.yaml": TEAM_A + "replicas: [{name: web, count: 9}]\n",
}


@pytest.mark.parametrize(
    ("within", "path", "quotas", "findings"),
    [
        pytest.param(
            ".",
            ".",
            ["dev: team-a/base pods 2/8 exact", "prod: team-a/base pods 9/8 exact"],
            ["base/quota.yaml:4:15 QL301 error in prod"],
            id="everything",
        ),
        pytest.param(".", "dev", [TWO], [], id="a folder"),
        pytest.param(".", "dev/kustomization.yaml", [TWO], [], id="a file"),
        pytest.param("dev", ".", [TWO], [], id="from within"),
        pytest.param(
            "prod",
            ".",
            ["team-a/base pods 9/8 exact"],
            ["../base/quota.yaml:4:15 QL301 error"],
            id="from within, what lies elsewhere",
        ),
        pytest.param("base", "../dev", [TWO], [], id="from elsewhere"),
    ],
)
def test_a_part_of_a_repository_is_rendered_with_what_it_builds_on(
    within: str, path: str, quotas: list[str], findings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert outcome(tmp_path, OVERLAYS, monkeypatch, within=within, path=path) == Outcome(quotas, findings)


def test_findings_know_the_base_the_patch_and_the_overlay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "base/kustomization.yaml": "resources: [web.yaml]\n",
        "base/web.yaml": web(),
        "small/kustomization.yaml": component("quota.yaml"),
        "small/quota.yaml": quota(),
        "live/kustomization.yaml": "namespace: team-a\nresources: [../base]\ncomponents: [../small]\n"
        "patches: [{path: more.yaml}]\n",
        "live/more.yaml": PATCH.replace("3", "9"),
    }
    findings = checked(tmp_path, files, monkeypatch).findings
    assert [
        (
            finding.rule.id,
            f"{finding.file}:{finding.span.line}",
            [(also.label, also.file, also.span.line) for also in finding.related],
        )
        for finding in findings
    ] == [
        (
            "QL301",
            "small/quota.yaml:4",
            [("used by", "live/more.yaml", 4), ("base", "base/web.yaml", 1), ("through", "live/kustomization.yaml", 3)],
        )
    ]


def test_helm_charts_of_a_kustomization_are_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
        "charts/shop/values.yaml": "replicas: 2\n",
        "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}", name="shop").encode(),
        "kustomization.yaml": f"namespace: team-a\n{LIST}"
        "helmCharts: [{name: shop, releaseName: shop, valuesInline: {replicas: 3}}]\n",
        **quota_and_web(),
    }
    assert outcome(tmp_path, files, monkeypatch, needed_helm()) == Outcome(["team-a/base pods 5/8 exact"], [])
