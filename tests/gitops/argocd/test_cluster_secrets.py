"""Clusters that Argo CD knows by Secrets of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked, outcome_of
from manifests import quota, web
from written_files import Files


def cluster(name: str, stage: str, namespace: str = "argocd", data: str = "") -> str:
    data = data or f"stringData: {{name: {name}, server: 'https://{name}.example.com'}}"
    labels = f"{{argocd.argoproj.io/secret-type: cluster, stage: {stage}}}"
    metadata = f"{{name: {name}, namespace: {namespace}, labels: {labels}}}"
    return f"apiVersion: v1\nkind: Secret\nmetadata: {metadata}\n{data}\n---\n"


def clusters_set(selector: str = "{matchLabels: {stage: prod}}") -> str:
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: web, namespace: argocd}\nspec:\n"
        f"  generators: [{{clusters: {{selector: {selector}}}}}]\n"
        "  template:\n    metadata: {name: 'web-{{name}}'}\n    spec:\n"
        "      source: {repoURL: x, path: apps}\n"
        "      destination: {namespace: team-a, server: '{{server}}'}\n"
    )


APPS: Files = {"apps/quota.yaml": quota(), "apps/web.yaml": web()}
NAMELESS = "stringData: {server: 'https://eu.example.com'}"
ENCODED = "data: {name: ZXU=, server: aHR0cHM6Ly9ldS5leGFtcGxlLmNvbQ==}"


@pytest.mark.parametrize(
    ("secrets", "selector", "places"),
    [
        (cluster("eu", "prod") + cluster("us", "prod") + cluster("lab", "dev"), None, ["eu: ", "us: "]),
        (cluster("eu", "prod", data=ENCODED), None, ["eu: "]),
        (cluster("eu", "prod"), "{}", ["eu: ", "in-cluster: "]),
        (cluster("eu", "prod", data=NAMELESS), None, ["https://eu.example.com: "]),
        (cluster("eu", "prod", "elsewhere"), None, []),
        (cluster("eu", "prod") + cluster("us", "prod", data='data: {name: "ENC[AES256_GCM,x]"}'), None, []),
        (cluster("eu", "prod") + "kind: SealedSecret\napiVersion: bitnami.com/v1alpha1\nmetadata: {name: us}\n"
         "spec: {template: {metadata: {labels: {argocd.argoproj.io/secret-type: cluster}}}}\n", None, []),
    ],
    ids=["chosen by labels", "encoded", "and its own", "without a name", "of another Argo CD", "encrypted", "sealed"],
)  # fmt: skip
def test_a_set_deploys_to_the_clusters_whose_secrets_it_selects(
    secrets: str, selector: str | None, places: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = clusters_set() if selector is None else clusters_set(selector)
    result = checked(tmp_path, {"argocd/clusters.yaml": secrets, "argocd/web.yaml": written, **APPS}, monkeypatch)
    assert outcome_of(result).quotas == [f"{place}team-a/base pods 2/8 exact" for place in places]
    assert any(finding.rule.id == "QL003" for finding in result.findings) == (not places)


def test_the_address_of_an_application_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def application(name: str) -> str:
        return (
            f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\n"
            f"spec: {{source: {{repoURL: x, path: apps}}, "
            f"destination: {{server: 'https://{name}.example.com/', namespace: team-a}}}}\n---\n"
        )

    secrets = cluster("eu", "prod") + cluster("us", "prod")
    files: Files = {"argocd/all.yaml": secrets + application("eu") + application("us"), **APPS}
    assert outcome_of(checked(tmp_path, files, monkeypatch)).quotas == [
        "eu: team-a/base pods 2/8 exact",
        "us: team-a/base pods 2/8 exact",
    ]
