"""Workloads of other kinds, from files to what a user is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import Case, expected, outcome, params
from manifests import quota

QUOTA = quota("team-a", "q", "pods: 9")
SCOPED = QUOTA.replace("pods: 9}", "pods: 9}, scopes: [Terminating]")
WIDGET = """\
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: team-a}
spec: {size: 3, template: {spec: {containers: [{name: c}]}}}
"""
CONFIGURATION = "workloads: {Widget.example.com: {podTemplate: spec.template, replicas: spec.size}}\n"
RUN = """\
apiVersion: tekton.dev/v1
kind: TaskRun
metadata: {name: w, namespace: team-a}
spec: {taskRef: {name: t}}
"""
CLUSTER = """\
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: r, namespace: team-a}
spec: {head: {spec: {containers: [{name: c}]}}}
"""

CASES = (
    Case("a kind that nobody knows", {"q.yaml": QUOTA, "w.yaml": WIDGET}, ("team-a/q pods ?/9 unknown",)),
    Case(
        "a kind that the settings describe",
        {"q.yaml": QUOTA, "w.yaml": WIDGET, ".quotalint.yaml": CONFIGURATION},
        ("team-a/q pods 3/9 exact",),
    ),
    Case(
        "an operator's kind that the settings describe",
        {
            "q.yaml": QUOTA,
            "w.yaml": CLUSTER,
            ".quotalint.yaml": "workloads: {RayCluster: {podTemplate: spec.head}}\n",
        },
        ("team-a/q pods 1/9 exact",),
    ),
    Case("pods without a template in view", {"q.yaml": QUOTA, "w.yaml": RUN}, ("team-a/q pods 0/9 at-least",)),
    Case("which may be in any scope", {"q.yaml": SCOPED, "w.yaml": RUN}, ("team-a/q pods 0/9 at-least",)),
)


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)
