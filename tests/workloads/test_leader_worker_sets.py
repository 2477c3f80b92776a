"""LeaderWorkerSet."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, made, manifest, pods_of_template, scaler, template, unknowns


def groups(
    replicas: object = 2, size: object = 4, rolling: object = None, leader: bool = True, **spec: Any
) -> Manifest:
    inside: Manifest = {"workerTemplate": template("worker"), "size": size}
    inside.update({"leaderTemplate": template("leader")} if leader else {})
    strategy = {"rolloutStrategy": {"rollingUpdateConfiguration": rolling}} if rolling is not None else {}
    spec = {"replicas": replicas, "leaderWorkerTemplate": inside, **strategy, **spec}
    return manifest("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", spec)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(groups(), {"leader": (2, 2, 2, 2), "worker": (6, 6, 6, 6)}, id="two groups of four"),
        pytest.param(groups(leader=False), {"worker": (8, 8, 8, 8)}, id="leaders like workers"),
        pytest.param(groups(size=None), {"leader": (2, 2, 2, 2), "worker": (0, 0, 0, 0)}, id="leaders alone"),
        pytest.param(groups(rolling={"maxSurge": 1}), {"leader": (2, 3, 2, 3), "worker": (6, 9, 6, 9)}, id="a surge"),
        pytest.param(
            groups(rolling={"maxSurge": "500%"}),
            {"leader": (2, 4, 2, 4), "worker": (6, 12, 6, 12)},
            id="no more surge than groups",
        ),
        pytest.param(groups(size="four"), {"leader": (2, 2, 2, 2), "worker": (0, 0, 0, 0)}, id="a size that is none"),
        pytest.param(groups(replicas="two"), {"leader": (0,) * 4, "worker": (0,) * 4}, id="replicas that are none"),
    ],
)
def test_a_set_has_these_leaders_and_workers_in_each_scenario(body: Manifest, expected: dict[str, Four]) -> None:
    assert pods_of_template(body) == expected


def test_an_autoscaler_moves_it() -> None:
    body = groups(rolling={"maxSurge": "50%"})
    pods = pods_of_template(body, scaler("LeaderWorkerSet", 1, 5))
    assert pods == {"leader": (2, 3, 5, 8), "worker": (6, 9, 15, 24)}


def test_what_it_makes() -> None:
    body = groups(2, 2, {"maxSurge": 1}, networkConfig={"subdomainPolicy": "UniquePerReplica"})
    body["spec"]["leaderWorkerTemplate"]["volumeClaimTemplates"] = [{"spec": {}}]
    assert made(body) == {
        "StatefulSet": (3, 4, 3, 4),
        "ControllerRevision": (4, 7, 4, 17),
        "Service": (2, 3, 2, 3),
        "PersistentVolumeClaim": (4, 6, 4, 6),
    }


def test_what_is_not_known() -> None:
    assert unknowns(groups(size="four", rolling={"maxSurge": "x"})) == (
        "LeaderWorkerSet w: maxSurge is neither a number nor a percentage: 'x'",
        "LeaderWorkerSet w: spec.leaderWorkerTemplate.size is not a number of pods: 'four'",
    )
