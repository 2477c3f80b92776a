"""Which objects several quotas limit together, and how much these quotas allow their namespaces in total.

Scopes divide the objects of a namespace into kinds, for example by deadline or priority class. A quota limits the sum
over the kinds that it matches. So scopes that exclude each other add up, and a quota without scopes limits all kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from quotalint.kube.quantity import Quantity
from quotalint.kube.resources import COMPUTE, is_quota_huge_page
from quotalint.kube.scopes import Requirement, selects
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import can_count


class Limit(NamedTuple):
    """One entry of a quota."""

    quota: Quota
    name: str
    hard: Quantity


class LimitShare(NamedTuple):
    """The part of a total that one limit allows."""

    limit: Limit
    amount: Quantity


class _Kind(NamedTuple):
    """Objects that every scope treats alike."""

    terminating: bool
    best_effort: bool
    cross_namespace: bool
    priority_class: str
    volume_class: str


def is_covered(limits: Sequence[Limit]) -> bool:
    """Whether every object of the namespace is under at least one of these limits."""
    return all(any(_limit_applies(limit, kind) for limit in limits) for kind in _object_kinds(limits))


def namespace_shares(limits: Sequence[Limit], namespaces: Iterable[str]) -> tuple[LimitShare, ...]:
    """How much these limits of one resource allow the namespaces together. Objects under none of the limits may use any
    amount and are not counted.

    The total is exact if any two limits are nested or disjoint. Otherwise it is a lower bound that exceeds no limit.
    """
    remainders = [limit.hard.nano for limit in limits]
    taken: dict[tuple[int, ...], int] = {}
    for binding in sorted(_limited_cells(limits, namespaces), key=len):
        amount = min(remainders[number] for number in binding)
        taken[binding] = taken.get(binding, 0) + amount
        for number in binding:
            remainders[number] -= amount
    within: dict[int, list[tuple[int, ...]]] = {}
    for binding in taken:
        for number in binding:
            within.setdefault(number, []).append(binding)
    # Of the exhausted limits, the widest ones give the shortest list.
    reached = sorted((number for number in within if not remainders[number]), key=lambda number: -len(within[number]))
    amounts = {number: sum(taken.pop(binding, 0) for binding in within[number]) for number in reached}
    return tuple(
        LimitShare(limit, Quantity(amounts[number], limit.hard.format))
        for number, limit in enumerate(limits)
        if amounts.get(number)
    )


def _limited_cells(limits: Sequence[Limit], namespaces: Iterable[str]) -> Iterator[tuple[int, ...]]:
    """The limits that apply, for each namespace and kind of object with at least one limit."""
    within: dict[str, list[int]] = {namespace: [] for namespace in namespaces}
    for number, limit in enumerate(limits):
        for namespace in limit.quota.namespaces:
            if namespace in within:
                within[namespace].append(number)
    for numbers in within.values():
        for kind in _object_kinds([limits[number] for number in numbers]):
            binding = tuple(number for number in numbers if _limit_applies(limits[number], kind))
            if binding:
                yield binding


def _limit_applies(limit: Limit, kind: _Kind) -> bool:
    requirements = limit.quota.requirements
    return can_count(limit.name, requirements) and all(
        _MATCHES[requirement.scope](requirement, kind) for requirement in requirements
    )


def _object_kinds(limits: Iterable[Limit]) -> tuple[_Kind, ...]:
    """The kinds of objects that the scopes of these limits distinguish."""
    limits = tuple(limits)
    requirements = [requirement for limit in limits for requirement in limit.quota.requirements]
    scopes = {requirement.scope for requirement in requirements}
    # A pod with compute requests is not BestEffort.
    compute = any(limit.name in COMPUTE or is_quota_huge_page(limit.name) for limit in limits)
    pods = product(
        (False, True) if scopes & {"Terminating", "NotTerminating"} else (False,),
        (False, True) if scopes & {"BestEffort", "NotBestEffort"} and not compute else (False,),
        (False, True) if "CrossNamespacePodAffinity" in scopes else (False,),
        _class_names(requirements, "PriorityClass"),
        ("",),
    )
    claims = product((False,), (False,), (False,), ("",), _class_names(requirements, "VolumeAttributesClass"))
    return tuple(_Kind(*kind) for kind in dict.fromkeys((*pods, *claims)))


def _class_names(requirements: Iterable[Requirement], scope: str) -> tuple[str, ...]:
    """The class names in the scopes, one name that no scope has, and the empty name."""
    class_lists = [requirement.values for requirement in requirements if requirement.scope == scope]
    return tuple(sorted({"", "\0", *(name for names in class_lists for name in names)})) if class_lists else ("",)


_MATCHES: Mapping[str, Callable[[Requirement, _Kind], bool]] = {
    "Terminating": lambda _, kind: kind.terminating,
    "NotTerminating": lambda _, kind: not kind.terminating,
    "BestEffort": lambda _, kind: kind.best_effort,
    "NotBestEffort": lambda _, kind: not kind.best_effort,
    "CrossNamespacePodAffinity": lambda _, kind: kind.cross_namespace,
    "PriorityClass": lambda requirement, kind: selects(requirement, kind.priority_class),
    "VolumeAttributesClass": lambda requirement, kind: selects(requirement, kind.volume_class),
}
