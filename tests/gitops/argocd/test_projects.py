"""What the project of an Application does not allow is not applied, and said."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import argo_application
from gitops_outcome import Case, expected, outcome, params
from manifests import quota, web
from workspace import Workspace


def application(where: str = "server: 'https://kubernetes.default.svc', namespace: shop", name: str = "shop") -> str:
    return argo_application("shop", where, name=name, project="team")


def project(destinations: str, more: str = "", repositories: str = "'*'") -> str:
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: team, namespace: argocd}\n"
        f"spec: {{sourceRepos: [{repositories}], destinations: [{destinations}]{more}}}\n"
    )


APPS = {"shop/quota.yaml": quota(), "shop/web.yaml": web(3)}
APPLIED = ("shop/base pods 3/8 exact",)
DENIED = ("app.yaml:4:8 QL003 warning",)
"""Its `project`, which does not allow what is applied."""
SOURCE_DENIED = ("app.yaml:4:32 QL003 warning",)
DESTINATION_DENIED = ("app.yaml:4:57 QL003 warning",)

ANYWHERE = "{server: '*', namespace: '*'}"
QUOTAS = "{group: '', kind: ResourceQuota}"
OWN = "{group: '', kind: Namespace, name: shop}"
SPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
HERE = "https://git.example.com/Team/fleet.git"


def _source_case(name: str, repositories: str, *, allowed: bool) -> Case:
    application_text = argo_application(
        where="namespace: shop", name="shop", project="team", source=f"repoURL: '{HERE}', path: shop"
    )
    files = {**APPS, "app.yaml": application_text, "p.yaml": project(ANYWHERE, repositories=repositories)}
    return Case(name, files, APPLIED if allowed else (), () if allowed else SOURCE_DENIED)


CASES = [
    _source_case("its repository", "'https://git.example.com/team/fleet'", allowed=True),
    _source_case("repositories of its team", "'https://git.example.com/team/*'", allowed=True),
    _source_case("another repository", "'https://git.example.com/team/shop.git'", allowed=False),
    _source_case("repositories of another team", "'https://git.example.com/other/*'", allowed=False),
    _source_case("all but its repository", "'*', '!https://git.example.com/team/fleet.git'", allowed=False),
    _source_case("all but another repository", "'!https://git.example.com/team/shop.git'", allowed=True),
    _source_case("what is still to be filled in", "'{{repo}}'", allowed=True),
    _source_case("nothing that is said", "", allowed=True),
    Case(
        "its namespace",
        {**APPS, "app.yaml": application(), "p.yaml": project("{server: '*', namespace: shop}")},
        APPLIED,
    ),
    Case(
        "another namespace",
        {**APPS, "app.yaml": application(), "p.yaml": project("{server: '*', namespace: other}")},
        (),
        DESTINATION_DENIED,
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
        DESTINATION_DENIED,
    ),
    Case("no destination at all", {**APPS, "app.yaml": application(), "p.yaml": project("")}, (), DESTINATION_DENIED),
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
        ("app.yaml:4:57 QL003 warning in east",),
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
    *(
        Case(
            f"{name}, {'allowed' if allowed else 'refused'}",
            {**APPS, **files, "app.yaml": application(), "p.yaml": project(destinations, more)},
            APPLIED if allowed else (),
            () if allowed else DENIED,
        )
        for name, files, destinations, more, allowed in (
            (
                "a list of quotas alone, and a Deployment",
                {},
                ANYWHERE,
                f", namespaceResourceWhitelist: [{QUOTAS}]",
                False,
            ),
            ("a list of all kinds", {}, ANYWHERE, ", namespaceResourceWhitelist: [{group: '*', kind: '*'}]", True),
            ("an empty list", {}, ANYWHERE, ", namespaceResourceWhitelist: []", False),
            ("its Namespace, and no list", {"shop/space.yaml": SPACE}, ANYWHERE, "", False),
            (
                "its Namespace by name",
                {"shop/space.yaml": SPACE},
                ANYWHERE,
                f", clusterResourceWhitelist: [{OWN}]",
                True,
            ),
            (
                "another Namespace by name",
                {"shop/space.yaml": SPACE.replace("shop", "bank")},
                ANYWHERE,
                f", clusterResourceWhitelist: [{OWN}]",
                False,
            ),
            (
                "an object of another namespace",
                {"shop/bank.yaml": quota("bank")},
                "{server: '*', namespace: shop}",
                "",
                False,
            ),
        )
    ),
    Case(
        "an object of another namespace that it may go to",
        {**APPS, "shop/bank.yaml": web(1, "bank", "till"), "app.yaml": application(), "p.yaml": project(ANYWHERE)},
        APPLIED,
    ),
    Case(
        "a kind that a global project may allow, which chooses projects by their labels",
        {
            **APPS,
            "app.yaml": application(),
            "p.yaml": project(ANYWHERE, f", namespaceResourceWhitelist: [{QUOTAS}]").replace(
                "name: team,", "name: team, labels: {tenants: a},"
            ),
        },
        APPLIED,
    ),
    Case("a project that is not in view", {**APPS, "app.yaml": application()}, APPLIED),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_project_allows(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


@pytest.mark.parametrize(
    ("destinations", "more", "words"),
    [
        ("{server: '*', namespace: shop}", "", "does not allow ResourceQuota base in namespace bank, so"),
        (ANYWHERE, f", namespaceResourceBlacklist: [{QUOTAS}]", "does not allow ResourceQuota base, so"),
    ],
    ids=["the namespace", "the kind"],
)
def test_what_a_project_refuses_an_object_for_is_said(
    destinations: str, more: str, words: str, workspace: Workspace
) -> None:
    workspace.put({"shop/bank.yaml": quota("bank"), "app.yaml": application(), "p.yaml": project(destinations, more)})
    assert words in " ".join(workspace.text("--select", "QL003")[1].split())
