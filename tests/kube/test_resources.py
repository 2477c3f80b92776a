"""What the names of resources say: tables of QUOTA names, container names and extended resources."""

from __future__ import annotations

import pytest

from quotalint.kube.resources import (
    alias,
    container_name_errors,
    is_extended,
    is_extended_quota,
    is_integer,
    is_native,
    is_pod_level,
    is_standard_container,
    is_standard_quota,
    may_overcommit,
    quota_name_errors,
    resource_name_errors,
)

STANDARD = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "persistentvolumeclaims",
    "configmaps",
    "services.nodeports",
    "services.loadbalancers",
]
HUGE = ["hugepages-2Mi", "hugepages-1Gi", "requests.hugepages-2Mi"]
QUALIFIED = [
    "count/pods",
    "count/deployments.apps",
    "requests.nvidia.com/gpu",
    "limits.nvidia.com/gpu",
    "nvidia.com/gpu",
    "gold.storageclass.storage.k8s.io/requests.storage",
    "requests.alpha.kubernetes.io/nvidia-gpu",
    "kro.run/resourcegroups",
    "limits.count/pods",
]
NO_RESOURCE = "must be a standard resource type or fully qualified"
NOT_FOR_QUOTA = "must be a standard resource for quota"


@pytest.mark.parametrize("name", [*STANDARD, *HUGE, *QUALIFIED])
def test_a_quota_may_name(name: str) -> None:
    assert quota_name_errors(name) == ()


@pytest.mark.parametrize("name", [*STANDARD, *HUGE])
def test_without_a_slash_only_standard_names_are_for_quotas(name: str) -> None:
    assert (is_standard_quota(name), is_standard_quota(f"example.com/{name}")) == (True, False)


REFUSED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "count.pods",
            "memory.limit",
            "limits.hugepages-2Mi",
            "requests.storageclass",
            "request.cpu",
            "requests.cpuu",
            "limits.storage",
            "deployments.apps",
            "services.loadbalancer",
            "gpu",
            "CPU",
            "Pods",
            "requests.pods",
            "jobs",
        ),
        (NO_RESOURCE, NOT_FOR_QUOTA),
    ),
    # A resource of nodes and claims, not of quotas.
    "storage": (NOT_FOR_QUOTA,),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_quota_may_not_name(name: str) -> None:
    assert quota_name_errors(name) == REFUSED[name]


@pytest.mark.parametrize("name", ["", "a/b/c", "/gpu", "gpu/", "requests.cpu ", "Example.com/gpu", "a" * 64])
def test_malformed_names_are_refused_as_such(name: str) -> None:
    errors = quota_name_errors(name)
    assert (bool(errors), NO_RESOURCE in errors) == (True, False)


CONTAINER: dict[str, tuple[str, ...]] = {
    "cpu": (),
    "memory": (),
    "ephemeral-storage": (),
    "hugepages-2Mi": (),
    "nvidia.com/gpu": (),
    # In the namespace of Kubernetes nothing more is asked of a name.
    "alpha.kubernetes.io/nvidia-gpu": (),
    "storage": ("must be a standard resource for containers",),
    "pods": ("must be a standard resource for containers",),
    "requests.cpu": ("must be a standard resource for containers",),
    "requests.hugepages-2Mi": ("must be a standard resource for containers",),
    "gpu": (NO_RESOURCE, "must be a standard resource for containers"),
    "requests.nvidia.com/gpu": ("doesn't follow extended resource name standard",),
    # `requests.` before it makes the prefix too long for a quota.
    "a" * 250 + "/gpu": ("doesn't follow extended resource name standard",),
}


@pytest.mark.parametrize("name", CONTAINER)
def test_container_name_errors(name: str) -> None:
    assert container_name_errors(name) == CONTAINER[name]


def test_claims_may_name_any_resource() -> None:
    assert [
        resource_name_errors(name) for name in ("storage", "requests.storage", "pods", "example.com/x", "disk")
    ] == [
        (),
        (),
        (),
        (),
        (NO_RESOURCE,),
    ]


# name → is it native, extended (as containers write it), extended (as quotas write it), a whole number
KINDS: dict[str, tuple[bool, bool, bool, bool]] = {
    "cpu": (True, False, False, False),
    "memory": (True, False, False, False),
    "pods": (True, False, False, True),
    "services.nodeports": (True, False, False, True),
    "services.loadbalancers": (True, False, False, True),
    "persistentvolumeclaims": (True, False, False, True),
    "requests.storage": (True, False, False, False),
    "hugepages-2Mi": (True, False, False, False),
    "nvidia.com/gpu": (False, True, False, True),
    "limits.nvidia.com/gpu": (False, True, False, True),
    "count/pods": (False, True, False, True),
    # Accepted by a quota as 0.5: `requests.` takes the name out of the extended resources.
    "requests.nvidia.com/gpu": (False, False, True, False),
    "requests.count/pods": (False, False, True, False),
    "alpha.kubernetes.io/nvidia-gpu": (True, False, False, False),
    "requests.alpha.kubernetes.io/nvidia-gpu": (True, False, False, False),
    # `kubernetes.io/` anywhere in the name is enough.
    "my-kubernetes.io/x": (True, False, False, False),
    "gold.storageclass.storage.k8s.io/requests.storage": (False, True, False, True),
    "gpu.deviceclass.resource.k8s.io/devices": (False, True, False, True),
    # What containers ask for by DeviceClass is native, and counted by quotas all the same.
    "deviceclass.resource.kubernetes.io/gpu": (True, False, False, False),
    "requests.deviceclass.resource.kubernetes.io/gpu": (True, False, True, False),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_a_name_says(name: str) -> None:
    assert (is_native(name), is_extended(name), is_extended_quota(name), is_integer(name)) == KINDS[name]


# name → for containers, at pod level, may requests be lower than limits
ON_PODS: dict[str, tuple[bool, bool, bool]] = {
    "cpu": (True, True, True),
    "memory": (True, True, True),
    "ephemeral-storage": (True, False, True),
    "hugepages-2Mi": (True, True, False),
    "nvidia.com/gpu": (False, False, False),
    "storage": (False, False, True),
}


@pytest.mark.parametrize("name", ON_PODS)
def test_what_pods_do_with_a_resource(name: str) -> None:
    assert (is_standard_container(name), is_pod_level(name), may_overcommit(name)) == ON_PODS[name]


ALIASES = {
    "cpu": "requests.cpu",
    "requests.cpu": "requests.cpu",
    "memory": "requests.memory",
    "ephemeral-storage": "requests.ephemeral-storage",
    "hugepages-2Mi": "requests.hugepages-2Mi",
    "requests.hugepages-2Mi": "requests.hugepages-2Mi",
    "configmaps": "count/configmaps",
    "secrets": "count/secrets",
    "replicationcontrollers": "count/replicationcontrollers",
    "resourcequotas": "count/resourcequotas",
    "services": "count/services",
    "persistentvolumeclaims": "count/persistentvolumeclaims",
    # Finished pods make a difference.
    "pods": "pods",
    "count/pods": "count/pods",
    "limits.cpu": "limits.cpu",
    "nvidia.com/gpu": "nvidia.com/gpu",
}


@pytest.mark.parametrize("name", ALIASES)
def test_a_name_has_the_alias_that_quotas_know(name: str) -> None:
    assert alias(name) == ALIASES[name]
