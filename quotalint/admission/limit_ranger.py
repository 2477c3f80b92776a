"""LimitRanger: fills in defaults, and refuses what is outside the limits.

Source: Kubernetes 1.34, plugin/pkg/admission/limitranger/admission.go (PodMutateLimitFunc, PodValidateLimitFunc,
PersistentVolumeClaimValidateLimitFunc). It changes pods only; claims are merely checked.

The order in which several LimitRanges fill in their defaults is unknown: the API server lists them from an unordered
index (client-go, tools/cache/thread_safe_store.go). Amounts that are equal in every order are known; for others the
smallest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube import quantity
from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.claim import Claim
from quotalint.kube.limit_range import LimitRange, LimitRangeItem
from quotalint.kube.pod import Container, Filled, Pod
from quotalint.kube.pod_resources import container_limits, container_requests
from quotalint.kube.quantity import Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place


class Violation(NamedTuple):
    """A refusal by LimitRanger."""

    message: str
    """The API server's message."""
    path: Path
    """The path of the refused amount in the pod, pod template or claim."""
    container: str
    limit: Place
    """The place of the bound in the LimitRange."""
    limit_range: str
    amount: Quantity | None = None
    """The amount outside the bound; None if it is missing, or for a ratio."""
    bound: Quantity | None = None
    """The bound that it is compared with."""


def fill_limits(pod: Pod, limit_ranges: Sequence[LimitRange]) -> Pod:
    """The pod with the default requests and limits of its namespace's LimitRanges."""
    for limits in limit_ranges:
        # There is at most one item for containers: the API server refuses a second of the same type.
        for item in limits.items:
            if item.type == "Container":
                pod = _merge_item(pod, item, limits.name)
    return pod


def pod_violations(pod: Pod, limit_ranges: Sequence[LimitRange]) -> tuple[Violation, ...]:
    """Why LimitRanger refuses the pod."""
    violations: list[Violation] = []
    for limits in limit_ranges:
        for item in limits.items:
            if item.type == "Container":
                for container in pod.all_containers:
                    for breach in _check_bounds(item, container.requests, container.limits):
                        if breach.resource in container.unknown_resources:
                            continue
                        path = (*container.path, "resources", breach.field, breach.resource)
                        violations.append(_violation_of(limits, item, breach, path, container.name))
            elif item.type == "Pod":
                unknown = pod.unknown.union(*(container.unknown_resources for container in pod.all_containers))
                checked = _check_bounds(item, _whole_pod_amounts(pod, "requests"), _whole_pod_amounts(pod, "limits"))
                breaches = (breach for breach in checked if breach.resource not in unknown)
                violations += (_violation_of(limits, item, breach, ("spec",), "") for breach in breaches)
    return tuple(violations)


def claim_violations(claim: Claim, limit_ranges: Sequence[LimitRange]) -> tuple[Violation, ...]:
    """Why LimitRanger refuses the claim."""
    return tuple(
        _violation_of(limits, item, breach, ("spec", "resources", "requests", breach.resource), "")
        for limits in limit_ranges
        for item in limits.items
        if item.type == "PersistentVolumeClaim"
        for breach in _check_claim(item, claim.requests)
        if not any(unknown.path[-1] == breach.resource for unknown in claim.unknowns)
    )


class _Breach(NamedTuple):
    words: str
    bound: str
    """The field of the LimitRange: `min`, `max` or `maxLimitRequestRatio`."""
    resource: str
    field: str
    """The field that is outside the bound: `requests` or `limits`."""
    allowed: Quantity
    amount: Quantity | None = None
    """The amount outside the bound; None if it is missing, or for a ratio."""


