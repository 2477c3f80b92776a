"""What is deployed together, where, and how sure that is: spellings of what was seen in repositories of people."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from cluster_repositories import FLUX_CLUSTERS, LISTED, NESTED_CLUSTERS, RINGS, WRONG_COPY, counted, kustomized
from deployer_objects import argo_application
from gitops_outcome import Case, expected, outcome, params
from manifests import quota, web
from written_files import Files

CHANGES_NOTHING: Files = {"notes/readme.yaml": "title: nothing\n", "scripts/values.json": '{"replicas": 90}\n'}


NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"


CASES = [
    Case(
        "clusters of stages share one base",
        NESTED_CLUSTERS,
        ("c1: shop/base pods 3/8 exact", "c2: shop/base pods 4/8 exact", "c3: shop/base pods 2/8 exact"),
    ),
    Case(
        "one component goes by rings, another by stages, to the same clusters",
        RINGS,
        ("c1: shop/base pods 5/8 exact", "c2: shop/base pods 7/8 exact"),
    ),
    Case(
        "regions that share nothing",
        {
            "clusters/eu/shop/quota.yaml": quota("shop"),
            "clusters/eu/shop/web.yaml": web(5, "shop"),
            "clusters/us/shop/api.yaml": web(6, "shop", "api"),
            "clusters/us/shop/limits.yaml": quota("shop", "limits"),
        },
        ("eu: shop/base pods 5/8 exact", "us: shop/limits pods 6/8 exact"),
    ),
    Case(
        "regions of one name in two stages",
        {
            f"envs/{stage}/{region}/{name}.yaml": text
            for stage, region, replicas in (("dev", "eu", 1), ("prod", "eu", 4), ("prod", "us", 5))
            for name, text in (("quota", quota("shop")), ("web", web(replicas, "shop")))
        },
        (
            "dev/eu: shop/base pods 1/8 exact",
            "prod/eu: shop/base pods 4/8 exact",
            "prod/us: shop/base pods 5/8 exact",
        ),
    ),
    Case(
        "the default overlay of a stage gives way to those of its clusters",
        {
            **NESTED_CLUSTERS,
            **kustomized("production", "../base", "worker.yaml"),
            "production/worker.yaml": web(5, "shop", "worker"),
        },
        ("c1: shop/base pods 3/8 exact", "c2: shop/base pods 4/8 exact", "c3: shop/base pods 2/8 exact"),
    ),
    Case(
        "the default overlay of a component is applied where a cluster has none of its own",
        {
            **RINGS,
            **kustomized("agent/base", "agent.yaml", more="namespace: shop\n"),
            "agent/base/agent.yaml": web(1, name="agent"),
            **kustomized("agent/production", "../base"),
            **kustomized("agent/production/c2", "../../base", more=counted("agent", 2)),
        },
        ("c1: shop/base pods 6/8 assumed", "c2: shop/base pods 9/8 exact"),
        ("web/base/quota.yaml:4:15 QL301 error in c2",),
    ),
    Case(
        "one wrong namespace among many is a mistake",
        WRONG_COPY,
        (
            "team-a/base pods 2/9 exact",
            "team-c/base pods 2/8 exact",
            "team-d/base pods 2/8 exact",
        ),
        ("namespaces/team-b/quota.yaml:1:1 QL005 warning", "namespaces/team-b/quota.yaml:3:24 QL601 error"),
    ),
    Case(
        "a template that a script fills in",
        {
            "teams/shop/quota.yaml": quota("shop"),
            "teams/shop/web.yaml": web(3, "shop"),
            "teams/_template/quota.yaml": quota("TEAM_NAME"),
            "teams/_template/web.yaml": web(30, "TEAM_NAME"),
            "teams/skeleton/quota.yaml": quota("<namespace>"),
            "teams/skeleton/web.yaml": web(30, "<namespace>"),
        },
        ("shop/base pods 3/8 exact",),
    ),
    Case(
        "fixtures of tests beside what is applied",
        {
            "apps/quota.yaml": quota("shop"),
            "apps/web.yaml": web(3, "shop"),
            "testdata/web.yaml": web(30, "shop", "fixture"),
            "pkg/check/testdata/over/web.yaml": web(30, "shop", "over"),
            "tests/e2e/web.yaml": web(30, "shop", "e2e"),
        },
        ("shop/base pods 3/8 exact",),
    ),
    Case(
        "an ApplicationSet over the elements of a list, and folders that no element names",
        LISTED,
        ("eu-1: shop/base pods 2/8 exact", "us-1: shop/base pods 5/8 exact"),
    ),
    Case(
        "clusters of Flux with a folder that one of them applies by way of another",
        FLUX_CLUSTERS,
        ("fra-1: shop/base pods 2/8 exact", "lon-1: shop/base pods 5/8 exact"),
    ),
    Case(
        "an old folder that no cluster of Flux applies any more",
        {**FLUX_CLUSTERS, "old/quota.yaml": quota("shop", "old"), "old/web.yaml": web(30, "shop", "old")},
        ("fra-1: shop/base pods 2/8 exact", "lon-1: shop/base pods 5/8 exact"),
    ),
    *(
        Case(
            f"an Application of {what} says nothing of the folders here",
            {
                ".git/config": '[remote "origin"]\n\turl = https://git.example.com/acme/fleet.git\n',
                "argocd/other.yaml": argo_application(where="namespace: pay", name="other", source=source),
                "web/web.yaml": web(2, "shop"),
                "quotas/quota.yaml": quota("shop"),
            },
            ("shop/base pods 2/8 exact",),
            ("argocd/other.yaml:1:1 QL003 info",),
        )
        for what, source in (
            ("another repository", "repoURL: 'https://git.example.com/acme/other.git', path: web"),
            ("a chart of a registry", "repoURL: 'https://charts.example.com', chart: web, targetRevision: 1.0.0"),
        )
    ),
    Case(
        "plain folders of clusters, with a folder of each namespace",
        {
            f"clusters/{cluster}/{namespace}/{name}.yaml": text
            for cluster, replicas in (("blue", 2), ("red", 4))
            for namespace in ("shop", "pay")
            for name, text in (("quota", quota(namespace)), ("web", web(replicas, namespace)))
        },
        (
            "blue: pay/base pods 2/8 exact",
            "blue: shop/base pods 2/8 exact",
            "red: pay/base pods 4/8 exact",
            "red: shop/base pods 4/8 exact",
        ),
    ),
    Case(
        "what an Application deploys to its own cluster, beside folders of others",
        {
            "argocd/web.yaml": argo_application("web", "namespace: shop, name: prod-1", name="web"),
            "argocd/quota.yaml": argo_application("quota", "namespace: shop, name: prod-1", name="quota"),
            "web/web.yaml": web(2),
            "quota/quota.yaml": quota(),
            "teams/other/web.yaml": web(7, "shop", "other"),
        },
        ("prod-1: shop/base pods 2/8 exact",),
    ),
    Case(
        "plain folders that name no namespace are never added up",
        {
            "one/quota.yaml": quota(),
            "one/web.yaml": web(6),
            "two/api.yaml": web(6, name="api"),
            "three/limits.yaml": quota(name="limits"),
            "three/worker.yaml": web(3, name="worker"),
        },
        ("one: default/base pods 6/8 exact", "three: default/limits pods 3/8 exact"),
    ),
    Case(
        "kustomizations that name no namespace are added up, as a guess",
        {
            **kustomized("web", "web.yaml", "quota.yaml"),
            "web/web.yaml": web(5),
            "web/quota.yaml": quota(),
            **kustomized("api", "api.yaml"),
            "api/api.yaml": web(6, name="api"),
        },
        ("default/base pods 11/8 assumed",),
        ("web/quota.yaml:4:15 QL301 warning",),
    ),
    Case(
        "a plain folder that names no namespace is not added to a kustomization",
        {
            **kustomized("web", "web.yaml", "quota.yaml"),
            "web/web.yaml": web(5),
            "web/quota.yaml": quota(),
            "api/api.yaml": web(6, name="api"),
        },
        ("default/base pods 5/8 exact",),
    ),
    Case(
        "what is common to stages is assumed to be in each",
        {
            "common/quota.yaml": quota("shop"),
            "envs/dev/web.yaml": web(2, "shop"),
            "envs/prod/web.yaml": web(9, "shop"),
        },
        ("dev: shop/base pods 2/8 assumed", "prod: shop/base pods 9/8 assumed"),
        ("common/quota.yaml:4:15 QL301 warning in prod",),
    ),
    Case(
        "folders that repeat each other are two clusters, whatever they are called",
        {
            f"{place}/{app}/{name}.yaml": text
            for place, replicas in (("amber", 1), ("jade", 3))
            for app in ("web", "api")
            for name, text in (
                ("deployment", web(replicas, "shop", app)),
                ("quota", quota("shop", app, hard='pods: "20"')),
            )
        },
        (
            "amber: shop/api pods 2/20 exact",
            "amber: shop/web pods 2/20 exact",
            "jade: shop/api pods 6/20 exact",
            "jade: shop/web pods 6/20 exact",
        ),
    ),
    Case(
        "folders that repeat one object each are two clusters too",
        {
            **{
                f"{place}/{app}/deployment.yaml": web(replicas, "shop", app)
                for place, replicas in (("amber", 1), ("jade", 3))
                for app in ("web", "api")
            },
            **{f"{place}/quota/quota.yaml": quota("shop") for place in ("amber", "jade")},
        },
        ("amber: shop/base pods 2/8 exact", "jade: shop/base pods 6/8 exact"),
    ),
    Case(
        "an overlay below an overlay takes its place",
        {
            **kustomized("web/base", "web.yaml"),
            "web/base/web.yaml": web(1, "shop"),
            **kustomized("web/production", "../base", more=counted("web", 5)),
            **kustomized("web/production/eu", "../../base", more=counted("web", 2)),
            "quota/quota.yaml": quota("shop"),
        },
        ("shop/base pods 2/8 exact",),
    ),
    Case(
        "a default overlay beside those of clusters",
        {
            **kustomized("web/base", "web.yaml", "quota.yaml"),
            "web/base/web.yaml": web(1, "shop"),
            "web/base/quota.yaml": quota("shop"),
            **kustomized("web/overlays/default", "../../base"),
            **kustomized("web/overlays/k1", "../../base", more=counted("web", 4)),
            **kustomized("web/overlays/k2", "../../base", more=counted("web", 5)),
        },
        ("k1: shop/base pods 4/8 exact", "k2: shop/base pods 5/8 exact"),
    ),
    Case(
        "what is common to clusters is no default overlay, even if both name the namespace",
        {
            **kustomized("clusters/common", "namespace.yaml", "quota.yaml"),
            "clusters/common/namespace.yaml": NAMESPACE,
            "clusters/common/quota.yaml": quota("shop"),
            **{
                name: text
                for cluster, replicas in (("k1", 4), ("k2", 5))
                for name, text in (
                    *kustomized(f"clusters/{cluster}", "namespace.yaml", "web.yaml").items(),
                    (f"clusters/{cluster}/namespace.yaml", NAMESPACE),
                    (f"clusters/{cluster}/web.yaml", web(replicas, "shop")),
                )
            },
        },
        ("k1: shop/base pods 4/8 assumed", "k2: shop/base pods 5/8 assumed"),
    ),
    Case(
        "namespaces called like stages, one cluster",
        {
            f"namespaces/{name}/{file}.yaml": text
            for name, replicas in (("dev", 2), ("prod", 3))
            for file, text in (("quota", quota(name)), ("web", web(replicas, name)))
        },
        ("dev/base pods 2/8 exact", "prod/base pods 3/8 exact"),
    ),
    Case(
        "a stage below each team",
        {
            f"teams/{team}/{stage}/{name}.yaml": text
            for team in ("pay", "shop")
            for stage, replicas in (("dev", 1), ("prod", 4))
            for name, text in (("quota", quota(f"{team}-{stage}")), ("web", web(replicas, f"{team}-{stage}")))
        },
        (
            "dev: pay-dev/base pods 1/8 exact",
            "dev: shop-dev/base pods 1/8 exact",
            "prod: pay-prod/base pods 4/8 exact",
            "prod: shop-prod/base pods 4/8 exact",
        ),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_applied_where(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


@pytest.mark.parametrize("case", params(CASES))
def test_an_unrelated_folder_changes_nothing(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, {**case.files, **CHANGES_NOTHING}, monkeypatch) == expected(case)


@pytest.mark.parametrize("case", params(CASES))
def test_another_namespace_changes_no_number(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"zz-unrelated/web.yaml": web(90, "unrelated", "unrelated")}
    assert outcome(tmp_path, {**case.files, **more}, monkeypatch) == expected(case)


@pytest.mark.parametrize("names", list(permutations(("ash", "elm", "oak"))), ids="-".join)
def test_the_order_of_clusters_and_components_changes_nothing(
    names: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, two, three = names
    files: Files = {
        **kustomized(f"{first}/base", "web.yaml", "quota.yaml", more="namespace: shop\n"),
        f"{first}/base/web.yaml": web(1),
        f"{first}/base/quota.yaml": quota(),
        **kustomized(f"{first}/production/{two}", "../../base", more=counted("web", 2)),
        **kustomized(f"{first}/production/{three}", "../../base", more=counted("web", 3)),
        f"{two}/rings/r1/{two}/api.yaml": web(3, "shop", "api"),
        f"{two}/rings/r2/{three}/api.yaml": web(4, "shop", "api"),
    }
    lines = sorted((f"{two}: shop/base pods 5/8 exact", f"{three}: shop/base pods 7/8 exact"))
    assert outcome(tmp_path, files, monkeypatch).quotas == lines


@pytest.mark.parametrize("cluster", ["fra-1", "lon-1"])
def test_a_cluster_has_the_numbers_that_it_has_alone(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = outcome(tmp_path / "both", FLUX_CLUSTERS, monkeypatch).quotas
    other = {"fra-1": "lon-1", "lon-1": "fra-1"}[cluster]
    files = {name: text for name, text in FLUX_CLUSTERS.items() if not name.startswith(f"clusters/{other}/")}
    alone = outcome(tmp_path / "alone", files, monkeypatch).quotas
    assert [line for line in together if line.startswith(f"{cluster}: ")] == [f"{cluster}: {line}" for line in alone]
