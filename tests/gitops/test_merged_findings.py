"""One finding of a place for all environments in which it is true."""

from __future__ import annotations

import pytest
from workspace import Workspace

BASE = {
    "base/kustomization.yaml": "namespace: shop\nresources: [quota.yaml, web.yaml, scaler.yaml]\n",
    "base/quota.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 6}}\n",
    "base/web.yaml": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  strategy: {type: Recreate}
  template: {spec: {containers: [{name: web, image: web}]}}
""",
    "base/scaler.yaml": """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 1, maxReplicas: 12}
""",
    "overlays/dev/kustomization.yaml": "resources: [../../base]\n",
}


@pytest.mark.parametrize(
    ("replicas", "notes"),
    [(2, []), (4, ["note: the amounts here are those of dev"])],
    ids=["the same amounts", "other amounts"],
)
def test_amounts_that_differ_are_said_to_be_of_one(replicas: int, notes: list[str], workspace: Workspace) -> None:
    prod = f"resources: [../../base]\nreplicas: [{{name: web, count: {replicas}}}]\n"
    workspace.put({**BASE, "overlays/prod/kustomization.yaml": prod})
    findings = [finding for finding in workspace.report("check")["findings"] if finding["rule"] == "QL304"]
    messages = [
        (finding["environments"], [note for note in finding["notes"] if note.startswith("note: the amounts")])
        for finding in findings
    ]
    assert messages == [(["dev", "prod"], notes)]


def test_a_line_that_overlays_name_differently_is_one_finding(workspace: Workspace) -> None:
    listed = "resources: [overlays/dev, overlays/prod]\n"
    overlays = {
        f"overlays/{name}/kustomization.yaml": f"namespace: shop-{name}\nnamePrefix: {name}-\nresources: [../../base]\n"
        for name in ("dev", "prod")
    }
    quota = "kind: ResourceQuota\napiVersion: v1\nmetadata: {name: q}\nspec: {hard: {limits.cpu: 2, requests.cpu: 4}}\n"
    base = {"base/kustomization.yaml": "resources: [quota.yaml]\n", "base/quota.yaml": quota}
    workspace.put({**base, **overlays, "kustomization.yaml": listed})
    findings = [finding for finding in workspace.report("check")["findings"] if finding["rule"] == "QL206"]
    also = [[place["message"] for place in finding["related"] if place["label"] == "also for"] for finding in findings]
    assert also == [["ResourceQuota prod-q of namespace shop-prod"]]
    assert "quota dev-q" in findings[0]["message"]


def test_what_a_line_is_in_one_namespace_many_times_is_counted_as_what_it_is(workspace: Workspace) -> None:
    names = [f"w{number:02}" for number in range(11)]
    overlays = {
        f"overlays/{name}/kustomization.yaml": f"namespace: shop\nnamePrefix: {name}-\nresources: [../../base]\n"
        for name in names
    }
    quota = "kind: ResourceQuota\napiVersion: v1\nmetadata: {name: q}\nspec: {hard: {nvidia.com/gpu: 2}}\n"
    base = {"base/kustomization.yaml": "resources: [quota.yaml]\n", "base/quota.yaml": quota}
    listed = f"resources: [{', '.join(f'overlays/{name}' for name in names)}]\n"
    workspace.put({**base, **overlays, "kustomization.yaml": listed})
    (merged,) = [entry for entry in workspace.report("check")["findings"] if entry["rule"] == "QL201"]
    also = [place["message"] for place in merged["related"] if place["label"] == "also for"]
    assert also == [f"ResourceQuota {name}-q" for name in names[1:9]]
    assert [note for note in merged["notes"] if note.startswith("and:")] == ["and: 2 more ResourceQuotas"]
