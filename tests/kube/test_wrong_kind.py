"""What is meant as a quota and is none."""

from __future__ import annotations

import pytest

from quotalint.checks.object_definitions import meant_kind
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import objects
from quotalint.text.place import Place

CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "resourcequotas.own.k8s.io"},
    "spec": {"group": "own.k8s.io", "names": {"kind": "ResourceQuota", "plural": "resourcequotas"}},
}
KNOWN = discover_kinds(objects(CRD, Place("crd.yaml")), "1.34")


@pytest.mark.parametrize(
    ("api_version", "kind", "meant"),
    [
        ("v1", "ResourceQuota", ""),
        ("v1", "LimitRange", ""),
        ("v2", "ResourceQuota", "ResourceQuota"),
        ("v1beta1", "LimitRange", "LimitRange"),
        ("apps/v1", "ResourceQuota", "ResourceQuota"),
        ("policy.k8s.io/v1", "ResourceQuota", "ResourceQuota"),
        ("own.k8s.io/v1", "ResourceQuota", ""),
        ("example.com/v1", "ResourceQuota", ""),
        ("hnc.x-k8s.io/v1", "ResourceQuota", ""),
        ("${VERSION}", "ResourceQuota", ""),
        ("v1", "Resourcequota", "ResourceQuota"),
        ("v1", "resourceQuotas", "ResourceQuota"),
        ("v1", "ResourceQouta", "ResourceQuota"),
        ("v1", "Limitrange", "LimitRange"),
        ("v1", "LimitRanges", "LimitRange"),
        ("v1", "ResourceQuotaList", ""),
        ("v1", "ClusterResourceQuota", ""),
        ("v1", "ReplicationController", ""),
        ("apps/v1", "ReplicaSet", ""),
        ("v1", "Pod", ""),
    ],
)
def test_the_kind_that_is_meant_is_told(api_version: str, kind: str, meant: str) -> None:
    (obj,) = objects({"apiVersion": api_version, "kind": kind}, Place("quota.yaml"))
    assert meant_kind(obj, KNOWN) == meant
