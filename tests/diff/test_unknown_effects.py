"""A change of something that is not in view is never an all-clear."""

from __future__ import annotations

import json
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota

from quotalint.cli import run

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cache, namespace: team-a}
spec:
  interval: 10m
  chart: {spec: {chart: redis, version: 1.0.0, sourceRef: {kind: HelmRepository, name: stable}}}
  values:
    replicaCount: 3
    image: {tag: v1}
"""
CHART = {
    "charts/app/Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n",
    "charts/app/values.yaml": "replicas: 3\nimage: {tag: v1}\n# a comment\n",
    "charts/app/templates/web.yaml": deployment(3).replace("replicas: 3", "replicas: {{ .Values.replicas }}"),
}
QUOTA_CHART = {
    "charts/tenant/Chart.yaml": "apiVersion: v2\nname: tenant\nversion: 1.0.0\n",
    "charts/tenant/values.yaml": "pods: 9\n",
    "charts/tenant/templates/quota.yaml": quota("pods: '{{ .Values.pods }}'"),
}
LIMITED = {"quota.yaml": quota("pods: 9"), "web.yaml": deployment(2)}
CLUSTERS = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: edge, namespace: argocd}
spec:
  generators: [{clusters: {}}]
  template:
    metadata: {name: 'edge-{{name}}'}
    spec:
      project: default
      source: {repoURL: 'https://git.example.org/team/deploy.git', path: 'clusters/{{name}}', targetRevision: main}
      destination: {server: '{{server}}', namespace: team-a}
"""
TEMPLATE = deployment(3).replace("replicas: 3", "replicas: {{ replicas }}\n  paused: {% if x %}true{% endif %}")

CHANGES = {
    "release": ({**LIMITED, "release.yaml": RELEASE}, {"release.yaml": RELEASE.replace("3", "30")}, "release.yaml", 8),
    "chart": (
        {**LIMITED, **CHART, ".quotalint.yaml": "renderers: {helm: off}\n"},
        {"charts/app/values.yaml": "replicas: 30\n"},
        "charts/app/values.yaml",
        1,
    ),
    "chart of quotas": (
        {"web.yaml": deployment(2), **QUOTA_CHART},
        {"charts/tenant/values.yaml": "pods: 1\n"},
        "charts/tenant/values.yaml",
        1,
    ),
    "idle": (
        {"argocd/edge.yaml": CLUSTERS, "clusters/one/quota.yaml": quota("pods: 20")},
        {"clusters/one/quota.yaml": quota("pods: 8")},
        "clusters/one/quota.yaml",
        0,
    ),
    "template": ({**LIMITED, "api.yaml.j2": TEMPLATE}, {"api.yaml.j2": TEMPLATE + "#\n  x: 1\n"}, "api.yaml.j2", 0),
}


