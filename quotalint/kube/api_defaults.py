"""What the API server fills in when it decodes a pod, before any admission plugin sees it.

Source: Kubernetes 1.34, pkg/apis/core/v1/defaults.go (SetDefaults_Pod, defaultPodRequests). It happens to pods and
not to pod templates, so a workload is expanded into pods first.
"""

from __future__ import annotations

from quotalint.kube.pod import Container, Pod
from quotalint.kube.pod_resources import container_requests
from quotalint.kube.resources import is_pod_level, may_overcommit


def with_default_requests(pod: Pod) -> Pod:
    """The pod with missing requests set to the limits, and pod-level requests filled."""
    containers = tuple(map(_request_limits, pod.containers))
    init_containers = tuple(map(_request_limits, pod.init_containers))
    pod = pod._replace(containers=containers, init_containers=init_containers)
    return _pod_level(pod) if pod.limits else pod


def _request_limits(container: Container) -> Container:
    missing = container.limits.keys() - container.requests.keys()
    if not missing:
        return container
    filled = {name: container.limits[name] for name in container.limits if name in missing}
    return container._replace(requests={**container.requests, **filled})


def _pod_level(pod: Pod) -> Pod:
    requests = dict(pod.requests)
    for name, value in container_requests(pod).items():
        if name not in requests and is_pod_level(name) and may_overcommit(name):
            requests[name] = value
    for name, value in pod.limits.items():
        if name not in requests and is_pod_level(name):
            requests[name] = value
    return pod._replace(requests=requests)
