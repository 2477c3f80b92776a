"""The clusters and namespaces that Applications deploy to, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from argocd_repositories import APPS, CLUSTERS, REMOTE, app, overlays, source
from gitops_outcome import NONE, TWO, Case, expected, outcome, params
from manifests import quota, quota_and_web, web

REMOTES = [
    Case(
        "a chart of a Helm repository makes its namespace unknown and no other",
        {
            "argocd/quota.yaml": quota("team-a") + "---\n" + quota("team-b"),
            "argocd/web.yaml": web(namespace="team-b"),
            "argocd/a.yaml": app(sources="source: {repoURL: 'https://charts.example.com', chart: redis}"),
        },
        (NONE, "team-b/base pods 2/8 exact"),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "another repository",
        {
            ".git/config": REMOTE,
            "argocd/quota.yaml": quota("team-a"),
            "shop/web.yaml": web(namespace="team-b"),
            "argocd/a.yaml": app(sources=f"source: {source('shop', url='https://git.example.com/team/shop')}"),
        },
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case("this repository", {**APPS, ".git/config": REMOTE, "argocd/a.yaml": app()}, (TWO,)),
    *(
        Case(
            f"this repository as {url}",
            {**APPS, ".git/config": REMOTE, "argocd/a.yaml": app(sources=f"source: {source(url=url)}")},
            (TWO,),
        )
        for url in (
            "git@git.example.com:team/fleet.git",
            "https://git.example.com/team/fleet",
            "https://git.example.com/team/fleet/",
            "ssh://git@git.example.com:22/team/fleet.git",
        )
    ),
    Case(
        "where no namespace of a quota is concerned it is for information",
        {
            **APPS,
            "argocd/a.yaml": app(),
            "argocd/b.yaml": app(
                "namespace: b", "source: {repoURL: 'https://charts.example.com', chart: redis}", name="b"
            ),
        },
        (TWO,),
        ("argocd/b.yaml:1:1 QL003 info",),
    ),
]


OF_APPS = [
    Case(
        "an Application of Applications",
        {
            "quotas/quota.yaml": quota(),
            "apps/web.yaml": web(),
            "root.yaml": app("namespace: argocd", path="argocd", name="root"),
            "argocd/quotas.yaml": app(path="quotas", name="quotas"),
            "argocd/apps.yaml": app(name="apps"),
        },
        (TWO,),
    ),
    Case(
        "an Application that deploys the folder it stands in",
        {**APPS, "argocd/root.yaml": app("namespace: argocd", path="argocd", name="root"), "argocd/a.yaml": app()},
        (TWO,),
    ),
    Case(
        "an Application that deploys the repository, itself included",
        {
            "root.yaml": app("namespace: argocd", path=".", more="directory: {recurse: true}", name="root"),
            **quota_and_web("team-a", "team-a"),
        },
        (TWO,),
    ),
    Case(
        "an Application that deploys itself with another name",
        {
            "argocd/kustomization.yaml": "resources: [root.yaml, quota.yaml, web.yaml]\n",
            "argocd/root.yaml": app(path="argocd", name="root", more="kustomize: {nameSuffix: -x}"),
            **quota_and_web("argocd", "team-a"),
        },
        ("team-a/base pods 4/8 exact", "team-a/base-x pods 4/8 exact"),
    ),
    Case(
        "Applications that deploy each other",
        {
            "one/a.yaml": app("namespace: argocd", path="two", name="two"),
            "one/quota.yaml": quota("team-a"),
            "two/b.yaml": app("namespace: argocd", path="one", name="one"),
            "two/web.yaml": web(namespace="team-a"),
        },
        (TWO,),
    ),
    Case(
        "Applications that a kustomization patches for each stage",
        {
            **overlays(dev=1, prod=6),
            "argocd/base/kustomization.yaml": "resources: [web.yaml]\n",
            "argocd/base/web.yaml": app(path="gone", name="web"),
            **{
                f"argocd/{stage}/kustomization.yaml": "resources: [../base]\npatches:\n- target: {kind: Application}\n"
                f"  patch: '- {{op: replace, path: /spec/source/path, value: overlays/{stage}}}'\n"
                for stage in ("dev", "prod")
            },
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
]


DESTINATIONS = [
    Case(
        "the name of the destination is the environment",
        {
            **overlays(dev=1, prod=6),
            "argocd/dev.yaml": app("namespace: team-a, name: dev", path="overlays/dev", name="dev"),
            "argocd/prod.yaml": app("namespace: team-a, name: prod", path="overlays/prod", name="prod"),
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
    Case(
        "the server of the destination is the environment",
        {
            **overlays(dev=1, prod=6),
            "argocd/dev.yaml": app("namespace: team-a, server: 'https://dev'", path="overlays/dev", name="dev"),
            "argocd/prod.yaml": app("namespace: team-a, server: 'https://prod'", path="overlays/prod", name="prod"),
        },
        ("https://dev: team-a/base pods 1/8 exact", "https://prod: team-a/base pods 6/8 exact"),
    ),
    Case(
        "the configuration says which name and which server are one cluster",
        {
            ".quotalint.yaml": CLUSTERS,
            "quotas/quota.yaml": quota(),
            "apps/web.yaml": web(),
            "argocd/quotas.yaml": app("namespace: team-a, server: 'https://dev/'", path="quotas", name="quotas"),
            "argocd/apps.yaml": app("namespace: team-a, name: dev", name="apps"),
        },
        ("dev: team-a/base pods 2/8 exact",),
    ),
    *(
        Case(
            f"the cluster that Argo CD is in, {what}",
            {"argocd/a.yaml": app(f"namespace: team-a, {where}"), **APPS},
            (TWO,),
        )
        for what, where in (
            ("by name", "name: in-cluster"),
            ("by server", "server: 'https://kubernetes.default.svc'"),
        )
    ),
    Case(
        "what lies beside Applications is where Argo CD is",
        {
            "argocd/quota.yaml": quota("argocd"),
            "argocd/server.yaml": web(1, "argocd", "server"),
            "argocd/a.yaml": app("namespace: team-a, name: prod"),
            **APPS,
        },
        ("in-cluster: argocd/base pods 1/8 exact", "prod: team-a/base pods 2/8 exact"),
    ),
    Case(
        "what no Application deploys is not applied, but for what lies beside Applications",
        {
            "quotas/quota.yaml": quota("team-a"),
            "dev/web.yaml": web(1),
            "prod/web.yaml": web(6),
            "argocd/dev.yaml": app("namespace: team-a, name: dev", path="dev", name="dev"),
            "argocd/prod.yaml": app("namespace: team-a, name: prod", path="prod", name="prod"),
            "argocd/quota.yaml": quota("team-a", "beside"),
        },
        ("in-cluster: team-a/beside pods ?/8 unknown",),
    ),
    Case(
        "quotas that no Application deploys are not applied, also where they are told apart by stage",
        {
            **overlays(dev=1, prod=6),
            "base/kustomization.yaml": "resources: [web.yaml]\n",
            "quotas/dev/quota.yaml": quota("team-a", hard="pods: 2"),
            "quotas/prod/quota.yaml": quota("team-a"),
            "argocd/dev.yaml": app("namespace: team-a, name: dev", path="overlays/dev", name="dev"),
            "argocd/prod.yaml": app("namespace: team-a, name: prod", path="overlays/prod", name="prod"),
        },
        (),
    ),
    Case(
        "Applications of one cluster that come to another by an Application there",
        {
            "apps/web.yaml": web(),
            "apps/quota.yaml": quota(),
            "prod/a.yaml": app("namespace: team-a, name: prod", name="a"),
            "root.yaml": app("namespace: argocd, name: in-cluster", path="prod", name="root"),
        },
        ("prod: team-a/base pods 2/8 exact",),
    ),
    Case(
        "Applications that an Application brings to a cluster, where Argo CD deploys them to its own",
        {
            **overlays(dev=1, prod=6),
            "base/kustomization.yaml": "resources: [web.yaml, quota.yaml]\n",
            "base/quota.yaml": quota(),
            "dev/web.yaml": app("namespace: team-a, server: 'https://kubernetes.default.svc'", path="overlays/dev"),
            "prod/web.yaml": app("namespace: team-a, server: 'https://kubernetes.default.svc'", path="overlays/prod"),
            "root/dev.yaml": app("namespace: argocd, name: dev", path="dev", name="dev"),
            "root/prod.yaml": app("namespace: argocd, name: prod", path="prod", name="prod"),
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
]


@pytest.mark.parametrize("case", params([*REMOTES, *OF_APPS, *DESTINATIONS]))
def test_what_is_told_of_destinations(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
