"""Kinds whose controllers create Secrets: sealed or external secrets, and Flux's HelmRelease, whose revisions Helm
stores in Secrets.

Sources: sealed-secrets, pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go (Unseal); external-secrets,
apis/externalsecrets/v1/externalsecret_types.go (ExternalSecretCreationPolicy); onepassword-operator,
internal/controller/onepassworditem_controller.go; HashiCorp's vault-secrets-operator, api/v1beta1 (Destination);
helm-controller 1.2, api/v2/helmrelease_types.go (`maxHistory` is 5 where it is not written, 0 is no limit); Helm 3.16,
pkg/storage/driver/secrets.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import dig, integer, mapping, text
from quotalint.kube.objects import Object
from quotalint.workloads.demand import ROLLOUT, Demand, Kept, Numbers, Surroundings, implied_objects

_CREATING = ("", "Owner", "Orphan")
_REVISIONS = 5


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Secret with the name of the object."""
    return _with_secret(obj, obj.name)


def expand_external_secret(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Secret of an ExternalSecret, unless another owner creates it or the target is another kind."""
    target = mapping(obj.spec.get("target"))
    made = text(target.get("creationPolicy")) in _CREATING and not target.get("manifest")
    return _with_secret(obj, (text(target.get("name")) or obj.name) if made else "")


def expand_kafka_user(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Secret with the credentials of a KafkaUser if Strimzi makes one."""
    made = text(dig(obj.spec, "authentication", "type")) in _LOGGING_IN
    return _with_secret(obj, obj.name if made else "")


_LOGGING_IN = ("scram-sha-512", "tls")


def expand_vault_secret(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Secret that the object syncs to, if it creates that Secret."""
    created = dig(obj.spec, "destination", "create") is True
    return _with_secret(obj, text(dig(obj.spec, "destination", "name")) if created else "")


def expand_helm_release(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Secrets of the revisions of a HelmRelease if they are stored in its namespace."""
    written = integer(obj.spec.get("maxHistory"))
    revisions = _REVISIONS if written is None else written
    if text(obj.spec.get("storageNamespace")) in ("", obj.namespace):
        secrets = implied_objects(obj, "", "Secret", Numbers(1, 2, 1, max(2, revisions)))
        # The oldest ones go before a new one is created, but never the deployed one (pkg/storage/storage.go, Create).
        secrets = secrets._replace(kept=Kept(max(1, revisions - 1), 0, ROLLOUT, "maxHistory", revisions))
        if revisions <= 0:
            reason = f"{obj.kind} {obj.name}: `maxHistory: 0` lets Helm keep every revision in a Secret"
            secrets = secrets._replace(size=secrets.size._replace(unknowns=(reason,)))
        yield secrets


def _with_secret(obj: Object, name: str) -> Iterator[Demand]:
    if name:
        yield implied_objects(obj, "", "Secret", name=name)
