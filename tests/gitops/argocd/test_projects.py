"""What the project of an Application does not allow is not applied, and said."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application
from gitops_outcome import Case, expected, outcome, params, quota, web


def application(where: str = "server: 'https://kubernetes.default.svc', namespace: shop", name: str = "shop") -> str:
    return argo_application("shop", where, name=name, project="team")


def project(destinations: str, more: str = "") -> str:
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: team, namespace: argocd}\n"
        f"spec: {{sourceRepos: ['*'], destinations: [{destinations}]{more}}}\n"
    )


APPS = {"shop/quota.yaml": quota(), "shop/web.yaml": web(3)}
APPLIED = ("shop/base pods 3/8 exact",)
DENIED = ("app.yaml:1:1 QL003 warning",)

CASES = [
    Case(
        "its namespace",
        {**APPS, "app.yaml": application(), "p.yaml": project("{server: '*', namespace: shop}")},
        APPLIED,
    ),
    Case(
        "another namespace",
        {**APPS, "app.yaml": application(), "p.yaml": project("{server: '*', namespace: other}")},
        (),
        DENIED,
    ),
    Case(
        "a pattern of namespaces",
        {**APPS, "app.yaml": application(), "p.yaml": project("{server: '*', namespace: 'sh*'}")},
        APPLIED,
    ),
    Case(
        "all but one",
        {
            **APPS,
            "app.yaml": application(),
            "p.yaml": project("{server: '*', namespace: '!shop'}, {server: '*', namespace: '*'}"),
        },
        (),
        DENIED,
    ),
    Case("no destination at all", {**APPS, "app.yaml": application(), "p.yaml": project("")}, (), DENIED),
    Case(
        "the cluster by its name where the project has the address, which may be the same",
        {
            **APPS,
            "app.yaml": application("name: east, namespace: shop"),
            "p.yaml": project("{server: 'https://1.2.3.4', namespace: shop}"),
        },
        ("east: shop/base pods 3/8 exact",),
    ),
    Case(
        "another cluster",
        {
            **APPS,
            "app.yaml": application("name: east, namespace: shop"),
            "p.yaml": project("{name: west, namespace: shop}"),
        },
        (),
        ("app.yaml:1:1 QL003 warning in east",),
    ),
    Case(
        "its own cluster by its name",
        {**APPS, "app.yaml": application(), "p.yaml": project("{name: in-cluster, namespace: shop}")},
        APPLIED,
    ),
    Case(
        "quotas are the business of somebody else",
        {
            **APPS,
            "app.yaml": application(),
            "p.yaml": project(
                "{server: '*', namespace: '*'}", ", namespaceResourceBlacklist: [{group: '', kind: ResourceQuota}]"
            ),
        },
        (),
        DENIED,
    ),
    Case("a project that is not in view", {**APPS, "app.yaml": application()}, APPLIED),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_project_allows(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
