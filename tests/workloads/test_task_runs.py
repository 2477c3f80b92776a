"""Tekton's TaskRun."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, demanded, made, manifest, pods, unknowns

REASON = "the init containers that Tekton adds are not counted, nor how it spreads the defaults of a LimitRange"


def run(version: str = "v1", **spec: Any) -> Manifest:
    return manifest("TaskRun", f"tekton.dev/{version}", spec)


def task(*steps: Manifest, **spec: Any) -> Manifest:
    return {"steps": list(steps), **spec}


def step(name: str, cpu: str | None = None, field: str = "computeResources") -> Manifest:
    return {"name": name, **({field: {"requests": {"cpu": cpu}}} if cpu else {})}


STORED = manifest("Task", "tekton.dev/v1", task(step("a", "1")), "t")


@pytest.mark.parametrize(
    ("manifests", "expected", "reason"),
    [
        pytest.param([run(taskSpec=task(step("a")))], (1,) * 4, REASON, id="a task of its own"),
        pytest.param([run(taskRef={"name": "t"}), STORED], (1,) * 4, REASON, id="a task in view"),
        pytest.param(
            [run(taskRef={"name": "t"})], (0,) * 4, "Task t is not in view, so its pod is not counted", id="none"
        ),
        pytest.param(
            [run(taskRef={"name": "t", "kind": "ClusterTask"}), STORED],
            (0,) * 4,
            "ClusterTask t is not in view, so its pod is not counted",
            id="a task of the cluster",
        ),
        pytest.param(
            [run(taskRef={"resolver": "git"})],
            (0,) * 4,
            "its task comes from elsewhere (taskRef.resolver), so its pod is not counted",
            id="a task of a git repository",
        ),
        pytest.param([run()], (0,) * 4, "it has no task", id="no task"),
        pytest.param([manifest("TaskRun", "tekton.dev/v1", [])], (0,) * 4, "it has no task", id="no spec"),
    ],
)
def test_a_run_has_at_most_one_pod(manifests: list[Manifest], expected: Four, reason: str) -> None:
    assert (pods(*manifests), unknowns(*manifests)) == (expected, (f"TaskRun w: {reason}",))


def test_a_run_that_is_cancelled_has_no_pod() -> None:
    body = run(taskSpec=task(step("a")), status="TaskRunCancelled")
    assert (pods(body), unknowns(body)) == ((0,) * 4, ())


def resources(*manifests: Manifest) -> dict[str, object]:
    (pod,) = (demand for demand in demanded(*manifests) if demand.kind == "Pod")
    spec: Any = pod.body["spec"]
    assert spec["activeDeadlineSeconds"]
    return {container["name"]: container["resources"] for container in spec["containers"]}


ONE = {"requests": {"cpu": "1"}}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            run(taskSpec=task(step("a", "1"), step("b"), sidecars=[step("s", "1")])),
            {"step-a": ONE, "step-b": None, "sidecar-s": ONE},
            id="steps and sidecars",
        ),
        pytest.param(run("v1beta1", taskSpec=task(step("a", "1", "resources"))), {"step-a": ONE}, id="v1beta1"),
        pytest.param(
            run(taskSpec=task(step("a"), stepTemplate={"computeResources": ONE})), {"step-a": ONE}, id="template"
        ),
        pytest.param(
            run(taskSpec=task(step("a", "2")), stepSpecs=[{"name": "a", "computeResources": ONE}]),
            {"step-a": ONE},
            id="what the run says of a step",
        ),
        pytest.param(
            run(taskSpec=task(step("a", "2"), step("b"), sidecars=[step("s", "1")]), computeResources=ONE),
            {
                "step-a": {"requests": {"cpu": "500m"}, "limits": None},
                "step-b": {"requests": {"cpu": "500m"}, "limits": None},
                "sidecar-s": ONE,
            },
            id="a request for all steps",
        ),
        pytest.param(
            run(taskSpec=task(step("a"), step("b"), step("c")), computeResources={"limits": {"memory": "1Gi"}}),
            {
                name: {"requests": {"memory": "357913941"}, "limits": {"memory": "1Gi"}}
                for name in ("step-a", "step-b", "step-c")
            },
            id="a limit for each step, and as a request for all of them",
        ),
        pytest.param(
            run(taskSpec=task(step("a")), computeResources={"requests": {"cpu": "$(params.cpu)"}}),
            {"step-a": {"requests": {"cpu": "$(params.cpu)"}, "limits": None}},
            id="a parameter",
        ),
        pytest.param(run(taskSpec={"steps": 7, "sidecars": [7]}), {"sidecar-0": None}, id="wrong types"),
    ],
)
def test_the_containers_of_a_run_ask_for_these_resources(body: Manifest, expected: dict[str, object]) -> None:
    assert resources(body) == expected


def test_its_containers_are_found_where_they_are_written() -> None:
    (pod,) = (demand for demand in demanded(run(taskRef={"name": "t"}), STORED) if demand.kind == "Pod")
    assert pod.place is not None
    place = pod.place.at("spec", "containers", 0, "resources").real
    assert (place.document, place.path) == (1, ("spec", "steps", 0, "resources"))


def test_a_claim_for_a_workspace() -> None:
    body = run(taskSpec=task(step("a")), workspaces=[{"volumeClaimTemplate": {"spec": {}}}, {"emptyDir": {}}])
    assert made(body) == {"PersistentVolumeClaim": (1, 1, 1, 1)}
