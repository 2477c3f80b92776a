"""ApplicationSets, from files to findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from argocd_repositories import APPS, CLUSTERS, LISTED, REMOTE, STAGES, URL, app, app_set, overlays, spec
from gitops_outcome import NONE, TWO, Case, applied, checked, expected, outcome, params
from manifests import quota, quota_and_web, web

PER_STAGE = ("https://dev: team-a/base pods 1/8 exact", "https://prod: team-a/base pods 6/8 exact")


FOLDERS = f"{{git: {{repoURL: '{URL}', directories: [{{path: 'teams/*'}}, {{path: teams/old, exclude: true}}]}}}}"


TEAMS = {
    **quota_and_web("teams/team-a"),
    "teams/team-b/quota.yaml": quota(),
    "teams/team-b/web.yaml": web(3),
    "teams/old/web.yaml": web(5, namespace="old", name="old"),
}


GO_TEAMS = spec("namespace: '{{.path.basename}}'", path="'{{.path.path}}'")


PREVIEWS = "{pullRequest: {github: {owner: a, repo: b}}}"


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
        "a list that names clusters beside their addresses, and another that gives the addresses alone",
        {
            **overlays(dev=1, prod=6),
            "more/web.yaml": web(1).replace("name: web", "name: more"),
            "argocd/set.yaml": app_set(
                LISTED.replace("name:", "cluster:"), STAGES.replace("{{name}}", "{{cluster}}"), "'{{cluster}}'"
            ),
            "argocd/more.yaml": app_set(LISTED, spec("namespace: team-a, server: '{{url}}'", path="more")),
        },
        ("dev: team-a/base pods 2/8 exact", "prod: team-a/base pods 7/8 exact"),
    ),
    Case(
        "a list that calls two clusters alike",
        {
            **overlays(dev=1, prod=6),
            "argocd/set.yaml": app_set(LISTED.replace("{name:", "{cluster: eu, name:"), STAGES, "'{{name}}'"),
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
    *(
        Case(
            f"a namespace for each pull request, {how}",
            {
                **quota_and_web("", "team-a"),
                "argocd/set.yaml": app_set(generator, spec("namespace: 'preview-{{number}}'", path="'{{branch}}'")),
            },
            (TWO,),
            ("argocd/set.yaml:6:3 QL003 info",),
        )
        for how, generator in (
            ("alone", PREVIEWS),
            ("with a list", f"{{matrix: {{generators: [{PREVIEWS}, {{list: {{elements: [{{a: b}}]}}}}]}}}}"),
        )
    ),
    Case(
        "a namespace that is called after nothing but the pull request",
        {
            **quota_and_web("", "team-a"),
            "argocd/set.yaml": app_set(PREVIEWS, spec("namespace: '{{branch}}'", path="'{{branch}}'")),
        },
        ("team-a/base pods 2/8 at-least",),
        ("argocd/set.yaml:6:3 QL003 warning",),
    ),
    Case(
        "a folder for clusters that an object chooses",
        {**APPS, "argocd/set.yaml": app_set("{clusterDecisionResource: {configMapRef: x}}", spec("namespace: team-a"))},
        (),
        ("argocd/set.yaml:6:3 QL003 info",),
    ),
    Case(
        "a template that fails where it is to name the folder, beside a quota that somebody applies by hand",
        {
            "quota.yaml": quota("team-a", hard="pods: 1"),
            "web.yaml": web(3, "team-a"),
            "argocd/set.yaml": app_set(LISTED, spec(path="'{{ repeat 1000000000 .name }}'"), "'{{ .name }}'", go=True),
        },
        ("team-a/base pods 3/1 at-least",),
        ("argocd/set.yaml:6:3 QL003 warning", "quota.yaml:4:15 QL301 error"),
    ),
    Case(
        "a folder for a namespace that its template cannot say",
        {
            **APPS,
            "argocd/set.yaml": app_set(
                LISTED, spec("namespace: '{{ .name.gone }}'", path="'apps/{{ .name }}'"), "'{{ .name }}'", go=True
            ),
        },
        (),
        ("argocd/set.yaml:6:3 QL003 info",),
    ),
    Case(
        "a template that fails for one of two, so that Argo CD makes and changes neither",
        {
            **quota_and_web("team-a"),
            "team-a/quota.yaml": quota(hard="pods: 1"),
            "argocd/set.yaml": app_set(
                "{list: {elements: [{name: a, team: team-a}, {name: b}]}}",
                spec("namespace: '{{ .team }}'", path="'{{ .team }}'"),
                "'{{ .name }}'",
                go=True,
            ).replace("goTemplate: true", "goTemplate: true\n  goTemplateOptions: [missingkey=error]"),
        },
        ("team-a/base pods 2/1 assumed",),
        ("argocd/set.yaml:7:3 QL003 warning", "team-a/quota.yaml:4:15 QL301 warning"),
    ),
    Case(
        "a chart for clusters that nobody lists, beside folders that are applied by hand",
        {
            "shop/quota.yaml": quota("team-a"),
            "shop/web.yaml": web(9, "team-a"),
            "argocd/set.yaml": app_set(
                "{clusters: {}}",
                spec("namespace: tools", "source: {repoURL: 'https://charts.example.com', chart: x, path: ''}"),
            ),
        },
        ("team-a/base pods 9/8 exact",),
        ("argocd/set.yaml:6:3 QL003 info", "shop/quota.yaml:4:15 QL301 error"),
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


def test_each_cluster_gets_what_is_meant_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**overlays(dev=1, prod=6), "argocd/set.yaml": app_set(LISTED, STAGES)}
    live = ["Deployment team-a/web", "ResourceQuota team-a/base"]
    assert applied(checked(tmp_path, files, monkeypatch)) == {
        "https://dev": live,
        "https://prod": live,
        "in-cluster": ["ApplicationSet argocd/apps"],
    }


@pytest.mark.parametrize("case", params(SETS))
def test_what_is_told_of_sets(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
