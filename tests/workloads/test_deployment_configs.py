"""OpenShift's DeploymentConfig."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, demanded, made, manifest, pods_of_template, scaler, template, unknowns


def config(replicas: object = 10, strategy: object = None, **spec: Any) -> Manifest:
    spec = {"replicas": replicas, "strategy": strategy, "template": template(), **spec}
    return manifest(
        "DeploymentConfig", "apps.openshift.io/v1", {field: value for field, value in spec.items() if value is not None}
    )


def rolling(**fields: Any) -> Manifest:
    return {"type": "Rolling", "rollingParams": fields}


HOOK = {"execNewPod": {"containerName": "c", "command": ["migrate"]}}
DEPLOYER: Four = (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(config(), {"deployment": DEPLOYER, "c": (10, 13, 10, 15)}, id="Rolling by default"),
        pytest.param(config(None), {"deployment": DEPLOYER, "c": (0, 0, 0, 0)}, id="no replicas by default"),
        pytest.param(
            config(strategy=rolling(maxSurge=2)),
            {"deployment": DEPLOYER, "c": (10, 12, 10, 12)},
            id="a surge alone: nothing is unavailable",
        ),
        pytest.param(
            config(strategy=rolling(maxSurge=0)),
            {"deployment": DEPLOYER, "c": (10, 10, 10, 12)},
            id="without a surge 25 % are unavailable",
        ),
        pytest.param(
            config(strategy=rolling(maxUnavailable="0%")),
            {"deployment": DEPLOYER, "c": (10, 13, 10, 13)},
            id="without unavailable pods 25 % surge",
        ),
        pytest.param(
            config(strategy={"type": "Recreate"}), {"deployment": DEPLOYER, "c": (10, 10, 10, 10)}, id="Recreate"
        ),
        pytest.param(
            config(strategy={"type": "Recreate", "recreateParams": {"mid": HOOK}}),
            {"deployment": DEPLOYER, "lifecycle": (0, 1, 0, 1), "c": (10, 10, 10, 10)},
            id="a hook",
        ),
        pytest.param(
            config(strategy=rolling(pre=HOOK)),
            {"deployment": DEPLOYER, "lifecycle": (0, 0, 0, 1), "c": (10, 13, 10, 15)},
            id="a hook, which is over when the surge begins",
        ),
        pytest.param(config(paused=True), {"c": (10, 10, 10, 10)}, id="paused"),
        pytest.param(config(test=True), {"deployment": DEPLOYER, "c": (0, 0, 0, 0)}, id="a test"),
        pytest.param(config(strategy=7), {"deployment": DEPLOYER, "c": (10, 13, 10, 15)}, id="no strategy at all"),
        pytest.param(config("many"), {"deployment": DEPLOYER, "c": (0, 0, 0, 0)}, id="replicas of the wrong type"),
    ],
)
def test_each_strategy_has_these_pods_in_each_scenario(body: Manifest, expected: dict[str, Four]) -> None:
    assert pods_of_template(body) == expected


def test_an_autoscaler_moves_it() -> None:
    pods = pods_of_template(config(2, {"type": "Recreate"}), scaler("DeploymentConfig", 3, 5))
    assert pods == {"deployment": DEPLOYER, "c": (3, 3, 5, 5)}


def test_what_it_makes() -> None:
    assert made(config()) == {"ReplicationController": (1, 2, 1, 12)}


def test_the_deployer_pod_has_the_resources_of_the_strategy_and_a_deadline() -> None:
    resources = {"limits": {"cpu": "1"}}
    bodies = [demand.body for demand in demanded(config(strategy={"resources": resources})) if demand.kind == "Pod"]
    container = {"name": "deployment", "resources": resources}
    spec = {"containers": [container], "activeDeadlineSeconds": 21600, "nodeSelector": None}
    assert bodies[0] == {"spec": spec}


def test_its_resources_are_found_where_they_are_written() -> None:
    (deployer, _) = (demand for demand in demanded(config()) if demand.kind == "Pod")
    assert deployer.place is not None
    assert deployer.place.at("spec", "containers", 0, "resources").real.path == ("spec", "strategy", "resources")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (config("many"), "spec.replicas is not a number of pods: 'many'"),
        (config(strategy={"type": "Custom"}), "its strategy is Custom, so how many pods a rollout needs is not known"),
        (config(test=True), "it is a test, whose pods run during a rollout alone"),
    ],
    ids=["replicas", "Custom", "test"],
)
def test_what_is_not_known(body: Manifest, expected: str) -> None:
    assert unknowns(body) == (f"DeploymentConfig w: {expected}",)
