"""PodTemplate objects, of which no controller of Kubernetes makes pods: the API server validates them all the same."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace

TEMPLATE = """apiVersion: v1
kind: PodTemplate
metadata: {name: t, namespace: team}
template:
  spec: {containers: [{name: a, image: a, resources: {%s}}]}
"""


@pytest.mark.parametrize("beside", ["", "team"])
def test_a_template_that_is_refused(workspace: Workspace, beside: str) -> None:
    resources = "requests: {cpu: 2}, limits: {cpu: 1}"
    workspace.put({"t.yaml": TEMPLATE % resources, "q.yaml": quota(beside or "other")})
    (finding,) = (found for found in workspace.report("check")["findings"] if found["rule"] == "QL404")
    assert finding["field"] == "template.spec.containers[0].resources.requests"
    assert 'PodTemplate "t" is invalid: template.spec.containers[0].resources.requests:' in finding["message"]


def test_no_pods_are_made_of_it(workspace: Workspace) -> None:
    hard = "requests.cpu: 1, count/podtemplates: 4"
    workspace.put({"t.yaml": TEMPLATE % "limits: {memory: 1Gi}", "q.yaml": quota("team", hard=hard)})
    report = workspace.report("check")
    assert report["findings"] == []
    (table,) = report["quotas"]
    steady = {row["resource"]: row["steady"] for row in table["resources"]}
    assert steady == {"count/podtemplates": "1", "requests.cpu": "0"}
