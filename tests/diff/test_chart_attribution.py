"""What of a change brought a finding about of what a chart makes: the line of its values."""

from __future__ import annotations

from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository, difference, quota

from quotalint.cli import run

TEMPLATE = """\
{{- if .Values.NAME.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  strategy: {type: Recreate}
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
      - name: main
        image: NAME
        resources: {{- toYaml .Values.NAME.resources | nindent 10 }}
{{- end }}
"""
VALUES = """\
audio:
  enabled: false
  port: 80
  resources:
    requests:
      cpu: 3

video:
  enabled: false
  port: 81
  resources:
    requests:
      cpu: 4
"""


@pytest.mark.parametrize(
    "files", [pytest.param(", helm: {valueFiles: [values.yaml]}", id="named"), pytest.param("", id="the chart's own")]
)
def test_what_values_turn_on_is_told_by_the_line_near_its_own_values(
    files: str, repository: Repository, capsys: Any
) -> None:
    repository.commit(
        {
            "argocd/media.yaml": argo_application(source=f"repoURL: x, path: chart{files}"),
            "chart/Chart.yaml": "apiVersion: v2\nname: media\nversion: 1.0.0\n",
            "chart/templates/audio.yaml": TEMPLATE.replace("NAME", "audio"),
            "chart/templates/quota.yaml": quota("requests.cpu: 2"),
            "chart/templates/video.yaml": TEMPLATE.replace("NAME", "video"),
            "chart/values.yaml": VALUES,
        }
    )
    repository.commit({"chart/values.yaml": VALUES.replace("enabled: false", "enabled: true")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = report["findings"]["new"]
    assert (finding["rule"], finding["file"], finding["line"]) == ("QL301", "chart/values.yaml", 9)
    assert finding["cause"]["object"] == "Deployment video"
    assert [(place["label"], place["line"]) for place in finding["related"] if place["label"] == "and"] == [("and", 2)]


PARENT = {
    "argocd/quota.yaml": quota("pods: 1"),
    "chart/Chart.yaml": (
        "apiVersion: v2\nname: media\nversion: 1.0.0\n"
        "dependencies: [{name: cache, version: 1.0.0, condition: cache.enabled, tags: [more]}]\n"
    ),
    "chart/charts/cache/Chart.yaml": "apiVersion: v2\nname: cache\nversion: 1.0.0\n",
    "chart/charts/cache/values.yaml": "replicas: 4\n",
    "chart/charts/cache/templates/cache.yaml": (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cache}\nspec:\n  replicas: {{ .Values.replicas }}\n"
        "  selector: {matchLabels: {a: b}}\n"
        "  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}\n"
    ),
}
HELMFILE = "releases: [{name: media, namespace: team-a, chart: ./chart, values: [few.yaml]}]\n"


@pytest.mark.parametrize(
    ("deployer", "values"),
    [
        pytest.param(
            {"argocd/media.yaml": argo_application(source="repoURL: x, path: chart")},
            ("chart/values.yaml", "port: 80\ncache:\n  enabled: false\n"),
            id="a condition among the chart's own values",
        ),
        pytest.param(
            {"argocd/media.yaml": argo_application(source="repoURL: x, path: chart")},
            ("chart/values.yaml", "port: 80\ntags:\n  more: false\n"),
            id="a tag",
        ),
        pytest.param(
            {"helmfile.yaml": HELMFILE, "chart/values.yaml": "cache: {enabled: false}\n"},
            ("few.yaml", "port: 80\ncache:\n  enabled: false\n"),
            id="in a values file of helmfile",
        ),
    ],
)
def test_a_subchart_comes_by_the_line_that_turns_it_on(
    deployer: dict[str, str], values: tuple[str, str], repository: Repository, capsys: Any
) -> None:
    file, text = values
    repository.commit({**PARENT, **deployer, file: text})
    repository.commit({file: text.replace("false", "true")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    exceeded = [finding for finding in report["findings"]["new"] if finding["rule"] == "QL301"]
    assert [(finding["file"], finding["line"]) for finding in exceeded] == [(file, 3)]


def test_of_several_lines_that_turn_something_on_none_is_named(repository: Repository, capsys: Any) -> None:
    values = "port: 80\ncache:\n  enabled: false\nmetrics:\n  enabled: false\n"
    deployer = {"argocd/media.yaml": argo_application(source="repoURL: x, path: chart")}
    repository.commit({**PARENT, **deployer, "chart/values.yaml": values})
    repository.commit({"chart/values.yaml": values.replace("false", "true")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = [finding for finding in report["findings"]["new"] if finding["rule"] == "QL301"]
    assert (finding["file"], finding["cause"]["object"]) == ("argocd/quota.yaml", "Deployment cache")


def test_a_repair_of_what_a_template_works_out_is_at_the_line_that_does(repository: Repository, capsys: Any) -> None:
    template = PARENT["chart/charts/cache/templates/cache.yaml"]
    repository.commit({**PARENT, "argocd/media.yaml": argo_application(source="repoURL: x, path: chart")})
    change = {"chart/charts/cache/templates/cache.yaml": template.replace(".Values.replicas", "mul 2 .Values.replicas")}
    repository.commit({"argocd/quota.yaml": quota("pods: 5")})
    repository.commit(change)
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    repair = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("**Do one of:**"))
    assert repair.startswith("**Do one of:** `replicas: 4` in `chart/charts/cache/templates/cache.yaml:5`")
