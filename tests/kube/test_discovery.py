"""Which `count/…` names a cluster serves."""

from __future__ import annotations

import pytest

from quotalint.kube.discovery import KNOWN, MISSING, UNKNOWN, count_name, discovery, is_disputed, resolve
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
KINDS = discovery((obj for body in DEFINED for obj in objects(body, Place("crd.yaml"))), "1.34")


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
        ("other.example.com", "Policy", "count/policies.other.example.com"),
        ("", "Namespace", None),
        ("example.com", "Zone", None),
        ("", "Event", None),
    ],
)
def test_objects_are_counted_under_their_plural(group: str, kind: str, expected: str | None) -> None:
    assert count_name(KINDS, group, kind) == expected


def test_a_custom_kind_with_an_irregular_plural_is_not_summed() -> None:
    assert (is_disputed(KINDS, "count/chassis.example.com"), count_name(KINDS, "example.com", "Chassis")) == (
        True,
        None,
    )
    assert is_disputed(KINDS, "count/widgets.example.com") is False
