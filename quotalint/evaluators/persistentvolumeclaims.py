"""The evaluator of PersistentVolumeClaims.

Source: Kubernetes 1.34, pkg/quota/v1/evaluator/core/persistent_volume_claims.go.
"""

from __future__ import annotations

from quotalint.evaluators.evaluator import Evaluator, nothing_missing
from quotalint.kube import quantity
from quotalint.kube.claim import Claim
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.scopes import CLAIM_SCOPES, Requirement, selects

CLASS_SUFFIX = ".storageclass.storage.k8s.io/"
_NAMES = ("persistentvolumeclaims", "requests.storage")
_ONE = quantity.of(1)


def tracks(name: str) -> bool:
    """Whether claims are charged to a name of `hard` (MatchingResources)."""
    return name in _NAMES or name == "count/persistentvolumeclaims" or class_of(name) is not None


def class_of(name: str) -> str | None:
    """The storage class that a name of `hard` limits; None if it limits no class."""
    storage_class, _, resource = name.partition(CLASS_SUFFIX)
    return storage_class if resource in _NAMES else None


def usage(claim: Claim) -> ResourceList:
    """One claim and its storage in whole bytes, in total and for its class."""
    charged: dict[str, Quantity] = {"count/persistentvolumeclaims": _ONE, "persistentvolumeclaims": _ONE}
    storage = claim.requests.get("storage")
    if storage is not None:
        charged["requests.storage"] = _whole_bytes(storage)
    if claim.storage_class:
        for name in _NAMES:
            if name in charged:
                charged[claim.storage_class + CLASS_SUFFIX + name] = charged[name]
    return charged


def in_scope(claim: Claim, requirement: Requirement) -> bool:
    """Whether a claim satisfies a requirement (pvcMatchesScopeFunc)."""
    return requirement.scope == "VolumeAttributesClass" and selects(requirement, claim.attributes_class)


def _whole_bytes(storage: Quantity) -> Quantity:
    # RoundUp(0): "storage requests are counted as whole byte values" (kubernetes#94313).
    fraction = storage.nano % 10**9
    return Quantity(storage.nano - fraction + 10**9, storage.format) if fraction else storage


EVALUATOR = Evaluator(tracks, CLAIM_SCOPES, usage, in_scope, nothing_missing)