def answer(repository: Repository, capsys: Any, *more: str, output: str = "json") -> str:
    capsys.readouterr()
    assert run(["diff", "HEAD~1", "HEAD", "--format", output, *more]) == 0
    return str(capsys.readouterr().out)


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_not_rendered_is_not_known(name: str, repository: Repository, capsys: Any) -> None:
    before, after, file, line = CHANGES[name]
    repository.commit(before)
    repository.commit(after)
    report = json.loads(answer(repository, capsys))
    assert report["verdict"] == "unknown"
    assert [unknown["file"] for unknown in report["unknowns"]] == [file]
    if line:
        assert report["unknowns"][0]["line"] == line
    markdown = answer(repository, capsys, output="markdown")
    assert markdown.partition("\n")[0].startswith("### ❔ quotalint: not known")
    assert file in markdown
    assert "To find out: " in markdown
    assert "✅" not in markdown
    assert answer(repository, capsys, output="text").startswith("Not known")
    assert ">Not known: " in answer(repository, capsys, output="html").replace("</span> ", ">")
    annotations = answer(repository, capsys, output="github").splitlines()
    assert [part.partition(",line=")[0] for part in annotations] == [f"::warning file={file}"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"release.yaml": RELEASE}, {"release.yaml": RELEASE.replace("3", "30")}),
        (
            {**LIMITED, "release.yaml": RELEASE.replace("team-a", "other")},
            {"release.yaml": RELEASE.replace("team-a", "other").replace("3", "30")},
        ),
        ({**LIMITED, "release.yaml": RELEASE}, {"release.yaml": RELEASE.replace("v1}", "v2}")}),
        ({**LIMITED, "release.yaml": RELEASE}, {"release.yaml": RELEASE + "# checked\n"}),
        ({**LIMITED, "release.yaml": RELEASE}, {"README.md": "read\n"}),
        ({**LIMITED, **CHART}, {"charts/app/values.yaml": "replicas: 3\nimage: {tag: v2}\n"}),
        ({**LIMITED, **CHART}, {"charts/app/Chart.yaml": CHART["charts/app/Chart.yaml"].replace("1.0.0", "1.0.1")}),
        ({**LIMITED, **CHART}, {"charts/app/README.md": "read\n"}),
    ],
)
def test_what_limits_nothing_is_known(
    before: dict[str, str], after: dict[str, str], repository: Repository, capsys: Any
) -> None:
    repository.commit(before)
    repository.commit(after)
    report = json.loads(answer(repository, capsys))
    assert report["verdict"] == ("passes" if "quota.yaml" in before else "nothing")
    assert report["unknowns"] == []
    assert answer(repository, capsys, output="markdown").startswith("✅")


def test_a_quota_out_of_view_is_not_denied(repository: Repository, capsys: Any) -> None:
    """Nothing in view says that these values are of the chart that writes the quota."""
    repository.commit({"web.yaml": deployment(2), **QUOTA_CHART, "tenants/team-a.yaml": "pods: 9\n"})
    repository.commit({"tenants/team-a.yaml": "pods: 1\n"})
    assert answer(repository, capsys, output="text").startswith("No quota is in view, so none is compared.\n")


