"""What a namespace holds that nobody wrote and nothing in it brings about."""

from __future__ import annotations

import pytest
from workload_demands import Manifest, manifest

from quotalint.kube.objects import objects
from quotalint.settings import Nodes
from quotalint.text.place import Place
from quotalint.workloads.namespace_contents import demands

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
