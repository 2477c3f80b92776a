"""Objects that come to what an Application deploys may be more than its project allows: then nothing of that is
applied, and `diff` looks at everything."""

from __future__ import annotations

from textwrap import indent

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import APPLICATION, SERVICE, STARTED

PROJECT = """apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: default, namespace: argocd}
spec:
  sourceRepos: ["*"]
  destinations: [{server: "https://kubernetes.default.svc", namespace: %s}]
  clusterResourceWhitelist: [{group: "*", kind: "*"}]
  %s
"""
KINDS = 'namespaceResourceWhitelist: [{group: apps, kind: "*"}, {group: "", kind: ResourceQuota}]'
REFUSED_KIND = "namespaceResourceBlacklist: [{group: monitoring.coreos.com, kind: PodMonitor}]"
MONITOR = "apiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {name: m, namespace: team-e}\nspec: {}\n"
APP_OF_CHART = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: project, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://example.com/here.git", path: project, helm: {valuesObject: {a: b}}}
  destination: {server: "https://kubernetes.default.svc", namespace: argocd}
"""


def deployed(project: str, *, builds: bool = False) -> Files:
    """What an Application of this project applies."""
    files: dict[str, str | None] = {
        **STARTED,
        "apps/project.yaml": project,
        "apps/e.yaml": APPLICATION % ("e", "e", "" if builds else "recurse: true", "team-e"),
        "e/quota.yaml": quota("pods: 4, services: 2", namespace="team-e"),
        "e/web.yaml": deployment(2, "web", "team-e"),
    }
    listing = "resources: [quota.yaml, web.yaml]\n"
    return {**files, "e/kustomization.yaml": listing} if builds else files


def in_list(text: str) -> str:
    return f"apiVersion: v1\nkind: List\nitems:\n- {indent(text, '  ').lstrip()}"


def charted() -> Files:
    """The project comes of a chart that another Application deploys."""
    return {
        **deployed(APP_OF_CHART),
        "project/Chart.yaml": "apiVersion: v2\nname: project\nversion: 1.0.0\n",
        "project/templates/project.yaml": PROJECT % ('"*"', KINDS),
    }


def listed(name: str) -> Files:
    return {"e/kustomization.yaml": f"resources: [quota.yaml, web.yaml, {name}]\n"}


ALLOWED: dict[str, tuple[Files, Files]] = {
    "a kind that is allowed": (
        deployed(PROJECT % ('"*"', KINDS)),
        {"e/more.yaml": deployment(1, "more", "team-e")},
    ),
    "another kind than one that is refused": (
        deployed(PROJECT % ('"*"', REFUSED_KIND)),
        {"e/more.yaml": SERVICE % ("more", "team-e")},
    ),
    "a kind that the project of others does not allow": (
        {
            **deployed(PROJECT % ('"*"', "")),
            "apps/other.yaml": (PROJECT % ('"*"', KINDS)).replace("default", "other").replace("ResourceQuota", "Pod"),
        },
        {"e/more.yaml": SERVICE % ("more", "team-e")},
    ),
    "a custom kind": (deployed(PROJECT % ('"*"', KINDS)), {"e/more.yaml": MONITOR}),
}
REFUSED: dict[str, tuple[Files, Files]] = {
    "a kind that is not allowed": (
        deployed(PROJECT % ('"*"', KINDS)),
        {"e/more.yaml": SERVICE % ("more", "team-e")},
    ),
    "a kind that is refused": (deployed(PROJECT % ('"*"', REFUSED_KIND)), {"e/more.yaml": MONITOR}),
    "a kind that is not allowed, in what is built": (
        deployed(PROJECT % ('"*"', KINDS), builds=True),
        {"e/more.yaml": SERVICE % ("more", "team-e"), **listed("more.yaml")},
    ),
    "a kind that is not allowed in a file": (
        deployed(PROJECT % ('"*"', KINDS)),
        {"e/web.yaml": f"{deployment(2, 'web', 'team-e')}---\n{SERVICE % ('more', 'team-e')}"},
    ),
    "a namespace that is not allowed for what is known to be in one": (
        {**deployed(PROJECT % ("team-e", "")), "e/monitor.yaml": MONITOR.replace("team-e", "team-z")},
        {"e/more.yaml": SERVICE % ("more", "team-z")},
    ),
    "a kind that is not allowed, where labels choose what is": (
        deployed((PROJECT % ('"*"', REFUSED_KIND)).replace("name: default,", "name: default, labels: {a: b},")),
        {"e/more.yaml": MONITOR},
    ),
    "a kind that a project in a List does not allow": (
        deployed(in_list(PROJECT % ('"*"', KINDS))),
        {"e/more.yaml": SERVICE % ("more", "team-e")},
    ),
    "a kind that a project of a chart does not allow": (charted(), {"e/more.yaml": SERVICE % ("more", "team-e")}),
    "what the project of another Application does not allow goes": (
        {
            **deployed(PROJECT % ('"*"', "")),
            "apps/other.yaml": (PROJECT % ('"*"', KINDS)).replace("name: default", "name: other"),
            "apps/f.yaml": (APPLICATION % ("f", "e", "recurse: true", "team-e"))
            .replace("project: default", "project: other")
            .replace("https://kubernetes.default.svc", "https://other.example.com"),
            "e/more.yaml": SERVICE % ("more", "team-e"),
        },
        {"e/more.yaml": None},
    ),
    "what is not allowed goes": (
        {**deployed(PROJECT % ('"*"', KINDS)), "e/more.yaml": SERVICE % ("more", "team-e")},
        {"e/more.yaml": None},
    ),
}


@pytest.mark.parametrize("change", REFUSED)
def test_everything_is_looked_at_where_a_project_refuses(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *REFUSED[change]).count("everything") == 2


@pytest.mark.parametrize("change", ALLOWED)
def test_what_a_project_allows_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *ALLOWED[change])
