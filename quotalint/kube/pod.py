"""What of a pod decides its quota: parsed once, so that admission and evaluators never dig in raw manifests."""

from __future__ import annotations

from quotalint.kube.amounts import UnknownAmount, amounts
from quotalint.kube.fields import Body, dig, integer, mapping, sequence, text
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path


class Container(NamedTuple):
    """A container or init container with what it asks for."""

    name: str
    path: Path
    """Where it stands, from the pod (or pod template) down."""
    requests: ResourceList
    limits: ResourceList
    sidecar: bool = False
    """An init container with `restartPolicy: Always`: it keeps running beside the containers."""
    unknown_requests: frozenset[str] = frozenset()
    """Resources that it does request, by an amount that is not known here: a placeholder."""
    unknown_limits: frozenset[str] = frozenset()

    @property
    def unknown_resources(self) -> frozenset[str]:
        """Resources of which the request, the limit or both are not known here."""
        return self.unknown_requests | self.unknown_limits


class Filled(NamedTuple):
    """A value that admission put into a pod."""

    container: str
    field: str
    """`requests` or `limits`."""
    resource: str
    plugin: str


class Pod(NamedTuple):
    """A pod as it is about to be created."""

    containers: tuple[Container, ...]
    init_containers: tuple[Container, ...]
    requests: ResourceList
    """Pod-level `spec.resources.requests`."""
    limits: ResourceList
    has_resources: bool
    """`spec.resources` is given at all; it then decides the QoS class alone."""
    overhead: ResourceList
    priority_class: str
    runtime_class: str
    active_deadline: int | None
    cross_namespace_affinity: bool
    finished: bool
    """Phase Succeeded or Failed: only `count/pods` still counts it."""
    unknowns: tuple[UnknownAmount, ...]
    unknown: frozenset[str] = frozenset()
    """Pod-level resources of an amount that is not known here."""
    filled: tuple[Filled, ...] = ()
    has_node: bool = False
    """`spec.nodeName` is written: no scheduler is asked."""

    @property
    def all_containers(self) -> tuple[Container, ...]:
        return self.containers + self.init_containers


def pod(body: Body, *, pod_level_resources: bool = True, sidecars: bool = True) -> Pod:
    """A Pod, or a pod template, which has the same shape.

    `pod_level_resources`, `sidecars`: whether the API server knows `spec.resources` and restartable init containers
    (`releases.py`); one that does not drops the field.
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
    """The containers, and what of them is not known."""
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
        asked = mapping(resources)
        requests = amounts(asked.get("requests"), (*path, "resources", "requests"))
        limits = amounts(asked.get("limits"), (*path, "resources", "limits"))
        unknowns += (*requests.unknowns, *limits.unknowns)
        unknown_limits = frozenset(str(unknown.path[-1]) for unknown in limits.unknowns)
        # A limit without a request is the request.
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
