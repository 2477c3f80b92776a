"""Which parts of a repository are applied together, from files to findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from deployer_objects import argo_application, flux_kustomization
from gitops_outcome import Case, applied, checked, expected, outcome, params, unknowns
from manifests import quota, quota_and_web, web
from staged_repositories import ROOT, base, over, plain, staged

DEPLOYERS: tuple[tuple[str, str, Callable[..., str]], ...] = (
    ("Flux", "./", flux_kustomization),
    ("Argo CD", "", argo_application),
)

INFERRED = [
    Case(
        "overlays of a base are stages",
        {**ROOT, **staged("web", dev=1, prod=6)},
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 6/8 assumed"),
    ),
    Case(
        "folders that are applied together or instead of one that has all of them",
        {
            "d/quota.yaml": quota("team-a", hard="pods: 7"),
            **{
                name: text
                for folder, *apps in (("d/one", "a", "b"), ("d/two", "v", "w"), ("d/k8s/all", "a", "b", "v", "w"))
                for app in apps
                for name, text in plain(folder, 2, app).items()
            },
        },
        ("all: team-a/base pods 8/7 assumed", "one+two: team-a/base pods 8/7 assumed"),
        ("d/quota.yaml:4:15 QL301 warning in all, one+two",),
    ),
    Case(
        "one overlay alone is no stage",
        {**ROOT, **staged("web", prod=6)},
        ("team-a/base pods 6/8 exact",),
    ),
    Case(
        "neither by namespace alone nor by root alone",
        {**ROOT, **staged("web", dev=3, prod=5), **staged("shop", dev=1, prod=3), **base("apps/cache", "cache")},
        ("dev: team-a/base pods 5/8 assumed", "prod: team-a/base pods 9/8 assumed"),
        ("quotas/quota.yaml:4:15 QL301 warning in prod",),
    ),
    Case(
        "three applications with different sets of stages",
        {
            **ROOT,
            **staged("web", dev=1, prod=3),
            **staged("shop", dev=1, staging=2, prod=3),
            **base("apps/cache", "cache"),
        },
        (
            "dev: team-a/base pods 3/8 assumed",
            "prod: team-a/base pods 7/8 assumed",
            "staging: team-a/base pods 3/8 assumed",
        ),
    ),
    Case(
        "an application with a single stage",
        {**ROOT, **staged("web", dev=1, prod=3), **staged("audit", prod=2)},
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 5/8 assumed"),
    ),
    Case(
        "stages before applications",
        {
            **ROOT,
            **{
                name: text
                for stage, count in (("dev", 1), ("prod", 3))
                for app in ("web", "shop")
                for name, text in plain(f"{stage}/{app}", count, app).items()
            },
        },
        ("dev: team-a/base pods 2/8 assumed", "prod: team-a/base pods 6/8 assumed"),
    ),
    Case(
        "stages before applications, of which one stage has more",
        {
            **ROOT,
            **plain("dev/web", 1),
            **plain("prod/web", 3),
            **plain("prod/shop", 2, "shop"),
            **plain("all/cache", 1, "cache"),
        },
        ("dev: team-a/base pods 2/8 assumed", "prod: team-a/base pods 6/8 assumed"),
    ),
    Case(
        "plain folders with everything in each",
        {
            **{f"{stage}/quota.yaml": quota("team-a") for stage in ("dev", "prod")},
            **plain("dev", 1),
            **plain("prod", 6),
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
    Case(
        "a quota for each stage, other workloads for all",
        {
            "quotas/dev/quota.yaml": quota("team-a", hard="pods: 2"),
            "quotas/prod/quota.yaml": quota("team-a", hard="pods: 8"),
            "apps/web.yaml": web(3, "team-a"),
        },
        ("dev: team-a/base pods 3/2 assumed", "prod: team-a/base pods 3/8 assumed"),
        ("quotas/dev/quota.yaml:4:15 QL301 warning in dev",),
    ),
    Case(
        "a quota for one stage",
        {"clusters/prod/quota.yaml": quota("team-a"), **staged("web", dev=1, prod=6)},
        ("prod: team-a/base pods 6/8 exact",),
    ),
    Case(
        "regions of stages",
        {
            **base("base"),
            **over("clusters/east/prod", "base", 3),
            **over("clusters/west/prod", "base", 4),
            **over("clusters/east/dev", "base", 1),
            **ROOT,
        },
        (
            "east/dev: team-a/base pods 1/8 assumed",
            "east/prod: team-a/base pods 3/8 assumed",
            "west/prod: team-a/base pods 4/8 assumed",
        ),
    ),
    Case(
        "a quota for all regions of a stage",
        {
            **base("base"),
            **over("clusters/east/prod", "base", 3),
            **over("clusters/west/prod", "base", 4),
            **over("clusters/east/dev", "base", 1),
            "quotas/dev/quota.yaml": quota("team-a", hard="pods: 2"),
            "quotas/prod/quota.yaml": quota("team-a"),
        },
        (
            "east/dev: team-a/base pods 1/2 exact",
            "east/prod: team-a/base pods 3/8 assumed",
            "west/prod: team-a/base pods 4/8 assumed",
        ),
    ),
    Case(
        "overlays of stages are two clusters, also with a namespace for each",
        {
            "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
            **quota_and_web("base"),
            "overlays/dev/kustomization.yaml": "namespace: team-dev\nresources: [../../base]\n",
            "overlays/prod/kustomization.yaml": "namespace: team-prod\nresources: [../../base]\n",
        },
        ("dev: team-dev/base pods 2/8 exact", "prod: team-prod/base pods 2/8 exact"),
    ),
    Case(
        "what many roots give for one cluster makes no environments",
        {
            **{
                f"apps/{app}/{name}": text
                for app in ("web", "shop")
                for name, text in (
                    ("namespace.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n"),
                    ("web.yaml", web(2, "team-a", app)),
                )
            },
            **ROOT,
        },
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "one object in common among many is a mistake and no environment",
        {
            "apps/kustomization.yaml": "namespace: team-a\nresources: [a.yaml, b.yaml, c.yaml, shared.yaml]\n",
            **{f"apps/{name}.yaml": web(1, name=name) for name in "abc"},
            "apps/shared.yaml": web(1, name="shared"),
            "more/kustomization.yaml": "namespace: team-a\nresources: [d.yaml, e.yaml, f.yaml, shared.yaml]\n",
            **{f"more/{name}.yaml": web(1, name=name) for name in "def"},
            "more/shared.yaml": web(2, name="shared"),
            **ROOT,
        },
        ("team-a/base pods 8/8 exact",),
        ("more/shared.yaml:1:1 QL005 warning", "quotas/quota.yaml:4:15 QL305 info"),
    ),
    *(
        Case(
            f"clusters that share a folder and name what deploys it apart, by {how}",
            {
                **staged("web", dev=1, prod=6),
                "infra/agent.yaml": web(1, "infra", "agent"),
                "infra/quota.yaml": quota("team-a"),
                **{
                    f"clusters/{stage}/apps.yaml": deploying(f"{top}infra", name=f"infra-{stage}")
                    + "---\n"
                    + deploying(f"{top}apps/web/overlays/{stage}", name=f"web-{stage}")
                    for stage in ("dev", "prod")
                },
            },
            ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
        )
        for how, top, deploying in DEPLOYERS
    ),
    Case(
        "clusters that Flux was set up in, with little in common",
        {
            **{
                f"clusters/{name}/flux-system/gotk-sync.yaml": flux_kustomization(
                    f"./clusters/{name}", name="flux-system"
                )
                for name in "ab"
            },
            **{f"clusters/{name}/apps.yaml": flux_kustomization(f"./{name}", name=f"apps-{name}") for name in "ab"},
            "a/quota.yaml": quota("team-a"),
            **plain("a", 5),
            **plain("b", 5, "shop"),
        },
        ("a: team-a/base pods 5/8 exact",),
    ),
    Case(
        "applications of one name that deploy different folders",
        {
            **{f"argocd/{name}/app.yaml": argo_application(name, name="web") for name in "ab"},
            **{f"argocd/{name}/more.yaml": argo_application(f"more/{name}", name=f"more-{name}") for name in "ab"},
            **plain("a", 2),
            **plain("b", 3, "shop"),
            **plain("more/a", 1, "x"),
            **plain("more/b", 1, "z"),
            **{f"more/{name}/quota.yaml": quota("team-a", name) for name in "ab"},
        },
        ("a: team-a/a pods 3/8 exact", "b: team-a/b pods 4/8 exact"),
    ),
    Case(
        "an overlay for each stage, applied to one cluster: one of them replaces the other",
        {
            "argocd/quota.yaml": quota("team-a"),
            **staged("web", dev=9, prod=1),
            "argocd/apps.yaml": "---\n".join(
                argo_application(f"apps/web/overlays/{name}", name=name) for name in ("dev", "prod")
            ),
        },
        ("team-a/base pods 1/8 assumed",),
        ("apps/web/base/web.yaml:1:1 QL005 warning",),
    ),
    Case(
        "the same overlay, applied twice to one cluster",
        {
            "argocd/quota.yaml": quota("team-a"),
            **staged("web", prod=1),
            "argocd/apps.yaml": "---\n".join(argo_application("apps/web/overlays/prod", name=text) for text in "ab"),
        },
        ("team-a/base pods 1/8 exact",),
    ),
    Case(
        "unrelated axes: which of blue and green goes with dev is not known",
        {
            **ROOT,
            **staged("web", dev=1, prod=3),
            **base("colors/base", "shop"),
            **over("colors/blue", "colors/base", 2, "shop"),
            **over("colors/green", "colors/base", 4, "shop"),
        },
        (
            "blue: team-a/base pods 2/8 assumed",
            "dev: team-a/base pods 1/8 assumed",
            "green: team-a/base pods 4/8 assumed",
            "prod: team-a/base pods 3/8 assumed",
        ),
    ),
    Case(
        "unrelated axes in other namespaces do not concern each other",
        {
            **ROOT,
            **staged("web", dev=1, prod=3),
            **base("colors/base", "shop", "team-b"),
            **over("colors/blue", "colors/base", 2, "shop"),
            **over("colors/green", "colors/base", 4, "shop"),
        },
        (
            "blue: team-a/base pods ?/8 unknown",
            "dev: team-a/base pods 1/8 assumed",
            "green: team-a/base pods ?/8 unknown",
            "prod: team-a/base pods 3/8 assumed",
        ),
    ),
]


@pytest.mark.parametrize("case", params(INFERRED))
def test_what_is_applied_together(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_each_environment_holds_its_own_and_what_is_common(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**ROOT, **staged("web", dev=1, prod=3), **staged("shop", staging=2, prod=3), **base("apps/cache", "cache")}
    common = ["Deployment team-a/cache"]
    web_, shop, limit = "Deployment team-a/web", "Deployment team-a/shop", "ResourceQuota team-a/base"
    assert applied(checked(tmp_path, files, monkeypatch)) == {
        "dev": [*common, web_, limit],
        "prod": [*common, shop, web_, limit],
        "staging": [*common, shop, limit],
    }


def test_what_is_not_known_of_unrelated_axes_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        **ROOT,
        **staged("web", dev=1, prod=3),
        **base("colors/base", "shop"),
        **over("colors/blue", "colors/base", 2, "shop"),
        **over("colors/green", "colors/base", 4, "shop"),
    }
    assert unknowns(checked(tmp_path, files, monkeypatch)) == {
        "blue: team-a/base pods": ("it is not known which of dev, prod goes with blue",),
        "dev: team-a/base pods": ("it is not known which of blue, green goes with dev",),
        "green: team-a/base pods": ("it is not known which of dev, prod goes with green",),
        "prod: team-a/base pods": ("it is not known which of blue, green goes with prod",),
    }
