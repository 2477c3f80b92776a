"""Secrets that are not in Git, of which Git says that a controller keeps them."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import demanded, manifest

EXTERNAL = ("ExternalSecret", "external-secrets.io/v1")
CERTIFICATE = ("Certificate", "cert-manager.io/v1")
KAFKA_USER = ("KafkaUser", "kafka.strimzi.io/v1beta2")
VAULT = ("VaultStaticSecret", "secrets.hashicorp.com/v1beta1")


@pytest.mark.parametrize(
    ("kind", "version", "spec", "expected"),
    [
        pytest.param("SealedSecret", "bitnami.com/v1alpha1", {}, ["w"], id="sealed"),
        pytest.param("OnePasswordItem", "onepassword.com/v1", {}, ["w"], id="1Password"),
        pytest.param(*EXTERNAL, {}, ["w"], id="external"),
        pytest.param(*EXTERNAL, {"target": {"name": "db"}}, ["db"], id="external, of another name"),
        pytest.param(*EXTERNAL, {"target": {"creationPolicy": "Orphan"}}, ["w"], id="left behind"),
        pytest.param(*EXTERNAL, {"target": {"name": "db", "creationPolicy": "Merge"}}, [], id="merged into another"),
        pytest.param(*EXTERNAL, {"target": {"creationPolicy": "None"}}, [], id="not made"),
        pytest.param(*EXTERNAL, {"target": {"manifest": {"kind": "ConfigMap"}}}, [], id="of another kind"),
        pytest.param(*CERTIFICATE, {"secretName": "tls"}, ["tls"], id="certificate"),
        pytest.param(*CERTIFICATE, {}, [], id="certificate that is not valid"),
        pytest.param(*KAFKA_USER, {"authentication": {"type": "tls"}}, ["w"], id="user of Kafka"),
        pytest.param(*KAFKA_USER, {"authentication": {"type": "tls-external"}}, [], id="user of Kafka without one"),
        pytest.param(*VAULT, {"destination": {"name": "db", "create": True}}, ["db"], id="vault"),
        pytest.param(*VAULT, {"destination": {"name": "db"}}, [], id="vault, into one that is there"),
        pytest.param(*VAULT, {"destination": []}, [], id="vault, not valid"),
    ],
)
def test_the_secrets_that_a_controller_makes_are_demanded(
    kind: str, version: str, spec: dict[str, Any], expected: list[str]
) -> None:
    demands = demanded(manifest(kind, version, spec))
    assert [demand.name for demand in demands if demand.kind == "Secret"] == expected


def test_a_secret_that_is_written_as_well_is_one() -> None:
    written = manifest("Secret", "v1", {}, "db")
    demands = demanded(manifest(*EXTERNAL, {"target": {"name": "db"}}), written)
    assert [demand.place is not None for demand in demands if demand.kind == "Secret"] == [True]


def ingress(name: str, *secrets: str, issuer: str = "cert-manager.io/issuer") -> dict[str, Any]:
    blocks = [{"secretName": secret, "hosts": ["example.com"]} for secret in secrets]
    body = manifest("Ingress", "networking.k8s.io/v1", {"tls": blocks}, name)
    return {**body, "metadata": {**body["metadata"], "annotations": {issuer: "ca"}}}


TLS = ["Certificate tls", "Secret tls"]


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        ([ingress("a", "tls")], TLS),
        ([ingress("a", "tls", issuer="cert-manager.io/cluster-issuer")], TLS),
        ([ingress("a", "tls", issuer="example.com/issuer")], []),
        ([ingress("a", "tls"), ingress("b", "tls", "web")], [*TLS, "Certificate web", "Secret web"]),
        ([ingress("a", "tls"), manifest(*CERTIFICATE, {"secretName": "tls"}, "tls")], TLS),
        ([ingress("a", "tls"), manifest("Secret", "v1", {}, "tls")], TLS),
        ([manifest("Ingress", "networking.k8s.io/v1", {"tls": [{"secretName": "tls", "hosts": ["a"]}]})], []),
    ],
)
def test_what_cert_manager_makes_for_an_ingress_is_there_once(
    manifests: list[dict[str, Any]], expected: list[str]
) -> None:
    demands = demanded(*manifests)
    made = [f"{demand.kind} {demand.name}" for demand in demands if demand.kind in ("Certificate", "Secret")]
    assert sorted(made) == sorted(expected)
