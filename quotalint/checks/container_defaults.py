"""What repairs pods that must specify a request or limit and do not: a default in the LimitRange of their namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quotalint.facts import Facts
from quotalint.fixes.fix import Add, Edit, Fix
from quotalint.kube import quantity
from quotalint.kube.fields import dig
from quotalint.kube.limit_range import LimitRange, LimitRangeItem
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity

_AT_LEAST = {
    ("default", "cpu"): "500m",
    ("default", "memory"): "512Mi",
    ("defaultRequest", "cpu"): "100m",
    ("defaultRequest", "memory"): "128Mi",
}
"""What containers get where nothing tells how much they need."""


def default_limits_fix(names: Iterable[str], namespace: str, facts: Facts) -> Fix:
    """Defaults for what pods of a namespace must specify, in the one LimitRange there is for its containers."""
    wanted = _missing_defaults(frozenset(names))
    words = "give containers " + " and ".join(f"{field}.{resource}" for field, resource in wanted)
    container_items = [
        (limit_range, item)
        for limit_range in facts.limit_ranges
        if limit_range.namespace == namespace
        for item in limit_range.items
        if item.type == "Container"
    ]
    if len(container_items) != 1:
        many = "no" if not container_items else "more than one"
        reason = f"namespace {namespace} has {many} LimitRange for containers in view to extend"
        return Fix((), safe=False, words=words, obstacle=reason)
    ((limits, item),) = container_items
    reason = (
        "it is an object of the cluster, not of the repository"
        if limits.object.foreign
        else _ratio_obstacle(item, wanted)
    )
    edits = tuple(_default_edits(limits, item, wanted, facts))
    amounts = " and ".join(
        f"{edit.key}: {edit.value}" if not isinstance(edit.value, dict) else f"{edit.key}: {_amounts_text(edit.value)}"
        for edit in edits
        if isinstance(edit, Add)
    )
    return Fix(edits, safe=False, words=f"{words} in LimitRange {limits.name} ({amounts})", obstacle=reason)


def _amounts_text(value: dict[str, str]) -> str:
    return ", ".join(f"{key} {amount}" for key, amount in value.items())


def _missing_defaults(names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The defaults that are missing: one of a limit is also one of the request."""
    missing_defaults = []
    for resource in ("cpu", "memory"):
        if f"limits.{resource}" in names:
            missing_defaults.append(("default", resource))
        elif resource in names or f"requests.{resource}" in names:
            missing_defaults.append(("defaultRequest", resource))
    return tuple(missing_defaults)


def _ratio_obstacle(item: LimitRangeItem, wanted: Iterable[tuple[str, str]]) -> str:
    """Why a default would break what else the LimitRange says."""
    resources = [resource for _, resource in wanted if resource in item.ratio]
    return f"its maxLimitRequestRatio for {resources[0]} leaves no room for a default" if resources else ""


def _default_edits(
    limits: LimitRange, item: LimitRangeItem, wanted: Iterable[tuple[str, str]], facts: Facts
) -> Iterator[Edit]:
    place = limits.object.at(*item.path)
    written = dig(limits.object.body, *item.path)
    new: dict[str, dict[str, str]] = {}
    for field, resource in wanted:
        value = _sufficient_amount(field, resource, item, limits.namespace, facts)
        if isinstance(dig(written, field), dict):
            yield Add(place.at(field), resource, quantity.show(value), size=value.nano)
        else:
            new.setdefault(field, {})[resource] = quantity.show(value)
    for field, amounts in new.items():
        yield Add(place, field, amounts, "type")


def _sufficient_amount(field: str, resource: str, item: LimitRangeItem, namespace: str, facts: Facts) -> Quantity:
    """An amount within the bounds of the LimitRange that no container of the namespace asks more than."""
    amounts = [quantity.parse(_AT_LEAST[field, resource])]
    if resource in item.min:
        amounts.append(item.min[resource])
    if field == "default":
        amounts += [item.default_request[resource]] if resource in item.default_request else []
        for charge in facts.charges.get(namespace, ()):
            pod = charge.admitted.item
            for container in pod.all_containers if isinstance(pod, Pod) else ():
                if resource in container.requests and resource not in container.limits:
                    amounts.append(container.requests[resource])
    largest = max((value for value in amounts if isinstance(value, Quantity)), key=lambda value: value.nano)
    most = item.max.get(resource) if field == "default" else item.default.get(resource, item.max.get(resource))
    return most if most is not None and most.nano < largest.nano else largest
