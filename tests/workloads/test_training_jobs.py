"""Kubeflow's training jobs."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, made, manifest, pods, scaler, template, unknowns


def training(kind: str, field: str, roles: object, version: str = "v1", **spec: Any) -> Manifest:
    if isinstance(roles, dict):
        roles = {
            role: {"template": template(role), **({} if number is None else {"replicas": number})}
            for role, number in roles.items()
        }
    return manifest(kind, f"kubeflow.org/{version}", {field: roles, **spec})


def pytorch(roles: object, **spec: Any) -> Manifest:
    return training("PyTorchJob", "pytorchReplicaSpecs", roles, **spec)


METRICS = [{"type": "Resource"}]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(training("TFJob", "tfReplicaSpecs", {"PS": 2, "Worker": 4}), (6,) * 4, id="TFJob"),
        pytest.param(training("XGBoostJob", "xgbReplicaSpecs", {"Master": None, "Worker": 2}), (3,) * 4, id="XGBoost"),
        pytest.param(training("PaddleJob", "paddleReplicaSpecs", {"Worker": 2}), (2,) * 4, id="PaddleJob"),
        pytest.param(training("JAXJob", "jaxReplicaSpecs", {"Worker": None}), (1,) * 4, id="JAXJob"),
        pytest.param(training("MPIJob", "mpiReplicaSpecs", {"Launcher": 3, "Worker": 2}), (3,) * 4, id="one launcher"),
        pytest.param(training("MPIJob", "mpiReplicaSpecs", {"Launcher": None, "Worker": None}), (1,) * 4, id="alone"),
        pytest.param(pytorch({"Master": 1, "Worker": 3}), (4,) * 4, id="PyTorchJob"),
        pytest.param(
            pytorch({"Master": 1, "worker": 3}, elasticPolicy={"minReplicas": 1, "maxReplicas": 8, "metrics": METRICS}),
            (4, 4, 9, 9),
            id="elastic",
        ),
        pytest.param(
            pytorch({"Worker": 1}, elasticPolicy={"minReplicas": 2, "maxReplicas": 8, "metrics": METRICS}),
            (2, 2, 8, 8),
            id="elastic, at the least",
        ),
        pytest.param(
            pytorch({"Worker": 3}, elasticPolicy={"maxReplicas": 8}), (3,) * 4, id="no metrics, no autoscaler"
        ),
        pytest.param(pytorch({"Worker": 3}, runPolicy={"suspend": True}), (0,) * 4, id="suspended"),
        pytest.param(pytorch({"Worker": "many"}), (0,) * 4, id="replicas of the wrong type"),
        pytest.param(pytorch(["Worker"]), (0,) * 4, id="roles of the wrong type"),
    ],
)
def test_a_job_has_the_pods_of_all_its_roles(body: Manifest, expected: Four) -> None:
    assert pods(body) == expected


def test_an_autoscaler_moves_its_workers() -> None:
    assert pods(pytorch({"Master": 1, "Worker": 2}), scaler("PyTorchJob", 3, 5)) == (4, 4, 6, 6)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (pytorch({"Master": 1, "Worker": 3}), {"Service": (4,) * 4}),
        (
            training("MPIJob", "mpiReplicaSpecs", {"Launcher": 1}),
            {"ConfigMap": (1,) * 4, "ServiceAccount": (1,) * 4},
        ),
        (
            training("MPIJob", "mpiReplicaSpecs", {"Launcher": 1}, "v2beta1"),
            {"ConfigMap": (1,) * 4, "Job": (1,) * 4, "Secret": (1,) * 4, "Service": (1,) * 4},
        ),
    ],
    ids=["PyTorchJob", "MPIJob", "MPIJob v2beta1"],
)
def test_what_it_makes(body: Manifest, expected: dict[str, Four]) -> None:
    assert made(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (pytorch({"Worker": "many"}), "spec.pytorchReplicaSpecs.Worker.replicas is not a number of pods: 'many'"),
        (pytorch(None), "it has no pytorchReplicaSpecs"),
    ],
    ids=["replicas", "no roles"],
)
def test_what_is_not_known(body: Manifest, expected: str) -> None:
    assert unknowns(body) == (f"PyTorchJob w: {expected}",)
