"""What of a PersistentVolumeClaim decides its quota."""

from __future__ import annotations

from quotalint.kube.amounts import UnknownAmount, amounts
from quotalint.kube.fields import Body, dig, mapping, text
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple

CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


class Claim(NamedTuple):
    """A PersistentVolumeClaim as it is about to be created."""

    requests: ResourceList
    storage_class: str | None
    """None: not written, so the default class applies; empty: written as none at all."""
    attributes_class: str
    unknowns: tuple[UnknownAmount, ...]


def claim(body: Body) -> Claim:
    """A PersistentVolumeClaim, or a claim template, which has the same shape."""
    spec = mapping(body.get("spec"))
    # component-helpers/storage/volume/helpers.go, GetPersistentVolumeClaimClass: the annotation wins.
    annotated = dig(body, "metadata", "annotations", CLASS_ANNOTATION)
    written = annotated if isinstance(annotated, str) else spec.get("storageClassName")
    requests, unknowns = amounts(dig(spec, "resources", "requests"), ("spec", "resources", "requests"))
    return Claim(
        requests=requests,
        storage_class=written if isinstance(written, str) else None,
        attributes_class=text(spec.get("volumeAttributesClassName")),
        unknowns=unknowns,
    )
