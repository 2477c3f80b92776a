"""What the API server fills into a pod before any plugin sees it."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube import quantity
from quotalint.kube.pod import pod
from quotalint.kube.pod_resources import with_default_requests
from quotalint.kube.resource_list import show

# resources of a container → its requests and limits afterwards
CONTAINERS: dict[str, tuple[str, str, str]] = {
    "nothing": ("{}", "", ""),
    "a request alone": ("{requests: {cpu: 1}}", "cpu=1", ""),
    "a limit without a request": ("{limits: {cpu: 1}}", "cpu=1", "cpu=1"),
    "a limit beside a request": ("{requests: {cpu: 100m}, limits: {cpu: 1}}", "cpu=100m", "cpu=1"),
    "resource by resource": (
        "{requests: {cpu: 100m}, limits: {cpu: 1, memory: 1Gi}}",
        "cpu=100m,memory=1Gi",
        "cpu=1,memory=1Gi",
    ),
    "any resource": (
        "{limits: {nvidia.com/gpu: 2, hugepages-2Mi: 4Mi, ephemeral-storage: 1Gi}}",
        "ephemeral-storage=1Gi,hugepages-2Mi=4Mi,nvidia.com/gpu=2",
        "ephemeral-storage=1Gi,hugepages-2Mi=4Mi,nvidia.com/gpu=2",
    ),
    "a request of zero is a request": ("{requests: {cpu: 0}, limits: {cpu: 1}}", "cpu=0", "cpu=1"),
    "a placeholder is a request": (
        "{requests: {cpu: '${CPU}'}, limits: {cpu: 1, memory: 1}}",
        "memory=1",
        "cpu=1,memory=1",
    ),
    "a request of null is zero": ("{requests: {cpu: null}, limits: {cpu: 1}}", "cpu=0", "cpu=1"),
}


@pytest.mark.parametrize("field", ["containers", "initContainers"])
@pytest.mark.parametrize("case", CONTAINERS)
def test_a_container_gets_the_requests_of_its_limits(case: str, field: str) -> None:
    resources, requests, limits = CONTAINERS[case]
    actual_pod = with_default_requests(pod({"spec": yaml.safe_load(f"{field}: [{{name: c, resources: {resources}}}]")}))
    assert [(show(container.requests), show(container.limits)) for container in actual_pod.all_containers] == [
        (requests, limits)
    ]


# spec → requests of the pod afterwards
PODS: dict[str, tuple[str, str]] = {
    "no resources of the pod": ("containers: [{name: c, resources: {requests: {cpu: 1}}}]", ""),
    "a limit is the request where no container asks": (
        "containers: [{name: c}]\nresources: {limits: {cpu: 4}}",
        "cpu=4",
    ),
    "where one asks, they together are": (
        "containers: [{name: c, resources: {requests: {cpu: 1}}}, {name: d, resources: {requests: {cpu: 500m}}}]\n"
        "resources: {limits: {cpu: 4}}",
        "cpu=1500m",
    ),
    "even for a resource that the pod does not limit": (
        "containers: [{name: c, resources: {requests: {memory: 1Gi}}}]\nresources: {limits: {cpu: 4}}",
        "cpu=4,memory=1Gi",
    ),
    "a limit of a container is a request of it first": (
        "containers: [{name: c, resources: {limits: {cpu: 1}}}]\nresources: {limits: {cpu: 4}}",
        "cpu=1",
    ),
    "a request that is written stays": (
        "containers: [{name: c, resources: {requests: {cpu: 1}}}]\nresources: {requests: {cpu: 2}, limits: {cpu: 4}}",
        "cpu=2",
    ),
    "a placeholder is a request of the pod": (
        "containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]\n"
        "resources: {requests: {cpu: '${CPU}'}, limits: {cpu: 4, memory: 4Gi}}",
        "memory=1Gi",
    ),
    "where no container asks either": (
        "containers: [{name: c}]\nresources: {requests: {cpu: '${CPU}'}, limits: {cpu: 4, memory: 4Gi}}",
        "memory=4Gi",
    ),
    "requests without limits fill nothing": (
        "containers: [{name: c, resources: {requests: {memory: 1Gi}}}]\nresources: {requests: {cpu: 2}}",
        "cpu=2",
    ),
    "huge pages cannot be overcommitted, so the limit of the pod is the request": (
        "containers: [{name: c, resources: {limits: {hugepages-2Mi: 2Mi}}}]\nresources: {limits: {hugepages-2Mi: 8Mi}}",
        "hugepages-2Mi=8Mi",
    ),
    "other resources are not of the pod": (
        "containers: [{name: c, resources: {requests: {ephemeral-storage: 1Gi, nvidia.com/gpu: 1}}}]\n"
        "resources: {limits: {cpu: 1, ephemeral-storage: 4Gi}}",
        "cpu=1",
    ),
    "init containers take part": (
        "containers: [{name: c, resources: {requests: {cpu: 1}}}]\n"
        "initContainers: [{name: i, resources: {requests: {cpu: 3}}}]\nresources: {limits: {cpu: 4}}",
        "cpu=3",
    ),
}


@pytest.mark.parametrize("case", PODS)
def test_a_pod_gets_the_requests_of_its_limits(case: str) -> None:
    text, requests = PODS[case]
    assert show(with_default_requests(pod({"spec": yaml.safe_load(text)})).requests) == requests


def test_the_pod_that_was_given_stays_as_it_is() -> None:
    given = pod({"spec": yaml.safe_load("containers: [{name: c, resources: {limits: {cpu: 1}}}]")})
    with_default_requests(given)
    assert (given.containers[0].requests, given.containers[0].limits) == ({}, {"cpu": quantity.of(1)})
