"""The requests and limits of containers as they are written in any object with pod templates; and those of a whole pod
after defaulting.

Source: Kubernetes 1.34, component-helpers/resource/helpers.go (AggregateContainerRequests, PodRequests, PodLimits);
pkg/apis/core/v1/defaults.go (SetDefaults_Pod, defaultPodRequests). Pods are defaulted when they are decoded, before
admission plugins; pod templates are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quotalint.kube import resource_list
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.pod import Container, Pod
from quotalint.kube.pod_specs import CONTAINER_LISTS, POD_SPECS
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import is_pod_level, may_overcommit
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path


def pod_requests(pod: Pod) -> ResourceList:
    """The requests of the pod: its containers', overridden by pod-level values, plus overhead."""
    requests = dict(container_requests(pod))
    if any(is_pod_level(name) for name in pod.requests):
        requests.update((name, value) for name, value in pod.requests.items() if is_pod_level(name))
    return resource_list.add(requests, pod.overhead) if pod.overhead else requests


def pod_limits(pod: Pod) -> ResourceList:
    """The limits of the pod; overhead is added only to limits above zero."""
    limits = dict(container_limits(pod))
    limits.update((name, value) for name, value in pod.limits.items() if is_pod_level(name))
    if pod.overhead:
        limited = {name: value for name, value in pod.overhead.items() if name in limits and limits[name].nano}
        return resource_list.add(limits, limited)
    return limits


def container_requests(pod: Pod) -> ResourceList:
    """The total requests of the containers at the pod's most demanding moment."""
    return _aggregate_containers(pod, lambda container: container.requests)


def container_limits(pod: Pod) -> ResourceList:
    """The total limits of the containers at the pod's most demanding moment."""
    return _aggregate_containers(pod, lambda container: container.limits)


def has_pod_level_resources(pod: Pod) -> bool:
    """Whether the pod sets pod-level resources (IsPodLevelResourcesSet); then quotas require nothing of single
    containers."""
    return any(map(is_pod_level, (*pod.requests, *pod.limits, *pod.unknown)))


def is_best_effort(pod: Pod) -> bool:
    """QoS class BestEffort (pkg/apis/core/v1/helper/qos/qos.go, ComputePodQOS): no cpu or memory above zero."""
    if pod.has_resources:
        return not _asks_compute((pod.requests, pod.limits), pod.unknown)
    return not any(
        _asks_compute((all_container.requests, all_container.limits), all_container.unknown_resources)
        for all_container in pod.all_containers
    )


def _asks_compute(lists: Iterable[ResourceList], unknown: frozenset[str]) -> bool:
    # An unknown amount counts as above zero, because nobody writes a placeholder for zero.
    return any(
        name in unknown or (name in asked and asked[name].nano > 0) for asked in lists for name in ("cpu", "memory")
    )


def _aggregate_containers(pod: Pod, amounts_of: Callable[[Container], ResourceList]) -> ResourceList:
    if len(pod.containers) == 1 and not pod.init_containers:
        return amounts_of(pod.containers[0])
    running = resource_list.total(amounts_of(container) for container in pod.containers)
    if not pod.init_containers:
        return running
    # An init container runs beside the sidecars declared before it; sidecars keep running with the containers.
    sidecars: ResourceList = {}
    starting: ResourceList = {}
    for container in pod.init_containers:
        if container.sidecar:
            running = resource_list.add(running, amounts_of(container))
            sidecars = resource_list.add(sidecars, amounts_of(container))
            starting = resource_list.maximum(starting, sidecars)
        else:
            starting = resource_list.maximum(starting, resource_list.add(amounts_of(container), sidecars))
    return resource_list.maximum(running, starting)


def with_default_requests(pod: Pod) -> Pod:
    """The pod with missing requests set to the limits, and pod-level requests filled in."""
    if any(container.limits for container in pod.all_containers):
        containers = tuple(map(_request_limits, pod.containers))
        init_containers = tuple(map(_request_limits, pod.init_containers))
        pod = pod._replace(containers=containers, init_containers=init_containers)
    return _fill_pod_level(pod) if pod.limits else pod


def _request_limits(container: Container) -> Container:
    # A placeholder is a request: its amount may be below the limit.
    missing = container.limits.keys() - container.requests.keys() - container.unknown_requests
    if not missing:
        return container
    filled = {name: container.limits[name] for name in container.limits if name in missing}
    return container._replace(requests={**container.requests, **filled})


def _fill_pod_level(pod: Pod) -> Pod:
    pod_requests = dict(pod.requests)
    placeholders = {
        unknown.path[-1] for unknown in pod.unknowns if unknown.path[:-1] == ("spec", "resources", "requests")
    }
    for name, value in container_requests(pod).items():
        if name not in pod_requests and name not in placeholders and is_pod_level(name) and may_overcommit(name):
            pod_requests[name] = value
    for name, value in pod.limits.items():
        if name not in pod_requests and name not in placeholders and is_pod_level(name):
            pod_requests[name] = value
    return pod._replace(requests=pod_requests)


_DEPTH = 12  # spec.jobTemplate.spec.template.spec.containers[0] is seven deep, templates in lists of templates ten


class StatedResources(NamedTuple):
    """The requests and limits of one container as they are written."""

    container: str
    path: Path
    """The path of its `resources` in the object."""
    resources: Body

    def amounts(self) -> Iterator[tuple[str, str, object]]:
        """For each amount: `requests` or `limits`, the resource, and the written value."""
        for side in ("requests", "limits"):
            for name, written in mapping(self.resources.get(side)).items():
                yield side, name, written

    def at(self, side: str, name: str) -> Path:
        """The path of an amount in the object."""
        return (*self.path, side, name)


def stated_resources(obj: Object) -> Sequence[StatedResources]:
    """The resources of every container in the pod templates of an object."""
    stated: list[StatedResources] = []
    path = POD_SPECS.get((obj.group, obj.kind))
    if path is None:
        _gather_below(obj.spec, ("spec",), _DEPTH, stated)
        return stated
    for field, containers in mapping(dig(obj.body, *path)).items():
        if field in CONTAINER_LISTS:
            _gather_in(containers, (*path, field), stated)
    return stated


def _gather_below(value: object, path: Path, depth: int, stated: list[StatedResources]) -> None:
    """Collects from kinds that are not built in. One list instead of nested generators, because there may be many
    levels."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if not isinstance(inner, (dict, list)):
            continue
        if key in CONTAINER_LISTS and isinstance(inner, list):
            _gather_in(inner, (*path, key), stated)
        elif depth:
            _gather_below(inner, (*path, key), depth - 1, stated)


def _gather_in(containers: object, path: Path, stated: list[StatedResources]) -> None:
    for index, container in enumerate(map(mapping, sequence(containers))):
        resources = container.get("resources")
        if isinstance(resources, dict):
            stated.append(StatedResources(text(container.get("name")), (*path, index, "resources"), resources))
