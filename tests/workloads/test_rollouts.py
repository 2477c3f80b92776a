"""Argo Rollouts."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, made, manifest, pods, scaler, template, unknowns


def rollout(replicas: object = 10, strategy: object = None, **spec: Any) -> Manifest:
    strategy = {"canary": {}} if strategy is None else strategy
    given = {"replicas": replicas, "strategy": strategy, "template": template(), **spec}
    return manifest(
        "Rollout", "argoproj.io/v1alpha1", {key: value for key, value in given.items() if value != "absent"}
    )


def canary(*steps: Manifest, **fields: Any) -> Manifest:
    return {"canary": {"steps": list(steps), **fields}}


def routed(*steps: Manifest, **fields: Any) -> Manifest:
    return canary(*steps, **{"trafficRouting": {"nginx": {"stableIngress": "w"}}, **fields})


def weight(percent: object) -> Manifest:
    return {"setWeight": percent}


def scale(**fields: Any) -> Manifest:
    return {"setCanaryScale": fields}


DYNAMIC = {"dynamicStableScale": True}
QUARTERS = (weight(25), weight(50), weight(75))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(rollout(strategy={"blueGreen": {}}), (10, 20, 10, 20), id="blueGreen: two sets"),
        pytest.param(rollout("absent", {"blueGreen": {}}), (1, 2, 1, 2), id="one replica by default"),
        pytest.param(rollout(0, {"blueGreen": {}}), (0, 0, 0, 0), id="none"),
        pytest.param(rollout(strategy={"blueGreen": {"previewReplicaCount": 2}}), (10, 20, 10, 20), id="a preview"),
        pytest.param(
            rollout(strategy={"blueGreen": {"previewReplicaCount": 2, "autoPromotionEnabled": False}}),
            (10, 20, 10, 20),
            id="a preview that someone promotes",
        ),
        pytest.param(rollout(), (10, 13, 10, 15), id="canary: 25 % each by default, up and down"),
        pytest.param(rollout(strategy=canary(*QUARTERS)), (10, 13, 10, 15), id="steps alone do not change it"),
        pytest.param(rollout(strategy=canary(maxSurge=1, maxUnavailable=0)), (10, 11, 10, 11), id="maxSurge"),
        pytest.param(rollout(strategy=canary(maxSurge="50", maxUnavailable=0)), (10, 15, 10, 15), id="without %"),
        pytest.param(rollout(strategy=canary(maxSurge=0, maxUnavailable=0)), (10, 10, 10, 11), id="both zero"),
        pytest.param(rollout(strategy=canary(scale(replicas=50))), (10, 13, 10, 15), id="a scale without routing"),
        pytest.param(rollout(strategy=routed()), (10, 20, 10, 20), id="with routing the stable set keeps its size"),
        pytest.param(rollout(strategy=routed(weight(10))), (10, 20, 10, 20), id="and the canary grows in the end"),
        pytest.param(rollout(strategy=routed(scale(replicas=1))), (10, 20, 10, 20), id="a scale for a while"),
        pytest.param(rollout(strategy=routed(scale(replicas=30))), (10, 40, 10, 40), id="a scale above replicas"),
        pytest.param(rollout(strategy=routed(*QUARTERS, **DYNAMIC)), (10, 13, 10, 20), id="dynamic: the largest step"),
        pytest.param(rollout(strategy=routed(**DYNAMIC)), (10, 20, 10, 20), id="dynamic without steps"),
        pytest.param(rollout(strategy=routed(weight(80), **DYNAMIC)), (10, 18, 10, 20), id="dynamic: one large step"),
        pytest.param(
            rollout(strategy=routed(scale(replicas=1), *QUARTERS, scale(matchTrafficWeight=True), **DYNAMIC)),
            (10, 13, 10, 20),
            id="dynamic: the canary catches up with its weight, and then with the rest",
        ),
        pytest.param(
            rollout(strategy=routed(scale(weight=60), weight(10), **DYNAMIC)), (10, 19, 10, 20), id="dynamic: a weight"
        ),
        pytest.param(
            rollout(4, routed(*QUARTERS, minPodsPerReplicaSet=2, **DYNAMIC)), (4, 6, 4, 8), id="dynamic: at least two"
        ),
        pytest.param(
            rollout(strategy=routed(weight(500), **DYNAMIC, trafficRouting={"maxTrafficWeight": 1000})),
            (10, 15, 10, 20),
            id="weights out of a thousand",
        ),
        pytest.param(rollout(strategy={"blueGreen": {}}, paused=True), (10, 10, 10, 10), id="paused"),
        pytest.param(rollout(strategy={"blueGreen": {}}, workloadRef=None), (10, 20, 10, 20), id="an empty reference"),
        pytest.param(rollout("many", {"blueGreen": {}}), (0, 0, 0, 0), id="replicas of the wrong type"),
        pytest.param(rollout(strategy="canary"), (10, 10, 10, 10), id="a strategy of the wrong type"),
        pytest.param(
            rollout(strategy={"canary": {"steps": 3, **routed()}}), (10, 13, 10, 15), id="steps that are none"
        ),
    ],
)
def test_each_strategy_has_these_pods_in_each_scenario(body: Manifest, expected: Four) -> None:
    assert pods(body) == expected


def test_an_autoscaler_moves_it() -> None:
    assert pods(rollout(3, {"blueGreen": {}}), scaler("Rollout", 2, 8)) == (3, 6, 8, 16)


def test_what_it_makes() -> None:
    assert made(rollout(revisionHistoryLimit=3)) == {"ReplicaSet": (1, 2, 1, 5)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(rollout("many"), "spec.replicas is not a number of pods: 'many'", id="replicas"),
        pytest.param(rollout(strategy={}), "its strategy is neither blueGreen nor canary", id="no strategy"),
        pytest.param(
            rollout(strategy=canary(maxSurge="many")),
            "maxSurge is neither a number nor a percentage: 'many'",
            id="maxSurge",
        ),
        pytest.param(
            rollout(strategy=canary({"experiment": {"templates": []}})),
            "the pods of its experiments are not counted",
            id="an experiment",
        ),
    ],
)
def test_what_is_not_known(body: Manifest, expected: str) -> None:
    assert unknowns(body) == (f"Rollout w: {expected}",)


def referring(kind: str = "Deployment", group: str = "apps/v1", **fields: Any) -> Manifest:
    reference = {"apiVersion": group, "kind": kind, "name": "d", **fields}
    return rollout(4, {"blueGreen": {}}, workloadRef=reference, template="absent")


def deployment(replicas: object = 3) -> Manifest:
    spec = {"replicas": replicas, "template": template("of-the-deployment")}
    return manifest("Deployment", "apps/v1", {key: value for key, value in spec.items() if value is not None}, "d")


REAPPLIED = "Deployment d: Rollout w scales it to 0, and each time that its replicas are applied it has them again"


@pytest.mark.parametrize(
    ("manifests", "expected", "reasons"),
    [
        pytest.param([referring(), deployment()], (3 + 4, 4 + 8, 3 + 4, 4 + 8), (), id="both run"),
        pytest.param([referring(scaleDown="never"), deployment(0)], (4, 8, 4, 8), (), id="the Deployment is at 0"),
        pytest.param(
            [referring(scaleDown="onsuccess"), deployment(None)], (4, 8, 4, 8 + 2), (), id="it is scaled down once"
        ),
        pytest.param(
            [referring(scaleDown="progressively"), deployment()],
            (4, 8, 4, 8 + 4),
            (REAPPLIED,),
            id="it is scaled down, and applied",
        ),
        pytest.param(
            [referring()],
            (0, 0, 0, 0),
            ("Rollout w: Deployment d, which has its pod template (workloadRef), is not in view",),
            id="not in view",
        ),
        pytest.param(
            [referring("StatefulSet")],
            (0, 0, 0, 0),
            ("Rollout w: workloadRef leads to no Deployment, ReplicaSet or PodTemplate, but to StatefulSet",),
            id="a kind that it cannot refer to",
        ),
    ],
)
def test_a_template_of_another_workload(manifests: list[Manifest], expected: Four, reasons: tuple[str, ...]) -> None:
    assert (pods(*manifests), unknowns(*manifests)) == (expected, reasons)
