"""Rollouts beside what is refused: who waits for the room that the old pods leave, and what stops."""

from __future__ import annotations

import pytest
from manifests import head, quota, web
from pipeline_runs import facts_of

RECREATE = "spec:\n  strategy: {type: Recreate}\n"
CLAIM = "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"
SCRATCH = f"volumes: [{{name: scratch, ephemeral: {{volumeClaimTemplate: {{spec: {CLAIM}}}}}}}]"


@pytest.mark.parametrize(
    ("hard", "replicas", "waiting"),
    [
        ("pods: 3", {"a": 4, "b": 2}, {"a": 2, "b": 1}),
        ("pods: 2, count/replicasets.apps: 2", {"a": 2, "b": 1, "c": 1}, {"a": 1, "b": 0, "c": 1}),
    ],
    ids=["those of both wait", "those without a ReplicaSet do not wait"],
)
def test_pods_of_others_wait_beside_a_rollout(hard: str, replicas: dict[str, int], waiting: dict[str, int]) -> None:
    facts = facts_of(quota("team", hard=hard), *(web(number, "team", name) for name, number in replicas.items()))
    competitors = {
        outcome.rollout.owner.name: sum(number for _, number in outcome.rollout.competitors)
        for outcome in facts.rollouts.values()
    }
    assert competitors == waiting


def test_a_refused_pod_that_nobody_makes_again_takes_no_room() -> None:
    lone = f"{head('v1', 'Pod', 'lone')}spec: {{containers: [{{name: a, image: a}}]}}\n"
    facts = facts_of(quota("team", hard="pods: 4"), web(4, "team").replace("spec:\n", RECREATE, 1), lone)
    assert dict(facts.rollouts) == {}


@pytest.mark.parametrize(
    ("hard", "refused"),
    [("pods: 2", "Pod"), ("pods: 3, persistentvolumeclaims: 2", None)],
    ids=["a pod is missing", "all pods are there, and a claim is missing"],
)
def test_a_stateful_set_waits_for_what_is_missing(hard: str, refused: str | None) -> None:
    workload = web(3, "team", kind="StatefulSet").replace("containers:", f"{SCRATCH}, containers:")
    (outcome,) = facts_of(quota("team", hard=hard), workload).rollouts.values()
    assert (outcome.verdict.name, outcome.charge and outcome.charge.kind) == ("AFTER", refused)


def test_pods_that_an_autoscaler_makes_larger_are_no_further_ones() -> None:
    autoscaler = (
        head("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "web")
        + "spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, "
        + "resourcePolicy: {containerPolicies: [{containerName: '*', maxAllowed: {cpu: 2}}]}}\n"
    )
    (outcome,) = facts_of(quota("team", hard="pods: 2"), web(2, "team"), autoscaler).rollouts.values()
    assert outcome.verdict.name == "NEVER"
