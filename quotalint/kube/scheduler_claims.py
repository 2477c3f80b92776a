"""The ResourceClaim that the scheduler creates for a pod whose containers request devices by the name of a DeviceClass.

Source: Kubernetes 1.36, pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go. The claim
requests as many devices of a class as the pod (createRequestsAndMappings).
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
    """The pod's requests for an unknown number of devices."""


def scheduler_claim(body: Body) -> SchedulerClaim | None:
    """The claim of a pod or of each pod of a template; None if it requests no devices by class."""
    if not any(name.startswith(IMPLICIT_EXTENDED) for name in _written_names(body)):
        return None  # the common case: nothing is parsed
    defaulted_pod = with_default_requests(pod(body))
    unknown_names = _by_class(name for container in defaulted_pod.all_containers for name in container.unknown_requests)
    unknowns = tuple(unknown for unknown in defaulted_pod.unknowns if unknown.path[-1] in unknown_names.values())
    requests = container_requests(defaulted_pod)
    numbers = {name: whole_number(requests[full]) or 0 for name, full in _by_class(requests).items()}
    device_requests = [
        {"exactly": {"deviceClassName": name, "count": number}} for name, number in sorted(numbers.items()) if number
    ]
    if not device_requests and not unknowns:
        return None
    metadata = {"annotations": {_ANNOTATION: "true"}}
    return SchedulerClaim({"metadata": metadata, "spec": {"devices": {"requests": device_requests}}}, unknowns)


def is_scheduler_claim(body: Body) -> bool:
    """Whether the scheduler created this claim: then its pod is charged for the devices."""
    return dig(body, "metadata", "annotations", _ANNOTATION) == "true"


def _by_class(names: Iterable[str]) -> dict[str, str]:
    """The names with a DeviceClass in them, by that class."""
    return {name.removeprefix(IMPLICIT_EXTENDED): name for name in names if name.startswith(IMPLICIT_EXTENDED)}


def _written_names(body: Body) -> Iterator[str]:
    for field in ("containers", "initContainers"):
        for container in sequence(dig(body, "spec", field)):
            for amounts_written in mapping(mapping(container).get("resources")).values():
                yield from mapping(amounts_written)
