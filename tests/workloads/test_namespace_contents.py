"""What a namespace holds that nobody wrote and nothing in it brings about."""

from __future__ import annotations

import pytest
from workload_demands import Manifest, manifest

from quotalint.kube.cluster import build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import objects
from quotalint.settings import Nodes
from quotalint.text.place import Place
from quotalint.workloads.namespace_contents import Platform, demands, platforms_of

ROUTE = manifest("Route", "route.openshift.io/v1", {})
PUBLISHED = manifest("ConfigMap", "v1", {}, "openshift-service-ca.crt")


@pytest.mark.parametrize(
    ("manifests", "config_maps"),
    [
        ([], ["kube-root-ca.crt"]),
        ([manifest("Ingress", "networking.k8s.io/v1", {})], ["kube-root-ca.crt"]),
        ([ROUTE], ["kube-root-ca.crt", "openshift-service-ca.crt"]),
        ([ROUTE, PUBLISHED], ["kube-root-ca.crt", "openshift-service-ca.crt"]),
        # Hive runs elsewhere too.
        ([manifest("ClusterDeployment", "hive.openshift.io/v1", {})], ["kube-root-ca.crt"]),
    ],
)
def test_the_config_maps_that_clusters_publish(manifests: list[Manifest], config_maps: list[str]) -> None:
    members = [obj for number, body in enumerate(manifests) for obj in objects(body, Place("a.yaml", number))]
    assert [demand.name for demand in demands(members, Nodes(None)) if demand.kind == "ConfigMap"] == config_maps


def platforms(*manifests: Manifest, stated: tuple[str, ...] | None = None) -> list[tuple[str, bool]]:
    """The platforms, each with whether it is assumed."""
    written = [obj for number, body in enumerate(manifests) for obj in objects(body, Place("a.yaml", number))]
    view = build_cluster(written, discover_kinds(written, "1.34"))
    return [(name, guess is not None) for name, guess in platforms_of(view, stated)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (manifest("Namespace", "v1", {}, labels={"istio-injection": "enabled"}), [("istio", True)]),
        (manifest("Namespace", "v1", {}, labels={"istio-injection": "disabled"}), []),
        (manifest("Namespace", "v1", {}, labels={"istio.io/rev": "stable"}), [("istio", True)]),
        (manifest("VirtualService", "networking.istio.io/v1", {}), [("istio", True)]),
        (ROUTE, [("openshift", True)]),
        (manifest("Ingress", "networking.k8s.io/v1", {}), []),
    ],
)
def test_objects_in_view_show_a_platform(body: Manifest, expected: list[tuple[str, bool]]) -> None:
    assert platforms(body) == expected


def test_the_settings_know_better() -> None:
    assert platforms(ROUTE, stated=("istio",)) == [("istio", False)]
    assert platforms(ROUTE, stated=()) == []


@pytest.mark.parametrize(("kube_version", "secrets"), [("1.28", 8), ("1.34", 4)])
def test_what_platforms_keep_in_every_namespace(kube_version: str, secrets: int) -> None:
    accounts = [manifest("ServiceAccount", "v1", {}, name) for name in ("app", "builder")]
    members = [obj for number, body in enumerate(accounts) for obj in objects(body, Place("a.yaml", number))]
    both = (Platform("istio", None), Platform("openshift", None))
    made = [of for of in demands(members, Nodes(None), kube_version=kube_version, platforms=both) if of.owner is None]
    assert sorted((of.kind, of.name, of.number) for of in made) == [
        ("ConfigMap", "istio-ca-root-cert", 1),
        ("ConfigMap", "kube-root-ca.crt", 1),
        ("ConfigMap", "openshift-service-ca.crt", 1),
        ("Secret", "", secrets),
        ("ServiceAccount", "default", 1),
        ("ServiceAccount", "deployer", 1),
    ]
