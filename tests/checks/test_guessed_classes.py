"""Pods that are refused for what another object says, where it is a guess that both are applied together; and those of
which it is a guess what they say."""

from __future__ import annotations

import json

import pytest
from git_repositories import quota
from workspace import Workspace

PRIORITY = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n"
RANGE = (
    "apiVersion: v1\nkind: LimitRange\nmetadata: {name: defaults, namespace: team-a}\n"
    "spec: {limits: [{type: Container, default: {cpu: 400m}}]}\n"
)
RUNTIME = (
    "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: sandbox}\nhandler: sandbox\n"
    "overhead: {podFixed: {cpu: 1}}\nscheduling: {nodeSelector: {pool: sandbox}}\n"
)
POD = (
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: team-a}\n"
    "spec: {%s, containers: [{name: web, image: web, resources: {requests: {cpu: 2}}}]}\n"
)
SUSPENDED = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec: {path: ./app, suspend: true, sourceRef: {kind: GitRepository, name: flux-system}}
"""


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (PRIORITY, "priorityClassName: high, priority: 5"),
        (RUNTIME, "runtimeClassName: sandbox, nodeSelector: {pool: web}"),
        (RUNTIME, "runtimeClassName: sandbox, overhead: {cpu: 2}"),
        (RANGE, "priorityClassName: any"),
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
def test_what_another_object_says_counts_where_the_pod_is(
    workspace: Workspace, definition: str, words: str, of_class: str, of_pod: str, severity: str
) -> None:
    """The folder `common` names no environment, so it is counted in each."""
    quotas = dict.fromkeys(("dev/quota.yaml", "prod/quota.yaml"), quota("pods: 9"))
    workspace.put({**quotas, f"{of_class}/class.yaml": definition, f"{of_pod}/pod.yaml": POD % words})
    found = json.loads(workspace.text("check", "--format", "json")[1])["findings"]
    assert {finding["severity"] for finding in found if finding["rule"] == "QL404"} == {severity}


@pytest.mark.parametrize(("text", "severity"), [(SUSPENDED, "warning"), (SUSPENDED.replace("true", "false"), "error")])
def test_what_is_wrong_with_an_object_that_may_be_another_is_no_error(
    workspace: Workspace, text: str, severity: str
) -> None:
    """What a suspended Kustomization applied last may be older than its folder."""
    pod = POD % "activeDeadlineSeconds: 0"
    workspace.put({"clusters/c/app.yaml": text, "app/quota.yaml": quota("pods: 9"), "app/pod.yaml": pod})
    found = json.loads(workspace.text("check", "--format", "json")[1])["findings"]
    assert {finding["severity"] for finding in found if finding["rule"] == "QL404"} == {severity}
