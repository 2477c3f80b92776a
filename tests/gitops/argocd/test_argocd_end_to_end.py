"""Repositories that Argo CD applies, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from argocd_repositories import APPS, app, source
from gitops_outcome import NONE, TWO, Case, expected, outcome, params
from manifests import LIST, quota, quota_and_web, web
from written_files import Link

DIRECTORIES = [
    Case(
        "a directory that is hydrated into a branch",
        {
            **APPS,
            "argocd/a.yaml": app(
                sources=f"sourceHydrator: {{drySource: {source()}, syncSource: {{targetBranch: live, path: apps}}}}"
            ),
        },
        (TWO,),
    ),
    Case("a directory", {**APPS, "argocd/a.yaml": app()}, (TWO,)),
    Case(
        "what Argo CD leaves alone counts, and may be older in the cluster",
        {
            **APPS,
            "argocd/a.yaml": app().replace(
                "namespace: argocd}", "namespace: argocd, annotations: {argocd.argoproj.io/skip-reconcile: 'true'}}"
            ),
        },
        ("team-a/base pods 2/8 assumed",),
    ),
    Case(
        "a directory without what lies further down",
        {**APPS, "apps/more/shop.yaml": web(name="shop", namespace="team-a"), "argocd/a.yaml": app()},
        (TWO,),
    ),
    Case(
        "a directory with all that lies in it",
        {**APPS, "apps/more/shop.yaml": web(name="shop"), "argocd/a.yaml": app(more="directory: {recurse: true}")},
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "only what is included",
        {
            **APPS,
            "apps/more/shop.yaml": web(name="shop"),
            "argocd/a.yaml": app(more="directory: {recurse: true, include: '{quota.yaml,more/*}'}"),
        },
        (TWO,),
    ),
    Case(
        "without what is excluded",
        {
            **APPS,
            "apps/more/shop.yaml": web(name="shop"),
            "argocd/a.yaml": app(more="directory: {recurse: true, exclude: 'more/*'}"),
        },
        (TWO,),
    ),
    Case(
        "JSON counts, and what is no manifest does not",
        {
            **APPS,
            "apps/pod.json": '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}, "spec": {}}',
            "apps/values.yaml": "replicas: 3\n",
            "apps/README.md": "kind: Pod\n",
            "argocd/a.yaml": app(),
        },
        ("team-a/base pods 3/8 exact",),
    ),
    Case(
        "the destination is for objects that name no namespace",
        {
            **APPS,
            "apps/shop.yaml": web(name="shop", namespace="team-b"),
            "argocd/a.yaml": app(),
            "argocd/quota.yaml": quota("team-b"),
        },
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "without a namespace in the destination it is default",
        {**APPS, "argocd/a.yaml": app(where="")},
        ("default/base pods 2/8 exact",),
    ),
    Case(
        "one folder for two namespaces",
        {**APPS, "argocd/a.yaml": app(), "argocd/b.yaml": app("namespace: team-b", name="b")},
        (TWO, "team-b/base pods 2/8 exact"),
    ),
    Case(
        "several sources",
        {
            "quotas/quota.yaml": quota(),
            "apps/web.yaml": web(),
            "argocd/a.yaml": app(sources=f"sources: [{source('quotas')}, {source()}]"),
        },
        (TWO,),
    ),
    Case(
        "several sources of which one is remote",
        {
            **APPS,
            "argocd/a.yaml": app(
                sources=f"sources: [{source()}, {{repoURL: 'https://charts.example.com', chart: redis}}]"
            ),
        },
        ("team-a/base pods 2/8 at-least",),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "Jsonnet is not rendered",
        {**APPS, "apps/more.jsonnet": "{}", "argocd/a.yaml": app()},
        ("team-a/base pods 2/8 at-least",),
        ("argocd/a.yaml:4:26 QL003 warning",),
    ),
    Case(
        "a file that Argo CD is told to pass over",
        {**APPS, "apps/shop.yaml": "# +argocd:skip-file-rendering\n" + web(name="shop"), "argocd/a.yaml": app()},
        (TWO,),
    ),
    Case(
        "a path that is a link",
        {**APPS, "current": Link("apps"), "argocd/a.yaml": app(path="current")},
        (TWO,),
    ),
    Case(
        "what the configuration excludes is not read",
        {
            **APPS,
            ".quotalint.yaml": "exclude: [testdata/]\n",
            "apps/testdata/web.yaml": web(5, name="fixture"),
            "argocd/a.yaml": app(more="directory: {recurse: true}"),
        },
        (TWO,),
    ),
    Case(
        "a hook that is skipped is not applied",
        {
            **APPS,
            "apps/job.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: x, annotations: "
            "{argocd.argoproj.io/hook: Skip}}\nspec: {containers: [{name: app, image: web}]}\n",
            "argocd/a.yaml": app(),
        },
        (TWO,),
    ),
    Case(
        "a namespace that is a placeholder may be any",
        {"apps/web.yaml": web(), "argocd/a.yaml": app("namespace: '${TEAM}'")} | quota_and_web("argocd", "team-a"),
        ("team-a/base pods 2/8 at-least",),
    ),
    Case(
        "a folder that is not there",
        {"argocd/quota.yaml": quota("team-a"), "argocd/a.yaml": app(path="gone")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a folder outside of the repository is not read",
        {".git/HEAD": "ref: refs/heads/main\n", "argocd/quota.yaml": quota("team-a")}
        | {"argocd/a.yaml": app(path="../../etc")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a plugin is not run",
        {**APPS, "argocd/quota.yaml": quota("team-a"), "argocd/a.yaml": app(more="plugin: {name: avp}")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
]

KUSTOMIZED = [
    Case("a kustomization", {**APPS, "apps/kustomization.yaml": LIST, "argocd/a.yaml": app()}, (TWO,)),
    Case(
        "a kustomization with a namespace of its own",
        {**APPS, "apps/kustomization.yaml": LIST + "namespace: team-b\n", "argocd/a.yaml": app()},
        ("team-b/base pods 2/8 exact",),
    ),
    *(
        Case(
            f"kustomize options: {what}",
            {
                **APPS,
                "apps/kustomization.yaml": LIST,
                "more/kustomization.yaml": "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n"
                "resources: [shop.yaml]\n",
                "more/shop.yaml": web(name="shop"),
                "argocd/a.yaml": app(more=f"kustomize: {{{options}}}"),
            },
            (line,),
        )
        for what, options, line in (
            ("replicas", "replicas: [{name: web, count: 5}]", "team-a/base pods 5/8 exact"),
            ("images", "images: [web:v2]", TWO),
            ("namePrefix", "namePrefix: x-", "team-a/x-base pods 2/8 exact"),
            ("nameSuffix", "nameSuffix: -x", "team-a/base-x pods 2/8 exact"),
            ("namespace", "namespace: team-b", "team-b/base pods 2/8 exact"),
            ("commonLabels", "commonLabels: {a: b}", TWO),
            ("commonAnnotations", "commonAnnotations: {a: b}", TWO),
            ("components", "components: [../more]", "team-a/base pods 4/8 exact"),
            (
                "patches",
                "patches: [{target: {kind: Deployment}, patch: '- {op: replace, path: /spec/replicas, value: 6}'}]",
                "team-a/base pods 6/8 exact",
            ),
            ("version", "version: v5.0.0", TWO),
        )
    ),
    Case(
        "kustomize options: replicas in quotes",
        {
            **APPS,
            "apps/kustomization.yaml": LIST,
            "argocd/a.yaml": app(more="kustomize: {replicas: [{name: web, count: '5'}]}"),
        },
        ("team-a/base pods 5/8 exact",),
    ),
    Case(
        "a folder twice is one of each",
        {
            **APPS,
            "apps/kustomization.yaml": LIST + "namespace: team-a\n",
            "argocd/a.yaml": app(),
            "argocd/b.yaml": app(name="b"),
        },
        (TWO,),
    ),
    Case(
        "a folder twice, once with a prefix",
        {
            **APPS,
            "apps/kustomization.yaml": LIST,
            "argocd/a.yaml": app(),
            "argocd/b.yaml": app(name="b", more="kustomize: {namePrefix: x-}"),
        },
        ("team-a/base pods 4/8 exact", "team-a/x-base pods 4/8 exact"),
    ),
]


@pytest.mark.parametrize("case", params([*DIRECTORIES, *KUSTOMIZED]))
def test_what_a_user_of_argo_cd_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
