"""Kinds whose pods are not counted, and custom kinds that make none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quotalint.gitops.deployers import DEPLOYERS
from quotalint.kube.objects import Object
from quotalint.quota.family import READERS
from quotalint.settings import Workload
from quotalint.text.place import Place
from quotalint.workloads import CONTROLLERS, operators
from quotalint.workloads.operators import targeted_workloads, uncounted_objects, unknown_pods

TABLE = json.loads((Path(operators.__file__).parent / "custom_kinds.json").read_text())
SHAPES: tuple[Mapping[str, Any], ...] = (
    {},
    {"image": "registry.example.org/app:1.0"},
    {"instances": 3},
    {"size": 3},
    {"nodes": 3},
    {"replicas": 3},
    {"replicas": 0},
    {"replicaCount": 3},
    {"workers": {"count": 3, "image": "app"}},
    {"components": [{"name": "web", "count": 2}]},
    {"resources": {"requests": {"cpu": "1"}}},
    {"pods": [{"spec": {"containers": [{"name": "c", "image": "app"}]}}]},
    {"config": {"parallelism": 4}},
)


def custom(group: str, kind: str, name: str = "x", **spec: Any) -> Object:
    return Object(group, "v1", kind, "shop", name, {"spec": spec}, Place("x.yaml"))


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("apps.kubeblocks.io", "Cluster"),
        ("awx.ansible.com", "AWX"),
        ("broker.amq.io", "ActiveMQArtemis"),
        ("cluster.redpanda.com", "Redpanda"),
        ("kagent.dev", "Agent"),
        ("kaito.sh", "Workspace"),
        ("operator.victoriametrics.com", "VTSingle"),
        ("vault.banzaicloud.com", "Vault"),
    ],
)
def test_a_listed_kind_makes_pods_whatever_it_says(group: str, kind: str) -> None:
    assert unknown_pods(custom(group, kind)) == f"{kind} x ({group}) makes pods that are not counted"


@pytest.mark.parametrize("spec", SHAPES, ids=str)
def test_an_unlisted_kind_may_make_pods_whatever_it_says(spec: Mapping[str, Any]) -> None:
    obj = custom("example.com", "Widget", **spec)
    assert unknown_pods(obj) == "Widget x (example.com) may make pods, because its kind is not known"


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("argoproj.io", "Application"),
        ("ceph.rook.io", "CephBlockPool"),
        ("cert-manager.io", "Issuer"),
        ("dbforpostgresql.azure.com", "FlexibleServer"),
        ("external-secrets.io", "SecretStore"),
        ("gateway.networking.k8s.io", "HTTPRoute"),
        ("infrastructure.cluster.x-k8s.io", "AWSMachineTemplate"),
        ("kafka.strimzi.io", "KafkaTopic"),
        ("kagent.dev", "ModelConfig"),
        ("kyverno.io", "Policy"),
        ("monitoring.coreos.com", "ServiceMonitor"),
        ("networking.istio.io", "VirtualService"),
        ("networking.k8s.io", "NetworkPolicy"),
        ("rds.aws.crossplane.io", "DBInstance"),
        ("route.openshift.io", "Route"),
        ("s3.services.k8s.aws", "Bucket"),
        ("sql.cnrm.cloud.google.com", "SQLInstance"),
        ("tekton.dev", "Task"),
    ],
)
def test_a_kind_of_the_table_makes_none(group: str, kind: str) -> None:
    assert unknown_pods(custom(group, kind, replicas=3, image="app")) == ""


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("ceph.rook.io", "CephCluster"),
        ("example.crossplane.io", "App"),
        ("infrastructure.cluster.x-k8s.io", "KubevirtMachine"),
        ("metallb.io", "MetalLB"),
        ("monitoring.coreos.com", "Prometheus"),
        ("pipelinesascode.tekton.dev", "Repository"),
    ],
)
def test_its_neighbours_may_make_some(group: str, kind: str) -> None:
    assert unknown_pods(custom(group, kind)) != ""


def test_a_field_decides_whether_it_makes_pods() -> None:
    in_velero, by_pods = (
        custom("velero.io", "Schedule", template={"snapshotMoveData": moves}) for moves in (False, True)
    )
    assert unknown_pods(in_velero) == ""
    assert "makes pods" in unknown_pods(by_pods)


def test_the_class_of_a_gateway_decides() -> None:
    classes = ("cilium", "gke-l7-rilb", "istio", "of-our-own")
    gateways = [custom("gateway.networking.k8s.io", "Gateway", gatewayClassName=of) for of in classes]
    assert [bool(unknown_pods(gateway)) for gateway in gateways] == [False, False, True, True]


def test_objects_of_one_kind_are_one_reason_with_its_cure() -> None:
    widgets = [custom("example.com", "Widget", name) for name in ("a", "b", "c")]
    (uncounted,) = uncounted_objects((*widgets, custom("traefik.io", "Middleware")), {})
    assert (uncounted.reason, uncounted.kinds) == (
        "Widget a and 2 more (example.com) may make pods, because their kind is not known; to settle it, describe "
        "Widget.example.com under `workloads` in .quotalint.yaml, with `footprint: []` if it makes none",
        (),
    )


def test_a_silent_kind_may_make_a_secret() -> None:
    plain = custom("rds.aws.crossplane.io", "DBInstance")
    writing = custom("rds.aws.crossplane.io", "DBInstance", writeConnectionSecretToRef={"name": "x"})
    assert uncounted_objects([plain], {}) == ()
    (uncounted,) = uncounted_objects([writing], {})
    assert uncounted.kinds == ("Secret",)


def test_what_names_a_workload_may_change_it() -> None:
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    scaler = custom("example.com", "Scaler", targets=[{"ref": reference}])
    manifest = custom("example.com", "Bundle", manifest={**reference, "metadata": {"name": "web"}})
    (guess,) = targeted_workloads([scaler, manifest], {})["Deployment", "web"]
    assert guess.reason == "Scaler x (example.com) names Deployment web and may scale or change it"
    assert targeted_workloads([scaler], {"Scaler": Workload((), footprint=())}) == {}


def test_a_deep_spec_comes_to_an_end() -> None:
    spec: dict[str, Any] = {}
    for _ in range(500):
        spec = {"deeper": [spec]}
    assert targeted_workloads([custom("example.com", "Widget", **spec)], {}) == {}


def rows() -> list[tuple[str, str]]:
    return [
        (group, kind) for row in TABLE["silent"] for group in row["groups"].split() for kind in row["kinds"].split()
    ]


def test_each_row_of_the_table_has_a_source() -> None:
    assert [row for row in TABLE["silent"] if not (row["why"] and row["source"])] == []


def test_no_kind_is_in_two_rows() -> None:
    listed = [*rows(), *((group, kind) for group, kinds in TABLE["pods"].items() for kind in kinds.split())]
    assert sorted(entry for entry in set(listed) if listed.count(entry) > 1) == []


@pytest.mark.parametrize(
    ("group", "kind"),
    sorted({*((of.group, of.kind) for deployer in DEPLOYERS for of in deployer.kinds), *READERS} - CONTROLLERS.keys()),
)
def test_what_is_read_otherwise_is_known(group: str, kind: str) -> None:
    assert "may" not in unknown_pods(custom(group, kind))
