"""Clusters that only the list elements of ApplicationSets name, and names that stand in their paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked, outcome_of
from manifests import quota, web
from written_files import Files

from quotalint.gitops.argocd.sets import cluster_names
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Place


def merge(name: str, elements: str) -> str:
    """An ApplicationSet that merges what Argo CD knows of clusters with what stands here."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\n"
        f"metadata: {{name: {name}, namespace: argocd}}\nspec:\n  generators:\n  - merge:\n"
        "      mergeKeys: [nameNormalized]\n      generators:\n"
        "      - clusters: {selector: {matchLabels: {role: member}}, values: {dir: base}}\n"
        f"      - list: {{elements: [{elements}]}}\n"
        f"  template:\n    metadata: {{name: '{name}-{{{{nameNormalized}}}}'}}\n    spec:\n"
        f"      source: {{repoURL: x, path: 'parts/{name}/{{{{values.dir}}}}'}}\n"
        "      destination: {namespace: team-a, server: '{{server}}'}\n"
    )


def element(cluster: str) -> str:
    return f"{{nameNormalized: {cluster}, values.dir: {cluster}}}"


def part(name: str, **replicas: int) -> Files:
    """A part of the platform with an overlay for each cluster."""
    overlay = "resources: [../base]\nnamespace: team-a\nreplicas: [{{name: {}, count: {}}}]\n"
    return {
        f"parts/{name}/base/kustomization.yaml": f"resources: [{name}.yaml]\n",
        f"parts/{name}/base/{name}.yaml": web(1, name=name),
        **{f"parts/{name}/{text}/kustomization.yaml": overlay.format(name, count) for text, count in replicas.items()},
    }


def test_clusters_are_those_that_elements_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        "argocd/web.yaml": merge("web", f"{element('k1')}, {element('k2')}, {element('elsewhere')}"),
        "argocd/shop.yaml": merge("shop", f"{element('k1')}, {element('k2')}"),
        **part("web", k1=2, k2=5),
        **part("shop", k1=1, k2=4),
        "parts/web/k1/quota.yaml": quota(),
        "parts/web/k2/quota.yaml": quota(),
    }
    for cluster, replicas in (("k1", 2), ("k2", 5)):
        text = f"resources: [../base, quota.yaml]\nnamespace: team-a\nreplicas: [{{name: web, count: {replicas}}}]\n"
        files = {**files, f"parts/web/{cluster}/kustomization.yaml": text}
    outcome = outcome_of(checked(tmp_path, files, monkeypatch))
    assert outcome.quotas == ["k1: team-a/base pods 3/8 assumed", "k2: team-a/base pods 9/8 assumed"]
    assert "parts/web/k2/quota.yaml:4:15 QL301 warning in k2" in outcome.findings


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("apps/{{name}}", ("k1", "k2")),
        ("apps/{{ .name }}", ("k1", "k2")),
        ("apps/{{name}}/over", ("k1",)),
        ("apps/{{values.kind}}", ()),
        ("apps/x-{{name}}", ()),
        ("{{name}}/over", ()),
        ("apps", ()),
    ],
)
def test_what_stands_in_the_place_of_a_name(path: str, expected: tuple[str, ...]) -> None:
    folders = ["apps", "apps/base", "apps/k1", "apps/k1/over", "apps/k2", "other/over"]
    spec = {"template": {"spec": {"source": {"path": path}}}}
    body = {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "metadata": {"name": "x"}, "spec": spec}
    obj: Object = next(objects(body, Place("x.yaml")))
    assert cluster_names(obj, lambda: folders) == expected
