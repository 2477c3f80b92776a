"""Objects whose API version no server of the release has: they are refused, so they take no room.

A cluster that was upgraded may still hold what they made before. So sums that they would add to are lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from quotalint.kube.discovery import Discovery, guessed_plural
from quotalint.kube.kinds import is_surely_served
from quotalint.kube.objects import Object
from quotalint.quota.projection import HiddenObjects
from quotalint.workloads import POD_OWNERS

if TYPE_CHECKING:
    from quotalint.kube.api_versions import Unserved

_SCALERS = frozenset({"HorizontalPodAutoscaler"})
_MAKE_PODS = frozenset(kind for group, kind in POD_OWNERS if "." not in group)


def unserved_object(obj: Object, discovery: Discovery) -> Unserved | None:
    """Why no server of the release accepts the object; None if one may. Objects of a snapshot are there."""
    if is_surely_served(obj.group, obj.version, obj.kind) or obj.foreign:
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
        if unserved_object(obj, discovery) is None:
            continue
        version = f"{obj.api_version}, which Kubernetes {discovery.kube_version} does not serve"
        reason = f"{obj.kind} {obj.name} is not counted: it is written as {version}"
        counts_pods = obj.kind in _MAKE_PODS or obj.kind in _SCALERS
        yield HiddenObjects(reason, only=() if counts_pods else (guessed_plural(obj.kind),))
