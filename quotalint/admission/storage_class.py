"""DefaultStorageClass: a claim that names no class gets the default one.

Source: Kubernetes 1.34, plugin/pkg/admission/storage/storageclass/setdefault/admission.go.
"""

from __future__ import annotations

from quotalint.kube.claim import Claim


def fill_class(claim: Claim, default_class: str) -> Claim:
    """The claim with its class; `default_class` is empty where no class in view is the default."""
    return (
        claim if claim.storage_class is not None or not default_class else claim._replace(storage_class=default_class)
    )
