"""OpenKruise."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, ended, made, manifest, pods, scaler, template, unknowns


def clone_set(replicas: object = 10, strategy: object = None, **spec: Any) -> Manifest:
    spec = {"replicas": replicas, "updateStrategy": strategy, "template": template(), **spec}
    return kruise("CloneSet", **{key: value for key, value in spec.items() if value is not None})


def kruise(kind: str, **spec: Any) -> Manifest:
    return manifest(kind, "apps.kruise.io/v1alpha1", spec)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(clone_set(), (10, 10, 10, 12), id="no surge, 20 % on their way out"),
        pytest.param(clone_set(None), (1, 1, 1, 2), id="one replica; 20 % are rounded up"),
        pytest.param(clone_set(strategy={"maxSurge": "11%"}), (10, 12, 10, 14), id="a surge"),
        pytest.param(clone_set(7, {"maxSurge": 1}), (7, 8, 7, 9), id="beside a surge 20 % are rounded down"),
        pytest.param(clone_set(strategy={"type": "InPlaceOnly"}), (10, 10, 10, 10), id="in place"),
        pytest.param(clone_set(strategy={"type": "InPlaceIfPossible"}), (10, 10, 10, 12), id="in place if possible"),
        pytest.param(clone_set(strategy={"type": "InPlaceOnly", "maxSurge": 2}), (10, 12, 10, 12), id="and a surge"),
        pytest.param(clone_set(strategy={"maxSurge": 5, "partition": 9}), (10, 11, 10, 12), id="a partition"),
        pytest.param(clone_set(strategy={"maxSurge": 5, "partition": "100%"}), (10, 10, 10, 10), id="all of it"),
        pytest.param(clone_set(strategy={"maxSurge": 5, "paused": True}), (10, 10, 10, 10), id="paused"),
        pytest.param(kruise("StatefulSet", replicas=3, template=template()), (3, 3, 3, 3), id="StatefulSet"),
        pytest.param(kruise("DaemonSet", template=template()), (4, 4, 4, 4), id="DaemonSet"),
        pytest.param(
            kruise("DaemonSet", template=template(), updateStrategy={"rollingUpdate": {"maxSurge": "50%"}}),
            (4, 6, 4, 6),
            id="DaemonSet with a surge",
        ),
        pytest.param(
            kruise(
                "DaemonSet", template=template(), updateStrategy={"rollingUpdate": {"rollingUpdateType": "Surging"}}
            ),
            (4, 5, 4, 5),
            id="DaemonSet, as it was written once",
        ),
        pytest.param(kruise("BroadcastJob", template=template()), (4, 4, 4, 4), id="BroadcastJob"),
        pytest.param(kruise("BroadcastJob", template=template(), parallelism="50%"), (2, 2, 2, 2), id="parallelism"),
        pytest.param(kruise("BroadcastJob", template=template(), paused=True), (0, 0, 0, 0), id="paused job"),
    ],
)
def test_each_kind_has_these_pods_in_each_scenario(body: Manifest, expected: Four) -> None:
    assert pods(body) == expected


def cron(template: Manifest, **spec: Any) -> Manifest:
    return kruise("AdvancedCronJob", schedule="@hourly", template=template, **spec)


JOB = {"jobTemplate": {"spec": {"parallelism": 3, "template": template()}}}
BROADCAST = {"broadcastJobTemplate": {"spec": {"template": template()}}}


@pytest.mark.parametrize(
    ("body", "expected", "jobs", "kept_runs"),
    [
        pytest.param(cron(JOB), (0, 3, 0, 6), {"Job": (0, 1, 0, 6)}, 12, id="Jobs"),
        pytest.param(
            cron(JOB, concurrencyPolicy="Forbid"), (0, 3, 0, 3), {"Job": (0, 1, 0, 5)}, 12, id="one at a time"
        ),
        pytest.param(cron(BROADCAST), (0, 4, 0, 8), {"BroadcastJob": (0, 1, 0, 6)}, 16, id="BroadcastJobs"),
        pytest.param(cron(JOB, paused=True), (0, 0, 0, 0), {"Job": (0, 0, 0, 0)}, 0, id="paused"),
        pytest.param(cron({}), (0, 0, 0, 0), {}, 0, id="neither"),
    ],
)
def test_a_schedule_has_the_pods_of_the_runs_that_may_overlap(
    body: Manifest, expected: Four, jobs: dict[str, Four], kept_runs: int
) -> None:
    assert (pods(body), made(body), ended(body)) == (expected, jobs, kept_runs)


def test_an_autoscaler_moves_it() -> None:
    assert pods(clone_set(2, {"maxSurge": "50%"}), scaler("CloneSet", 3, 10)) == (3, 5, 10, 17)


def test_what_it_makes() -> None:
    claims = clone_set(5, volumeClaimTemplates=[{"spec": {}}], revisionHistoryLimit=2)
    assert made(claims) == {"ControllerRevision": (1, 2, 1, 4), "PersistentVolumeClaim": (5, 5, 5, 6)}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (clone_set("many"), ("CloneSet w: spec.replicas is not a number of pods: 'many'",)),
        (clone_set(strategy={"maxSurge": []}), ("CloneSet w: maxSurge is neither a number nor a percentage: '[]'",)),
        (cron({}), ("AdvancedCronJob w: it has neither a jobTemplate nor a broadcastJobTemplate",)),
        (
            kruise("BroadcastJob", template=template(), parallelism={}),
            ("BroadcastJob w: its parallelism is no number of pods",),
        ),
    ],
    ids=["replicas", "maxSurge", "no template", "parallelism"],
)
def test_what_is_not_known(body: Manifest, expected: tuple[str, ...]) -> None:
    assert unknowns(body) == expected
