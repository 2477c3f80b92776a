"""A policy that changes pods, or makes their LimitRange, is the cause of what follows from its change."""

from __future__ import annotations

from typing import Any

from attributed_causes import cause_of
from git_repositories import Repository, deployment, difference, quota

FILL = """\
apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: {name: fill}
spec:
  applyTo: [{groups: [""], versions: [v1], kinds: [Pod]}]
  location: "spec.containers[name:*].resources.requests.cpu"
  parameters:
    assign:
      value: 1
"""
GENERATE = """\
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: limits}
spec:
  rules:
    - name: limits
      match: {any: [{resources: {kinds: [Namespace]}}]}
      generate:
        apiVersion: v1
        kind: LimitRange
        name: made
        namespace: "{{request.object.metadata.name}}"
        data: {spec: {limits: [{type: Container, default: {cpu: 1}}]}}
"""
LABEL = """\
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: labels}
spec: {rules: [{name: a, match: {any: [{resources: {kinds: [Pod]}}]}, mutate: {patchStrategicMerge: {metadata: {}}}}]}
"""


def test_a_patch_that_sets_more_is_the_cause(repository: Repository, capsys: Any) -> None:
    start = {"q.yaml": quota("requests.cpu: 3"), "web.yaml": deployment(2), "fill.yaml": FILL}
    change = {"fill.yaml": FILL.replace("value: 1", "value: 2"), "label.yaml": LABEL}
    assert cause_of(repository, capsys, start, change) == ["fill.yaml:9 Assign fill: value 1 → 2"]


def test_a_policy_that_goes_is_the_cause_of_refusals(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("limits.cpu: 3"), "web.yaml": deployment(1), "limits.yaml": GENERATE})
    repository.commit({"limits.yaml": LABEL})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = (finding for finding in report["findings"]["new"] if finding["rule"] == "QL401")
    assert finding["cause"]["object"] == "ClusterPolicy limits"
