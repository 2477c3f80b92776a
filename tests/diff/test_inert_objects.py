"""A change of what no quota counts is no unknown, though nothing in view deploys it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota
from manifests import head

from quotalint.cli import run

APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: 'https://git.example.org/team/deploy.git', path: shop, targetRevision: main}
  destination: {server: 'https://kubernetes.default.svc', namespace: team-a}
"""
SIDE = "other/side.yaml"
OBJECTS = {
    "a dashboard": (head("grafana.integreatly.org/v1beta1", "GrafanaDashboard", "d", "team-a"), "pods: 9", "nothing"),
    "a cluster-scoped kind": ("apiVersion: v1\nkind: Node\nmetadata: {name: n}\n", "pods: 9", "nothing"),
    "what is not counted": (head("networking.k8s.io/v1", "NetworkPolicy", "n", "team-a"), "pods: 9", "nothing"),
    "what is counted": (
        head("networking.k8s.io/v1", "NetworkPolicy", "n", "team-a"),
        "count/networkpolicies.networking.k8s.io: 9",
        "unknown",
    ),
    "a custom kind that is counted": (
        head("grafana.integreatly.org/v1beta1", "GrafanaDashboard", "d", "team-a"),
        "count/grafanadashboards.grafana.integreatly.org: 9",
        "unknown",
    ),
    "a workload": (deployment(2), "pods: 9", "unknown"),
    "a custom kind with replicas": (
        head("example.org/v1", "Shop", "s", "team-a") + "spec: {replicas: 3}\n",
        "pods: 9",
        "unknown",
    ),
    "an object in an object": (
        head("example.org/v1", "Bundle", "b", "team-a")
        + "spec: {objects: [{apiVersion: v1, kind: Pod, metadata: {name: p}}]}\n",
        "pods: 9",
        "unknown",
    ),
    "a priority class": (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 10\n",
        "pods: 9",
        "unknown",
    ),
}


def verdict(repository: Repository, capsys: Any) -> str:
    capsys.readouterr()
    assert run(["diff", "HEAD~1", "HEAD", "--format", "json"]) == 0
    answer: str = json.loads(capsys.readouterr().out)["verdict"]
    return answer


@pytest.mark.parametrize("what", OBJECTS)
def test_only_what_may_count_is_unknown(what: str, repository: Repository, capsys: Any) -> None:
    text, hard, expected = OBJECTS[what]
    repository.commit({"argocd.yaml": APPLICATION, "shop/quota.yaml": quota(hard), SIDE: text})
    repository.commit({SIDE: text.rstrip("\n") + "\nmore: {changed: true}\n"})
    assert verdict(repository, capsys).replace("passes", "nothing") == expected


@pytest.mark.parametrize(("listed", "expected"), [("side.yaml", "passes"), ("web.yaml", "unknown")])
def test_a_kustomization_is_as_what_it_lists(listed: str, expected: str, repository: Repository, capsys: Any) -> None:
    files = {
        "argocd.yaml": APPLICATION,
        "shop/quota.yaml": quota("pods: 9"),
        f"other/{listed}": deployment(2) if listed == "web.yaml" else OBJECTS["a dashboard"][0],
    }
    repository.commit(files)
    listing = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    repository.commit({"other/kustomization.yaml": f"{listing}resources: [{listed}]\n"})
    assert verdict(repository, capsys) == expected
