"""What of a change brought a finding about of what a chart makes: the line of its values."""

from __future__ import annotations

from typing import Any

import pytest
from deployer_objects import argo_application
from git_repositories import Repository, difference, quota

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
