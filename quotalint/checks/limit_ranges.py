"""Checks of LimitRanges: what the API server refuses, and container bounds that exceed the bounds for whole pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Related, check
from quotalint.kube import quantity
from quotalint.kube.api_error import Wrong, field_path
from quotalint.kube.fields import dig
from quotalint.kube.limit_range import DUPLICATE_TYPE, UNBOUNDED_CLAIM, LimitRange, LimitRangeItem
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path, Place


@check("QL121", LimitRange)
def invalid_limit_range(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    obj = limits.object
    for error in facts.errors.get(limits.place, ()):
        if error.wrong is Wrong.TYPE:
            return  # QL004 reports it
        values = {"limit_range": limits.name, "field": error.field, "detail": error.detail, "type": error.value}
        variant = {DUPLICATE_TYPE: "twice", UNBOUNDED_CLAIM: "unbounded"}.get(error.detail.partition(":")[0], "default")
        if error.field.startswith("metadata"):
            variant = "nameless" if error.field == "metadata.name" and not limits.name else "metadata"
        yield Hit(obj.at(*error.path), values, obj, error.field, variant=variant)


class WholePodLimit(NamedTuple):
    """The maximum for the containers of a pod together."""

    limits: LimitRange
    item: LimitRangeItem
    amount: Quantity
    number: int
    """The index of the LimitRange in the environment."""


@check("QL604", LimitRange)
def default_above_whole_pod(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    bounds = _LATEST.of(facts)
    for item, resource, whole in _bounded_resources(limits, facts, bounds):
        excess = _too_large(item, resource, whole)
        if excess is not None and not bounds.has_smaller_default(limits, resource, whole.amount):
            field, amount = excess
            variant = "whole-pod-minimum" if field == "min" else "whole-pod"
            yield _whole_pod_hit(limits, item, field, resource, amount, whole, variant, "")


@check("QL206", LimitRange)
def maximum_above_whole_pod(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    for item, resource, whole in _bounded_resources(limits, facts, _LATEST.of(facts)):
        most = item.max.get(resource)
        if most is not None and most.nano > whole.amount.nano and _too_large(item, resource, whole) is None:
            yield _whole_pod_hit(limits, item, "max", resource, most, whole, "whole-pod", "warning")


def _bounded_resources(
    limits: LimitRange, facts: Facts, bounds: _Bounds
) -> Iterator[tuple[LimitRangeItem, str, WholePodLimit]]:
    """The container bounds of a LimitRange, with the smallest whole-pod maximum of the namespace."""
    if not bounds.wholes or facts.errors.get(limits.place):
        return
    for item in limits.items:
        if item.type == "Container":
            names = dict.fromkeys((*item.max, *item.min, *item.default, *item.default_request))
            for resource in names:
                whole = bounds.whole_of(limits, resource)
                if whole is not None:
                    yield item, resource, whole


class _Bounds(NamedTuple):
    """The bounds of an environment's LimitRanges for whole pods and containers, computed once."""

    wholes: Mapping[_Reach, WholePodLimit]
    """The smallest maximum of whole pods; of equal ones the first."""
    defaults: Mapping[tuple[str, str], tuple[tuple[int, LimitRange], ...]]
    """The smallest default limits of containers by namespace and resource, of at most two LimitRanges."""

    def whole_of(self, limits: LimitRange, resource: str) -> WholePodLimit | None:
        """The whole-pod maximum that applies together with a LimitRange. LimitRanges without a written namespace count
        only if both are in the same folder."""
        folder = limits.object.folder
        if limits.object.homeless:
            return self.wholes.get((limits.namespace, resource, _ANY, folder))
        by_namespace = self.wholes.get((limits.namespace, resource, _WITH_NAMESPACE, ""))
        by_folder = self.wholes.get((limits.namespace, resource, _WITHOUT_NAMESPACE, folder))
        if by_namespace is None or by_folder is None:
            return by_namespace or by_folder
        return min(by_namespace, by_folder, key=lambda whole: (whole.amount.nano, whole.number))

    def has_smaller_default(self, limits: LimitRange, resource: str, most: Quantity) -> bool:
        """Whether another LimitRange of the namespace may give containers a smaller default first."""
        smallest = self.defaults.get((limits.namespace, resource), ())
        return any(other is not limits and nano <= most.nano for nano, other in smallest)


# Namespace, resource, which LimitRanges, and their folder; empty for any folder.
_Reach = tuple[str, str, int, str]
_WITH_NAMESPACE, _WITHOUT_NAMESPACE, _ANY = range(3)


def _bounds_in(limit_ranges: Iterable[LimitRange], refused: Set[Place]) -> _Bounds:
    wholes: dict[_Reach, WholePodLimit] = {}
    defaults: dict[tuple[str, str], tuple[tuple[int, LimitRange], ...]] = {}
    for number, limits in enumerate(limit_ranges):
        lists_wholes = limits.place not in refused
        folder, is_homeless = limits.object.folder, limits.object.homeless
        for item in limits.items:
            if item.type == "Pod" and lists_wholes:
                for resource, amount in item.max.items():
                    whole = WholePodLimit(limits, item, amount, number)
                    own = (_WITHOUT_NAMESPACE, folder) if is_homeless else (_WITH_NAMESPACE, "")
                    for reach in (own, (_ANY, folder)):
                        key = (limits.namespace, resource, *reach)
                        if key not in wholes or amount.nano < wholes[key].amount.nano:
                            wholes[key] = whole
            elif item.type == "Container":
                for resource, amount in item.default.items():
                    pair = limits.namespace, resource
                    defaults[pair] = _smallest_two(defaults.get(pair, ()), amount.nano, limits)
    return _Bounds(wholes, defaults)


def _smallest_two(
    smallest: tuple[tuple[int, LimitRange], ...], nano: int, limits: LimitRange
) -> tuple[tuple[int, LimitRange], ...]:
    """The smallest amounts of two different LimitRanges, so that one is always from another LimitRange."""
    own_amounts = [amount for amount, other in smallest if other is limits]
    others = [(amount, other) for amount, other in smallest if other is not limits]
    return tuple(sorted((*others, (min((nano, *own_amounts)), limits)), key=lambda pair: pair[0])[:2])


class _LatestBounds:
    """The bounds of the last environment. It is a class because it caches them."""

    def __init__(self) -> None:
        self._limit_ranges: object = None
        self._refused: frozenset[Place] = frozenset()
        self._bounds = _Bounds({}, {})

    def of(self, facts: Facts) -> _Bounds:
        """The bounds of an environment."""
        refused = frozenset(facts.errors)
        if self._limit_ranges is not facts.limit_ranges or self._refused != refused:
            self._bounds = _bounds_in(facts.limit_ranges, refused)
            self._limit_ranges, self._refused = facts.limit_ranges, refused
        return self._bounds


_LATEST = _LatestBounds()


def _too_large(item: LimitRangeItem, resource: str, whole: WholePodLimit) -> tuple[str, Quantity] | None:
    """The field and amount of a container that exceed the whole-pod maximum: its minimum or a default."""
    amounts: Mapping[str, Quantity | None] = {
        "min": item.min.get(resource),
        "default": item.default.get(resource),
        "defaultRequest": item.default_request.get(resource),
    }
    for field, amount in amounts.items():
        if amount is not None and amount.nano > whole.amount.nano:
            return field, amount
    return None


_SOURCE_FIELDS = {"default": ("default", "max"), "defaultRequest": ("defaultRequest", "default", "max", "min")}


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
        for field_name in _SOURCE_FIELDS.get(field, (field,))
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
