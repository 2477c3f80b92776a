"""A quota whose scopes hold a placeholder counts nobody knows what: its sums are unknown, and never exceeded."""

from __future__ import annotations

import pytest
from workspace import Workspace

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: base, namespace: shop}}
spec:
  hard: {{pods: 2}}
  {scopes}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  replicas: 6
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{priorityClassName: high, containers: [{{name: a, image: a}}]}}
"""
SELECTOR = "scopeSelector: {{matchExpressions: [{{scopeName: PriorityClass, operator: {}, values: [{}]}}]}}"


@pytest.mark.parametrize(
    "scopes",
    [
        'scopes: ["${SCOPE}"]',
        SELECTOR.format('"${OP}"', "high"),
        SELECTOR.format("In", '"${CLASS}"'),
        SELECTOR.format("NotIn", 'low, "${CLASS}"'),
    ],
)
def test_what_is_to_be_filled_in_leaves_sums_unknown(workspace: Workspace, scopes: str) -> None:
    workspace.put({"q.yaml": QUOTA.format(scopes=scopes)})
    assert workspace.report("check")["findings"] == []
    (row,) = workspace.report("usage")["quotas"]
    assert (row["certainty"], row["resources"][0]["certainty"]) == ("unknown", "unknown")
    assert any("which objects it counts is the placeholder '${" in reason for reason in row["unknowns"])


def test_what_is_filled_in_is_counted(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format(scopes=SELECTOR.format("In", "high"))})
    assert [finding["rule"] for finding in workspace.report("check")["findings"]] == ["QL301"]
