"""VerticalPodAutoscaler → how large it may make the containers of a workload.

Source: kubernetes/autoscaler, vertical-pod-autoscaler 1.4: pkg/apis/autoscaling.k8s.io/v1/types.go
(ContainerResourcePolicy) and pkg/utils/vpa/limit_and_request_scaling.go: limits grow in proportion, unless
`controlledValues: RequestsOnly`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from quotalint.kube import quantity
from quotalint.kube.amounts import amount, amounts
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.workloads.demand import Growth


def growths(objects: Iterable[Object]) -> Mapping[tuple[str, str], Growth]:
    """What may become of pods, by kind and name of the workload; nothing where changes are only recommended."""
    found: dict[tuple[str, str], Growth] = {}
    for obj in objects:
        if (obj.group, obj.kind) != ("autoscaling.k8s.io", "VerticalPodAutoscaler"):
            continue
        target = mapping(obj.spec.get("targetRef"))
        policies = [mapping(one) for one in sequence(dig(obj.spec, "resourcePolicy", "containerPolicies"))]
        acts = text(dig(obj.spec, "updatePolicy", "updateMode")) != "Off"
        if acts and any(mapping(one.get("maxAllowed")) for one in policies):
            found[text(target.get("kind")), text(target.get("name"))] = Growth(obj, _by(policies))
    return found


def _by(policies: list[Body]) -> Callable[[Body], Body]:
    by_name = {text(one.get("containerName")): one for one in policies}

    def enlarge(template: Body) -> Body:
        spec = mapping(template.get("spec"))
        containers = []
        for container in map(mapping, sequence(spec.get("containers"))):
            policy = by_name.get(text(container.get("name")), by_name.get("*", {}))
            acts = text(policy.get("mode")) != "Off"
            containers.append(_grown(container, policy) if acts else container)
        return {**template, "spec": {**spec, "containers": containers}}

    return enlarge


def _grown(container: Body, policy: Body) -> Body:
    controlled = [text(one) for one in sequence(policy.get("controlledResources"))] or ["cpu", "memory"]
    most = {name: most for name, most in amounts(policy.get("maxAllowed"), (), []).items() if name in controlled}
    resources = mapping(container.get("resources"))
    requests, limits = mapping(resources.get("requests")), mapping(resources.get("limits"))
    new_requests, new_limits = dict(requests), dict(limits)
    for name, allowed in most.items():
        limit = amount(limits[name]) if name in limits else None
        asked = amount(requests[name]) if name in requests else limit
        if isinstance(asked, Quantity) and asked.nano >= allowed.nano:
            continue
        new_requests[name] = quantity.show(allowed)
        if isinstance(limit, Quantity) and text(policy.get("controlledValues")) != "RequestsOnly":
            grown = (
                limit.nano * allowed.nano // asked.nano
                if isinstance(asked, Quantity) and asked.nano > 0
                else limit.nano
            )
            new_limits[name] = quantity.show(quantity.Quantity(max(grown, limit.nano), limit.format))
    return {**container, "resources": {**resources, "requests": new_requests, "limits": new_limits}}
