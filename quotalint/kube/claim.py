"""The fields of a PersistentVolumeClaim or ResourceClaim that decide its charge."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.kube.amounts import UnknownAmount, amounts
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple

CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


class Claim(NamedTuple):
    """A PersistentVolumeClaim at its creation."""

    requests: ResourceList
    storage_class: str | None
    """None: not written, so the default class applies; empty: written as an empty string."""
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


class DeviceClaim(NamedTuple):
    """A ResourceClaim at its creation."""

    body: Body
    extended_names: Mapping[str, str] | None
    """The `extendedResourceName` of each known DeviceClass, empty if it has none; None in releases that do not charge
    claims for it."""
    unknowns: tuple[UnknownAmount, ...] = ()


def device_claim(body: Body, extended_names: Mapping[str, str] | None) -> DeviceClaim:
    """A ResourceClaim, or the template of one, which has the same shape."""
    missing = [name for name in dict.fromkeys(_requested_classes(body)) if name not in (extended_names or {})]
    if extended_names is None or not missing:
        return DeviceClaim(body, extended_names)
    path = ("spec", "devices", "deviceClassName")
    reason = "is not in view, and may stand for an extended resource"
    return DeviceClaim(body, extended_names, tuple(UnknownAmount(path, f"{name} {reason}") for name in missing))


def _requested_classes(body: Body) -> list[str]:
    requests = map(mapping, sequence(dig(body, "spec", "devices", "requests")))
    class_names = []
    for request in requests:
        alternatives = map(mapping, sequence(request.get("firstAvailable")))
        for device_request in (request, mapping(request.get("exactly")), *alternatives):
            name = text(device_request.get("deviceClassName"))
            if name:
                class_names.append(name)
    return class_names
