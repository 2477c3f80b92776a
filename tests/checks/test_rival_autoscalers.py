"""Autoscalers that scale the same workload."""

from __future__ import annotations

import json

from workspace import Workspace

SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: h{number:02}, namespace: a}}
spec: {{maxReplicas: 5, scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}}}
"""


def test_many_autoscalers_are_named_in_a_line(workspace: Workspace) -> None:
    workspace.put({f"h{number}.yaml": SCALER.format(number=number) for number in range(40)})
    (finding,) = json.loads(workspace.text("check", "--format", "json")[1])["findings"]
    assert finding["rule"] == "QL306"
    assert "h04 and 35 more both scale Deployment web" in finding["message"]
    assert len(finding["related"]) == 5
