"""What QL302 quotes is what the API server would say: of what is refused first, with what is really in use then."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import checked, quota, web


def notes(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch, rule: str = "QL302") -> list[str]:
    """The message of each finding, and its notes."""
    findings = [one for one in checked(folder, files, monkeypatch).findings if one.rule.id == rule]
    return [line for one in findings for line in (one.message, *(f"{note.label}: {note.text}" for note in one.notes))]


def test_what_is_refused_for_another_reason_is_not_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "quota.yaml": quota("shop", hard="requests.cpu: 6, limits.memory: 9Gi"),
        "broken.yaml": web(1, "shop", "broken", cpu="1"),
        "web.yaml": web(3, "shop", "web", cpu="1").replace("{requests:", "{limits: {memory: 1Gi}, requests:"),
        "big.yaml": web(1, "shop", "big", cpu="2").replace("{requests:", "{limits: {memory: 1Gi}, requests:"),
    }
    assert notes(files, tmp_path, monkeypatch)[:3] == [
        "A rolling update of Deployment big can never make progress: it needs requests.cpu 7 in shop; quota base "
        "allows 6",
        "in use: requests.cpu 5 at rest: Deployment web 3, itself 2",
        "so: the new pod (maxSurge 25% of 1) is not admitted: exceeded quota: base, requested: requests.cpu=2, "
        "used: requests.cpu=5, limited: requests.cpu=6",
    ]


def test_the_replica_set_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"quota.yaml": quota("shop", hard="count/replicasets.apps: 1, pods: 1"), "web.yaml": web(1, "shop", "web")}
    assert notes(files, tmp_path, monkeypatch) == [
        "A rolling update of Deployment web can never make progress: it needs count/replicasets.apps 2 and pods 2 in "
        "shop; quota base allows 1 and 1",
        "in use: count/replicasets.apps 1 at rest: itself 1",
        "so: the new ReplicaSet is not admitted: exceeded quota: base, requested: count/replicasets.apps=1, used: "
        "count/replicasets.apps=1, limited: count/replicasets.apps=1",
        "then: the new revision has nothing to run in: the rollout makes no progress",
    ]


def test_an_entry_that_is_only_asked_for_is_not_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "quota.yaml": quota("shop", hard="requests.cpu: 4, pods: 5, limits.memory: 9Gi"),
        "broken.yaml": web(2, "shop", "broken", cpu="100m"),
        "web.yaml": web(2, "shop", "web", cpu="2").replace("{requests:", "{limits: {memory: 1Gi}, requests:"),
    }
    assert notes(files, tmp_path, monkeypatch)[0] == (
        "A rolling update of Deployment web can never make progress: it needs requests.cpu 6 in shop; quota base "
        "allows 4"
    )


DEFERRED = {".quotalint.yaml": "enforcement: deferred\n"}


def test_with_deferred_enforcement_new_pods_stay_pending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**DEFERRED, "quota.yaml": quota("shop", hard="requests.cpu: 3"), "web.yaml": web(3, "shop", cpu="1")}
    assert notes(files, tmp_path, monkeypatch)[2:] == [
        "so: the new pod (maxSurge 25% of 3) stays Pending: 0/1 nodes are available: quota exceeded: base, requested: "
        "requests.cpu=1, used: requests.cpu=3, limited: requests.cpu=3.",
        "then: no old pod goes before a new one is ready, since maxUnavailable comes to 0, and no new one can start: "
        "the rollout never moves",
    ]


def test_with_deferred_enforcement_the_number_of_pods_is_not_deferred(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**DEFERRED, "quota.yaml": quota("shop", hard="pods: 3"), "web.yaml": web(3, "shop", cpu="1")}
    assert notes(files, tmp_path, monkeypatch)[2] == (
        "so: the new pod (maxSurge 25% of 3) is not admitted: exceeded quota: base, requested: pods=1, used: pods=3, "
        "limited: pods=3"
    )


GROUPS = """
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: groups, namespace: shop}
spec:
  replicas: 1
  rolloutStrategy: {rollingUpdateConfiguration: {maxSurge: 1}}
  leaderWorkerTemplate:
    size: 2
    leaderTemplate: {spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 1, memory: 0}}}]}}
    workerTemplate: {spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 0, memory: 1Gi}}}]}}
"""


def test_what_asks_for_nothing_of_an_entry_has_room_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**DEFERRED, "quota.yaml": quota("shop", hard="requests.cpu: 1, requests.memory: 1Gi"), "web.yaml": GROUPS}
    assert notes(files, tmp_path, monkeypatch)[:3] == [
        "A rolling update of LeaderWorkerSet groups needs requests.cpu 2 and requests.memory 2Gi in shop for a while; "
        "quota base allows 1 and 1Gi",
        "in use: requests.cpu 1 at rest: itself 1",
        "so: the new pod (maxSurge 1) stays Pending: 0/1 nodes are available: quota exceeded: base, requested: "
        "requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1.",
    ]
