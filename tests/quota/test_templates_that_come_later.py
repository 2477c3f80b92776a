"""A ResourceClaim that is made from a template waits for the template, and so comes after what is applied with it."""

from __future__ import annotations

import pytest
from pipeline_runs import facts_of

from quotalint.accounts.facts import Facts

DEVICES = "devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu.example.com, count: {}}}}}]}}"
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: team}\n" + (
    "spec: {hard: {gpu.example.com.deviceclass.resource.k8s.io/devices: 3}}"
)
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team}
spec:
  replicas: 1
  template:
    spec:
      containers: [{name: c, image: c}]
      resourceClaims: [{name: dev, resourceClaimTemplateName: dev}]"""
TEMPLATE = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: dev, namespace: team}\n" + (
    f"spec: {{spec: {{{DEVICES.format(3)}}}}}"
)
CLAIM = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: mine, namespace: team}\n" + (
    f"spec: {{{DEVICES.format(2)}}}"
)


def refused(team_facts: Facts) -> list[str]:
    """The owners of what is refused."""
    fates = (team_facts.admissions.fate_of(charge) for charge in team_facts.charges["team"])
    owners = (fate.charge.owner for fate in fates if fate.refused)
    return [owner.name for owner in owners if owner is not None]


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ([TEMPLATE, WEB, CLAIM], ["mine"]),
        ([WEB, CLAIM, TEMPLATE], ["web"]),
        ([WEB, TEMPLATE, CLAIM], ["web"]),
        ([CLAIM, TEMPLATE, WEB], ["web"]),
    ],
)
def test_who_comes_first(documents: list[str], expected: list[str]) -> None:
    facts = facts_of(QUOTA, *documents)
    assert refused(facts) == expected


def late_claim(hard: str, workload: str) -> tuple[int, int]:
    """How many of the claims that wait for their template are admitted, and how many are refused."""
    facts = facts_of(QUOTA.replace("hard: {", f"hard: {{{hard}, "), workload, TEMPLATE)
    (claim,) = (charge for charge in facts.charges["team"] if charge.kind == "ResourceClaim")
    fate = facts.admissions.fate_of(claim)
    return fate.admitted, fate.refused


@pytest.mark.parametrize(
    ("replicas", "hard", "expected"),
    [
        (2, "count/replicasets.apps: 0", (0, 2)),
        (2, "pods: 1", (1, 0)),
        (2, "pods: 0", (0, 0)),
        (0, "count/deployments.apps: 0", (0, 0)),
    ],
    ids=["nobody makes the pods", "one of the pods is refused", "all of the pods are refused", "there are no pods"],
)
def test_a_claim_is_made_later_for_each_pod_that_is_there(replicas: int, hard: str, expected: tuple[int, int]) -> None:
    assert late_claim(hard, WEB.replace("replicas: 1", f"replicas: {replicas}")) == expected


def test_a_claim_is_made_later_for_no_pod_that_waits_for_another_claim() -> None:
    data = "volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]"
    database = WEB.replace("Deployment", "StatefulSet").replace("replicas: 1", f"replicas: 2\n  {data}")
    assert late_claim("persistentvolumeclaims: 1", database) == (1, 0)
