"""The ResourceClaim that the scheduler makes for a pod whose containers ask for devices by the name of a DeviceClass.

Source: Kubernetes 1.36, pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go. What the claim
asks for of a class is as much as the pod requests of it (createRequestsAndMappings).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.fields import Body, dig, mapping, sequence
from quotalint.kube.pod import pod
from quotalint.kube.pod_resources import container_requests, with_default_requests
from quotalint.kube.quantity import whole_number
from quotalint.kube.resources import IMPLICIT_EXTENDED
from quotalint.named_tuples import NamedTuple

_ANNOTATION = "resource.kubernetes.io/extended-resource-claim"


class SchedulerClaim(NamedTuple):
    """The claim of a pod."""

    body: Body
    unknowns: tuple[UnknownAmount, ...]
    """What the pod asks for by a number of devices that is not known here."""


def scheduler_claim(body: Body) -> SchedulerClaim | None:
    """The claim of a pod, or of each pod of a template; None where that asks for no devices by the name of a class."""
    if not any(name.startswith(IMPLICIT_EXTENDED) for name in _written_names(body)):
        return None  # as nearly all pods: nothing is parsed
    asking = with_default_requests(pod(body))
    unknown_names = _by_class(name for container in asking.all_containers for name in container.unknown_requests)
    unknowns = tuple(unknown for unknown in asking.unknowns if unknown.path[-1] in unknown_names.values())
    requests = container_requests(asking)
    numbers = {name: whole_number(requests[full]) or 0 for name, full in _by_class(requests).items()}
    asked = [
        {"exactly": {"deviceClassName": name, "count": number}} for name, number in sorted(numbers.items()) if number
    ]
    if not asked and not unknowns:
        return None
    metadata = {"annotations": {_ANNOTATION: "true"}}
    return SchedulerClaim({"metadata": metadata, "spec": {"devices": {"requests": asked}}}, unknowns)


def is_scheduler_claim(body: Body) -> bool:
    """Whether this is such a claim: its pod is charged for the devices by the names that it calls them."""
    return dig(body, "metadata", "annotations", _ANNOTATION) == "true"


def _by_class(names: Iterable[str]) -> dict[str, str]:
    """The names that are made of the name of a DeviceClass, by that."""
    return {name.removeprefix(IMPLICIT_EXTENDED): name for name in names if name.startswith(IMPLICIT_EXTENDED)}


def _written_names(body: Body) -> Iterator[str]:
    for field in ("containers", "initContainers"):
        for container in sequence(dig(body, "spec", field)):
            for asked in mapping(mapping(container).get("resources")).values():
                yield from mapping(asked)
