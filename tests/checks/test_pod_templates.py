"""PodTemplate objects, of which no controller of Kubernetes makes pods, and errors of one template shown together."""

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


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        (
            "apps/v1, kind: Deployment",
            "selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: ["
            "{name: a, image: a, resources: {limit: {cpu: 1}, limits: {cpu: 2x}}},"
            "{name: a, image: a, resources: {request: {cpu: 1}}}]}}",
        ),
        (
            "apps/v1, kind: Deployment",
            "selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: ["
            "{name: a, image: a, resources: {requests: {cpu: 2}, limits: {cpu: 1, gpu: 1}}}, {name: a, image: a}]}}",
        ),
        ("monitoring.coreos.com/v1, kind: Prometheus", "resources: {requests: {cpu: 2x}, limits: {memory: 2Gib}}"),
    ],
)
def test_the_errors_of_one_object_are_shown_together(workspace: Workspace, kind: str, spec: str) -> None:
    written = f"{{apiVersion: {kind}, metadata: {{name: w, namespace: team-a}}, spec: {{{spec}}}}}\n"
    workspace.put({"q.yaml": quota("team-a"), "w.yaml": written})
    _, text, _ = workspace.text("check")
    assert text.count("error  QL404") == 1
