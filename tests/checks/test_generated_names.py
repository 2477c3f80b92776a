"""Objects whose name the API server completes (`generateName`) are shown by its beginning."""

from __future__ import annotations

from manifests import quota
from workspace import Workspace

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {generateName: train-, namespace: team-a}
spec:
  parallelism: 3
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: main}]}}
"""


def test_findings_and_tables_show_the_beginning_of_a_name(workspace: Workspace) -> None:
    workspace.put({"q.yaml": quota("team-a", hard="pods: 2, requests.cpu: 4"), "job.yaml": JOB})
    _, text, _ = workspace.text("check")
    assert "used by     Job train-…: 3 pods" in text
    assert "The pods of Job train-… are refused" in text
    _, table, _ = workspace.text("usage")
    assert "used by  Job train-…" in table
