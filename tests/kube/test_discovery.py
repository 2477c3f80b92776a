"""Which `count/…` names a cluster serves."""

from __future__ import annotations

import pytest

from quotalint.kube.discovery import KNOWN, MISSING, UNKNOWN, count_name, discover_kinds, is_cluster_scoped, resolve
from quotalint.kube.objects import objects
from quotalint.text.place import Place


def crd(kind: str, plural: str, scope: str = "Namespaced") -> dict[str, object]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {"group": "example.com", "scope": scope, "names": {"kind": kind, "plural": plural}},
    }


DEFINED = (crd("Widget", "widgets"), crd("Chassis", "chassis"), crd("Zone", "zones", "Cluster"))
KINDS = discover_kinds((obj for body in DEFINED for obj in objects(body, Place("crd.yaml"))), "1.34")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pods", KNOWN),
        ("deployments.apps", KNOWN),
        ("widgets.example.com", KNOWN),
        ("deployment.apps", MISSING),
        ("deployments", MISSING),
        ("deployments.extensions", MISSING),
        ("Pods", MISSING),
        ("events", MISSING),
        ("namespaces", MISSING),
        ("zones.example.com", MISSING),
        ("gadgets.example.com", MISSING),
        ("routes.route.openshift.io", UNKNOWN),
        ("pods.core", MISSING),
        ("services.loadbalancers", MISSING),
        ("pods.v1", MISSING),
    ],
)
def test_a_name_is_served_or_not_or_nobody_here_knows(name: str, expected: str) -> None:
    assert resolve(KINDS, name) == expected


@pytest.mark.parametrize(
    ("group", "kind", "expected"),
    [
        ("", "ConfigMap", "count/configmaps"),
        ("networking.k8s.io", "NetworkPolicy", "count/networkpolicies.networking.k8s.io"),
        ("example.com", "Widget", "count/widgets.example.com"),
        ("example.com", "Chassis", "count/chassis.example.com"),
        ("other.example.com", "Policy", "count/policies.other.example.com"),
        ("", "Namespace", None),
        ("example.com", "Zone", None),
        ("", "Event", None),
    ],
)
def test_objects_are_counted_under_their_plural(group: str, kind: str, expected: str | None) -> None:
    assert count_name(KINDS, group, kind) == expected


# a `count/…` name in a release
RELEASES = {
    "never in a stable version": ("podcertificaterequests.certificates.k8s.io", "1.36", MISSING),
    "gone before it was stable": ("podschedulingcontexts.resource.k8s.io", "1.31", MISSING),
    "before its stable version": ("resourceclaims.resource.k8s.io", "1.30", KNOWN),
    "always": ("configmaps", "1.28", KNOWN),
}


@pytest.mark.parametrize("case", RELEASES)
def test_kinds_come_and_go(case: str) -> None:
    name, release, expected = RELEASES[case]
    assert resolve(discover_kinds((), release), name) == expected


NEVER = [
    "events",
    "events.events.k8s.io",
    "bindings",
    "tokenreviews.authentication.k8s.io",
    "nodes",
    "",
    ".",
    "pods.apps",
]


@pytest.mark.parametrize("name", NEVER)
def test_nothing_is_counted_as(name: str) -> None:
    assert resolve(KINDS, name) == MISSING


@pytest.mark.parametrize("name", ["certificates.cert-manager.io", "issuers", "a.b.c"])
def test_a_foreign_group_may_be_served_for_all_we_know(name: str) -> None:
    assert resolve(KINDS, name) == (UNKNOWN if "." in name else MISSING)


SCOPED = {
    "built in, of a namespace": ("apps", "Deployment", False),
    "built in, of the cluster": ("", "Namespace", True),
    "custom, of a namespace": ("example.com", "Widget", False),
    "custom, of the cluster": ("example.com", "Zone", True),
    "of a well-known add-on": ("cert-manager.io", "ClusterIssuer", True),
    "of a group that has no other": ("constraints.gatekeeper.sh", "Anything", True),
    # What nobody defines is more often of a namespace.
    "unknown": ("other.example.com", "Cluster", False),
    "the same kind of another group": ("example.com", "Namespace", False),
}


@pytest.mark.parametrize("case", SCOPED)
def test_is_cluster_scoped(case: str) -> None:
    group, kind, expected = SCOPED[case]
    assert is_cluster_scoped(KINDS, group, kind) == expected


@pytest.mark.parametrize(
    "spec",
    [
        None,
        3,
        {"group": "example.com"},
        {"group": "example.com", "names": "widgets"},
        {"group": None, "names": {"kind": "Widget", "plural": "widgets"}},
        {"group": "example.com", "names": {"kind": ["Widget"], "plural": "widgets"}},
    ],
    ids=str,
)
def test_a_definition_of_nothing_defines_nothing(spec: object) -> None:
    body = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": spec}
    discovery = discover_kinds(objects(body, Place("crd.yaml")), "1.34")
    assert (dict(discovery.by_kind), dict(discovery.by_plural), discovery.groups) == ({}, {}, frozenset())


def test_what_nothing_applies_is_known_and_makes_no_group_complete() -> None:
    objs = (obj for item in DEFINED for obj in objects(item, Place("crds.yaml")))
    discovery = discover_kinds((), "1.34", objs)
    assert (resolve(discovery, "widgets.example.com"), resolve(discovery, "gadgets.example.com")) == (UNKNOWN, UNKNOWN)
    assert (count_name(discovery, "example.com", "Widget"), is_cluster_scoped(discovery, "example.com", "Zone")) == (
        "count/widgets.example.com",
        True,
    )


def test_what_nothing_applies_joins_the_kinds_of_its_group() -> None:
    applied, other = (tuple(objects(item, Place("crds.yaml"))) for item in (DEFINED[0], crd("Gadget", "gadgets")))
    assert resolve(discover_kinds(applied, "1.34"), "gadgets.example.com") == MISSING
    assert resolve(discover_kinds(applied, "1.34", other), "gadgets.example.com") == KNOWN
