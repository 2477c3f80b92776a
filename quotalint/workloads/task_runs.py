"""Tekton's TaskRun: one pod whose containers are the steps and sidecars of a task.

Source: Tekton Pipelines 1.0.0: pkg/pod/pod.go (Build), pkg/apis/pipeline/v1/{container,taskrun}_types.go and v1beta1,
pkg/internal/computeresources/tasklevel/tasklevel.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.text.place import Path, Place
from quotalint.workloads.assembled import assemble_place
from quotalint.workloads.demand import Demand, Size, Surroundings, constant_size, pods, uncounted_pods, unknown_because

_TIMEOUT = 5400  # seconds: the default timeout of one hour, times 1.5; any other timeout makes the pod Terminating too
_OF_POD = ("nodeSelector", "priorityClassName", "runtimeClassName", "affinity")


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The pod of a TaskRun, and the claims of its workspaces."""
    if text(obj.spec.get("status")) in ("TaskRunCancelled", "TaskRunTimeout"):
        return
    task = _task_spec(obj, surroundings)
    if isinstance(task, str):
        yield uncounted_pods(obj, task)
        return
    body, place = _pod_of_task(obj, *task)
    reason = "the init containers that Tekton adds are not counted, nor how it spreads the defaults of a LimitRange"
    size = constant_size(1, "one pod", (unknown_because(obj, reason),))
    yield from pods(obj, body, place, size, surroundings)
    yield from _workspace_claims(obj)


def _task_spec(obj: Object, surroundings: Surroundings) -> tuple[Body, Place] | str:
    """The spec of the task and its place, or why it is unknown."""
    if isinstance(obj.spec.get("taskSpec"), dict):
        return mapping(obj.spec["taskSpec"]), obj.at("spec", "taskSpec")
    reference = mapping(obj.spec.get("taskRef"))
    kind, name = text(reference.get("kind")) or "Task", text(reference.get("name"))
    if "resolver" in reference or "bundle" in reference:
        return "its task comes from elsewhere (taskRef.resolver), so its pod is not counted"
    task = surroundings.objects.get((obj.group, kind, name))
    if task is None:
        return f"{kind} {name} is not in view, so its pod is not counted" if name else "it has no task"
    return task.spec, task.at("spec")


def _pod_of_task(obj: Object, task: Body, place: Place) -> tuple[Body, Place]:
    """The pod, and the place of its containers."""
    parts: dict[Path, Place] = {}
    containers: list[Body] = []
    steps = [mapping(step) for step in sequence(task.get("steps"))]
    whole = mapping(obj.spec.get("computeResources"))
    for index, step in enumerate(steps):
        resources = _resources_of({**mapping(task.get("stepTemplate")), **step})
        resources = _overridden_resources(obj, ("stepSpecs", "stepOverrides"), step, resources)
        if whole.get("requests") is not None or whole.get("limits") is not None:
            resources = _shared_resources(whole, resources, len(steps))
        parts["spec", "containers", len(containers)] = place.at("steps", index)
        containers.append({"name": f"step-{text(step.get('name')) or f'unnamed-{index}'}", "resources": resources})
    for index, sidecar in enumerate(map(mapping, sequence(task.get("sidecars")))):
        resources = _overridden_resources(obj, ("sidecarSpecs", "sidecarOverrides"), sidecar, _resources_of(sidecar))
        parts["spec", "containers", len(containers)] = place.at("sidecars", index)
        containers.append({"name": f"sidecar-{text(sidecar.get('name')) or index}", "resources": resources})
    template = mapping(obj.spec.get("podTemplate"))
    spec = {
        **{field: template[field] for field in _OF_POD if field in template},
        "containers": containers,
        "volumes": [*sequence(task.get("volumes")), *sequence(template.get("volumes"))],
        "activeDeadlineSeconds": _TIMEOUT,
    }
    return {"spec": spec}, assemble_place(obj, place, parts)


def _resources_of(container: Body) -> object:
    """The container's `computeResources` (v1) or `resources` (v1beta1)."""
    compute_resources = container.get("computeResources")
    return container.get("resources") if compute_resources is None else compute_resources


def _overridden_resources(obj: Object, fields: tuple[str, ...], container: Body, resources: object) -> object:
    for field in fields:
        for override in map(mapping, sequence(obj.spec.get(field))):
            if text(override.get("name")) == text(container.get("name")) and _resources_of(override) is not None:
                return {**mapping(resources), **mapping(_resources_of(override))}
    return resources


def _shared_resources(whole: Body, own: object, steps: int) -> Body:
    """The resources of a step if the TaskRun sets resources for all steps together: the limits, and a share of the
    requests. If no requests are written, the limits are shared too."""
    requests = whole.get("requests")
    if requests is None and mapping(own).get("requests") is None:
        requests = whole.get("limits")
    return {"requests": _share_amounts(requests, steps), "limits": whole.get("limits")}


def _share_amounts(amounts: object, steps: int) -> object:
    if not isinstance(amounts, dict):
        return amounts
    return {name: _divide_amount(name, written, steps) for name, written in amounts.items()}


def _divide_amount(name: str, written: object, steps: int) -> object:
    total = amount(written)
    if not isinstance(total, Quantity):
        return written
    # Whole bytes for memory, thousandths for other resources.
    unit = 10**9 if name in ("memory", "ephemeral-storage") else 10**6
    return quantity.show(Quantity(-(-total.nano // unit) // steps * unit, total.format))


def _workspace_claims(obj: Object) -> Iterator[Demand]:
    for index, workspace in enumerate(sequence(obj.spec.get("workspaces"))):
        template = mapping(workspace).get("volumeClaimTemplate")
        if isinstance(template, dict):
            place = obj.at("spec", "workspaces", index, "volumeClaimTemplate")
            size: Size = constant_size(1, "one for the workspace")
            yield Demand(obj, "", "PersistentVolumeClaim", "", template, place, size)
