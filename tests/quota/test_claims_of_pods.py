"""Claims that are made for pods: each before its pod, which waits for it."""

from __future__ import annotations

import pytest
from pipeline_runs import facts_of

from quotalint.facts import Facts


def stateful_set_facts(hard: str, replicas: int) -> Facts:
    text = (
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: shop}\n"
        f"spec: {{hard: {{{hard}}}}}\n---\n"
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: shop}\n"
        f"spec:\n  replicas: {replicas}\n  template: {{spec: {{containers: [{{name: c}}]}}}}\n"
        "  volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]\n"
    )
    return facts_of(text)


@pytest.mark.parametrize(
    ("hard", "claims", "pods"),
    [
        # What there is of a claim and of its pods: admitted, refused.
        ("persistentvolumeclaims: 9", (3, 0), (3, 0)),
        ("persistentvolumeclaims: 2", (2, 1), (2, 1)),
        ("requests.storage: 1Gi", (1, 2), (1, 2)),
        ("persistentvolumeclaims: 0", (0, 3), (0, 3)),
    ],
)
def test_pods_wait_for_their_claims(hard: str, claims: tuple[int, int], pods: tuple[int, int]) -> None:
    facts = stateful_set_facts(hard, 3)
    fates = {
        charge.kind: facts.admissions.fate_of(charge)
        for charge in facts.charges["shop"]
        if charge.kind in ("Pod", "PersistentVolumeClaim")
    }
    admitted = {kind: (fate.admitted, fate.refused) for kind, fate in fates.items()}
    assert admitted == {"PersistentVolumeClaim": claims, "Pod": pods}
