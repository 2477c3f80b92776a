"""How large a VerticalPodAutoscaler may make the containers of a workload.

Source: kubernetes/autoscaler, vertical-pod-autoscaler 1.4: pkg/apis/autoscaling.k8s.io/v1/types.go
(ContainerResourcePolicy) and pkg/utils/vpa/limit_and_request_scaling.go: limits grow in proportion, unless
`controlledValues: RequestsOnly`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.kube import quantity
from quotalint.kube.amounts import Listed, UnknownAmount, amount, amounts
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.text.place import Path
from quotalint.workloads.demand import Growth

_BOUNDS = ("minAllowed", "maxAllowed")
VERTICAL_AUTOSCALER = ("autoscaling.k8s.io", "VerticalPodAutoscaler")


def growths(objects: Iterable[Object]) -> Mapping[tuple[str, str], Growth]:
    """How pods may change, by kind and name of the workload; autoscalers that only recommend (`Off`) are skipped."""
    by_target: dict[tuple[str, str], Growth] = {}
    for obj in objects:
        if (obj.group, obj.kind) != VERTICAL_AUTOSCALER:
            continue
        target = mapping(obj.spec.get("targetRef"))
        policies = [
            mapping(container_policy)
            for container_policy in sequence(dig(obj.spec, "resourcePolicy", "containerPolicies"))
        ]
        # `Off` without quotation marks is a YAML boolean, and the API server refuses the object.
        if dig(obj.spec, "updatePolicy", "updateMode") not in ("Off", False):
            by_name = {text(policy.get("containerName")): policy for policy in policies}
            says_most = any(mapping(policy.get(bound)) for policy in policies for bound in _BOUNDS)
            by_target[text(target.get("kind")), text(target.get("name"))] = Growth(
                obj, _raise_by_policies(obj, by_name) if says_most else None, _doubt_by_policies(obj, by_name)
            )
    return by_target


def _doubt_by_policies(obj: Object, by_name: Mapping[str, Body]) -> Callable[[Body], Mapping[str, Guess]]:
    """The guess that pods request less than written: the recommendation may be as low as `minAllowed`
    (pkg/admission-controller/resource/pod/recommendation)."""
    guess = Guess(
        CONTENT,
        f"{obj.kind} {obj.name} may let pods request less than is written",
        "write as its `minAllowed` what they request",
    )

    def doubt(template: Body) -> Mapping[str, Guess]:
        names: set[str] = set()
        for container in map(mapping, sequence(mapping(template.get("spec")).get("containers"))):
            policy = _policy_of(container, by_name)
            if text(policy.get("mode")) == "Off":
                continue
            resources = mapping(container.get("resources"))
            least = amounts(policy.get("minAllowed"), ("minAllowed",)).known
            for name in _controlled_resources(policy):
                asked = amount({**mapping(resources.get("limits")), **mapping(resources.get("requests"))}.get(name))
                if name in least and isinstance(asked, Quantity) and asked.nano <= least[name].nano:
                    continue
                names |= {name, f"requests.{name}"}
                if text(policy.get("controlledValues")) != "RequestsOnly":
                    names.add(f"limits.{name}")
        return dict.fromkeys(names, guess)

    return doubt


def _policy_of(container: Body, by_name: Mapping[str, Body]) -> Body:
    return by_name.get(text(container.get("name")), by_name.get("*", {}))


def _controlled_resources(policy: Body) -> Sequence[str]:
    """The resources whose requests the autoscaler sets."""
    return [text(resource) for resource in sequence(policy.get("controlledResources"))] or ["cpu", "memory"]


def _raise_by_policies(
    obj: Object, by_name: Mapping[str, Body]
) -> Callable[[Body], tuple[Body, tuple[UnknownAmount, ...]]]:
    def enlarge(template: Body) -> tuple[Body, tuple[UnknownAmount, ...]]:
        spec = mapping(template.get("spec"))
        containers: list[Body] = []
        unknowns: list[UnknownAmount] = []
        for index, container in enumerate(map(mapping, sequence(spec.get("containers")))):
            policy = _policy_of(container, by_name)
            if text(policy.get("mode")) == "Off":
                containers.append(container)
                continue
            most = _allowed_amounts(policy)
            containers.append(_grown_container(container, most.known, text(policy.get("controlledValues"))))
            limits = mapping(mapping(container.get("resources")).get("limits"))
            for unknown in most.unknowns:
                grows = unknown.path[-1] in limits and text(policy.get("controlledValues")) != "RequestsOnly"
                unknowns += _raised_unknown(obj, index, unknown, ("requests", "limits") if grows else ("requests",))
        return {**template, "spec": {**spec, "containers": containers}}, tuple(unknowns)

    return enlarge


def _allowed_amounts(policy: Body) -> Listed:
    """The largest amounts that a container may get for its controlled resources. Without a maximum it is the minimum,
    which every recommendation reaches (pkg/utils/vpa/capping.go, applyVPAPolicy)."""
    controlled = _controlled_resources(policy)
    listed = amounts(policy.get("maxAllowed"), ("maxAllowed",))
    least = amounts(policy.get("minAllowed"), ("minAllowed",))
    controlled_amounts = {name: most for name, most in {**least.known, **listed.known}.items() if name in controlled}
    return Listed(
        controlled_amounts,
        tuple(unknown for unknown in listed.unknowns if unknown.path[-1] in (*controlled, "maxAllowed")),
    )


def _raised_unknown(obj: Object, index: int, unknown: UnknownAmount, fields: Iterable[str]) -> Iterator[UnknownAmount]:
    """An amount that may be raised to an unknown one."""
    reason = f"may be raised by {obj.kind} {obj.name}, whose maxAllowed {unknown.reason}"
    path: Path = ("spec", "containers", index, "resources")
    if unknown.path == ("maxAllowed",):
        yield UnknownAmount(path, reason)
        return
    for field in fields:
        yield UnknownAmount((*path, field, unknown.path[-1]), reason)


def _grown_container(container: Body, most: Mapping[str, Quantity], controls: str) -> Body:
    resources = mapping(container.get("resources"))
    requests, limits = mapping(resources.get("requests")), mapping(resources.get("limits"))
    new_requests, new_limits = dict(requests), dict(limits)
    for name, allowed in most.items():
        limit = amount(limits[name]) if name in limits else None
        asked = amount(requests[name]) if name in requests else limit
        if isinstance(asked, Quantity) and asked.nano >= allowed.nano:
            continue
        new_requests[name] = quantity.show(allowed)
        if isinstance(limit, Quantity) and controls != "RequestsOnly":
            grown = (
                limit.nano * allowed.nano // asked.nano
                if isinstance(asked, Quantity) and asked.nano > 0
                else limit.nano
            )
            new_limits[name] = quantity.show(quantity.Quantity(max(grown, limit.nano), limit.format))
    return {**container, "resources": {**resources, "requests": new_requests, "limits": new_limits}}
