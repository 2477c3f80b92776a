"""Containers that admission webhooks (service meshes and similar) add to pods. Their amounts are those in annotations
of the pod, and else unknown here.

Source: Istio 1.27, pkg/kube/inject/webhook.go, inject.go (injectRequired) and manifests/charts/istio-control/
istio-discovery/files/injection-template.yaml (`resources`); Linkerd 2.18, pkg/inject/inject.go; Dapr
1.15, Vault's agent injector 1.6, Consul 1.21 (connect-inject) and Kuma 2.11: the annotations of their injectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple


class _Injector(NamedTuple):
    """A webhook that adds a container, and the labels or annotations that enable it."""

    name: str
    container: str
    """The name of the added container. A pod that already has a container of this name sets its amounts itself."""
    of_pods: str
    """The label or annotation of a pod; it wins over the namespace's."""
    of_namespaces: str = ""
    """The label of a namespace; empty if only pods have one."""
    amounts: tuple[str, ...] = ()
    """The annotations of a pod with the container's amounts, in the order of _ADDED; empty: it has none."""
    states_all: bool = False
    """An annotation with one amount replaces all default amounts."""


_LONG = "cpu-request memory-request cpu-limit memory-limit"


def _keys(pattern: str, words: str) -> tuple[str, ...]:
    return tuple(map(pattern.format, words.split()))


_INJECTORS = (
    _Injector(
        "Istio",
        "istio-proxy",
        "sidecar.istio.io/inject",
        "istio-injection",
        _keys("sidecar.istio.io/proxy{}", "CPU Memory CPULimit MemoryLimit"),
        states_all=True,
    ),
    _Injector(
        "Linkerd",
        "linkerd-proxy",
        "linkerd.io/inject",
        "linkerd.io/inject",
        _keys("config.linkerd.io/proxy-{}", _LONG),
    ),
    _Injector("Kuma", "kuma-sidecar", "kuma.io/sidecar-injection", "kuma.io/sidecar-injection"),
    _Injector(
        "Consul",
        "consul-dataplane",
        "consul.hashicorp.com/connect-inject",
        amounts=_keys("consul.hashicorp.com/sidecar-proxy-{}", _LONG),
    ),
    _Injector("Dapr", "daprd", "dapr.io/enabled", amounts=_keys("dapr.io/sidecar-{}", _LONG)),
    _Injector("Vault", "vault-agent", "vault.hashicorp.com/agent-inject"),
)
_KEYS_OF_PODS = frozenset(injector.of_pods for injector in _INJECTORS)
_ON = frozenset(("enabled", "true", "ingress"))
_REVISION = "istio.io/rev"
_UNSEEN = "and what that asks for is not in view"
_ADDED = tuple((field, resource) for field in ("requests", "limits") for resource in ("cpu", "memory"))


def injectors_of_namespace(namespace: Object) -> tuple[str, ...]:
    """The webhooks that add containers to the pods of a Namespace by default."""
    marks = _marks(namespace.metadata)
    names = [injector.name for injector in _INJECTORS if _is_on(marks.get(injector.of_namespaces))]
    if "istio-injection" not in marks and marks.get(_REVISION):
        names.append("Istio")
    return tuple(names)


def with_injected(pod: Body, by_namespace: Sequence[str]) -> tuple[Body, tuple[UnknownAmount, ...]]:
    """The pod with the added containers whose amounts its annotations state, and the unknown amounts of the others."""
    unknowns = injected_amounts(pod, by_namespace)
    marks = _marks(mapping(pod.get("metadata"))) if unknowns else {}
    added: list[Body] = []
    for injector in _INJECTORS if unknowns else ():
        stated = [(amount, marks[key]) for amount, key in zip(_ADDED, injector.amounts, strict=False) if key in marks]
        # Without all four, the webhook's own defaults count, which are not in view; Istio drops its defaults.
        if stated and (injector.states_all or len(stated) == len(_ADDED)):
            resources: dict[str, dict[str, object]] = {}
            for (field, resource), amount in stated:
                resources.setdefault(field, {})[resource] = amount
            added.append({"name": injector.container, "resources": resources})
    known = {container["name"] for container in added} & {unknown.path[2] for unknown in unknowns}
    if not known:
        return pod, unknowns
    spec = mapping(pod.get("spec"))
    containers = [*sequence(spec.get("containers")), *(container for container in added if container["name"] in known)]
    body = {**pod, "spec": {**spec, "containers": containers}}
    return body, tuple(unknown for unknown in unknowns if unknown.path[2] not in known)


def injected_amounts(pod: Body, by_namespace: Sequence[str]) -> tuple[UnknownAmount, ...]:
    """The amounts of containers that webhooks add to a pod, as if its annotations stated none."""
    marks = _marks(mapping(pod.get("metadata")))
    if not by_namespace and _KEYS_OF_PODS.isdisjoint(marks):
        return ()  # the common case
    spec = mapping(pod.get("spec"))
    if spec.get("hostNetwork") is True:
        return ()  # meshes skip pods in the host network
    containers = {text(mapping(container).get("name")) for container in _containers(spec)}
    return tuple(
        UnknownAmount(
            ("spec", "containers", injector.container, field, resource),
            f"is added by {injector.name}",
            for_all=f"{injector.name} adds a container {injector.container} to pods, {_UNSEEN}",
        )
        for injector in _injectors_of_pod(marks, by_namespace)
        if injector.container not in containers
        for field, resource in _ADDED
    )


def _containers(spec: Body) -> Iterator[object]:
    for field in ("containers", "initContainers"):
        yield from sequence(spec.get(field))


def _injectors_of_pod(marks: Body, by_namespace: Sequence[str]) -> Iterator[_Injector]:
    for injector in _INJECTORS:
        written = marks.get(injector.of_pods)
        if _is_on(written) if written is not None else injector.name in by_namespace:
            yield injector


def _is_on(written: object) -> bool:
    return text(written).strip().lower() in _ON


def _marks(metadata: Body) -> Body:
    """The labels and annotations together, because a key may be in either."""
    return {**mapping(metadata.get("annotations")), **mapping(metadata.get("labels"))}
