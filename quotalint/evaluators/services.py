"""The evaluator of Services.

Source: Kubernetes 1.34, pkg/quota/v1/evaluator/core/services.go.
"""

from __future__ import annotations

from quotalint.evaluators.evaluator import Evaluator, matches_no_scope, nothing_missing
from quotalint.kube import quantity
from quotalint.kube.fields import Body, integer, mapping, sequence
from quotalint.kube.resource_list import ResourceList

_NAMES = frozenset({"count/services", "services", "services.nodeports", "services.loadbalancers"})


def tracks(name: str) -> bool:
    """Whether Services are charged to a name of `hard` (MatchingResources)."""
    return name in _NAMES


def usage(body: Body) -> ResourceList:
    """One service; the requested node ports count, because they are allocated later."""
    spec = mapping(body.get("spec"))
    kind = spec.get("type")
    ports = sequence(spec.get("ports"))
    node_ports = len(ports) if kind in ("NodePort", "LoadBalancer") else 0
    if kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is False:
        node_ports = sum(1 for port in ports if integer(mapping(port).get("nodePort")))
    return {
        "count/services": quantity.of(1),
        "services": quantity.of(1),
        "services.loadbalancers": quantity.of(1 if kind == "LoadBalancer" else 0),
        "services.nodeports": quantity.of(node_ports),
    }


EVALUATOR = Evaluator(tracks, frozenset(), usage, matches_no_scope, nothing_missing)
