"""Repositories that Argo CD applies, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import (
    Case,
    Files,
    Link,
    applied,
    checked,
    expected,
    needed_helm,
    outcome,
    params,
    quota,
    quota_and_web,
    unknowns,
    web,
)

URL = "https://git.example.com/team/fleet.git"
REMOTE = f'[remote "origin"]\n\turl = {URL}\n'
APPS = quota_and_web("apps")
TWO = "team-a/base pods 2/8 exact"
NONE = "team-a/base pods ?/8 unknown"
LIST = "resources: [quota.yaml, web.yaml]\n"


def source(path: str = "apps", more: str = "", url: str = URL) -> str:
    return "{" + ", ".join(filter(None, (f"repoURL: '{url}'", f"path: {path}" if path else "", more))) + "}"


def spec(where: str = "namespace: team-a", sources: str = "", path: str = "apps", more: str = "") -> str:
    """The spec of an Application."""
    given = sources or f"source: {source(path, more)}"
    return f"{{project: default, {given}, destination: {{{where}}}}}"


def app(
    where: str = "namespace: team-a", sources: str = "", path: str = "apps", more: str = "", name: str = "a"
) -> str:
    """An Application."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"
        f"metadata: {{name: {name}, namespace: argocd}}\nspec: {spec(where, sources, path, more)}\n"
    )


def app_set(generators: str, template: str, name: str = "'{{name}}'", go: bool = False) -> str:
    """An ApplicationSet; `template` is the spec of its Applications."""
    return (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: apps, namespace: argocd}\nspec:\n"
        f"  goTemplate: {str(go).lower()}\n  generators: [{generators}]\n"
        f"  template: {{metadata: {{name: {name}}}, spec: {template}}}\n"
    )


def overlays(**replicas: int) -> dict[str, str]:
    """A base with an overlay for each stage."""
    text = "resources: [../../base]\nreplicas: [{{name: web, count: {}}}]\n"
    return {
        "base/kustomization.yaml": LIST,
        **quota_and_web("base"),
        **{f"overlays/{stage}/kustomization.yaml": text.format(count) for stage, count in replicas.items()},
    }


