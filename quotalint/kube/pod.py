"""The fields of a pod that decide its charge, parsed once for admission and evaluators."""

from __future__ import annotations

from quotalint.kube.amounts import UnknownAmount, amounts
from quotalint.kube.fields import Body, dig, integer, mapping, sequence, text
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path


class Container(NamedTuple):
    """A container or init container with its requests and limits."""

    name: str
    path: Path
    """The path in the pod or pod template."""
    requests: ResourceList
    limits: ResourceList
    sidecar: bool = False
    """An init container with `restartPolicy: Always`: it keeps running with the containers."""
    unknown_requests: frozenset[str] = frozenset()
    """Resources with a request of an unknown amount (a placeholder)."""
    unknown_limits: frozenset[str] = frozenset()

    @property
    def unknown_resources(self) -> frozenset[str]:
        """Resources with an unknown request or limit."""
        return self.unknown_requests | self.unknown_limits


class Filled(NamedTuple):
    """A value that admission added to a pod."""

    container: str
    field: str
    """`requests` or `limits`."""
    resource: str
    plugin: str


class Pod(NamedTuple):
    """A pod at its creation."""

    containers: tuple[Container, ...]
    init_containers: tuple[Container, ...]
    requests: ResourceList
    """Pod-level `spec.resources.requests`."""
    limits: ResourceList
    has_resources: bool
    """`spec.resources` is written; it then decides the QoS class alone."""
    overhead: ResourceList
    priority_class: str
    runtime_class: str
    active_deadline: int | None
    cross_namespace_affinity: bool
    finished: bool
    """Phase Succeeded or Failed: only `count/pods` counts it."""
    unknowns: tuple[UnknownAmount, ...]
    unknown: frozenset[str] = frozenset()
    """Pod-level resources of an unknown amount."""
    filled: tuple[Filled, ...] = ()
    has_node: bool = False
    """`spec.nodeName` is written, so the scheduler is skipped."""

    @property
    def all_containers(self) -> tuple[Container, ...]:
        return self.containers + self.init_containers


def pod(body: Body, *, pod_level_resources: bool = True, sidecars: bool = True) -> Pod:
    """Parses a Pod, or a pod template, which has the same shape.

    `pod_level_resources`, `sidecars`: whether the API server supports `spec.resources` and restartable init containers
    (`releases.py`); without support it drops the field.
    """
    spec = mapping(body.get("spec"))
    resources = spec.get("resources") if pod_level_resources else None
    pod_level = mapping(resources)
    requests = amounts(pod_level.get("requests"), ("spec", "resources", "requests"))
    limits = amounts(pod_level.get("limits"), ("spec", "resources", "limits"))
    overhead = amounts(spec.get("overhead"), ("spec", "overhead"))
    unknown = (*requests.unknowns, *limits.unknowns)
    containers, of_containers = _containers_of(spec, "containers", sidecars=False)
    init_containers, of_init_containers = _containers_of(spec, "initContainers", sidecars=sidecars)
    return Pod(
        containers=containers,
        init_containers=init_containers,
        requests=requests.known,
        limits=limits.known,
        has_resources=isinstance(resources, dict),
        overhead=overhead.known,
        priority_class=text(spec.get("priorityClassName")),
        runtime_class=text(spec.get("runtimeClassName")),
        active_deadline=integer(spec.get("activeDeadlineSeconds")),
        cross_namespace_affinity="affinity" in spec and _cross_namespace_affinity(spec),
        finished=dig(body, "status", "phase") in ("Succeeded", "Failed"),
        has_node=bool(text(spec.get("nodeName"))),
        unknowns=(*unknown, *of_containers, *of_init_containers, *overhead.unknowns),
        unknown=frozenset(str(unknown_amount.path[-1]) for unknown_amount in unknown),
    )


def _containers_of(
    spec: Body, field: str, *, sidecars: bool
) -> tuple[tuple[Container, ...], tuple[UnknownAmount, ...]]:
    """The containers in a field, and their unknown amounts."""
    listed = spec.get(field)
    unknowns: list[UnknownAmount] = []
    if listed is not None and not isinstance(listed, list):
        unknowns.append(UnknownAmount(("spec", field), "is not a list of containers"))
    containers = []
    for index, item in enumerate(sequence(listed)):
        path: Path = ("spec", field, index)
        if not isinstance(item, dict):
            unknowns.append(UnknownAmount(path, "is not a container"))
            continue
        resources = item.get("resources")
        if resources is not None and not isinstance(resources, dict):
            unknowns.append(UnknownAmount((*path, "resources"), "is not a mapping"))
        amounts_by_field = mapping(resources)
        requests = amounts(amounts_by_field.get("requests"), (*path, "resources", "requests"))
        limits = amounts(amounts_by_field.get("limits"), (*path, "resources", "limits"))
        unknowns += (*requests.unknowns, *limits.unknowns)
        unknown_limits = frozenset(str(unknown.path[-1]) for unknown in limits.unknowns)
        # A limit without a request is the request too.
        unknown_requests = frozenset(str(unknown.path[-1]) for unknown in requests.unknowns)
        unknown_requests |= unknown_limits - requests.known.keys()
        sidecar = sidecars and item.get("restartPolicy") == "Always"
        name = text(item.get("name"))
        containers.append(
            Container(name, path, requests.known, limits.known, sidecar, unknown_requests, unknown_limits)
        )
    return tuple(containers), tuple(unknowns)


def _cross_namespace_affinity(spec: Body) -> bool:
    # pkg/quota/v1/evaluator/core/pods.go, crossNamespacePodAffinityTerm: an empty selector counts, a null one does not.
    affinity = mapping(spec.get("affinity"))
    for field in ("podAffinity", "podAntiAffinity"):
        rules = mapping(affinity.get(field))
        required = sequence(rules.get("requiredDuringSchedulingIgnoredDuringExecution"))
        preferred = sequence(rules.get("preferredDuringSchedulingIgnoredDuringExecution"))
        terms = [*map(mapping, required), *(mapping(mapping(term).get("podAffinityTerm")) for term in preferred)]
        if any(sequence(term.get("namespaces")) or isinstance(term.get("namespaceSelector"), dict) for term in terms):
            return True
    return False
