"""Containers that admission webhooks (service meshes and similar) add to pods. Their amounts are unknown here.

Source: Istio 1.27, pkg/kube/inject/webhook.go and inject.go (injectRequired); Linkerd 2.18, pkg/inject/inject.go; Dapr
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


_INJECTORS = (
    _Injector("Istio", "istio-proxy", "sidecar.istio.io/inject", "istio-injection"),
    _Injector("Linkerd", "linkerd-proxy", "linkerd.io/inject", "linkerd.io/inject"),
    _Injector("Kuma", "kuma-sidecar", "kuma.io/sidecar-injection", "kuma.io/sidecar-injection"),
    _Injector("Consul", "consul-dataplane", "consul.hashicorp.com/connect-inject"),
    _Injector("Dapr", "daprd", "dapr.io/enabled"),
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


def injected_amounts(pod: Body, by_namespace: Sequence[str]) -> tuple[UnknownAmount, ...]:
    """The unknown amounts of containers that webhooks add to a pod."""
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
