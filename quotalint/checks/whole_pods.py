"""Checks of LimitRanges whose bounds for containers leave those for whole pods no room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from quotalint.checks.hit import Hit, Related, check
from quotalint.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig
from quotalint.kube.limit_range import LimitRange, LimitRangeItem
from quotalint.kube.quantity import Quantity
from quotalint.text.place import Path


class WholePodLimit(NamedTuple):
    """What the containers of a pod may have together."""

    limits: LimitRange
    item: LimitRangeItem
    amount: Quantity


@check("QL604", LimitRange)
def default_above_whole_pod(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    for item, resource, whole in _bounded_resources(limits, facts):
        excessive_bound = _too_large(item, resource, whole)
        if excessive_bound is not None and not _is_given_elsewhere(limits, resource, whole, facts):
            field, amount = excessive_bound
            variant = "whole-pod-minimum" if field == "min" else "whole-pod"
            yield _whole_pod_hit(limits, item, field, resource, amount, whole, variant, "")


@check("QL206", LimitRange)
def maximum_above_whole_pod(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    for item, resource, whole in _bounded_resources(limits, facts):
        most = item.max.get(resource)
        if most is not None and most.nano > whole.amount.nano and _too_large(item, resource, whole) is None:
            yield _whole_pod_hit(limits, item, "max", resource, most, whole, "whole-pod", "warning")


def _bounded_resources(limits: LimitRange, facts: Facts) -> Iterator[tuple[LimitRangeItem, str, WholePodLimit]]:
    """The bounds of containers, with the smallest maximum that whole pods of the namespace have."""
    wholes: dict[str, WholePodLimit] = {}
    for other in facts.limit_ranges:
        if facts.errors.get(other.place) or not _are_together(limits, other):
            continue
        for item in other.items:
            for resource, amount in item.max.items() if item.type == "Pod" else ():
                if resource not in wholes or amount.nano < wholes[resource].amount.nano:
                    wholes[resource] = WholePodLimit(other, item, amount)
    if wholes and not facts.errors.get(limits.place):
        for item in limits.items:
            if item.type == "Container":
                yield from ((item, resource, whole) for resource, whole in wholes.items())


def _are_together(limits: LimitRange, other: LimitRange) -> bool:
    """Whether they are in one namespace, and not only because neither folder tells which."""
    apart = (limits.object.homeless or other.object.homeless) and limits.object.folder != other.object.folder
    return limits.namespace == other.namespace and not apart


def _too_large(item: LimitRangeItem, resource: str, whole: WholePodLimit) -> tuple[str, Quantity] | None:
    """What a container has at least, or gets, that is more than the whole pod may have."""
    amounts: Mapping[str, Quantity | None] = {
        "min": item.min.get(resource),
        "default": item.default.get(resource),
        "defaultRequest": item.default_request.get(resource),
    }
    for field, amount in amounts.items():
        if amount is not None and amount.nano > whole.amount.nano:
            return field, amount
    return None


def _is_given_elsewhere(limits: LimitRange, resource: str, whole: WholePodLimit, facts: Facts) -> bool:
    """Whether another LimitRange of the namespace may give containers less first."""
    return any(
        item.type == "Container" and resource in item.default and item.default[resource].nano <= whole.amount.nano
        for other in facts.limit_ranges
        if other is not limits and other.namespace == limits.namespace
        for item in other.items
    )


_MADE_OF = {"default": ("default", "max"), "defaultRequest": ("defaultRequest", "default", "max", "min")}


def _whole_pod_hit(
    limits: LimitRange,
    item: LimitRangeItem,
    field: str,
    resource: str,
    amount: Quantity,
    whole: WholePodLimit,
    variant: str,
    severity: str,
) -> Hit:
    written = (
        field_name
        for field_name in _MADE_OF.get(field, (field,))
        if dig(limits.object.body, *item.path, field_name, resource)
    )
    path: Path = (*item.path, next(written, field), resource)
    most = quantity.show(whole.amount)
    values = {
        "limit_range": limits.name,
        "resource": resource,
        "amount": quantity.show(amount),
        "hard": quantity.show(amount),
        "field": f"{field}.{resource}",
        "other": whole.limits.name,
        "quota": whole.limits.name,
        "other_resource": f"max.{resource}",
        "other_hard": most,
    }
    related = Related(
        "limited by",
        whole.limits.object.at(*whole.item.path, "max", resource),
        f"LimitRange {whole.limits.name}: max.{resource} {most} of a Pod",
    )
    place = limits.object.at(*path)
    return Hit(
        place, values, limits.object, field_path(path), variant, (related,), severity=severity, resource=resource
    )
