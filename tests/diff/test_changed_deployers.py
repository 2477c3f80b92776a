"""What lay there before and comes by something that deploys it now: the line of the change is that of the deployer."""

from __future__ import annotations

from typing import Any

import pytest
from attributed_causes import cause_of
from deployer_objects import flux_kustomization
from git_repositories import Repository, deployment, difference, quota


def _application(name: str, path: str) -> str:
    return (
        f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\n"
        "spec:\n  destination: {namespace: team-a, server: https://kubernetes.default.svc}\n"
        f"  source: {{repoURL: x, path: {path}}}\n"
    )


def _application_set(*elements: str) -> str:
    listed = "".join(f"          - app: {element}\n" for element in elements)
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\nspec:\n"
        f"  generators:\n    - list:\n        elements:\n{listed}"
        "  template:\n    metadata: {name: '{{app}}'}\n    spec:\n"
        "      destination: {namespace: team-a, server: https://kubernetes.default.svc}\n"
        "      source: {repoURL: x, path: 'apps/{{app}}'}\n"
    )


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        pytest.param(
            {"argocd/one.yaml": _application("one", "apps/one")},
            {"argocd/two.yaml": _application("two", "apps/two")},
            "argocd/two.yaml:1",
            id="a new Application",
        ),
        pytest.param(
            {"argocd/all.yaml": _application_set("one")},
            {"argocd/all.yaml": _application_set("one", "two")},
            "argocd/all.yaml:9",
            id="another element of an ApplicationSet",
        ),
        pytest.param(
            {"argocd/all.yaml": _application("one", "apps/one") + "---\n" + _application("two", "apps/none")},
            {"argocd/all.yaml": _application("one", "apps/one") + "---\n" + _application("two", "apps/two")},
            "argocd/all.yaml:13",
            id="another path",
        ),
    ],
)
def test_what_lay_there_comes_by_the_line_that_deploys_it(
    repository: Repository, capsys: Any, before: dict[str, str], after: dict[str, str], line: str
) -> None:
    there = {"apps/one/a.yaml": quota("pods: 3") + "---\n" + deployment(2), "apps/two/a.yaml": deployment(2, "other")}
    cause = cause_of(repository, capsys, {**there, **before}, after)
    assert cause == [f"{line} Deployment other: is new"]


def test_what_comes_to_another_cluster_comes_by_the_line_that_deploys_it_there(
    repository: Repository, capsys: Any
) -> None:
    """The ApplicationSet is in the cluster of Argo CD, and what it deploys in another one, where all is new."""
    one, two = (
        _application_set(*clusters)
        .replace("team-a, server: https://kubernetes.default.svc", "team-a, name: '{{app}}'")
        .replace("'apps/{{app}}'", "apps/web")
        for clusters in (["east"], ["east", "west"])
    )
    there = {"apps/web/a.yaml": quota("pods: 1") + "---\n" + deployment(2)}
    cause = cause_of(repository, capsys, {**there, "argocd/all.yaml": one}, {"argocd/all.yaml": two})
    assert cause == ["argocd/all.yaml:9 ResourceQuota base: is new"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("apps/small", "apps/large", id="another folder"),
        pytest.param("apps/small", "overlays/large", id="an overlay of the same file"),
    ],
)
def test_another_path_is_the_line_of_what_another_folder_says(
    repository: Repository, capsys: Any, before: str, after: str
) -> None:
    there = {
        "apps/small/web.yaml": deployment(2),
        "apps/small/kustomization.yaml": "resources: [web.yaml]\n",
        "apps/large/web.yaml": deployment(5),
        "overlays/large/kustomization.yaml": "resources: [../../apps/small]\nreplicas: [{name: web, count: 5}]\n",
        "argocd/all.yaml": _application("one", "apps/quota") + "---\n" + _application("two", before),
        "apps/quota/q.yaml": quota("pods: 3"),
    }
    change = {"argocd/all.yaml": _application("one", "apps/quota") + "---\n" + _application("two", after)}
    cause = cause_of(repository, capsys, there, change)
    assert cause == ["argocd/all.yaml:13 Deployment web: replicas 2 → 5"]


def test_what_makes_sure_of_a_guess_is_a_cause(repository: Repository, capsys: Any) -> None:
    """What a suspended Kustomization has applied is taken to be there; lifted, it is."""
    suspended = flux_kustomization("./apps", "targetNamespace: team-a, suspend: true")
    start = {
        "clusters/q.yaml": quota("pods: 3"),
        "clusters/apps.yaml": suspended,
        "apps/web.yaml": deployment(5, namespace=""),
        "clusters/web.yaml": deployment(1, "other"),
    }
    cause = cause_of(repository, capsys, start, {"clusters/apps.yaml": suspended.replace("true", "false")})
    assert cause == ["clusters/apps.yaml:4 Kustomization apps: suspend true → false"]


PROJECT = (
    "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: default, namespace: argocd}\n"
    "spec: {sourceRepos: ['*'], destinations: [{namespace: DESTINATION, server: '*'}]}\n"
)


def test_what_argo_cd_may_no_longer_apply_stays_as_it_was(repository: Repository, capsys: Any) -> None:
    """It takes away what an Application no longer has only when it applies it."""
    there = {
        "apps/web.yaml": quota("pods: 3") + "---\n" + deployment(2),
        "argocd/apps.yaml": _application("apps", "apps"),
    }
    repository.commit({**there, "argocd/project.yaml": PROJECT.replace("DESTINATION", "team-a")})
    repository.commit({"argocd/project.yaml": PROJECT.replace("DESTINATION", "team-b")})
    _, reported = difference(capsys, "HEAD~1")
    (change,) = reported["quotas"]
    assert change["after"] is None
    assert change["lost"] == (
        "Application apps is not applied: AppProject default does not allow its destination "
        "https://kubernetes.default.svc namespace team-a; what it has applied before stays until somebody deletes it"
    )
