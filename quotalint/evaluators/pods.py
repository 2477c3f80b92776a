"""The evaluator of pods.

Source: Kubernetes 1.34, pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from quotalint.evaluators.evaluator import Evaluator, Missing
from quotalint.kube import quantity
from quotalint.kube.pod import Container, Pod
from quotalint.kube.pod_resources import has_pod_level_resources, is_best_effort, pod_limits, pod_requests
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import COMPUTE, is_device, is_extended_quota, is_quota_huge_page
from quotalint.kube.scopes import POD_SCOPES, Requirement, selects

_NAMES = COMPUTE | {
    "count/pods",
    "pods",
    "ephemeral-storage",
    "requests.ephemeral-storage",
    "limits.ephemeral-storage",
}
_OVERCOMMITTABLE = ("cpu", "memory", "ephemeral-storage")
_ONE = quantity.of(1)


def tracks(name: str) -> bool:
    """Whether pods are charged to a name of `hard` (MatchingResources)."""
    return name in _NAMES or is_quota_huge_page(name) or is_extended_quota(name)


def usage(pod: Pod) -> ResourceList:
    """The charge of a pod (PodUsageFunc); a finished pod only counts as an object."""
    if pod.finished:
        return {"count/pods": _ONE}
    return {"count/pods": _ONE, "pods": _ONE, **_compute_usage(pod_requests(pod), pod_limits(pod))}


def in_scope(pod: Pod, requirement: Requirement) -> bool:
    """Whether a pod satisfies a requirement (podMatchesScopeFunc)."""
    scope = requirement.scope
    if scope == "Terminating":
        return _is_terminating(pod)
    if scope == "NotTerminating":
        return not _is_terminating(pod)
    if scope == "BestEffort":
        return is_best_effort(pod)
    if scope == "NotBestEffort":
        return not is_best_effort(pod)
    if scope == "PriorityClass":
        return selects(requirement, pod.priority_class)
    return scope == "CrossNamespacePodAffinity" and pod.cross_namespace_affinity


def missing_requests(pod: Pod, names: frozenset[str]) -> Missing:
    """The resources that a quota requires and containers do not specify (Constraints). Kubernetes requires only cpu and
    memory, and calls even that a mistake."""
    required = sorted(names & COMPUTE)
    if not required or has_pod_level_resources(pod):
        return {}
    lacking: dict[str, list[str]] = {}
    for container in pod.all_containers:
        for name in required:
            if not _specifies(container, name):
                lacking.setdefault(name, []).append(container.name)
    return {name: tuple(sorted(set(containers))) for name, containers in lacking.items()}


def _specifies(container: Container, name: str) -> bool:
    side, _, resource = name.rpartition(".")
    if side == "limits":
        return resource in container.limits or resource in container.unknown_limits
    return resource in container.requests or resource in container.unknown_requests


def _compute_usage(requests: ResourceList, limits: ResourceList) -> ResourceList:
    charged: dict[str, Quantity] = {}
    for name, value in requests.items():
        if name in _OVERCOMMITTABLE or name.startswith("hugepages-"):
            charged[name] = charged[f"requests.{name}"] = value
        elif is_device(name):
            charged[f"requests.{name}"] = value
    for name in _OVERCOMMITTABLE:
        if name in limits:
            charged[f"limits.{name}"] = limits[name]
    return charged


def _is_terminating(pod: Pod) -> bool:
    return pod.active_deadline is not None and pod.active_deadline >= 0


EVALUATOR = Evaluator(tracks, POD_SCOPES, usage, in_scope, missing_requests)