def test_an_error_comes_before_what_is_not_known(repository: Repository, capsys: Any) -> None:
    repository.commit({**LIMITED, "release.yaml": RELEASE})
    repository.commit({"release.yaml": RELEASE.replace("3", "30"), "web.yaml": deployment(12)})
    assert run(["diff", "HEAD~1", "HEAD", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "fails"
    assert len(report["unknowns"]) == 1


def test_what_a_finding_says_is_not_annotated_again(repository: Repository, capsys: Any) -> None:
    repository.commit(LIMITED)
    repository.commit({"release.yaml": RELEASE})
    assert [part.partition(",line=")[0] for part in answer(repository, capsys, output="github").splitlines()] == [
        "::warning file=release.yaml"
    ]
    assert json.loads(answer(repository, capsys))["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("options", "changed", "unchanged", "checked"),
    [
        ((), 0, 0, 0),
        (("--fail-on", "unknown"), 1, 0, 1),
        (("--fail-on", "never,unknown"), 1, 0, 1),
        (("--fail-on", "warning", "--fail-on", "unknown"), 1, 0, 1),
        (("--fail-on", "never"), 0, 0, 0),
    ],
)
def test_what_is_not_known_fails_where_that_is_asked_for(
    options: tuple[str, ...], changed: int, unchanged: int, checked: int, repository: Repository, capsys: Any
) -> None:
    repository.commit({**LIMITED, "release.yaml": RELEASE})
    repository.commit({"release.yaml": RELEASE.replace("3", "30")})
    repository.commit({"web.yaml": deployment(3)})
    assert run(["diff", "HEAD~2", "HEAD~1", *options]) == changed
    assert run(["diff", "HEAD~1", "HEAD", *options]) == unchanged
    assert run(["check", "--ignore", "QL003", *options]) == checked


def test_a_word_that_is_no_severity_is_refused(repository: Repository, capsys: Any) -> None:
    repository.commit(LIMITED)
    assert run(["check", "--fail-on", "error,often"]) == 2
    assert "'often' is not one of error, warning, info, never, unknown" in capsys.readouterr().err


TIGHT = {"apps/quota.yaml": quota("pods: 9"), "apps/web.yaml": deployment(2)}
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: other, namespace: argocd}
spec:
  source: {repoURL: 'https://git.example.org/team/deploy.git', path: other, targetRevision: main}
  destination: {server: 'https://kubernetes.default.svc', namespace: other}
"""
WEB = TIGHT["apps/web.yaml"]


@pytest.mark.parametrize(
    ("after", "place", "why"),
    [
        (
            {"argocd/other.yaml": APPLICATION},
            "argocd/other.yaml",
            "nothing in view deploys it (since argocd/other.yaml)",
        ),
        ({"apps/web.yaml": None, "apps/web.yaml.j2": WEB}, "apps/web.yaml.j2", "its name is not that of a manifest"),
        (
            {"apps/web.yaml": None, "apps/web.yaml.disabled": WEB.replace("replicas: 2", "replicas: 20")},
            "apps/web.yaml.disabled",
            "its name is not that of a manifest",
        ),
        (
            {"apps/web.yaml": WEB.replace("apiVersion: apps/v1", "apiVersion: example.com/v1")},
            "apps/web.yaml",
            "may make pods, because its kind is not known",
        ),
        (
            {"apps/kustomization.yaml": "resources: [quota.yaml]\n"},
            "apps/kustomization.yaml",
            "the kustomization of its folder does not list it (since apps/kustomization.yaml)",
        ),
        (
            {"apps/web.yaml": None, "tests/web.yaml": WEB},
            "tests/web.yaml",
            "any more: a fixture of tests",
        ),
    ],
)
def test_what_goes_out_of_view_is_not_known(
    after: dict[str, str | None], place: str, why: str, repository: Repository, capsys: Any
) -> None:
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**TIGHT, "other/web.yaml": deployment(1, namespace="other")})
    repository.commit(after)
    report = json.loads(answer(repository, capsys))
    assert report["verdict"] == "unknown"
    assert report["unknowns"][0]["file"] == place
    assert why in report["unknowns"][0]["reason"]
    assert len(answer(repository, capsys, output="github").splitlines()) == 1


@pytest.mark.parametrize(
    "after",
    [
        {"apps/web.yaml": None},
        {"apps/web.yaml": None, "apps/api.yaml": WEB},
        {"apps/web.yaml": WEB.replace("name: web", "name: api")},
        {"apps/web.yaml": None, "apps/quota.yaml": TIGHT["apps/quota.yaml"] + "---\n" + WEB},
        {"argocd/other.yaml": APPLICATION.replace("other", "apps"), "argocd/more.yaml": APPLICATION},
    ],
)
def test_what_is_gone_or_moved_is_known(after: dict[str, str | None], repository: Repository, capsys: Any) -> None:
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**TIGHT, "other/web.yaml": deployment(1, namespace="other")})
    repository.commit(after)
    report = json.loads(answer(repository, capsys))
    assert (report["verdict"], report["unknowns"]) == ("passes", [])


OPERATED = """\
apiVersion: operator.victoriametrics.com/v1beta1
kind: VMCluster
metadata: {name: vm, namespace: team-a}
spec:
  retentionPeriod: "1"
  vmstorage: {replicaCount: 20}
"""


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (None, OPERATED, "unknown"),
        (OPERATED, OPERATED.replace("20", "200"), "unknown"),
        (OPERATED, OPERATED.replace('"1"', '"2"'), "passes"),
    ],
    ids=["new", "larger", "other field"],
)
def test_what_an_operator_makes_pods_of(
    before: str | None, after: str, verdict: str, repository: Repository, capsys: Any
) -> None:
    repository.commit({**LIMITED, **({"vm.yaml": before} if before else {})})
    repository.commit({"vm.yaml": after})
    assert json.loads(answer(repository, capsys))["verdict"] == verdict


def test_a_quota_that_no_kustomization_lists(repository: Repository, capsys: Any) -> None:
    repository.commit({"kustomization.yaml": "resources: [web.yaml]\n", "web.yaml": deployment(2)})
    repository.commit({"quota.yaml": quota("pods: 1")})
    first = answer(repository, capsys, output="text").split("\n\n")[0]
    assert "quota.yaml is not applied: the kustomization of its folder does not list it" in " ".join(first.split())


def test_a_file_that_writes_quotas_comes_first(repository: Repository, capsys: Any) -> None:
    idle = {"apps/argo.yaml": CLUSTERS, "clusters/b/a.yaml": deployment(2), "clusters/b/z.yaml": quota("pods: 9")}
    repository.commit({**LIMITED, **idle})
    repository.commit({"clusters/b/a.yaml": deployment(3), "clusters/b/z.yaml": quota("pods: 8")})
    unknowns = json.loads(answer(repository, capsys))["unknowns"]
    assert [unknown["file"] for unknown in unknowns] == ["clusters/b/z.yaml", "clusters/b/a.yaml"]


def test_one_folder_that_nothing_deploys_is_one_cause(repository: Repository, capsys: Any) -> None:
    names = ["old/a/one.yaml", "old/a/two.yaml", "old/b/one.yaml"]
    deployed = {"other/quota.yaml": quota("pods: 9"), "other/web.yaml": deployment(2), "apps/other.yaml": APPLICATION}
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**deployed, **{name: deployment(2, "old") for name in names}})
    repository.commit({name: deployment(3, "old") for name in names})
    unknowns = json.loads(answer(repository, capsys))["unknowns"]
    assert [unknown["file"] for unknown in unknowns] == names
    assert {unknown["reason"] for unknown in unknowns} == {"nothing in view deploys old/"}


@pytest.mark.parametrize(
    ("hard", "verdict"),
    [("pods: 9", "passes"), ("requests.cpu: 9", "unknown"), ("cpu: 9", "unknown"), ("limits.cpu: 9", "unknown")],
)
def test_an_amount_that_no_quota_counts_is_known(hard: str, verdict: str, repository: Repository, capsys: Any) -> None:
    deployed = {"other/quota.yaml": quota(hard), "other/web.yaml": deployment(2), "apps/other.yaml": APPLICATION}
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    repository.commit({**deployed, "tools/job.yaml": deployment(1, "job")})
    repository.commit({"tools/job.yaml": deployment(1, "job", cpu="2")})
    assert json.loads(answer(repository, capsys))["verdict"] == verdict


def test_the_first_line_leaves_long_reasons_to_the_next_ones(repository: Repository, capsys: Any) -> None:
    release = RELEASE.replace("chart: redis", f"chart: {'redis-' * 25}")
    repository.commit({**LIMITED, "a.yaml": release, "b.yaml": OPERATED})
    repository.commit({"a.yaml": release.replace("3", "30")})
    text = " ".join(answer(repository, capsys, output="text").partition("\n\n")[0].split())
    assert text.startswith(
        "Not known: whether team-a still fits. Changed: a.yaml:8. Not known, because HelmRelease cache"
    )
    assert ". To find out: not vendored: quotalint vendor" in text
    repository.commit({"a.yaml": release, "b.yaml": OPERATED.replace("20", "200")})
    text = " ".join(answer(repository, capsys, output="text").partition("\n\n")[0].split())
    assert text.startswith(
        "Not known: whether team-a still fits, for 2 reasons. Not known: a.yaml:8, because HelmRelease"
    )
    assert text.count("; to find out: ") == 2


def test_a_workload_that_a_plugin_renders_now_is_not_gone(repository: Repository, capsys: Any) -> None:
    """It names another namespace than the Application."""
    repository.git("remote", "add", "origin", "https://git.example.org/team/deploy.git")
    limits = {
        "limits/quota.yaml": quota("pods: 9"),
        "apps/limits.yaml": APPLICATION.replace("path: other", "path: limits"),
    }
    repository.commit({"other/web.yaml": deployment(2), "apps/other.yaml": APPLICATION, **limits})
    repository.commit({"apps/other.yaml": APPLICATION.replace("Revision: main", "Revision: main, plugin: {name: cmp}")})
    (consumer,) = json.loads(answer(repository, capsys))["quotas"][0]["consumers"]
    assert consumer["lost"] == "other/web.yaml is still here, but nothing in view takes it for what it was"
