"""Several LimitRanges fill in their defaults in an order that nobody knows: the API server lists them from an index
that keeps none (client-go, tools/cache/thread_safe_store.go). What is the same in every order is known; of what is not,
the least is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.pod import Container, Filled, Pod
from quotalint.kube.resource_list import ResourceList


def other_orders(limit_ranges: Sequence[LimitRange]) -> Iterator[tuple[LimitRange, ...]]:
    """Orders besides the given one: each of up to three LimitRanges; of more, those in which each comes first, beside
    either neighbour."""
    given = tuple(limit_ranges)
    turns = [(*way[start:], *way[:start]) for way in (given, given[::-1]) for start in range(len(given))]
    yield from (order for number, order in enumerate(turns) if order not in (given, *turns[:number]))


def least_filled(pods: Sequence[Pod]) -> Pod:
    """The pod with the least of what it has after any of several orders, and with the reason why that may be more."""
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
