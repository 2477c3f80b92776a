"""Objects whose API version no server of the release has: they are refused, so they take no room.

A cluster that was upgraded may still hold what they made before. So sums that they would add to are lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from quotalint.kube.discovery import Discovery, guessed_plural
from quotalint.kube.guess import VERSION
from quotalint.kube.kinds import is_surely_served
from quotalint.kube.objects import Object
from quotalint.quota.projection import HiddenObjects
from quotalint.workloads import POD_OWNERS

if TYPE_CHECKING:
    from quotalint.kube.api_versions import Unserved

_SCALERS = frozenset({"HorizontalPodAutoscaler"})
_OF_PODS = (
    *("pods", "cpu", "memory", "ephemeral-storage", "hugepages", "/"),
    *("jobs", "replicasets", "controllerrevisions"),
)
"""Parts of the names of entries that count pods, and what makes them; extended resources have a slash."""
_MAKE_PODS = frozenset(kind for group, kind in POD_OWNERS if "." not in group)


def unserved_object(obj: Object, discovery: Discovery) -> Unserved | None:
    """Why no server of the release accepts the object; None if one may. Objects of a snapshot are there, and a chart
    that asks the cluster for its versions may write another."""
    if is_surely_served(obj.group, obj.version, obj.kind) or obj.foreign:
        return None
    if any(guess.about == VERSION for guess in obj.guesses):
        return None
    from quotalint.kube.api_versions import unserved

    return unserved(obj.group, obj.version, obj.kind, discovery)


def served_objects(members: tuple[Object, ...], discovery: Discovery) -> tuple[Object, ...]:
    """The objects that a server may accept; the same value if these are all."""
    served = tuple(obj for obj in members if unserved_object(obj, discovery) is None)
    return members if len(served) == len(members) else served


def unserved_reasons(members: Iterable[Object], discovery: Discovery) -> Iterator[HiddenObjects]:
    """Why a sum lacks objects that their manifests describe."""
    for obj in members:
        refusal = unserved_object(obj, discovery)
        if refusal is not None:
            written = f"{obj.kind} {obj.title} is not counted: it is written as {obj.api_version}"
            yield HiddenObjects(f"{written}, which Kubernetes {_served_words(refusal)}", only=tuple(_entries_of(obj)))


def _served_words(refusal: Unserved) -> str:
    from quotalint.kube.api_versions import GONE

    if not refusal.release:
        return "does not serve"
    return f"serves only before {refusal.release}" if refusal.reason == GONE else f"serves from {refusal.release} on"


def _entries_of(obj: Object) -> Iterator[str]:
    """Parts of the names of entries that may count the object, or what is made of it."""
    yield guessed_plural(obj.kind)
    if obj.kind in _MAKE_PODS or obj.kind in _SCALERS:
        yield from _OF_PODS
        if obj.kind in _SCALERS or "volumeClaimTemplate" in str(obj.body):
            yield from ("persistentvolumeclaims", "storage")
