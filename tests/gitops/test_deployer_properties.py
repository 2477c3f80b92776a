"""What holds of every deployer: clusters that are judged together are as each is alone, and neither an unrelated folder
nor the names of files change a number."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from deployer_objects import flux_kustomization
from gitops_outcome import needed_helm
from hypothesis import given, settings
from hypothesis import strategies as st
from manifests import quota, web
from pipeline_runs import run_pipeline
from written_files import write_as_is

from quotalint.kube import quantity
from quotalint.quota.projection import Projection

URL = "https://git.example.com/acme/fleet.git"
NAMES = ("alpha", "beta", "gamma")


class Cluster(NamedTuple):
    """What differs from one cluster to another."""

    name: str
    replicas: int
    hard: int
    order: bool
    """Whether the files come in the one order or in the other."""


Files = Mapping[str, str]


def flux(path: str, name: str, more: str = "") -> str:
    """A Kustomization of Flux behind other objects of its file."""
    return "---\n" + flux_kustomization(path, more.removeprefix(", "), name=name)


def home(cluster: Cluster, more: str = "") -> dict[str, str]:
    """The folder that a cluster of Flux applies to itself."""
    source = (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
        f"metadata: {{name: flux-system, namespace: flux-system}}\nspec: {{url: '{URL}', ref: {{branch: main}}}}\n"
    )
    folder = f"clusters/{cluster.name}"
    return {
        f"{folder}/flux-system/kustomization.yaml": "resources: [gotk-sync.yaml]\n",
        f"{folder}/flux-system/gotk-sync.yaml": source + flux(f"./{folder}", "flux-system", more),
    }


def variables(cluster: Cluster) -> str:
    return f", postBuild: {{substitute: {{SIZE: '{cluster.replicas}', HARD: '{cluster.hard}'}}}}"


SHOP = {"shop/quota.yaml": quota("shop", hard='pods: "${HARD}"'), "shop/web.yaml": web("${SIZE}", "shop")}


def flux_variables(cluster: Cluster) -> Files:
    """Variables of the cluster itself reach a shared folder."""
    name = "a-shop" if cluster.order else "z-shop"
    passed = ", postBuild: {substitute: {SIZE: '${SIZE}', HARD: '${HARD}'}}"
    return {
        **home(cluster, variables(cluster)),
        f"clusters/{cluster.name}/{name}.yaml": flux("./shop", "shop", passed),
        **SHOP,
    }


def flux_settings(cluster: Cluster) -> Files:
    """A ConfigMap of each cluster, and a Kustomization that two clusters share."""
    data = f"data: {{SIZE: '{cluster.replicas}', HARD: '{cluster.hard}'}}\n"
    config = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: sizes, namespace: flux-system}}\n{data}"
    taken = ", postBuild: {substituteFrom: [{kind: ConfigMap, name: sizes}]}"
    return {
        **home(cluster),
        f"clusters/{cluster.name}/{'a' if cluster.order else 'z'}.yaml": config,
        f"clusters/{cluster.name}/m.yaml": flux("./apps", "apps"),
        "apps/shop.yaml": flux("./shop", "shop", taken),
        **SHOP,
    }


def flux_overlays(cluster: Cluster) -> Files:
    """A folder of each cluster, over a base."""
    overlay = f"resources: [../../base]\nreplicas: [{{name: web, count: {cluster.replicas}}}]\n"
    change = f'[{{"op": "replace", "path": "/spec/hard/pods", "value": "{cluster.hard}"}}]'
    patch = f"patches: [{{target: {{kind: ResourceQuota}}, patch: '{change}'}}]\n"
    return {
        **home(cluster),
        f"clusters/{cluster.name}/{'a' if cluster.order else 'z'}.yaml": flux(f"./overlays/{cluster.name}", "shop"),
        f"overlays/{cluster.name}/kustomization.yaml": overlay + patch,
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": quota("shop"),
        "base/web.yaml": web(1, "shop"),
    }


def resource_sets(cluster: Cluster) -> Files:
    """A ResourceSet of each cluster that makes a Kustomization for a shared folder."""
    made = (
        "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: apps, namespace: flux-system}\n"
        f"spec:\n  inputs: [{{size: '{cluster.replicas}', hard: '{cluster.hard}'}}]\n  resources:\n"
        "  - apiVersion: kustomize.toolkit.fluxcd.io/v1\n    kind: Kustomization\n"
        "    metadata: {name: shop, namespace: flux-system}\n"
        "    spec:\n      path: ./shop\n      sourceRef: {kind: GitRepository, name: flux-system}\n"
        "      postBuild: {substitute: {SIZE: '<< inputs.size >>', HARD: '<< inputs.hard >>'}}\n"
    )
    return {**home(cluster), f"clusters/{cluster.name}/{'a' if cluster.order else 'z'}.yaml": made, **SHOP}


def applications(cluster: Cluster) -> Files:
    """An Application for each cluster, with its own replicas over a shared kustomization."""
    name = f"{cluster.name}-shop" if cluster.order else f"shop-{cluster.name}"
    patch = f"[{{op: replace, path: /spec/hard/pods, value: '{cluster.hard}'}}]".replace("'", '"')
    return {
        f"argocd/{name}.yaml": (
            f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\n"
            f"spec:\n  destination: {{name: {cluster.name}, namespace: shop}}\n  source:\n    repoURL: '{URL}'\n"
            f"    path: base\n    kustomize:\n      replicas: [{{name: web, count: {cluster.replicas}}}]\n"
            f"      patches: [{{target: {{kind: ResourceQuota}}, patch: '- {patch[1:-1]}'}}]\n"
        ),
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": quota(),
        "base/web.yaml": web(1),
    }


def application_sets(cluster: Cluster) -> Files:
    """An ApplicationSet for each cluster that finds its folders."""
    return {
        f"sets/{cluster.name if cluster.order else f'z-{cluster.name}'}.yaml": (
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\n"
            f"metadata: {{name: {cluster.name}, namespace: argocd}}\n"
            f"spec:\n  generators: [{{git: {{repoURL: '{URL}', directories: [{{path: 'apps/{cluster.name}/*'}}]}}}}]\n"
            f"  template: {{metadata: {{name: '{cluster.name}-{{{{path.basename}}}}'}}, spec: {{\n"
            f"    source: {{repoURL: '{URL}', path: '{{{{path}}}}'}},\n"
            f"    destination: {{name: {cluster.name}, namespace: shop}}}}}}\n"
        ),
        f"apps/{cluster.name}/shop/quota.yaml": quota(hard=f"pods: {cluster.hard}"),
        f"apps/{cluster.name}/shop/web.yaml": web(cluster.replicas),
    }


def fleet(cluster: Cluster) -> Files:
    """A GitRepo for each cluster, that is named as its target, with an overlay of its own."""
    change = f'[{{"op": "replace", "path": "/spec/hard/pods", "value": "{cluster.hard}"}}]'
    return {
        f"fleet/{'a' if cluster.order else 'z'}-{cluster.name}.yaml": (
            "apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\n"
            f"metadata: {{name: {cluster.name}, namespace: fleet}}\n"
            f"spec: {{repo: '{URL}', branch: main, paths: [bundles/{cluster.name}], "
            f"targets: [{{clusterName: {cluster.name}}}]}}\n"
        ),
        f"bundles/{cluster.name}/fleet.yaml": "namespace: shop\nkustomize: {dir: build}\n",
        f"bundles/{cluster.name}/build/kustomization.yaml": (
            f"resources: [../../../base]\nreplicas: [{{name: web, count: {cluster.replicas}}}]\n"
            f"patches: [{{target: {{kind: ResourceQuota}}, patch: '{change}'}}]\n"
        ),
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": quota(),
        "base/web.yaml": web(1),
    }


def helm_releases(cluster: Cluster) -> Files:
    """A HelmRelease of each cluster of Flux, with values from a ConfigMap of the cluster."""
    folder = f"clusters/{cluster.name}"
    values = f"hard: {cluster.hard}" if cluster.order else f"replicas: {cluster.replicas}"
    config = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sizes, namespace: shop}\n"
        f"data: {{values.yaml: '{values}'}}\n"
    )
    inline = f"replicas: {cluster.replicas}" if cluster.order else f"hard: {cluster.hard}"
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: shop}\nspec:\n"
        "  chart: {spec: {chart: ./charts/shop, sourceRef: {kind: GitRepository, name: flux-system, "
        "namespace: flux-system}}}\n"
        f"  valuesFrom: [{{kind: ConfigMap, name: sizes}}]\n  values: {{{inline}}}\n"
    )
    return {
        **home(cluster),
        f"{folder}/{'a' if cluster.order else 'z'}.yaml": config,
        f"{folder}/m.yaml": release,
        "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
        "charts/shop/values.yaml": "replicas: 1\nhard: 1\n",
        "charts/shop/templates/quota.yaml": quota(hard="pods: '{{ .Values.hard }}'"),
        "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}"),
    }


DEPLOYERS: tuple[Callable[[Cluster], Files], ...] = (
    flux_variables,
    flux_settings,
    flux_overlays,
    resource_sets,
    applications,
    application_sets,
    fleet,
)
WITH_CHARTS = (*DEPLOYERS, helm_releases)


def clusters(number: int) -> st.SearchStrategy[list[Cluster]]:
    sizes = st.tuples(st.integers(0, 9), st.integers(1, 9), st.booleans())
    return st.lists(sizes, min_size=number, max_size=number).map(
        lambda several: [Cluster(name, *first) for name, first in zip(NAMES, several, strict=False)]
    )


def sums(files: Files, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Of each environment, what it uses of its quota."""
    with tempfile.TemporaryDirectory() as folder:
        write_as_is(Path(folder), files)
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            if "charts/shop/Chart.yaml" in files:
                patch.setenv("PATH", os.path.dirname(needed_helm()))
            result = run_pipeline()
    return {
        facts.environment: f"{quantity.show(projection.steady)} of {_shown_limit(projection)} {projection.certainty}"
        for facts in result.environments
        for projection in facts.projections
        if projection.quota.namespace == "shop"
    }


