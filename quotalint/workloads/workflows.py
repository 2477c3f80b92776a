"""Argo's Workflow and CronWorkflow.

Source: Argo Workflows 3.7.0: workflow/controller/workflowpod.go (createWorkflowPod),
pkg/apis/workflow/v1alpha1/{workflow,cron_workflow}_types.go, workflow/controller/operator.go (createPVCs).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, dig, integer, mapping, sequence, strings, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path, Place
from quotalint.workloads.assembled import assemble_place
from quotalint.workloads.demand import (
    Demand,
    Numbers,
    Size,
    Surroundings,
    constant_size,
    finished_pods,
    pods,
    uncounted_pods,
    unknown_because,
)
from quotalint.workloads.jobs import count_kept_runs, kept_runs, scheduled_runs
from quotalint.workloads.workflow_templates import (
    Pods,
    TemplateSource,
    cap_run,
    referred_template,
    running_at_once,
    templates_of,
)


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods that a Workflow runs at once, and its claims."""
    yield from _workflow_demands(obj, ("spec",), constant_size(1, "one run"), 0, surroundings)


def expand_cron_workflow(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Workflows of a schedule; none runs in the steady state."""
    schedules = strings(obj.spec.get("schedules")) or (text(obj.spec.get("schedule")),)
    lasts = integer(dig(obj.spec, "workflowSpec", "activeDeadlineSeconds"))
    runs = scheduled_runs(obj, schedules, lasts, suspended=obj.spec.get("suspend") is True)
    keeps = count_kept_runs(obj) if runs.numbers.peak else 0
    yield kept_runs(obj, obj.group, "Workflow", runs, keeps)
    yield from _workflow_demands(obj, ("spec", "workflowSpec"), runs, keeps, surroundings)


def _workflow_demands(obj: Object, path: Path, runs: Size, keeps: int, surroundings: Surroundings) -> Iterator[Demand]:
    """The demands of the runs of the workflow at `path`, including `keeps` finished runs."""
    spec = mapping(dig(obj.body, *path))
    if spec.get("suspend") is True:
        runs = constant_size(0, "suspended")
    source = TemplateSource(sequence(spec.get("templates")), obj.at(*path, "templates"))
    if isinstance(spec.get("workflowTemplateRef"), dict):
        other = referred_template(mapping(spec["workflowTemplateRef"]), surroundings.objects)
        if isinstance(other, str):
            yield uncounted_pods(obj, f"{other}, so its pods are not counted")
            return
        spec, source = {**other.spec, **spec}, templates_of(other)
    entry_run = running_at_once(text(spec.get("entrypoint")), source, surroundings.objects)
    entry_run = cap_run(entry_run, spec.get("parallelism"))
    reasons = (*entry_run.reasons, *_uncounted_parts(spec))
    if reasons:
        yield uncounted_pods(obj, *reasons)
    for pod in entry_run.pods.values():
        yield from _pods_of_templates(obj, spec, pod, runs, keeps, surroundings)
    for index, template in enumerate(sequence(spec.get("volumeClaimTemplates"))):
        size = runs._replace(because="one per run")
        place = obj.at(*path, "volumeClaimTemplates", index)
        yield Demand(obj, "", "PersistentVolumeClaim", "", mapping(template), place, size)


def _uncounted_parts(spec: Body) -> Iterator[str]:
    if spec.get("onExit") or spec.get("hooks"):
        yield "its exit handler and hooks are not counted"
    if spec.get("podSpecPatch"):
        yield "what its podSpecPatch changes is not counted"


def _pods_of_templates(
    obj: Object, spec: Body, template_pods: Pods, runs: Size, keeps: int, surroundings: Surroundings
) -> Iterator[Demand]:
    template = _with_defaults(template_pods.template, mapping(spec.get("templateDefaults")))
    body, place = _pod_of_template(obj, spec, template, template_pods.place)
    steady, step, scaled, peak = runs.numbers
    numbers = Numbers(
        steady * template_pods.number,
        step * template_pods.number,
        scaled * template_pods.number,
        peak * template_pods.most,
    )
    reason = "the containers init and wait that Argo adds to each pod are not counted"
    if template.get("podSpecPatch"):
        reason = f"{reason}, nor what podSpecPatch changes"
    because = f"template {text(template.get('name'))}" if runs.numbers.steady else runs.because
    size = Size(numbers, because, (*runs.unknowns, unknown_because(obj, reason)), runs.step)
    yield from pods(obj, body, place, size, surroundings)
    if not mapping(spec.get("podGC")).get("strategy"):
        yield from finished_pods(obj, body, place, keeps * template_pods.most, numbers.peak)


def _with_defaults(template: Body, defaults: Body) -> Body:
    """A template with its `templateDefaults`; the defaults for a container apply only if it has that container."""
    kinds = ("container", "script", "containerSet", "resource", "data", "steps", "dag", "suspend", "http", "plugin")
    inherited = {key: value for key, value in defaults.items() if key not in kinds}
    own = [key for key in ("container", "script") if template.get(key) is not None]
    merged = {key: {**mapping(defaults.get(key)), **mapping(template[key])} for key in own}
    return {**inherited, **template, **merged}


def _pod_of_template(obj: Object, spec: Body, template: Body, place: Place) -> tuple[Body, Place]:
    parts: dict[Path, Place] = {}
    containers: list[Body] = []
    for kind in ("container", "script"):
        if template.get(kind) is not None:
            parts["spec", "containers", len(containers)] = place.at(kind)
            containers.append({**mapping(template[kind]), "name": "main"})
    listed = sequence(mapping(template.get("containerSet")).get("containers"))
    for at, written in ((("containerSet", "containers"), listed), (("sidecars",), sequence(template.get("sidecars")))):
        for index, container in enumerate(map(mapping, written)):
            parts["spec", "containers", len(containers)] = place.at(*at, index)
            containers.append(container)
    parts["spec", "initContainers"] = place.at("initContainers")
    deadline = template.get("activeDeadlineSeconds", spec.get("activeDeadlineSeconds"))
    pod_spec = {
        "containers": containers,
        "initContainers": template.get("initContainers"),
        "volumes": [*sequence(spec.get("volumes")), *sequence(template.get("volumes"))],
        "nodeSelector": template.get("nodeSelector", spec.get("nodeSelector")),
        "affinity": template.get("affinity", spec.get("affinity")),
        "priorityClassName": template.get("priorityClassName", spec.get("podPriorityClassName")),
        # A string usually has a variable, whose value is unknown; any number has the same effect.
        "activeDeadlineSeconds": 1 if isinstance(deadline, str) else deadline,
    }
    return {"spec": pod_spec}, assemble_place(obj, place, parts)
