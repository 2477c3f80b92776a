"""Argo's Workflow and CronWorkflow."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, demanded, ended, made, manifest, pods, pods_of_template, unknowns

Template = dict[str, Any]
ARGOEXEC = "the containers init and wait that Argo adds to each pod are not counted"
OVERLAP = "of steps that may overlap only the widest count"


def workflow(*templates: Template, name: str = "w", **spec: Any) -> Manifest:
    return manifest(
        "Workflow", "argoproj.io/v1alpha1", {"entrypoint": "main", "templates": list(templates), **spec}, name
    )


def stored(*templates: Template, **spec: Any) -> Manifest:
    return manifest("WorkflowTemplate", "argoproj.io/v1alpha1", {"templates": list(templates), **spec}, "stored")


def cron(*templates: Template, **spec: Any) -> Manifest:
    inside = {"entrypoint": "main", "templates": list(templates), **spec.pop("workflow", {})}
    return manifest("CronWorkflow", "argoproj.io/v1alpha1", {"workflowSpec": inside, **spec})


def container(name: str = "main", **fields: Any) -> Template:
    return {"name": name, "container": {"image": "i"}, **fields}


def steps(*groups: list[Template], name: str = "main", **fields: Any) -> Template:
    return {"name": name, "steps": list(groups), **fields}


def dag(*tasks: Template, name: str = "main", **fields: Any) -> Template:
    return {"name": name, "dag": {"tasks": list(tasks), **fields}}


def call(template: str = "a", name: str = "s", **fields: Any) -> Template:
    return {"name": name, "template": template, **fields}


A, B = container("a"), container("b")


@pytest.mark.parametrize(
    ("body", "expected", "reasons"),
    [
        pytest.param(workflow(container()), (1, 1, 1, 1), (), id="a container"),
        pytest.param(workflow({"name": "main", "script": {"source": "x"}}), (1, 1, 1, 1), (), id="a script"),
        pytest.param(workflow({"name": "main", "resource": {"action": "get"}}), (1, 1, 1, 1), (), id="a resource"),
        pytest.param(workflow({"name": "main", "suspend": {}}), (0, 0, 0, 0), (), id="a pause"),
        pytest.param(workflow(container(), suspend=True), (0, 0, 0, 0), (), id="suspended"),
        pytest.param(
            workflow(container(steps=None, synchronization=None), onExit=None, hooks={}),
            (1,) * 4,
            (),
            id="empty fields",
        ),
        pytest.param(workflow(steps([call(), call("b")]), A, B), (2, 2, 2, 2), (), id="one phase"),
        pytest.param(
            workflow(steps([call()], [call(), call("b")], [call()]), A, B), (2, 2, 2, 2), (OVERLAP,), id="three phases"
        ),
        pytest.param(
            workflow(steps([call()], [call("pause")]), A, {"name": "pause", "suspend": {}}),
            (1,) * 4,
            (),
            id="a pause after",
        ),
        pytest.param(
            workflow(dag(call(name="x"), call(name="y"), call(name="z")), A),
            (3, 3, 3, 3),
            (),
            id="tasks that wait for none",
        ),
        pytest.param(
            workflow(
                dag(
                    call(name="x"),
                    call(name="y1", dependencies=["x"]),
                    call(name="y2", depends="x.Succeeded && !y0.Failed"),
                    call(name="z", depends="y1 || y2"),
                ),
                A,
            ),
            (2, 2, 2, 2),
            (OVERLAP,),
            id="a diamond",
        ),
        pytest.param(
            workflow(dag(call(name="x"), call(name="y"), target="y"), A), (1, 1, 1, 1), (), id="the target of a dag"
        ),
        pytest.param(
            workflow(dag(call(name="x", depends="y"), call(name="y", depends="x")), A),
            (0, 0, 0, 0),
            ("its tasks cannot be put in an order",),
            id="tasks that wait for each other",
        ),
        pytest.param(workflow(steps([call(withItems=[1, 2, 3])]), A), (3, 3, 3, 3), (), id="items"),
        pytest.param(workflow(steps([call(withItems=[])]), A), (0, 0, 0, 0), (), id="no item"),
        pytest.param(workflow(steps([call(withSequence={"count": "5"})]), A), (5, 5, 5, 5), (), id="a count"),
        pytest.param(workflow(steps([call(withSequence={"start": 3, "end": "1"})]), A), (3,) * 4, (), id="a sequence"),
        pytest.param(
            workflow(steps([call(withSequence={"count": "{{n}}"})]), A),
            (1, 1, 1, 1),
            ("how often s runs is known only then (withSequence), so one is counted",),
            id="a count that is not known",
        ),
        pytest.param(
            workflow(steps([call(withParam="{{steps.x.outputs.result}}")]), A),
            (1, 1, 1, 1),
            ("how often s runs is known only then (withParam), so one is counted",),
            id="a parameter",
        ),
        pytest.param(
            workflow(steps([call(when="{{x}} == heads"), call("b")]), A, B),
            (1, 1, 1, 2),
            ("s runs on a condition (when), so it is counted in the peak alone",),
            id="a condition",
        ),
        pytest.param(
            workflow(steps([call("inner", withItems=[1, 2])]), steps([call(), call()], name="inner"), A),
            (4, 4, 4, 4),
            (),
            id="nested steps",
        ),
        pytest.param(workflow(steps([{"name": "s", "inline": container("x")}])), (1, 1, 1, 1), (), id="inline"),
        pytest.param(
            workflow(steps([call(withItems=[1, 2, 3])]), A, parallelism=2), (2, 2, 2, 2), (), id="parallelism"
        ),
        pytest.param(
            workflow(steps([call(withItems=[1, 2, 3])], parallelism=1), A),
            (1, 1, 1, 1),
            (),
            id="parallelism of a template",
        ),
        pytest.param(
            workflow(steps([call(when="x"), call("b", withItems=[1, 2])]), A, B, parallelism=2),
            (2, 2, 2, 2),
            ("s runs on a condition (when), so it is counted in the peak alone",),
            id="what is certain comes before what depends",
        ),
        pytest.param(
            workflow(steps([call("locked", withItems=[1, 2])]), container("locked", synchronization={"mutex": {}})),
            (2, 2, 2, 2),
            ("how many of template locked run at once depends on its synchronization",),
            id="a lock",
        ),
        pytest.param(
            workflow(steps([call("main")], [call()]), A),
            (1, 1, 1, 1),
            ("template main runs itself, who knows how often", OVERLAP),
            id="a loop",
        ),
        pytest.param(workflow(steps([call("c")])), (0,) * 4, ("template c is not in view",), id="no such template"),
        pytest.param(
            workflow(container(), entrypoint=None),
            (0,) * 4,
            ("it names no template to start with",),
            id="no entrypoint",
        ),
        pytest.param(
            workflow({"name": "main", "http": {}}),
            (0,) * 4,
            ("the agent pod of its http templates is not counted",),
            id="http",
        ),
        pytest.param(workflow({"name": "main"}), (0,) * 4, ("it has a template of unknown type",), id="no type"),
        pytest.param(
            workflow({"name": "main", "steps": [{}]}), (0,) * 4, ("its steps are not a list of lists",), id="steps"
        ),
        pytest.param(
            workflow(container(), onExit="clean"),
            (1,) * 4,
            ("its exit handler and hooks are not counted",),
            id="onExit",
        ),
        pytest.param(
            manifest("Workflow", "argoproj.io/v1alpha1", "none"),
            (0,) * 4,
            ("it names no template to start with",),
            id="none",
        ),
    ],
)
def test_a_workflow_has_these_pods_at_once(body: Manifest, expected: Four, reasons: tuple[str, ...]) -> None:
    words = tuple(reason for reason in unknowns(body) if not reason.endswith(ARGOEXEC))
    assert (pods(body), words) == (expected, tuple(f"Workflow w: {reason}" for reason in reasons))


def test_the_containers_of_argo_are_never_counted() -> None:
    assert unknowns(workflow(container())) == (f"Workflow w: {ARGOEXEC}",)


REFERENCE = {"templateRef": {"name": "stored", "template": "a"}}


@pytest.mark.parametrize(
    ("manifests", "expected", "reason"),
    [
        pytest.param([workflow(steps([{"name": "s", **REFERENCE}])), stored(A)], (1,) * 4, ARGOEXEC, id="a template"),
        pytest.param(
            [workflow(steps([{"name": "s", **REFERENCE}]))],
            (0,) * 4,
            "WorkflowTemplate stored is not in view",
            id="a template that is not in view",
        ),
        pytest.param(
            [workflow(workflowTemplateRef={"name": "stored"}), stored(container())], (1,) * 4, ARGOEXEC, id="a workflow"
        ),
        pytest.param(
            [workflow(entrypoint="a", workflowTemplateRef={"name": "stored"}), stored(A, entrypoint="b")],
            (1,) * 4,
            ARGOEXEC,
            id="a workflow that starts elsewhere",
        ),
        pytest.param(
            [workflow(workflowTemplateRef={"name": "stored", "clusterScope": True}), stored(A)],
            (0,) * 4,
            "ClusterWorkflowTemplate stored is not in view, so its pods are not counted",
            id="a workflow of the cluster",
        ),
    ],
)
def test_templates_of_others(manifests: list[Manifest], expected: Four, reason: str) -> None:
    assert (pods(*manifests), unknowns(*manifests)) == (expected, (f"Workflow w: {reason}",))


def test_a_pod_is_put_together_from_the_workflow_and_the_template() -> None:
    spec: Template = {
        "templateDefaults": {"container": {"resources": {"limits": {"cpu": "1"}}}, "nodeSelector": {"a": "b"}},
        "podPriorityClassName": "low",
        "activeDeadlineSeconds": 60,
        "volumes": [{"name": "v"}],
    }
    side = {"name": "side"}
    body = workflow(container(sidecars=[side], initContainers=[{"name": "first"}], volumes=[{"name": "x"}]), **spec)
    (pod,) = (demand for demand in demanded(body) if demand.kind == "Pod")
    main = {"name": "main", "image": "i", "resources": {"limits": {"cpu": "1"}}}
    assert pod.body == {
        "spec": {
            "containers": [main, side],
            "initContainers": [{"name": "first"}],
            "volumes": [{"name": "v"}, {"name": "x"}],
            "nodeSelector": {"a": "b"},
            "affinity": None,
            "priorityClassName": "low",
            "activeDeadlineSeconds": 60,
        }
    }


def test_its_containers_are_found_where_they_are_written() -> None:
    (pod,) = (demand for demand in demanded(workflow(A, container(sidecars=[{"name": "s"}]))) if demand.kind == "Pod")
    assert pod.place is not None
    paths = [pod.place.at("spec", "containers", index, "resources").real.path for index in range(2)]
    path = ("spec", "templates", 1)
    assert paths == [(*path, "container", "resources"), (*path, "sidecars", 0, "resources")]


@pytest.mark.parametrize(
    ("body", "expected", "workflows", "kept_runs"),
    [
        pytest.param(cron(container(), schedule="@hourly"), (0, 1, 0, 2), (0, 1, 0, 6), 4, id="Allow"),
        pytest.param(
            cron(container(), schedule="@hourly", concurrencyPolicy="Forbid"),
            (0, 1, 0, 1),
            (0, 1, 0, 5),
            4,
            id="Forbid",
        ),
        pytest.param(
            cron(container(), schedules=["*/5 * * * *"], workflow={"activeDeadlineSeconds": 900}),
            (0, 1, 0, 3),
            (0, 1, 0, 7),
            4,
            id="runs of a quarter of an hour, every five minutes",
        ),
        pytest.param(
            cron(container(), schedule="@daily", workflow={"podGC": {"strategy": "OnPodCompletion"}}),
            (0, 1, 0, 2),
            (0, 1, 0, 6),
            0,
            id="pods that are deleted",
        ),
        pytest.param(cron(container(), schedule="@hourly", suspend=True), (0,) * 4, (0,) * 4, 0, id="suspended"),
    ],
)
def test_a_schedule_has_the_pods_of_the_runs_that_may_overlap(
    body: Manifest, expected: Four, workflows: Four, kept_runs: int
) -> None:
    assert (pods(body), made(body)["Workflow"], ended(body)) == (expected, workflows, kept_runs)


def test_claims_are_of_the_run() -> None:
    claims = [{"metadata": {"name": "work"}, "spec": {}}]
    actual_objects = made(workflow(steps([call(withItems=[1, 2])]), A, volumeClaimTemplates=claims))
    assert actual_objects == {"PersistentVolumeClaim": (1, 1, 1, 1)}


def test_a_tower_of_templates_costs_no_time() -> None:
    tower = [steps([call(f"t{n + 1}", withItems=list(range(9))) for _ in range(9)], name=f"t{n}") for n in range(40)]
    assert pods(workflow(*tower, container("t40"), entrypoint="t0")) == (2**31 - 1,) * 4


def test_pods_of_several_templates_are_told_apart() -> None:
    body = workflow(steps([call(), call("b")]), A, {"name": "b", "containerSet": {"containers": [{"name": "x"}]}})
    assert pods_of_template(body) == {"main": (1, 1, 1, 1), "x": (1, 1, 1, 1)}
