"""What happens to a pod or claim between its creation and its charge, in the API server's order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from quotalint.admission import limit_ranger, priority, runtime_class, storage_class
from quotalint.admission.limit_ranger import Violation
from quotalint.admission.plugins import Plugins
from quotalint.kube import claim as claims
from quotalint.kube import pod as pods
from quotalint.kube.amounts import Unknown
from quotalint.kube.api_defaults import defaulted
from quotalint.kube.claim import Claim
from quotalint.kube.device_claim import device_claim
from quotalint.kube.pod import Pod
from quotalint.workloads.demand import Demand


class Admitted(NamedTuple):
    """A demand with the object as the API server would store it."""

    demand: Demand
    item: object
    """A Pod, a Claim, or the body of any other kind."""
    violations: tuple[Violation, ...] = ()
    """Why LimitRanger refuses it."""
    unknowns: tuple[Unknown, ...] = ()


STEPS: tuple[Callable[[Pod, Plugins], Pod], ...] = (
    lambda pod, _: defaulted(pod),
    lambda pod, by: limit_ranger.fill(pod, by.limit_ranges),
    lambda pod, by: priority.fill(pod, by.default_priority_class),
    lambda pod, by: runtime_class.fill(pod, by.overheads),
)
"""Order is meaning: a container that set a limit has its request already when LimitRanger comes."""


def admitted(demand: Demand, by: Plugins) -> Admitted:
    """The demand after everything that changes or refuses it before its quota is looked at."""
    if (demand.group, demand.kind) == ("", "Pod"):
        pod = pods.pod(demand.body, pod_level_resources=by.pod_level_resources, sidecars=by.sidecars)
        for step in STEPS:
            pod = step(pod, by)
        violations = limit_ranger.pod_violations(pod, by.limit_ranges) if by.limit_ranges else ()
        return Admitted(demand, pod, violations, pod.unknowns)
    if (demand.group, demand.kind) == ("", "PersistentVolumeClaim"):
        claim: Claim = storage_class.fill(claims.claim(demand.body), by.default_storage_class)
        violations = limit_ranger.claim_violations(claim, by.limit_ranges) if by.limit_ranges else ()
        return Admitted(demand, claim, violations, claim.unknowns)
    if (demand.group, demand.kind) == ("resource.k8s.io", "ResourceClaim"):
        devices = device_claim(demand.body, by.extended_names)
        return Admitted(demand, devices, (), devices.unknowns)
    return Admitted(demand, demand.body)
