"""With deferred enforcement: what the API server refuses, and what the scheduler leaves Pending."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

SURGING = "spec:\n  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}\n"
CLAIM = (
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\n"
    "spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}\n"
)


def pod(name: str, more: str = "") -> str:
    head = f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\n"
    return f"{head}spec: {{{more}containers: [{{name: a, image: a, resources: {{requests: {{cpu: 1}}}}}}]}}\n"


@pytest.mark.parametrize(
    ("hard", "manifests", "expected"),
    [
        pytest.param(
            "requests.cpu: 2",
            pod("a", "nodeName: worker-1, ") + pod("b") + pod("c"),
            ["QL301 error", "so: Pod c stays Pending (Unschedulable)"],
            id="a pod that names its node is charged at once, and once",
        ),
        pytest.param(
            "requests.cpu: 2, pods: 3",
            web(3, "shop", cpu="1", kind="ReplicaSet"),
            ["QL301 error", "so: 1 of 3 pods of ReplicaSet web stays Pending (Unschedulable)"],
            id="who is admitted needs no room of what admission counts",
        ),
        pytest.param(
            "requests.cpu: 3, persistentvolumeclaims: 0",
            CLAIM + "---\n" + web(3, "shop", cpu="1", kind="ReplicaSet"),
            ["QL301 error", "so: PersistentVolumeClaim data will be refused"],
            id="claims are refused all the same",
        ),
        pytest.param(
            "requests.cpu: 4, pods: 3",
            web(2, "shop", cpu="1").replace("spec:\n", SURGING, 1),
            [
                "QL302 warning",
                "so: 1 of the 2 new pods (maxSurge 2) is not admitted",
                "then: the rollout goes on with fewer new pods at a time, and reports refusals until it is done",
            ],
            id="a rollout that admission slows down",
        ),
        pytest.param(
            "requests.cpu: 2, pods: 3",
            web(2, "shop", cpu="1").replace("spec:\n", SURGING, 1),
            [
                "QL302 error",
                "so: all 2 new pods (maxSurge 2) stay Pending",
                "then: no old pod goes before a new one is ready",
            ],
            id="a rollout of which no pod starts that is admitted",
        ),
    ],
)
def test_of_what_admission_and_the_scheduler_do(
    hard: str, manifests: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        ".quotalint.yaml": "enforcement: deferred\n",
        "quota.yaml": quota("shop", hard=hard),
        "manifests.yaml": manifests,
    }
    findings = [
        finding for finding in checked(tmp_path, files, monkeypatch).findings if finding.rule.id in ("QL301", "QL302")
    ]
    messages = [
        line
        for finding in findings
        for line in (f"{finding.rule.id} {finding.severity}", *(f"{note.label}: {note.text}" for note in finding.notes))
        if not line.startswith("in use")
    ]
    assert [line[: len(start)] for line, start in zip(messages, expected, strict=True)] == expected
