"""OpenShift's DeploymentConfig.

Source: openshift/openshift-apiserver at 56aa2d96e, pkg/apps/apis/apps/v1/defaults.go (of replicas there is no default,
so it is 0) and pkg/apps/apis/apps/types.go; openshift/openshift-controller-manager release-4.20,
pkg/apps/deployer/deployer_controller.go (makeDeployerPod); openshift/oc at 6b8e30c5b,
pkg/cli/deployer/strategy/support/lifecycle.go (createHookPodManifest).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path
from quotalint.workloads.assembled import assemble_place
from quotalint.workloads.demand import (
    ROLLOUT,
    Demand,
    Numbers,
    Replicas,
    Size,
    Step,
    Surroundings,
    implied_objects,
    number,
    pods,
    replicas,
    revision_history,
    size_with_step,
    unknown_because,
)
from quotalint.workloads.rolling_update import rolling_size, update_limits

_DEADLINE = 21600  # seconds; DefaultMaxDeploymentDurationSeconds
_PARAMETERS = {"Rolling": "rollingParams", "Recreate": "recreateParams"}


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ReplicationControllers and pods, and during a rollout a deployer pod and a hook's pod."""
    wanted = replicas(obj, surroundings, number(obj, "replicas", 0))
    if obj.spec.get("test") is True:
        reason = unknown_because(obj, "it is a test, whose pods run during a rollout alone")
        wanted = Replicas(0, 0, "test", (*wanted.unknowns, reason))
    place = obj.at("spec", "template")
    if obj.spec.get("paused") is True:
        yield implied_objects(obj, "", "ReplicationController")
        yield from pods(obj, obj.spec.get("template"), place, size_with_step(wanted), surroundings)
        return
    yield revision_history(obj, "", "ReplicationController")
    size = _size_of_config(obj, wanted)
    yield _deployer_pod(obj)
    yield from _hook_pod(obj, beside_surge=size.numbers.surge > size.numbers.steady)
    yield from pods(obj, obj.spec.get("template"), place, size, surroundings)


def _size_of_config(obj: Object, wanted: Replicas) -> Size:
    strategy = mapping(obj.spec.get("strategy"))
    kind = text(strategy.get("type")) or "Rolling"
    if kind == "Custom":
        reason = unknown_because(obj, "its strategy is Custom, so how many pods a rollout needs is not known")
        return size_with_step(wanted)._replace(unknowns=(*wanted.unknowns, reason))
    if kind != "Rolling":
        return size_with_step(wanted)
    rolling = mapping(strategy.get("rollingParams"))
    surge, unavailable = rolling.get("maxSurge"), rolling.get("maxUnavailable")
    # A missing limit has its default only if the other limit is zero or missing.
    default_surge = "25%" if unavailable in (None, 0, "0%") else 0
    default_unavailable = "25%" if surge in (None, 0, "0%") else 0
    limits = update_limits(rolling, surge=default_surge, unavailable=default_unavailable)
    return rolling_size(obj, wanted, limits, ("spec", "strategy", "rollingParams", "maxSurge"))


def _deployer_pod(obj: Object) -> Demand:
    """The pod that performs a rollout."""
    strategy = mapping(obj.spec.get("strategy"))
    container = {"name": "deployment", "resources": strategy.get("resources")}
    size = Size(
        Numbers(0, 1, 0, 1),
        "a deployer pod for each rollout",
        step=Step(ROLLOUT, "the deployer pod", ("spec", "strategy", "resources")),
    )
    parts: dict[Path, Path] = {("spec", "containers", 0): ("spec", "strategy")}
    return _pod_demand(obj, container, parts, size)


def _hook_pod(obj: Object, *, beside_surge: bool) -> Iterator[Demand]:
    """The pod of the first hook. Hooks run one after another, before and after the pods are replaced."""
    strategy = mapping(obj.spec.get("strategy"))
    parameters = mapping(strategy.get(_PARAMETERS.get(text(strategy.get("type")) or "Rolling", "")))
    for moment in ("pre", "mid", "post"):
        new_pod = mapping(parameters.get(moment)).get("execNewPod")
        if not isinstance(new_pod, dict):
            continue
        containers = sequence(dig(obj.spec, "template", "spec", "containers"))
        named = text(new_pod.get("containerName"))
        for index, container in enumerate(map(mapping, containers)):
            if text(container.get("name")) == named or (not named and len(containers) == 1):
                step = Step(ROLLOUT, f"the pod of its {moment} hook", ("spec", "strategy"))
                numbers = Numbers(0, 0 if beside_surge else 1, 0, 1)
                size = Size(numbers, f"a pod for its {moment} hook", step=None if beside_surge else step)
                body = {"name": "lifecycle", "resources": container.get("resources")}
                yield _pod_demand(
                    obj, body, {("spec", "containers", 0): ("spec", "template", "spec", "containers", index)}, size
                )
                return


def _pod_demand(obj: Object, container: Body, parts: dict[Path, Path], size: Size) -> Demand:
    strategy = mapping(obj.spec.get("strategy"))
    deadline = strategy.get("activeDeadlineSeconds")
    spec = {
        "containers": [container],
        "activeDeadlineSeconds": _DEADLINE if deadline is None else deadline,
        "nodeSelector": dig(obj.spec, "template", "spec", "nodeSelector"),
    }
    place = assemble_place(obj, obj.at("spec", "strategy"), {path: obj.at(*real) for path, real in parts.items()})
    return Demand(obj, "", "Pod", "", {"spec": spec}, place, size)