DIRECTORIES = [
    Case("a directory", {**APPS, "argocd/a.yaml": app()}, (TWO,)),
    Case(
        "a directory without what lies further down",
        {**APPS, "apps/more/shop.yaml": web(name="shop", namespace="team-c"), "argocd/a.yaml": app()},
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

CLUSTERS = """\
clusters:
  dev: {server: 'https://dev', labels: {env: dev}}
  prod: {server: 'https://prod', labels: {env: prod}}
"""

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
]

LISTED = "{list: {elements: [{name: dev, url: 'https://dev'}, {name: prod, url: 'https://prod'}]}}"
STAGES = spec("namespace: team-a, server: '{{url}}'", path="'overlays/{{name}}'")
PER_STAGE = ("https://dev: team-a/base pods 1/8 exact", "https://prod: team-a/base pods 6/8 exact")
FOLDERS = f"{{git: {{repoURL: '{URL}', directories: [{{path: 'teams/*'}}, {{path: teams/old, exclude: true}}]}}}}"
TEAMS = {
    **quota_and_web("teams/team-a"),
    "teams/team-b/quota.yaml": quota(),
    "teams/team-b/web.yaml": web(3),
    "teams/old/web.yaml": web(5, namespace="old", name="old"),
}
GO_TEAMS = spec("namespace: '{{.path.basename}}'", path="'{{.path.path}}'")

SETS = [
    Case("a list", {**overlays(dev=1, prod=6), "argocd/set.yaml": app_set(LISTED, STAGES)}, PER_STAGE),
    Case(
        "a list, with templates of Go",
        {
            **overlays(dev=1, prod=6),
            "argocd/set.yaml": app_set(
                LISTED, STAGES.replace("{{url}}", "{{.url}}").replace("{{name}}", "{{.name}}"), "'{{.name}}'", go=True
            ),
        },
        PER_STAGE,
    ),
    Case(
        "folders in git",
        {
            **TEAMS,
            "argocd/set.yaml": app_set(
                FOLDERS, spec("namespace: '{{path.basename}}'", path="'{{path}}'"), "'{{path.basename}}'"
            ),
        },
        (TWO, "team-b/base pods 3/8 exact"),
    ),
    Case(
        "folders in git, with templates of Go",
        {
            **{name: text for name, text in TEAMS.items() if "old" not in name},
            "argocd/set.yaml": app_set(FOLDERS, GO_TEAMS, "'{{.path.basename}}'", go=True),
        },
        (TWO, "team-b/base pods 3/8 exact"),
    ),
    Case(
        "files in git",
        {
            **overlays(dev=1, prod=6),
            "config/dev/config.json": '{"cluster": {"name": "dev", "namespace": "team-a"}}',
            "config/prod/config.json": '{"cluster": {"name": "prod", "namespace": "team-a"}}',
            "argocd/set.yaml": app_set(
                f"{{git: {{repoURL: '{URL}', files: [{{path: 'config/**/config.json'}}]}}}}",
                spec(
                    "namespace: '{{cluster.namespace}}', name: '{{cluster.name}}'", path="'overlays/{{path.basename}}'"
                ),
                "'{{cluster.name}}'",
            ),
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
    Case(
        "clusters of the configuration",
        {
            ".quotalint.yaml": CLUSTERS,
            **overlays(dev=1, prod=6),
            "argocd/set.yaml": app_set(
                "{clusters: {selector: {matchExpressions: [{key: env, operator: Exists}]}}}",
                spec("namespace: team-a, server: '{{server}}'", path="'overlays/{{metadata.labels.env}}'"),
            ),
        },
        ("dev: team-a/base pods 1/8 exact", "prod: team-a/base pods 6/8 exact"),
    ),
    Case(
        "one folder for each cluster",
        {
            ".quotalint.yaml": CLUSTERS,
            **APPS,
            "argocd/set.yaml": app_set(
                "{clusters: {selector: {matchExpressions: [{key: env, operator: Exists}]}}}",
                spec("namespace: team-a, server: '{{server}}'"),
            ),
        },
        ("dev: team-a/base pods 2/8 exact", "prod: team-a/base pods 2/8 exact"),
    ),
    Case(
        "a patch of the template",
        {
            **overlays(dev=1, prod=6),
            "argocd/set.yaml": app_set(
                LISTED,
                spec("namespace: nobody, name: '{{.name}}'", path="'overlays/{{.name}}'"),
                "'{{.name}}'",
                go=True,
            )
            + "  templatePatch: |\n    spec: {destination: {namespace: 'team-{{.name}}'}}\n",
        },
        ("dev: team-dev/base pods 1/8 exact", "prod: team-prod/base pods 6/8 exact"),
    ),
    Case(
        "clusters of the configuration by their labels",
        {
            ".quotalint.yaml": CLUSTERS,
            **overlays(prod=6),
            "argocd/set.yaml": app_set(
                "{clusters: {selector: {matchLabels: {env: prod}}}}",
                spec("namespace: team-a, name: '{{name}}'", path="'overlays/{{name}}'"),
            ),
        },
        ("prod: team-a/base pods 6/8 exact",),
    ),
    Case(
        "clusters that the configuration does not name",
        {
            "argocd/quota.yaml": quota("team-a"),
            "apps/web.yaml": web(namespace="team-b"),
            "argocd/set.yaml": app_set("{clusters: {}}", spec("namespace: team-a, server: '{{server}}'")),
        },
        (NONE,),
        ("argocd/set.yaml:6:3 QL003 warning",),
    ),
    Case(
        "clusters that the configuration does not name, and a namespace of each",
        {
            **quota_and_web("argocd", "team-a"),
            "argocd/set.yaml": app_set("{clusters: {}}", spec("namespace: '{{name}}'", path="gone")),
        },
        ("team-a/base pods 2/8 at-least",),
        ("argocd/set.yaml:6:3 QL003 warning",),
    ),
    Case(
        "a matrix of folders and clusters",
        {
            ".quotalint.yaml": CLUSTERS,
            **{name: text for name, text in TEAMS.items() if "old" not in name},
            "argocd/set.yaml": app_set(
                f"{{matrix: {{generators: [{FOLDERS}, {{clusters: {{selector: {{matchLabels: {{env: dev}}}}}}}}]}}}}",
                spec("namespace: '{{path.basename}}', name: '{{name}}'", path="'{{path}}'"),
                "'{{path.basename}}-{{name}}'",
            ),
        },
        ("dev: team-a/base pods 2/8 exact", "dev: team-b/base pods 3/8 exact"),
    ),
    Case(
        "a matrix of a list and what it names in git",
        {
            "stages/dev/team-a/quota.yaml": quota(),
            "stages/dev/team-a/web.yaml": web(1),
            "stages/prod/team-a/quota.yaml": quota(),
            "stages/prod/team-a/web.yaml": web(6),
            "stages/prod/team-b/quota.yaml": quota(),
            "argocd/set.yaml": app_set(
                f"{{matrix: {{generators: [{LISTED}, {{git: {{repoURL: '{URL}', "
                "directories: [{path: 'stages/{{name}}/*'}]}}]}}",
                spec("namespace: '{{path.basename}}', name: '{{name}}'", path="'{{path}}'"),
                "'{{name}}-{{path.basename}}'",
            ),
        },
        (
            "dev: team-a/base pods 1/8 exact",
            "prod: team-a/base pods 6/8 exact",
            "prod: team-b/base pods ?/8 unknown",
        ),
    ),
    Case(
        "another repository's folders",
        {
            ".git/config": REMOTE,
            "quota.yaml": quota("team-a"),
            "argocd/set.yaml": app_set(
                "{git: {repoURL: 'https://git.example.com/team/other', directories: [{path: '*'}]}}",
                spec(path="'{{path}}'"),
            ),
        },
        (NONE,),
        ("argocd/set.yaml:6:3 QL003 warning",),
    ),
    Case(
        "pull requests",
        {
            "quota.yaml": quota("team-a"),
            "argocd/set.yaml": app_set("{pullRequest: {github: {owner: a, repo: b}}}", spec(path="'{{branch}}'")),
        },
        (NONE,),
        ("argocd/set.yaml:6:3 QL003 warning",),
    ),
    Case(
        "a folder that a template names and that is not there",
        {
            "argocd/quota.yaml": quota("team-a"),
            "argocd/set.yaml": app_set("{list: {elements: [{name: gone}]}}", spec(path="'apps/{{name}}'")),
        },
        (NONE,),
        ("argocd/set.yaml:7:3 QL003 warning",),
    ),
    Case(
        "an ApplicationSet that an Application deploys",
        {
            **overlays(dev=1, prod=6),
            "sets/set.yaml": app_set(LISTED, STAGES),
            "root.yaml": app("namespace: argocd", path="sets", name="root"),
        },
        PER_STAGE,
    ),
]

CHART: Files = {
    "argocd/quota.yaml": quota("team-a"),
    "charts/shop/Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n",
    "charts/shop/values.yaml": "replicas: 2\n",
    "charts/shop/values-prod.yaml": "replicas: 5\n",
    "charts/shop/templates/web.yaml": web("{{ .Values.replicas }}", name="{{ .Release.Name }}").encode(),
    "values/prod.yaml": "replicas: 7\n",
}


def chart(helm: str = "") -> str:
    return app(path="charts/shop", more=f"helm: {{{helm}}}" if helm else "", name="shop")


REFERRED = (
    f"sources: [{source('charts/shop', 'helm: {valueFiles: [$values/values/prod.yaml]}')}, {source('', 'ref: values')}]"
)

RENDERED = [
    *(
        Case(f"a chart with {what}", {**CHART, "argocd/a.yaml": chart(helm)}, (f"team-a/base pods {pods}/8 exact",))
        for what, helm, pods in (
            ("its own values", "", 2),
            ("values", "values: 'replicas: 4'", 4),
            ("an object of values", "valuesObject: {replicas: 4}", 4),
            ("an object of values, which wins over values", "valuesObject: {replicas: 4}, values: 'replicas: 3'", 4),
            ("a values file", "valueFiles: [values-prod.yaml]", 5),
            ("values over a values file", "valueFiles: [values-prod.yaml], values: 'replicas: 4'", 4),
            ("a values file above", "valueFiles: [../../values/prod.yaml]", 7),
            ("a values file from the root", "valueFiles: [/values/prod.yaml]", 7),
            ("two values files", "valueFiles: [/values/prod.yaml, values-prod.yaml]", 5),
            ("a parameter over all", "valuesObject: {replicas: 4}, parameters: [{name: replicas, value: '6'}]", 6),
            ("a values file that may be missing", "valueFiles: [gone.yaml], ignoreMissingValueFiles: true", 2),
        )
    ),
    Case(
        "two releases of one chart",
        {
            **CHART,
            "argocd/a.yaml": chart("releaseName: one"),
            "argocd/b.yaml": chart("releaseName: two").replace("name: shop,", "name: b,"),
        },
        ("team-a/base pods 4/8 exact",),
    ),
    Case(
        "a values file that is missing",
        {**CHART, "argocd/a.yaml": chart("valueFiles: [gone.yaml]")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a values file from the net",
        {**CHART, "argocd/a.yaml": chart("valueFiles: ['https://example.com/values.yaml']")},
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "values of a source that is referred to",
        {**CHART, "argocd/a.yaml": app(sources=REFERRED)},
        ("team-a/base pods 7/8 exact",),
    ),
    Case(
        "values of a source that is another repository",
        {
            **CHART,
            ".git/config": REMOTE,
            "argocd/a.yaml": app(
                sources=f"sources: [{source('charts/shop', 'helm: {valueFiles: [$values/values/prod.yaml]}')}, "
                "{repoURL: 'https://git.example.com/team/values', ref: values}]"
            ),
        },
        (NONE,),
        ("argocd/a.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a chart of Applications",
        {
            "quotas/quota.yaml": quota(),
            "apps/web.yaml": web(),
            "charts/apps/Chart.yaml": "{apiVersion: v2, name: apps, version: 1.0.0}\n",
            "charts/apps/values.yaml": "namespace: nobody\n",
            "charts/apps/templates/apps.yaml": app("namespace: '{{ .Values.namespace }}'", name="apps").encode()
            + b"---\n"
            + app("namespace: '{{ .Values.namespace }}'", path="quotas", name="quotas").encode(),
            "argocd/a.yaml": app(
                "namespace: argocd", path="charts/apps", more="helm: {valuesObject: {namespace: team-a}}", name="root"
            ),
        },
        (TWO,),
    ),
    Case(
        "an ApplicationSet with a values file for each stage",
        {
            **CHART,
            "charts/shop/templates/quota.yaml": quota(),
            "values/dev.yaml": "replicas: 1\n",
            "argocd/set.yaml": app_set(
                LISTED,
                spec(
                    "namespace: team-a, name: '{{name}}'",
                    path="charts/shop",
                    more="helm: {valueFiles: ['/values/{{name}}.yaml']}",
                ),
            ),
        },
        (
            "dev: team-a/base pods 1/8 exact",
            "in-cluster: team-a/base pods ?/8 unknown",
            "prod: team-a/base pods 7/8 exact",
        ),
    ),
    Case(
        "a chart goes to the destination and is not counted with its own values as well",
        {**CHART, "argocd/a.yaml": app("namespace: team-b", path="charts/shop")},
        (NONE,),
    ),
]


@pytest.mark.parametrize("case", params([*DIRECTORIES, *KUSTOMIZED, *REMOTES, *OF_APPS, *DESTINATIONS, *SETS]))
def test_what_a_user_of_argo_cd_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


@pytest.mark.parametrize("case", params(RENDERED))
def test_what_a_user_of_argo_cd_and_helm_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch, needed_helm()) == expected(case)


def test_without_helm_the_namespace_of_a_chart_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**CHART, "argocd/a.yaml": chart(), ".quotalint.yaml": "renderers: {helm: program}\n"}
    result = checked(tmp_path, files, monkeypatch)
    assert unknowns(result) == {
        "team-a/base pods": (
            "argocd/a.yaml: the chart charts/shop (release shop) is not rendered: it needs the program `helm` on PATH",
        )
    }


def test_each_cluster_gets_what_is_meant_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**overlays(dev=1, prod=6), "argocd/set.yaml": app_set(LISTED, STAGES)}
    live = ["Deployment team-a/web", "ResourceQuota team-a/base"]
    assert applied(checked(tmp_path, files, monkeypatch)) == {
        "https://dev": live,
        "https://prod": live,
        "in-cluster": ["ApplicationSet argocd/apps"],
    }
