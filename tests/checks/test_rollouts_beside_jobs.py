"""A rollout that has no room while a Job runs moves on once that has ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a, resources: {requests: {cpu: 1}}}]}}}
"""
WAITS = "warning Rollouts of Deployment web wait until Job migrate has ended: they need "
NEVER = "error Rollouts of Deployment web will hang: they need "


@pytest.mark.parametrize(
    ("hard", "beside", "begins"),
    [
        ("requests.cpu: 2", JOB, WAITS),
        ("pods: 2", JOB, WAITS),
        ("requests.cpu: 2500m", JOB.replace("Never", "OnFailure"), WAITS),
        ("count/pods: 2", JOB, NEVER),  # which counts pods that have ended
        ("requests.cpu: 2", JOB.replace("cpu: 1", "cpu: 1m"), WAITS),
        ("requests.cpu: 1001m", JOB.replace("cpu: 1", "cpu: 1m"), NEVER),
        ("requests.cpu: 2", web(1, "shop", "api", cpu="1"), NEVER.replace("web", "api")),
    ],
)
def test_a_rollout_that_waits_for_a_job_is_not_stuck(
    hard: str, beside: str, begins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"quota.yaml": quota("shop", hard=hard), "web.yaml": web(1, "shop", "web", cpu="1"), "job.yaml": beside}
    findings = checked(tmp_path, files, monkeypatch).findings
    said = [f"{finding.severity} {finding.message}" for finding in findings if finding.rule.id == "QL302"]
    assert [sentence[: len(begins)] for sentence in said[:1]] == [begins]
