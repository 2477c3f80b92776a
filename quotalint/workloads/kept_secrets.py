"""Kinds whose controllers keep a Secret: what Git holds of it is sealed, or says where it comes from.

Sources: sealed-secrets, pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go (Unseal); external-secrets,
apis/externalsecrets/v1/externalsecret_types.go (ExternalSecretCreationPolicy); cert-manager,
pkg/apis/certmanager/v1/types_certificate.go (CertificateSpec.SecretName); onepassword-operator,
internal/controller/onepassworditem_controller.go; HashiCorp's vault-secrets-operator, api/v1beta1 (Destination).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import Demand, Surroundings, demand_of_itself, implied_objects

_CREATING = ("", "Owner", "Orphan")


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The object, and the Secret of its own name."""
    return _with_secret(obj, obj.name)


def expand_external_secret(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The ExternalSecret, and its Secret, unless that is another's or it keeps an object of another kind."""
    target = mapping(obj.spec.get("target"))
    made = text(target.get("creationPolicy")) in _CREATING and not target.get("manifest")
    return _with_secret(obj, (text(target.get("name")) or obj.name) if made else "")


def expand_certificate(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Certificate, and the Secret that its key is kept in."""
    return _with_secret(obj, text(obj.spec.get("secretName")))


def expand_vault_secret(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The object, and the Secret that it is synchronised to, where that is its to create."""
    created = dig(obj.spec, "destination", "create") is True
    return _with_secret(obj, text(dig(obj.spec, "destination", "name")) if created else "")


def _with_secret(obj: Object, name: str) -> Iterator[Demand]:
    yield demand_of_itself(obj)
    if name:
        yield implied_objects(obj, "", "Secret", name=name)
