"""Environments that the configuration names, and what findings say of several."""

from __future__ import annotations

from pathlib import Path

import pytest
from deployer_objects import flux_kustomization
from gitops_outcome import Case, expected, outcome, params
from manifests import quota, web
from staged_repositories import ROOT, base, over, plain, staged

A_B = {
    **ROOT,
    **plain("a", 1),
    **plain("b", 6),
}


CONFIGURED = [
    Case(
        "the configuration names what paths do not",
        {".quotalint.yaml": "environments: {dev: /a/, prod: /b/}\n", **A_B},
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 6/8 assumed"),
    ),
    Case(
        "the configuration says that folders are applied together",
        {
            ".quotalint.yaml": "environments: {prod: [/apps/web/overlays/prod/, /apps/web/overlays/canary/]}\n",
            **ROOT,
            **base("apps/web/base"),
            **over("apps/web/overlays/prod", "apps/web/base", 6),
            "apps/web/overlays/canary/kustomization.yaml": "nameSuffix: -canary\nresources: [../../base]\n",
        },
        ("prod: team-a/base pods 7/8 exact",),
    ),
    Case(
        "a folder of two environments",
        {
            ".quotalint.yaml": "environments: {dev: [/a/, /c/], prod: [/b/, /c/]}\n",
            **A_B,
            **plain("c", 1, "cache"),
        },
        ("dev: team-a/base pods 2/8 assumed", "prod: team-a/base pods 7/8 assumed"),
    ),
    Case(
        "what the configuration does not name belongs to all",
        {
            ".quotalint.yaml": "environments: {dev: /a/, prod: /b/}\n",
            **A_B,
            **plain("c", 1, "cache"),
        },
        ("dev: team-a/base pods 2/8 assumed", "prod: team-a/base pods 7/8 assumed"),
    ),
    Case(
        "the configuration renames what is inferred",
        {
            ".quotalint.yaml": "environments: {test: '**/overlays/dev/', live: '**/overlays/prod/'}\n",
            **ROOT,
            **staged("web", dev=1, prod=6),
            **staged("shop", dev=1, prod=1),
        },
        ("live: team-a/base pods 7/8 assumed", "test: team-a/base pods 2/8 assumed"),
    ),
    Case(
        "the configuration of folders that Flux deploys",
        {
            ".quotalint.yaml": "environments: {dev: /apps/dev/, prod: /apps/prod/}\n",
            **{
                f"flux/{stage}.yaml": flux_kustomization(f"./apps/{stage}", name=stage, source="x")
                for stage in ("dev", "prod")
            },
            **{f"apps/{stage}/quota.yaml": quota("team-a") for stage in ("dev", "prod")},
            **plain("apps/dev", 1),
            **plain("apps/prod", 6),
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
    Case(
        "one environment for all",
        {".quotalint.yaml": "environments: {prod: '/**'}\n", **ROOT, **plain("c", 2)},
        ("prod: team-a/base pods 2/8 exact",),
    ),
    Case(
        "what is applied twice to one environment is counted once",
        {".quotalint.yaml": "environments: {prod: [/a/, /b/]}\n", **A_B},
        ("prod: team-a/base pods 6/8 exact",),
        ("b/web.yaml:1:1 QL005 warning",),
    ),
]


TIGHT = {
    "quotas/quota.yaml": quota("team-a", hard="pods: 1"),
    **base("base"),
    **over("overlays/dev", "base", 2),
    **over("overlays/prod", "base", 2),
}


FINDINGS = [
    Case(
        "the same in two environments is said once",
        TIGHT,
        ("dev: team-a/base pods 2/1 assumed", "prod: team-a/base pods 2/1 assumed"),
        ("quotas/quota.yaml:4:15 QL301 warning in dev, prod",),
    ),
    Case(
        "something else in each is said twice",
        {**TIGHT, **over("overlays/prod", "base", 3)},
        ("dev: team-a/base pods 2/1 assumed", "prod: team-a/base pods 3/1 assumed"),
        ("quotas/quota.yaml:4:15 QL301 warning in dev", "quotas/quota.yaml:4:15 QL301 warning in prod"),
    ),
    Case(
        "of a base for all it is said once",
        {
            "base/kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\n",
            "base/quota.yaml": quota(hard="nvidia.com/gpu: 1, memory.limit: 1Gi"),
            "base/web.yaml": web(),
            "overlays/dev/kustomization.yaml": "resources: [../../base]\n",
            "overlays/prod/kustomization.yaml": "resources: [../../base]\n",
        },
        ("dev: team-a/base without projections", "prod: team-a/base without projections"),
        ("base/quota.yaml:4:15 QL201 error in dev, prod", "base/quota.yaml:4:34 QL102 error in dev, prod"),
    ),
    Case(
        "a file that cannot be read is of no environment",
        {**ROOT, **staged("web", dev=1, prod=3), "more/broken.yaml": "apiVersion: v1\nkind: Pod\nmetadata: [\n"},
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 3/8 assumed"),
        ("more/broken.yaml:3:12 QL001 error",),
    ),
    Case(
        "what cannot be rendered in one environment does not concern another",
        {
            **ROOT,
            **staged("web", dev=1, prod=3),
            "apps/web/overlays/dev/kustomization.yaml": "resources: [../../base, gone.yaml]\nnamespace: team-a\n",
        },
        ("dev: team-a/base pods 1/8 assumed", "prod: team-a/base pods 3/8 assumed"),
        ("apps/web/overlays/dev/kustomization.yaml:1:25 QL003 warning in dev",),
    ),
    Case(
        "the same object in two files of one folder",
        {"all/a.yaml": quota("team-a", hard="pods: 3"), "all/b.yaml": quota("team-a"), **plain("all", 2)},
        ("team-a/base pods 2/8 exact",),
        ("all/b.yaml:1:1 QL005 warning",),
    ),
    Case(
        "the same object in a folder of one environment",
        {
            **ROOT,
            **staged("web", dev=1, prod=3),
            "more/a.yaml": web(1, "team-a", "more"),
            "more/b.yaml": web(2, "team-a", "more"),
        },
        ("dev: team-a/base pods 3/8 assumed", "prod: team-a/base pods 5/8 assumed"),
        ("more/b.yaml:1:1 QL005 warning in dev, prod",),
    ),
]


@pytest.mark.parametrize("case", params([*CONFIGURED, *FINDINGS]))
def test_what_is_told_of_configured_environments(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