def _merge_item(pod: Pod, item: LimitRangeItem, name: str) -> Pod:
    filled: list[Filled] = []
    unknowns: list[UnknownAmount] = []
    plugin = f"LimitRange {name}"

    def with_defaults(container: Container) -> Container:
        # A placeholder in a container is not replaced by a default. A placeholder as a default counts as stated but
        # unknown.
        limits = _missing_amounts(item.default, container.limits, container.unknown_limits)
        requests = _missing_amounts(item.default_request, container.requests, container.unknown_requests)
        unknown_limits, unknown_requests = item.unknown_default, item.unknown_default_request
        if unknown_limits or unknown_requests:  # hardly ever
            unknown_limits = unknown_limits - container.limits.keys() - container.unknown_limits
            unknown_requests = unknown_requests - container.requests.keys() - container.unknown_requests
        if not (limits or requests or unknown_limits or unknown_requests):
            return container
        for field, amounts, unknown in (
            ("limits", limits, unknown_limits),
            ("requests", requests, unknown_requests),
        ):
            filled.extend(Filled(container.name, field, key, plugin) for key in amounts)
            path = (*container.path, "resources", field)
            unknowns.extend(
                UnknownAmount((*path, key), f"takes the default of {plugin}, which is not known")
                for key in sorted(unknown)
            )
        return container._replace(
            limits={**container.limits, **limits},
            requests={**container.requests, **requests},
            unknown_limits=container.unknown_limits | unknown_limits,
            unknown_requests=container.unknown_requests | unknown_requests,
        )

    containers = tuple(map(with_defaults, pod.containers))
    init_containers = tuple(map(with_defaults, pod.init_containers))
    if not filled and not unknowns:
        return pod
    return pod._replace(
        containers=containers,
        init_containers=init_containers,
        filled=(*pod.filled, *filled),
        unknowns=(*pod.unknowns, *unknowns),
    )


def _missing_amounts(defaults: ResourceList, amounts: ResourceList, unknown: frozenset[str]) -> ResourceList:
    return {name: value for name, value in defaults.items() if name not in amounts and name not in unknown}


def _whole_pod_amounts(pod: Pod, field: str) -> ResourceList:
    # admission.go has its own podRequests: without overhead, and with pod-level values for cpu and memory only.
    pod_level = pod.requests if field == "requests" else pod.limits
    aggregated = container_requests(pod) if field == "requests" else container_limits(pod)
    return {**aggregated, **{name: value for name, value in pod_level.items() if name in ("cpu", "memory")}}


def _violation_of(limits: LimitRange, item: LimitRangeItem, breach: _Breach, path: Path, container: str) -> Violation:
    bound = limits.object.at(*item.path, breach.bound, breach.resource)
    return Violation(breach.words, path, container, bound, limits.name, breach.amount, breach.allowed)


def _check_bounds(item: LimitRangeItem, requests: ResourceList, limits: ResourceList) -> Iterator[_Breach]:
    for bound, bounds, check in (
        ("min", item.min, _below_minimum),
        ("max", item.max, _above_maximum),
        ("maxLimitRequestRatio", item.ratio, _above_ratio),
    ):
        for name, value in bounds.items():
            words, field = check(item.type, name, value, requests.get(name), limits.get(name))
            if words:
                amount = (requests if field == "requests" else limits).get(name)
                yield _Breach(words, bound, name, field, value, amount if bound != "maxLimitRequestRatio" else None)


def _check_claim(item: LimitRangeItem, requests: ResourceList) -> Iterator[_Breach]:
    for name, bound in item.min.items():
        words, field = _below_minimum(item.type, name, bound, requests.get(name), None)
        if words:
            yield _Breach(words, "min", name, field, bound, requests.get(name))
    for name, bound in item.max.items():
        request = requests.get(name)
        head = f"maximum {name} usage per {item.type} is {quantity.show(bound)}"
        if request is None:
            yield _Breach(f"{head}.  No request is specified", "max", name, "requests", bound)
        elif request.nano > bound.nano:
            words = f"{head}, but request is {quantity.show(request)}"
            yield _Breach(words, "max", name, "requests", bound, request)


# Each returns the API server's message (empty: no violation) and the field that it concerns.


def _below_minimum(
    kind: str, name: str, bound: Quantity, request: Quantity | None, limit: Quantity | None
) -> tuple[str, str]:
    head = f"minimum {name} usage per {kind} is {quantity.show(bound)}"
    if request is None:
        return f"{head}.  No request is specified", "requests"
    if bound.nano > request.nano:
        return f"{head}, but request is {quantity.show(request)}", "requests"
    if limit is not None and bound.nano > limit.nano:
        return f"{head}, but limit is {quantity.show(limit)}", "limits"
    return "", ""


