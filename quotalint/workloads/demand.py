"""What an object of the repository brings into being: itself, pods, claims, and objects that controllers make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.settings import Nodes
from quotalint.text.place import Place

_INT32 = 2**31 - 1  # the API server reads counts as int32 and refuses what does not fit


class Demand(NamedTuple):
    """A number of equal objects that will exist because of an object in the repository."""

    owner: Object | None
    """The object it comes from; None for what every namespace has."""
    group: str
    kind: str
    name: str
    """The name of the object, where one is known beforehand."""
    body: Body
    place: Place | None
    """Where `body` is written: the object, or the template in it."""
    number: int
    because: str
    """The number in words: `replicas 3`."""
    unknowns: tuple[str, ...] = ()
    """Why the true number may be higher."""


class Bounds(NamedTuple):
    """Between which numbers of replicas an autoscaler moves a workload."""

    minimum: int
    maximum: int
    autoscaler: Object


class Surroundings(NamedTuple):
    """What else decides how many of something there will be."""

    nodes: Nodes
    autoscalers: Mapping[tuple[str, str], Bounds]
    """By kind and name of the workload."""
    claim_templates: Mapping[str, Object]
    """The ResourceClaimTemplates of the namespace by name."""


class Number(NamedTuple):
    """A count read from a manifest."""

    value: int
    because: str
    unknowns: tuple[str, ...] = ()


def itself(obj: Object) -> Demand:
    """The object as it is written."""
    return Demand(obj, obj.group, obj.kind, obj.name, obj.body, obj.place, 1, "")


def implied(owner: Object, group: str, kind: str, count: int = 1, name: str = "") -> Demand:
    """Objects without a manifest that a controller makes for the owner."""
    return Demand(owner, group, kind, name, {}, None, count, f"made for {owner.kind} {owner.name}")


def number(obj: Object, field: str, default: int) -> Number:
    """A count in `spec`, or its default. What is no count is 0, with the reason why it is not known."""
    written = obj.spec.get(field)
    if written is None:
        return Number(default, f"{field} {default} (default)")
    if isinstance(written, int) and not isinstance(written, bool) and 0 <= written <= _INT32:
        return Number(written, f"{field} {written}")
    reason = f"{obj.kind} {obj.name}: spec.{field} is not a number of pods: {str(written)[:40]!r}"
    return Number(0, f"{field} unknown", (reason,))


def replicas(obj: Object, surroundings: Surroundings) -> Number:
    """`spec.replicas` (default 1), moved into the bounds of an autoscaler of this workload."""
    written = number(obj, "replicas", 1)
    bounds = surroundings.autoscalers.get((obj.kind, obj.name))
    if bounds is None:
        return written
    clamped = min(max(written.value, bounds.minimum), bounds.maximum)
    if clamped == written.value:
        return written
    because = f"{clamped} by {bounds.autoscaler.kind} {bounds.autoscaler.name}"
    return Number(clamped, because, written.unknowns)


def pods(owner: Object, template: object, place: Place, count: Number, surroundings: Surroundings) -> Iterator[Demand]:
    """The pods of a template, and the claims that are made for each of them."""
    body = mapping(template)
    yield Demand(owner, "", "Pod", "", body, place, count.value, count.because, count.unknowns)
    spec = mapping(body.get("spec"))
    for index, volume in enumerate(sequence(spec.get("volumes"))):
        made = mapping(mapping(volume).get("ephemeral")).get("volumeClaimTemplate")
        if isinstance(made, dict):
            at = place.at("spec", "volumes", index, "ephemeral", "volumeClaimTemplate")
            because = f"one per pod, {count.because}"
            yield Demand(owner, "", "PersistentVolumeClaim", "", made, at, count.value, because, count.unknowns)
    for index, claim in enumerate(sequence(spec.get("resourceClaims"))):
        name = text(mapping(claim).get("resourceClaimTemplateName"))
        if name:
            at = place.at("spec", "resourceClaims", index)
            yield _resource_claim(owner, name, at, count, surroundings)


def _resource_claim(owner: Object, name: str, place: Place, count: Number, surroundings: Surroundings) -> Demand:
    template = surroundings.claim_templates.get(name)
    unknowns = count.unknowns
    body: Body = {}
    if template is None:
        missing = f"ResourceClaimTemplate {name} is not in view, so its devices are not counted"
        reason = f"{owner.kind} {owner.name}: {missing}"
        unknowns += (reason,)
    else:
        body = mapping(template.spec)
    because = f"one per pod, {count.because}"
    return Demand(owner, "resource.k8s.io", "ResourceClaim", "", body, place, count.value, because, unknowns)
