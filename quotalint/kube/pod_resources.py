"""What a pod asks for as a whole.

Source: Kubernetes 1.34, component-helpers/resource/helpers.go (AggregateContainerRequests, PodRequests, PodLimits).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.kube import resource_list
from quotalint.kube.pod import Container, Pod
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import is_pod_level


def pod_requests(pod: Pod) -> ResourceList:
    """What the pod requests: its containers, overridden by pod-level values, plus overhead."""
    asked = dict(container_requests(pod))
    if any(is_pod_level(name) for name in pod.requests):
        asked.update((name, value) for name, value in pod.requests.items() if is_pod_level(name))
    return resource_list.add(asked, pod.overhead) if pod.overhead else asked


def pod_limits(pod: Pod) -> ResourceList:
    """What the pod is limited to; overhead is added only where there is a limit above zero."""
    limits = dict(container_limits(pod))
    limits.update((name, value) for name, value in pod.limits.items() if is_pod_level(name))
    if pod.overhead:
        limited = {name: value for name, value in pod.overhead.items() if name in limits and limits[name].nano}
        return resource_list.add(limits, limited)
    return limits


def container_requests(pod: Pod) -> ResourceList:
    """What the containers request together, at the most demanding moment of the pod's life."""
    return _aggregate_containers(pod, lambda container: container.requests)


def container_limits(pod: Pod) -> ResourceList:
    """The same for limits."""
    return _aggregate_containers(pod, lambda container: container.limits)


def has_pod_level_resources(pod: Pod) -> bool:
    """IsPodLevelResourcesSet: quotas then ask nothing of the single containers."""
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
    # An amount that is not known here is above zero, or nobody would have written a placeholder for it.
    return any(
        name in unknown or (name in asked and asked[name].nano > 0) for asked in lists for name in ("cpu", "memory")
    )


def _aggregate_containers(pod: Pod, asked: Callable[[Container], ResourceList]) -> ResourceList:
    if len(pod.containers) == 1 and not pod.init_containers:
        return asked(pod.containers[0])
    running = resource_list.total(asked(container) for container in pod.containers)
    if not pod.init_containers:
        return running
    # An init container runs beside the sidecars declared before it; sidecars then stay with the containers.
    sidecars: ResourceList = {}
    starting: ResourceList = {}
    for container in pod.init_containers:
        if container.sidecar:
            running = resource_list.add(running, asked(container))
            sidecars = resource_list.add(sidecars, asked(container))
            starting = resource_list.maximum(starting, sidecars)
        else:
            starting = resource_list.maximum(starting, resource_list.add(asked(container), sidecars))
    return resource_list.maximum(running, starting)
