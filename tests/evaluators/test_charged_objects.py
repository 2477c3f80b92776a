"""What claims, services and everything that is merely counted are charged."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from quotalint.evaluators import EVALUATORS, count_evaluator, persistentvolumeclaims, resourceclaims, services
from quotalint.kube.claim import claim, device_claim
from quotalint.kube.resource_list import show
from quotalint.kube.scopes import Requirement


def spec(text: str) -> dict[str, Any]:
    return {"spec": yaml.safe_load(text)}


GOLD = "gold.storageclass.storage.k8s.io/"


@pytest.mark.parametrize(
    ("text", "charged"),
    [
        ("{}", "count/persistentvolumeclaims=1,persistentvolumeclaims=1"),
        (
            "{resources: {requests: {storage: 1Gi}}}",
            "count/persistentvolumeclaims=1,persistentvolumeclaims=1,requests.storage=1Gi",
        ),
        # Storage is charged in whole bytes, rounded up.
        (
            "{resources: {requests: {storage: 1500m}}}",
            "count/persistentvolumeclaims=1,persistentvolumeclaims=1,requests.storage=2",
        ),
        (
            "{resources: {requests: {storage: 2}}, storageClassName: gold}",
            f"count/persistentvolumeclaims=1,{GOLD}persistentvolumeclaims=1,{GOLD}requests.storage=2,"
            "persistentvolumeclaims=1,requests.storage=2",
        ),
        # Without a request there is nothing to charge to the storage of its class.
        (
            "{storageClassName: gold}",
            f"count/persistentvolumeclaims=1,{GOLD}persistentvolumeclaims=1,persistentvolumeclaims=1",
        ),
        ("{storageClassName: ''}", "count/persistentvolumeclaims=1,persistentvolumeclaims=1"),
    ],
)
def test_a_volume_claim(text: str, charged: str) -> None:
    assert show(persistentvolumeclaims.usage(claim(spec(text)))) == charged


@pytest.mark.parametrize(
    ("name", "storage_class"),
    [
        (GOLD + "requests.storage", "gold"),
        (GOLD + "persistentvolumeclaims", "gold"),
        (GOLD + "limits.storage", None),
        ("requests.storage", None),
        ("gold.storageclass.k8s.io/requests.storage", None),
        (".storageclass.storage.k8s.io/requests.storage", ""),
    ],
)
def test_the_class_that_a_name_limits(name: str, storage_class: str | None) -> None:
    assert persistentvolumeclaims.class_of(name) == storage_class
    assert persistentvolumeclaims.tracks(name) is (storage_class is not None or name == "requests.storage")


@pytest.mark.parametrize(
    ("scope", "attributes_class", "matches"),
    [
        ("VolumeAttributesClass", "volumeAttributesClassName: fast", True),
        ("VolumeAttributesClass", "", False),
        ("PriorityClass", "volumeAttributesClassName: fast", False),
        ("BestEffort", "", False),
    ],
)
def test_the_scope_of_a_volume_claim(scope: str, attributes_class: str, matches: bool) -> None:
    written = claim(spec(f"{{{attributes_class}}}"))
    assert persistentvolumeclaims.in_scope(written, Requirement(scope, "Exists", (), ())) is matches


@pytest.mark.parametrize(
    ("text", "balancers", "node_ports"),
    [
        ("{ports: [{port: 1, nodePort: 30000}]}", 0, 0),
        ("{type: ClusterIP, ports: [{port: 1}]}", 0, 0),
        ("{type: NodePort, ports: [{port: 1}, {port: 2}]}", 0, 2),
        # What is about load balancers says nothing of a NodePort.
        ("{type: NodePort, allocateLoadBalancerNodePorts: false, ports: [{port: 1}, {port: 2}]}", 0, 2),
        ("{type: LoadBalancer, ports: [{port: 1}, {port: 2}]}", 1, 2),
        ("{type: LoadBalancer, allocateLoadBalancerNodePorts: true, ports: [{port: 1}]}", 1, 1),
        ("{type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{port: 1}, {port: 2}]}", 1, 0),
        # Two ports of three that are asked for by number, and one by zero, which asks for none.
        (
            "{type: LoadBalancer, allocateLoadBalancerNodePorts: false, "
            "ports: [{nodePort: 30000}, {nodePort: 30001}, {nodePort: 0}]}",
            1,
            2,
        ),
    ],
)
def test_a_service_is_charged_balancers_and_node_ports(text: str, balancers: int, node_ports: int) -> None:
    assert show(services.usage(spec(text))) == (
        f"count/services=1,services=1,services.loadbalancers={balancers},services.nodeports={node_ports}"
    )


COUNT = resourceclaims.COUNT
GPU = "gpu.deviceclass.resource.k8s.io/devices"


@pytest.mark.parametrize(
    ("requests", "devices"),
    [
        ("[{exactly: {deviceClassName: gpu}}]", 1),
        ("[{exactly: {deviceClassName: gpu, count: 3}}]", 3),
        ("[{exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 3}}]", 3),
        # As many as a claim can be given at most.
        ("[{exactly: {deviceClassName: gpu, allocationMode: All}}]", 32),
        ("[{exactly: {deviceClassName: gpu, allocationMode: All, count: 3}}]", 32),
        # v1beta1
        ("[{deviceClassName: gpu, count: 2}]", 2),
        ("[{exactly: {deviceClassName: gpu, count: 2}}, {exactly: {deviceClassName: gpu}}]", 3),
        # Of alternatives the most of each class; only one of them is given.
        ("[{firstAvailable: [{deviceClassName: gpu, count: 2}, {deviceClassName: gpu, count: 5}]}]", 5),
        ("[{firstAvailable: [{deviceClassName: gpu, count: 5}, {deviceClassName: gpu, count: 2}]}]", 5),
    ],
)
def test_a_claim_is_charged_the_devices_of_its_requests(requests: str, devices: int) -> None:
    body = spec(f"{{devices: {{requests: {requests}}}}}")
    assert show(resourceclaims.usage(device_claim(body, None))) == f"{COUNT}=1,{GPU}={devices}"


@pytest.mark.parametrize(
    "request_of_nothing", ["{exactly: {count: 3}}", "{exactly: {deviceClassName: gpu, allocationMode: Some}}", "{}"]
)
def test_requests_that_name_no_devices(request_of_nothing: str) -> None:
    body = spec(f"{{devices: {{requests: [{request_of_nothing}]}}}}")
    assert show(resourceclaims.usage(device_claim(body, {}))) == f"{COUNT}=1"


@pytest.mark.parametrize(
    ("extended_names", "charged"),
    [
        ({"gpu": ""}, f"{COUNT}=1,{GPU}=2,requests.deviceclass.resource.kubernetes.io/gpu=2"),
        (
            {"gpu": "example.com/gpu"},
            f"{COUNT}=1,{GPU}=2,requests.deviceclass.resource.kubernetes.io/gpu=2,requests.example.com/gpu=2",
        ),
    ],
)
def test_devices_of_an_extended_resource(extended_names: dict[str, str], charged: str) -> None:
    body = spec("{devices: {requests: [{exactly: {deviceClassName: gpu, count: 2}}]}}")
    assert show(resourceclaims.usage(device_claim(body, extended_names))) == charged


def test_two_classes_of_one_extended_resource_are_charged_together() -> None:
    body = spec("{devices: {requests: [{exactly: {deviceClassName: a}}, {exactly: {deviceClassName: b, count: 2}}]}}")
    usage = resourceclaims.usage(device_claim(body, dict.fromkeys("ab", "example.com/gpu")))
    assert usage["requests.example.com/gpu"].nano == 3 * 10**9


@pytest.mark.parametrize(
    ("count_name", "names"),
    [
        ("count/secrets", {"count/secrets", "secrets"}),
        ("count/deployments.apps", {"count/deployments.apps"}),
        (
            "count/imagestreams.image.openshift.io",
            {"count/imagestreams.image.openshift.io", "openshift.io/imagestreams"},
        ),
    ],
)
def test_what_is_merely_counted(count_name: str, names: set[str]) -> None:
    evaluator = count_evaluator(count_name)
    assert show(evaluator.usage({})) == ",".join(f"{name}=1" for name in sorted(names))
    candidates = (count_name, "secrets", "openshift.io/imagestreams", "count/pods", "pods")
    assert {name for name in candidates if evaluator.tracks(name)} == names


@pytest.mark.parametrize(
    ("kind", "tracked", "untracked"),
    [
        (("", "Service"), ("services", "services.nodeports"), ("services.clusterips", "count/pods")),
        (("", "PersistentVolumeClaim"), ("count/persistentvolumeclaims", "requests.storage"), ("pods", "storage")),
        (("resource.k8s.io", "ResourceClaim"), (COUNT, GPU, "requests.example.com/gpu"), ("pods", "resourceclaims")),
    ],
)
def test_which_names_a_kind_is_charged_to(
    kind: tuple[str, str], tracked: tuple[str, ...], untracked: tuple[str, ...]
) -> None:
    evaluator = EVALUATORS[kind]
    assert [name for name in (*tracked, *untracked) if evaluator.tracks(name)] == list(tracked)


@pytest.mark.parametrize("kind", [("", "Service"), ("resource.k8s.io", "ResourceClaim")])
def test_kinds_in_no_scope_that_lack_nothing(kind: tuple[str, str]) -> None:
    evaluator = EVALUATORS[kind]
    assert not evaluator.in_scope({}, Requirement("PriorityClass", "DoesNotExist", (), ()))
    assert evaluator.missing({}, frozenset({"services", "requests.cpu"})) == {}
