"""Rollouts of pods that have claims of their own: a new pod is ready once its claim is there, and an old one takes its
claim with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked
from manifests import quota, web

CLAIM = "{accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}"
SURGING = "{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"
TWICE = "{rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}"
SCRATCH = f"volumes: [{{name: scratch, ephemeral: {{volumeClaimTemplate: {{spec: {CLAIM}}}}}}}]"


@pytest.mark.parametrize(
    ("strategy", "hard", "expected"),
    [
        ("rollingUpdate: {maxSurge: 0, maxUnavailable: 1}", "persistentvolumeclaims: 2", []),
        ("rollingUpdate: {maxSurge: 0, maxUnavailable: 1}", "requests.storage: 2Gi", []),
        ("type: Recreate", "persistentvolumeclaims: 2", []),
        ("rollingUpdate: {maxSurge: 1, maxUnavailable: 1}", "persistentvolumeclaims: 2", ["warning"]),
        ("rollingUpdate: {maxSurge: 1, maxUnavailable: 0}", "persistentvolumeclaims: 2", ["error"]),
        ("rollingUpdate: {maxSurge: 1, maxUnavailable: 0}", "persistentvolumeclaims: 3", []),
    ],
)
def test_claims_come_and_go_with_their_pods(
    strategy: str, hard: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload = web(2, "shop").replace("spec:\n", f"spec:\n  strategy: {{{strategy}}}\n", 1)
    files = {
        "quota.yaml": quota("shop", hard=hard),
        "web.yaml": workload.replace("containers:", f"{SCRATCH}, containers:"),
    }
    findings = checked(tmp_path, files, monkeypatch).findings
    assert [finding.severity for finding in findings if finding.rule.id == "QL302"] == expected


@pytest.mark.parametrize(
    ("pods", "update", "expected"),
    [
        (3, "{}", []),
        (3, "{rollingUpdate: {maxUnavailable: 2}}", []),
        (3, "{type: OnDelete}", []),
        (3, SURGING, ["error"]),
        (4, TWICE, ["warning"]),
    ],
    ids=[
        "by default",
        "two at a time",
        "by hand",
        "with a pod beside the old one",
        "with two of them and room for one",
    ],
)
def test_a_pod_of_a_daemon_set_takes_the_place_of_the_old_one(
    pods: int, update: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = web(None, "shop", kind="DaemonSet").replace("  replicas: None\n", f"  updateStrategy: {update}\n")
    files = {".quotalint.yaml": "nodes: 3\n", "quota.yaml": quota("shop", hard=f"pods: {pods}"), "agents.yaml": agents}
    findings = checked(tmp_path, files, monkeypatch).findings
    assert [finding.severity for finding in findings if finding.rule.id == "QL302"] == expected
