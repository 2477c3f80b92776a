"""What was meant: the mistakes of public repositories, and names that nobody can guess."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.amounts import amount as parsed
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import objects
from quotalint.kube.quantity import Quantity
from quotalint.kube.resources import quota_name_errors
from quotalint.kube.spelling import amount, flat_entries, most_similar, object_count, resource, tracked_resource
from quotalint.text.place import Place

CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: resourcegroups.kro.run}
spec: {group: kro.run, scope: Namespaced, names: {
  kind: ResourceGroup, plural: resourcegroups, singular: groupofresources, shortNames: [RG]}}
"""
ZONES = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zones.kro.run}
spec: {group: kro.run, scope: Cluster, names: {kind: Zone, plural: zones}}
"""
KNOWN = discover_kinds((obj for crd in (ZONES, CRD) for obj in objects(yaml.safe_load(crd), Place("crd.yaml"))), "1.34")

RESOURCES = {
    "request.cpu": "requests.cpu",
    "requests.cpuu": "requests.cpu",
    "requests_cpu": "requests.cpu",
    "Requests.CPU": "requests.cpu",
    "limit.memory": "limits.memory",
    "memory.limit": "limits.memory",
    "memory.limits": "limits.memory",
    "cpu.requests": "requests.cpu",
    "limits.storage": "requests.storage",
    "requests.storageclass": "requests.storage",
    "limits.ephemeralstorage": "limits.ephemeral-storage",
    "storage": "requests.storage",
    "services.loadbalancer": "services.loadbalancers",
    "service.loadbalancers": "services.loadbalancers",
    "configmap": "configmaps",
    "Pods": "pods",
    "pod": "pods",
    "deployments.apps": "count/deployments.apps",
    "deployments": "count/deployments.apps",
    "count.pods": "count/pods",
    "count.deployments.apps": "count/deployments.apps",
    "limits.hugepages-2Mi": "requests.hugepages-2Mi",
    "requests.gpu": "requests.nvidia.com/gpu",
    "podz": "pods",
    "podss": "pods",
    "limits.podz": "pods",
    "requests.pods": "pods",
    "persistantvolumeclaims": "persistentvolumeclaims",
    "deployements": "count/deployments.apps",
    "podtemplats": "count/podtemplates",
    "count/cronjobs.batch/v1": "count/cronjobs.batch",
    "count/pods/v1": "count/pods",
    "count/widgets.example.com/v1beta1": "count/widgets.example.com",
    "count/apps/v1/deployments": "count/deployments.apps",
    "count/nvidia.com/gpu": "requests.nvidia.com/gpu",
    "count/a/b/c": None,
    "requests.storageclass.gold": "gold.storageclass.storage.k8s.io/requests.storage",
    "storageclass.Gold": None,
    " pods ": "pods",
    "xyzzy": None,
    "limits": None,
    "": None,
}


@pytest.mark.parametrize("name", RESOURCES)
def test_a_misspelled_resource_is_corrected(name: str) -> None:
    assert resource(name) == RESOURCES[name]


TRACKED = {
    "nvidia.com/gpu": "requests.nvidia.com/gpu",
    "limits.nvidia.com/gpu": "requests.nvidia.com/gpu",
    "limit.nvidia.com/gpu": "requests.nvidia.com/gpu",
    "request.nvidia.com/gpu": "requests.nvidia.com/gpu",
    "requests.alpha.kubernetes.io/nvidia-gpu": "requests.nvidia.com/gpu",
    "kro.run/resourcegroups": "count/resourcegroups.kro.run",
    "rook-block.storageclass.storage.k8s.io/requests.io": ("rook-block.storageclass.storage.k8s.io/requests.storage"),
    "gold.storageclass.storage.k8s.io/persistentvolumeclaim": (
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims"
    ),
    "limits.count/pods": "count/pods",
    "apps/deployments": "count/deployments.apps",
    "gpu.deviceclass.resource.k8s.io/device": "gpu.deviceclass.resource.k8s.io/devices",
    "node.kubernetes.io/thing": None,
    "gold.storage.k8s.io/persistentvolumeclaims": "gold.storageclass.storage.k8s.io/persistentvolumeclaims",
    "gold.storage.k8s.io/requests.storage": "gold.storageclass.storage.k8s.io/requests.storage",
    "storageclass.storage.k8s.io/requests.storage": None,
    "snapshot.storage.k8s.io/volumesnapshots": "count/volumesnapshots.snapshot.storage.k8s.io",
    "gold.volumesnapshotclasses.snapshot.storage.k8s.io/volumesnapshots": None,
    "example.com/persistentvolumeclaims": None,
}


@pytest.mark.parametrize("name", TRACKED)
def test_a_misspelled_tracked_resource_is_corrected(name: str) -> None:
    assert tracked_resource(name, KNOWN) == TRACKED[name]


COUNTS = {
    "jobs": "count/jobs.batch",
    "cronjobs": "count/cronjobs.batch",
    "deployments": "count/deployments.apps",
    "deployment.apps": "count/deployments.apps",
    "deployments.extensions": "count/deployments.apps",
    "ingresses.extensions": "count/ingresses.networking.k8s.io",
    "deploymentconfigs.apps": "count/deploymentconfigs.apps.openshift.io",
    "routes": "count/routes.route.openshift.io",
    "Pods": "count/pods",
    "resourcegroup": "count/resourcegroups.kro.run",
    "resourcegroup.kro.run": "count/resourcegroups.kro.run",
    "groupofresources.kro.run": "count/resourcegroups.kro.run",
    "rg.kro.run": "count/resourcegroups.kro.run",
    "rg": "count/resourcegroups.kro.run",
    "rg.example.com": None,
    "widgets.example.com": None,
    "resourcegrups.kro.run": "count/resourcegroups.kro.run",
    "workflows.kro.run": None,
    "zones.kro.run": None,
    "podz": "count/pods",
    "services.loadbalancers": "services.loadbalancers",
    "Services.NodePorts": "services.nodeports",
    "requests.storage": "requests.storage",
}


@pytest.mark.parametrize("name", COUNTS)
def test_a_misspelled_object_count_is_corrected(name: str) -> None:
    assert object_count(name, KNOWN) == COUNTS[name]


@pytest.mark.parametrize("release", ["1.33", "1.36"])
def test_no_object_count_that_no_server_serves_is_suggested(release: str) -> None:
    assert object_count("podcertificaterequest", discover_kinds((), release)) is None


AMOUNTS = {
    "4Gb": "4G",
    "4GB": "4G",
    "4GiB": "4Gi",
    "4gi": "4Gi",
    "4GI": "4Gi",
    "4K": "4k",
    "4KB": "4k",
    "512mb": "512M",
    "500 m": "500m",
    "1.5GB": "1.5G",
    "1,5G": "1.5G",
    "1,000": "1000",
    "1_000_000": "1000000",
    "2 cores": "2",
    "2 vCPU": "2",
    "100millicores": "100m",
    "-4Gb": "-4G",
    "4B": "4",
    # Of its two readings, thousands and a fraction, the first.
    "1,024Mi": "1024Mi",
    "4Gi": None,
    "one": None,
    "": None,
    "4 apples": None,
    "1.2.3": None,
    "٤Gb": None,
}


@pytest.mark.parametrize("written", AMOUNTS)
def test_a_misspelled_amount_is_corrected(written: str) -> None:
    assert amount(written) == AMOUNTS[written]


FLAT: dict[str, tuple[dict[str, object], list[str]]] = {
    "limits": ({"cpu": 2, "memory": "4Gi"}, ["`limits.cpu: 2`", "`limits.memory: 4Gi`"]),
    "memory": ({"request": "1Gi", "limits": "2Gi"}, ["`requests.memory: 1Gi`", "`limits.memory: 2Gi`"]),
    "count": ({"deployments.apps": 5}, ["`count/deployments.apps: 5`"]),
    "services": ({"loadbalancers": 0}, ["`services.loadbalancers: 0`"]),
    "limit": ({"nvidia.com/gpu": 1, "cpu": 2}, ["`requests.nvidia.com/gpu: 1`", "`limits.cpu: 2`"]),
    "requests": ({"cpu": 2, "bandwidth": "1G"}, []),
    "requests.cpu": ({"cpu": True}, []),
    "pods": ({"cpu": {"limits": 2}}, []),
}


@pytest.mark.parametrize("name", FLAT)
def test_what_is_nested_has_names_of_its_own(name: str) -> None:
    inner, entries = FLAT[name]
    assert flat_entries(name, inner) == entries


def test_the_nearest_word_is_proposed_if_it_is_near() -> None:
    candidates = ("requests.cpu", "limits.cpu", "pods")
    assert [most_similar(word, candidates) for word in ("request.cpu", "PODS", "pod", "zzz", "")] == [
        "requests.cpu",
        "pods",
        "pods",
        None,
        None,
    ]


words = st.text(alphabet="abcdeghimnopqrstuGMKi./-_ 0123456789", max_size=14)


@given(words)
def test_a_suggestion_is_another_name_that_is_accepted(name: str) -> None:
    actual_resource = resource(name)
    assert actual_resource is None or (actual_resource != name and quota_name_errors(actual_resource) == ())


@given(words | st.from_regex(r"[+-]?[0-9]{1,4}[.,]?[0-9]{0,4} ?[kKMGTmb]?i?[bB]?", fullmatch=True))
def test_a_suggested_amount_is_another_one_that_can_be_read(written: str) -> None:
    actual_amount = amount(written)
    assert actual_amount is None or (actual_amount != written and isinstance(parsed(actual_amount), Quantity))