def _shown_limit(projection: Projection) -> str | None:
    return projection.hard and quantity.show(projection.hard)


def wanted(cluster: Cluster) -> str:
    return f"{cluster.replicas} of {cluster.hard} exact"


@pytest.mark.parametrize("deployer", WITH_CHARTS, ids=lambda deployer: deployer.__name__)
@settings(max_examples=5, deadline=None)
@given(clusters(2))
def test_two_clusters_are_as_each_is_alone(deployer: Callable[[Cluster], Files], several: list[Cluster]) -> None:
    monkeypatch = pytest.MonkeyPatch()
    together = {**deployer(several[0]), **deployer(several[1])}
    assert sums(together, monkeypatch) == {cluster.name: wanted(cluster) for cluster in several}
    for cluster in several:
        assert list(sums(deployer(cluster), monkeypatch).values()) == [wanted(cluster)]


@pytest.mark.parametrize("deployer", WITH_CHARTS, ids=lambda deployer: deployer.__name__)
@settings(max_examples=4, deadline=None)
@given(clusters(1))
def test_the_order_of_files_changes_nothing(deployer: Callable[[Cluster], Files], several: list[Cluster]) -> None:
    (cluster,) = several
    found = [sums(deployer(cluster._replace(order=order)), pytest.MonkeyPatch()) for order in (True, False)]
    assert found[0] == found[1]


@pytest.mark.parametrize("deployer", WITH_CHARTS, ids=lambda deployer: deployer.__name__)
@settings(max_examples=4, deadline=None)
@given(clusters(2))
def test_an_unrelated_folder_changes_nothing(deployer: Callable[[Cluster], Files], several: list[Cluster]) -> None:
    together = {**deployer(several[0]), **deployer(several[1])}
    unrelated = {"docs/notes/tools.yaml": web(5, "tools", "tools"), "docs/notes/config.txt": "shop"}
    found = sums({**together, **unrelated}, pytest.MonkeyPatch())
    assert found == sums(together, pytest.MonkeyPatch())
