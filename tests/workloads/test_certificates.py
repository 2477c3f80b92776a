"""The pods and Services of HTTP-01 challenges, which cert-manager makes while it issues a certificate."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Manifest, demanded, manifest, pods

VERSION = "cert-manager.io/v1"
HTTP: dict[str, Any] = {"http01": {"ingress": {}}}
DNS: dict[str, Any] = {"dns01": {"route53": {}}}
ONE, NONE = (0, 1, 0, 1), (0, 0, 0, 0)


def issuer(*solvers: Manifest, name: str = "ca", spec: object = None) -> Manifest:
    return manifest("Issuer", VERSION, spec or {"acme": {"solvers": list(solvers)}}, name)


def certificate(*names: str, **spec: Any) -> Manifest:
    return manifest("Certificate", VERSION, {"dnsNames": list(names), "issuerRef": {"name": "ca"}, **spec})


def selecting(solver: Manifest, **selector: Any) -> Manifest:
    return {**solver, "selector": selector}


@pytest.mark.parametrize(
    ("solvers", "names", "expected"),
    [
        pytest.param([HTTP], ["a.example.org"], ONE, id="one name"),
        pytest.param([HTTP], ["a.example.org", "b.example.org", "a.example.org"], (0, 2, 0, 2), id="two names"),
        pytest.param([HTTP], ["*.example.org"], NONE, id="a wildcard"),
        pytest.param([DNS], ["a.example.org"], NONE, id="proved by DNS"),
        pytest.param([DNS, HTTP], ["a.example.org"], NONE, id="the first of equals"),
        pytest.param([HTTP, selecting(DNS, dnsZones=["example.org"])], ["a.example.org"], NONE, id="a zone"),
        pytest.param([HTTP, selecting(DNS, dnsZones=["example.com"])], ["a.example.org"], ONE, id="another zone"),
        pytest.param(
            [selecting(DNS, dnsZones=["example.org"]), selecting(HTTP, dnsNames=["a.example.org"])],
            ["a.example.org", "b.example.org"],
            ONE,
            id="a name before its zone",
        ),
        pytest.param([HTTP, selecting(DNS, matchLabels={"a": "b"})], ["a.example.org"], ONE, id="labels that it lacks"),
        pytest.param([], ["a.example.org"], NONE, id="no solver"),
        pytest.param([{"http01": {}}], ["a.example.org"], NONE, id="a solver of no kind"),
    ],
)
def test_each_name_that_http_proves_has_a_pod_for_a_while(
    solvers: list[Manifest], names: list[str], expected: tuple[int, ...]
) -> None:
    assert pods(issuer(*solvers), certificate(*names)) == expected


@pytest.mark.parametrize(
    "other", [issuer(HTTP, name="other"), issuer(spec={"selfSigned": {}}), issuer(spec={"acme": {"solvers": 3}})]
)
def test_without_a_known_issuer_there_are_none(other: Manifest) -> None:
    assert pods(other, certificate("a.example.org")) == NONE


def test_its_common_name_is_proved_too() -> None:
    assert pods(issuer(HTTP), certificate("a.example.org", commonName="b.example.org")) == (0, 2, 0, 2)


def test_an_ingress_has_solvers_for_its_hosts() -> None:
    body = manifest("Ingress", "networking.k8s.io/v1", {"tls": [{"secretName": "t", "hosts": ["a.example.org"]}]})
    body["metadata"]["annotations"] = {"cert-manager.io/issuer": "ca"}
    assert pods(issuer(HTTP), body) == ONE


def test_the_issuer_may_set_amounts_and_the_type_of_the_service() -> None:
    template = {"spec": {"resources": {"limits": {"memory": "128Mi"}}, "priorityClassName": "high"}}
    solver = {"http01": {"ingress": {"podTemplate": template, "serviceType": "ClusterIP"}}}
    demands = {demand.kind: demand for demand in demanded(issuer(solver), certificate("a.example.org"))}
    spec: Any = demands["Pod"].body["spec"]
    assert spec["containers"][0]["resources"] == {
        "requests": {"cpu": "10m", "memory": "64Mi"},
        "limits": {"cpu": "100m", "memory": "128Mi"},
    }
    assert (spec["priorityClassName"], demands["Service"].body["spec"]) == (
        "high",
        {"type": "ClusterIP", "ports": [{"port": 8089}]},
    )
