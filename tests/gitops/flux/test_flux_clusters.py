"""Folders of clusters that Flux applies, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from flux_repositories import APPS, FLUX_SYSTEM, VARIABLES, build, cluster, flux, settings
from gitops_outcome import TWO, Case, Outcome, applied, checked, expected, outcome, params
from manifests import LIST, quota, web

CLUSTERS = [
    Case(
        "a cluster that applies its own folder",
        {**cluster("prod"), **APPS, "clusters/prod/apps.yaml": flux()},
        (FLUX_SYSTEM, TWO),
    ),
    Case(
        "a cluster that applies its own folder, with variables",
        {
            "clusters/prod/flux.yaml": flux(
                "./clusters/prod", name="top", more="postBuild: {substitute: {PODS: '8', REPLICAS: '2'}}"
            ),
            "clusters/prod/quota.yaml": quota("team-a", hard='pods: "${PODS}"'),
            "clusters/prod/web.yaml": web("${REPLICAS}", namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "two folders of clusters are two environments",
        {
            **cluster("prod"),
            **cluster("staging"),
            **{
                f"clusters/{name}/apps.yaml": flux(f"./apps/{name}", more="dependsOn: [{name: infrastructure}]")
                + "---\n"
                + flux("./infrastructure", more="", name="infrastructure")
                for name in ("prod", "staging")
            },
            "infrastructure/quota.yaml": quota("team-a"),
            "apps/base/kustomization.yaml": "namespace: team-a\nresources: [web.yaml]\n",
            "apps/base/web.yaml": web(),
            "apps/prod/kustomization.yaml": "resources: [../base]\nreplicas: [{name: web, count: 6}]\n",
            "apps/staging/kustomization.yaml": "resources: [../base]\n",
        },
        (
            f"prod: {FLUX_SYSTEM}",
            "prod: team-a/base pods 6/8 exact",
            f"staging: {FLUX_SYSTEM}",
            "staging: team-a/base pods 2/8 exact",
        ),
    ),
    Case(
        "two clusters of which one has more",
        {
            **cluster("prod"),
            **cluster("staging"),
            "clusters/prod/apps.yaml": flux(),
            "clusters/prod/shop.yaml": flux("./shop", name="shop"),
            "clusters/staging/apps.yaml": flux(),
            **APPS,
            "shop/shop.yaml": web(3, name="shop"),
        },
        (
            f"prod: {FLUX_SYSTEM}",
            "prod: team-a/base pods 5/8 exact",
            f"staging: {FLUX_SYSTEM}",
            "staging: team-a/base pods 2/8 exact",
        ),
    ),
    Case(
        "two clusters with one ConfigMap of variables each",
        {
            **VARIABLES,
            **{
                f"clusters/{name}/apps.yaml": build("substituteFrom: [{kind: ConfigMap, name: settings}]")
                for name in ("prod", "staging")
            },
            "clusters/prod/settings.yaml": settings("REPLICAS: '7'"),
            "clusters/staging/settings.yaml": settings("REPLICAS: '3'"),
        },
        ("prod: team-a/base pods 7/8 exact", "staging: team-a/base pods 3/8 exact"),
    ),
    Case(
        "a cluster whose folder has a kustomization",
        {
            **cluster("prod"),
            **APPS,
            "clusters/prod/kustomization.yaml": "resources: [flux-system, apps.yaml]\n",
            "clusters/prod/apps.yaml": flux(),
        },
        (FLUX_SYSTEM, TWO),
    ),
    Case(
        "one kustomization applied by two Kustomizations",
        {
            "apps/kustomization.yaml": "namespace: team-a\n" + LIST,
            **APPS,
            "a.yaml": flux(name="a", more=""),
            "b.yaml": flux(name="b", more=""),
        },
        (TWO,),
    ),
    Case(
        "another cluster by its kubeconfig",
        {
            **APPS,
            "here.yaml": flux(name="here"),
            "there.yaml": flux(
                name="there",
                more="targetNamespace: team-a, kubeConfig: {secretRef: {name: east}}, patches: [{target: "
                "{kind: Deployment}, patch: '- {op: replace, path: /spec/replicas, value: 6}'}]",
            ),
        },
        ("east: team-a/base pods 6/8 exact", "in-cluster: team-a/base pods 2/8 exact"),
    ),
    Case(
        "another cluster by what a ConfigMap says of it",
        {
            **APPS,
            "here.yaml": flux(name="here"),
            "there.yaml": flux(name="there", more="targetNamespace: team-a, kubeConfig: {configMapRef: {name: east}}"),
        },
        ("east: team-a/base pods 2/8 exact", "in-cluster: team-a/base pods 2/8 exact"),
    ),
    Case(
        "another cluster for what is not in view",
        {
            **APPS,
            "here.yaml": flux(name="here"),
            "there.yaml": flux(
                name="there", path="gone", more="targetNamespace: team-a, kubeConfig: {secretRef: {name: east}}"
            ),
        },
        ("in-cluster: team-a/base pods 2/8 exact",),
        ("there.yaml:1:1 QL003 info in east",),
    ),
]


def test_a_cluster_has_each_object_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**cluster("prod"), **APPS, "clusters/prod/apps.yaml": flux()}
    assert applied(checked(tmp_path, files, monkeypatch)) == {
        "": [
            "Deployment flux-system/source-controller",
            "Deployment team-a/web",
            "GitRepository flux-system/flux-system",
            "Kustomization flux-system/apps",
            "Kustomization flux-system/flux-system",
            "Namespace /flux-system",
            "ResourceQuota flux-system/critical-pods-flux-system",
            "ResourceQuota team-a/base",
        ]
    }


@pytest.mark.parametrize(
    ("within", "path"),
    [
        pytest.param(".", ".", id="the repository"),
        pytest.param(".", "clusters/prod", id="a folder"),
        pytest.param("clusters/prod", "../..", id="from within"),
        pytest.param("clusters/prod", ".", id="from within the folder"),
    ],
)
def test_one_cluster_may_be_looked_at_alone(
    within: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        **APPS,
        "clusters/prod/apps.yaml": flux(),
        "clusters/prod/top.yaml": flux("./clusters/prod", more="", name="top"),
    }
    assert outcome(tmp_path, files, monkeypatch, within=within, path=path) == Outcome([TWO], [])


@pytest.mark.parametrize("case", params(CLUSTERS))
def test_what_is_told_of_clusters(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
