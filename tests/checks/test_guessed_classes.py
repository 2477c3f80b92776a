"""Pods that are refused for what their class says, where it is a guess that both are applied together."""

from __future__ import annotations

import json

import pytest
from git_repositories import quota
from workspace import Workspace

PRIORITY = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n"
RUNTIME = (
    "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: sandbox}\nhandler: sandbox\n"
    "overhead: {podFixed: {cpu: 1}}\nscheduling: {nodeSelector: {pool: sandbox}}\n"
)
POD = (
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: team-a}\n"
    "spec: {%s, containers: [{name: web, image: web}]}\n"
)


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (PRIORITY, "priorityClassName: high, priority: 5"),
        (RUNTIME, "runtimeClassName: sandbox, nodeSelector: {pool: web}"),
        (RUNTIME, "runtimeClassName: sandbox, overhead: {cpu: 2}"),
    ],
)
@pytest.mark.parametrize(
    ("of_class", "of_pod", "severity"),
    [
        ("common", "dev", "warning"),
        ("dev", "common", "warning"),
        ("common", "common", "error"),
        ("dev", "dev", "error"),
    ],
)
def test_what_a_class_says_counts_where_the_pod_is(
    workspace: Workspace, definition: str, words: str, of_class: str, of_pod: str, severity: str
) -> None:
    """The folder `common` names no environment, so it is counted in each."""
    quotas = dict.fromkeys(("dev/quota.yaml", "prod/quota.yaml"), quota("pods: 9"))
    workspace.put({**quotas, f"{of_class}/class.yaml": definition, f"{of_pod}/pod.yaml": POD % words})
    found = json.loads(workspace.text("check", "--format", "json")[1])["findings"]
    assert {finding["severity"] for finding in found if finding["rule"] == "QL404"} == {severity}
