"""Folders of the repository that stand for remote sources, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application
from gitops_outcome import Case, checked, expected, outcome, params, unknowns
from manifests import quota, web

from quotalint.gitops.helm.library import is_installed
from quotalint.gitops.origins import vendored_in

SOURCES = """\
sources:
  https://charts.example.com/stable/: vendor/charts
  oci://ghcr.io/acme/charts: vendor/charts
  oci://ghcr.io/acme/one: vendor/charts/web
  https://github.com/acme/base.git: vendor/base
"""
CHART = {
    "vendor/charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "vendor/charts/web/values.yaml": "replicas: 3\n",
    "vendor/charts/web/templates/web.yaml": web("{{ .Values.replicas }}", name="'{{ .Release.Name }}'"),
}
HOME = {".quotalint.yaml": SOURCES, "quota.yaml": quota("shop"), **CHART}
BASE = {
    ".quotalint.yaml": SOURCES,
    "vendor/base/deploy/kustomization.yaml": "resources: [web.yaml]\n",
    "vendor/base/deploy/web.yaml": web(4),
}


def release(kind: str, url: str, chart: str = "web", reference: str = "") -> str:
    wanted = reference or f"chart: {{spec: {{chart: {chart}, version: 1.x, sourceRef: {{kind: {kind}, name: x}}}}}}"
    return (
        f"apiVersion: source.toolkit.fluxcd.io/v1\nkind: {kind}\nmetadata: {{name: x, namespace: shop}}\n"
        f"spec: {{url: '{url}'}}\n---\n"
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n"
        f"spec: {{{wanted}}}\n"
    )


def application(source: str) -> str:
    return argo_application(where="namespace: shop", name="web", source=source)


def pods(number: int, certainty: str = "exact") -> tuple[str]:
    return (f"shop/base pods {number}/8 {certainty}",)


CHARTS = [
    Case(
        "a HelmRepository",
        {**HOME, "web.yaml": release("HelmRepository", "https://charts.example.com/stable")},
        pods(3),
    ),
    Case("a registry", {**HOME, "web.yaml": release("HelmRepository", "oci://ghcr.io/acme/charts")}, pods(3)),
    Case(
        "one chart of a registry",
        {
            **HOME,
            "web.yaml": release(
                "OCIRepository", "oci://ghcr.io/acme/one", reference="chartRef: {kind: OCIRepository, name: x}"
            ),
        },
        pods(3),
    ),
    Case(
        "a chart of Argo CD",
        {**HOME, "web.yaml": application("repoURL: 'https://charts.example.com/stable', chart: web")},
        pods(3),
    ),
    Case(
        "a chart of Argo CD from a registry, which it writes without a scheme",
        {**HOME, "web.yaml": application("repoURL: ghcr.io/acme/charts, chart: web")},
        pods(3),
    ),
    Case(
        "a chart of a kustomization",
        {
            **HOME,
            "app/kustomization.yaml": "namespace: shop\nhelmCharts: [{name: web, releaseName: web, "
            "repo: 'https://charts.example.com/stable', version: 1.0.0}]\n",
        },
        pods(3),
    ),
]
TREES = [
    Case(
        "a GitRepository",
        {
            **BASE,
            "quota.yaml": quota("shop"),
            "flux.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
            "metadata: {name: base, namespace: flux}\nspec: {url: 'ssh://git@github.com/acme/base', ref: {tag: v1}}\n"
            "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
            "metadata: {name: base, namespace: flux}\n"
            "spec: {path: ./deploy, targetNamespace: shop, sourceRef: {kind: GitRepository, name: base}}\n",
        },
        pods(4),
    ),
    Case(
        "a source of Argo CD at a tag",
        {
            **BASE,
            "quota.yaml": quota("shop"),
            "web.yaml": application("repoURL: 'https://github.com/acme/base', path: deploy, targetRevision: v1.2.0"),
        },
        pods(4),
    ),
    *(
        Case(
            f"a base of a kustomization: {url}",
            {
                **BASE,
                "app/quota.yaml": quota(),
                "app/kustomization.yaml": f"namespace: shop\nresources: ['{url}', quota.yaml]\n",
            },
            pods(4),
        )
        for url in (
            "https://github.com/acme/base//deploy?ref=v1.2.0",
            "github.com/acme/base/deploy?ref=main",
            "git@github.com:acme/base.git//deploy",
            "git::https://github.com/acme/base//deploy",
        )
    ),
]


@pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")
@pytest.mark.parametrize("case", params(CHARTS))
def test_a_chart_that_lies_here_as_well(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch).quotas == expected(case).quotas


@pytest.mark.parametrize("case", params(TREES))
def test_a_repository_that_lies_here_as_well(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch).quotas == expected(case).quotas


def test_what_is_not_vendored_stays_remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**HOME, "web.yaml": release("HelmRepository", "https://charts.example.com/stable", "redis")}
    reason = "web.yaml: HelmRelease web is not rendered: the chart redis of HelmRepository x is remote"
    assert reason in unknowns(checked(tmp_path, files, monkeypatch))["shop/base pods"]


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("https://github.com/acme/base", "vendor/base"),
        ("https://GitHub.com/acme/base.git", "vendor/base"),
        ("git@github.com:acme/base.git", "vendor/base"),
        ("ssh://git@github.com/acme/base//Deploy/x?ref=v1", "vendor/base/Deploy/x"),
        ("https://github.com/acme/base2", None),
        ("https://github.com/acme", None),
        ("https://github.com/acme/base/deep", "vendor/deep"),
        ("", None),
        ("base", None),
    ],
)
def test_which_folder_stands_for_a_url(url: str, folder: str | None) -> None:
    folders_by_url = (
        ("https://github.com/acme/base", "vendor/base"),
        ("https://github.com/acme/base/deep", "vendor/deep"),
    )
    assert vendored_in(folders_by_url)(url) == folder


def test_a_cluster_that_one_argo_cd_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def app_set(hub: str) -> str:
        return (
            f"apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: {hub}, namespace: argocd}}\n"
            "spec:\n  generators: [{clusters: {selector: {matchLabels: {use: apps}}}}]\n"
            f"  template: {{metadata: {{name: '{hub}-{{{{name}}}}'}}, spec: {{source: {{path: apps/{hub}}},\n"
            "    destination: {name: '{{name}}', namespace: shop}}}\n"
        )

    files = {
        ".quotalint.yaml": "clusters:\n"
        "  eu: {server: 'https://eu', labels: {use: apps}, instance: hubs/eu}\n"
        "  us: {server: 'https://us', labels: {use: apps}, instance: hubs/us/}\n",
        "hubs/eu/set.yaml": app_set("eu"),
        "hubs/us/set.yaml": app_set("us"),
        "apps/eu/quota.yaml": quota(),
        "apps/eu/web.yaml": web(2),
        "apps/us/quota.yaml": quota(),
        "apps/us/web.yaml": web(3),
    }
    assert outcome(tmp_path, files, monkeypatch).quotas == [
        "eu: shop/base pods 2/8 exact",
        "us: shop/base pods 3/8 exact",
    ]
