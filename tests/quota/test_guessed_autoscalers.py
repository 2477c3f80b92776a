"""An autoscaler that names no namespace may be in another one than its workload: what is as true without it is no
guess."""

from __future__ import annotations

import pytest
from manifests import quota, web
from workspace import Workspace

SCALER = (
    "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web}}\nspec:\n"
    "  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}\n"
    "  minReplicas: {0}\n  maxReplicas: {1}\n"
)


@pytest.mark.parametrize(
    ("replicas", "least", "most", "severities"),
    [
        pytest.param(5, 1, 9, {"error"}, id="as many as are written"),
        pytest.param(2, 5, 9, {"warning"}, id="more than are written"),
        pytest.param(6, 1, 5, {"error"}, id="fewer than are written, and too many still"),
        pytest.param(6, 1, 3, set(), id="fewer than are written, which fit"),
        pytest.param(2, 1, 9, set(), id="too many at its maximum alone"),
    ],
)
def test_what_an_autoscaler_does_not_change_is_sure(
    workspace: Workspace, replicas: int, least: int, most: int, severities: set[str]
) -> None:
    workspace.put(
        {"q.yaml": quota("shop", hard="pods: 3"), "w.yaml": web(replicas, "shop"), "h.yaml": SCALER.format(least, most)}
    )
    report = workspace.report("check")
    assert {finding["severity"] for finding in report["findings"] if finding["rule"] == "QL301"} == severities
    assert {finding["severity"] for finding in report["findings"] if finding["rule"] == "QL304"} <= {"warning"}
    assert [table["certainty"] for table in report["quotas"]] == ["assumed"]


def test_of_several_autoscalers_each_may_be_elsewhere(workspace: Workspace) -> None:
    """Only the one that names no namespace raises the number at rest, and the other one reaches higher."""
    home = SCALER.format(1, 9).replace("{name: web}", "{name: home, namespace: shop}")
    files = {"q.yaml": quota("shop", hard="pods: 3"), "w.yaml": web(2, "shop"), "home.yaml": home}
    workspace.put({**files, "h.yaml": SCALER.format(5, 6)})
    report = workspace.report("check", "--select", "QL301")
    assert [finding["severity"] for finding in report["findings"]] == ["warning"]