def _above_maximum(
    kind: str, name: str, bound: Quantity, request: Quantity | None, limit: Quantity | None
) -> tuple[str, str]:
    head = f"maximum {name} usage per {kind} is {quantity.show(bound)}"
    if limit is None:
        return f"{head}.  No limit is specified", "limits"
    if limit.nano > bound.nano:
        return f"{head}, but limit is {quantity.show(limit)}", "limits"
    if request is not None and request.nano > bound.nano:
        return f"{head}, but request is {quantity.show(request)}", "requests"
    return "", ""


def _above_ratio(
    kind: str, name: str, bound: Quantity, request: Quantity | None, limit: Quantity | None
) -> tuple[str, str]:
    head = f"{name} max limit to request ratio per {kind} is {quantity.show(bound)}"
    if request is None or request.nano == 0:
        return f"{head}, but no request is specified or request is 0", "requests"
    if limit is None or limit.nano == 0:
        return f"{head}, but no limit is specified or limit is 0", "limits"
    if limit.nano * quantity.of(1).nano > bound.nano * request.nano:
        millionths = (limit.nano * 1_000_000 + request.nano // 2) // request.nano
        words = f"{head}, but provided ratio is {millionths // 1_000_000}.{millionths % 1_000_000:06d}"
        return words, "limits"
    return "", ""


def other_orders(limit_ranges: Sequence[LimitRange]) -> Iterator[tuple[LimitRange, ...]]:
    """Other orders: all orders of up to three LimitRanges; of more, enough that each comes first, followed by either
    neighbour."""
    given_order = tuple(limit_ranges)
    rotations = [
        (*direction[start:], *direction[:start])
        for direction in (given_order, given_order[::-1])
        for start in range(len(given_order))
    ]
    yield from (order for number, order in enumerate(rotations) if order not in (given_order, *rotations[:number]))


def least_filled(pods: Sequence[Pod]) -> Pod:
    """The pod with the smallest of the amounts that several orders give, and the reason why they may be larger."""
    first = pods[0]
    if all((pod.containers, pod.init_containers) == (first.containers, first.init_containers) for pod in pods):
        return first
    sources = [{(filled.container, filled.field, filled.resource): filled for filled in pod.filled} for pod in pods]
    chosen = dict(sources[0])
    unknowns = list(first.unknowns)

    def least_amounts(field: str, container: Container, listed: Sequence[ResourceList]) -> ResourceList:
        known = {}
        for resource, given in listed[0].items():
            amounts = [of_order.get(resource) for of_order in listed]
            if all(amount == given for amount in amounts):
                known[resource] = given
                continue
            key = (container.name, field, resource)
            fillings = [of_order.get(key) for of_order in sources]
            unknowns.append(UnknownAmount((*container.path, "resources", field, resource), _words_of(fillings)))
            certain = [(amount, filled) for amount, filled in zip(amounts, fillings, strict=True) if amount is not None]
            if len(certain) == len(amounts):
                known[resource], filled = min(certain, key=lambda pair: pair[0].nano)
                if filled is not None:
                    chosen[key] = filled
        return known

    def least_container(*containers: Container) -> Container:
        own = containers[0]
        return own._replace(
            requests=least_amounts("requests", own, [container.requests for container in containers]),
            limits=least_amounts("limits", own, [container.limits for container in containers]),
            unknown_requests=frozenset().union(*(container.unknown_requests for container in containers)),
            unknown_limits=frozenset().union(*(container.unknown_limits for container in containers)),
        )

    return first._replace(
        containers=tuple(map(least_container, *(pod.containers for pod in pods))),
        init_containers=tuple(map(least_container, *(pod.init_containers for pod in pods))),
        filled=tuple(chosen.values()),
        unknowns=tuple(unknowns),
    )


def _words_of(fillings: Sequence[Filled | None]) -> str:
    plugins = " or of ".join(dict.fromkeys(filled.plugin for filled in fillings if filled is not None))
    return f"takes the default of {plugins}, whichever the API server comes to first: the least is counted"
