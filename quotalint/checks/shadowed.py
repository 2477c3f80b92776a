"""Checks of entries that never bind because another limits the same objects more tightly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.checks.hit import Hit, Related, check
from quotalint.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.resources import alias
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import can_count

# A quota of these makes every container state them (validationSet), and requests may not exceed limits.
_LIMITS_OF = {"requests.cpu": "limits.cpu", "requests.memory": "limits.memory"}


@check("QL206", Quota)
def shadowed_limit(quota: Quota, facts: Facts) -> Iterator[Hit]:
    neighbours = facts.enforced.get(next(iter(quota.namespaces), ""), ())
    if facts.is_rejected(quota) or quota.shares is not None or len(neighbours) == len(quota.hard) == 1:
        return
    for name, hard in quota.hard.items():
        if not can_count(name, quota.requirements):
            continue
        tighter_entry = _tighter_entry(quota, name, neighbours)
        if tighter_entry is None:
            continue
        other, other_name = tighter_entry
        is_pair = alias(other_name) != alias(name)
        related = Related(
            "limited by", other.entry(other_name), f"{other_name}: {quantity.show(other.hard[other_name])}"
        )
        values = {
            "quota": quota.name,
            "resource": name,
            "hard": quantity.show(hard),
            "other": other.name,
            "other_resource": other_name,
            "other_hard": quantity.show(other.hard[other_name]),
        }
        # Equal amounts are how many people write that nothing may be overcommitted.
        is_equal = other.hard[other_name].nano == hard.nano
        variant = ("equal" if is_equal else "pair") if is_pair else "alias" if other is quota else "default"
        severity = "info" if is_equal else ""
        field = quota.field(name)
        yield Hit(quota.entry(name), values, quota.object, field, variant, (related,), severity=severity, resource=name)


def _tighter_entry(quota: Quota, name: str, neighbours: Sequence[Quota]) -> tuple[Quota, str] | None:
    """The entry that every object counted here exceeds first: of the same resource, or, where every pod must state
    both, the limits that no request is above."""
    wanted, hard = alias(name), quota.hard[name].nano
    pair, mine = _LIMITS_OF.get(wanted), _scope_conditions(quota)
    tightest = _limits_beside(neighbours)
    if tightest.lowest.get(wanted, hard) >= hard and tightest.lowest.get(pair or "", hard + 1) > hard:
        return None
    for other in tightest.quotas:
        if other.namespaces != quota.namespaces and frozenset(other.namespaces) != frozenset(quota.namespaces):
            continue
        for other_name, other_hard in other.hard.items():
            if other_hard.nano > hard or (other is quota and other_name == name):
                continue
            if other_name != pair and (other_hard.nano == hard or alias(other_name) != wanted):
                continue
            # The other one counts at least the same objects when it requires nothing that this one does not.
            if _scope_conditions(other) <= mine and not _may_live_apart(quota, other):
                return other, other_name
    return None


class _TightestLimits(NamedTuple):
    """The quotas of a namespace, and the lowest entry of each resource, under its one name."""

    quotas: Sequence[Quota]
    lowest: Mapping[str, int]


_BESIDE: list[_TightestLimits] = []  # of the namespace that was asked about last


def _limits_beside(quotas: Sequence[Quota]) -> _TightestLimits:
    """Found once for all quotas of a namespace, which may be thousands."""
    if not _BESIDE or _BESIDE[0].quotas is not quotas:
        lowest: dict[str, int] = {}
        for quota in quotas:
            for name, hard in quota.hard.items():
                lowest[alias(name)] = min(lowest.get(alias(name), hard.nano), hard.nano)
        _BESIDE[:] = [_TightestLimits(quotas, lowest)]
    return _BESIDE[0]


def _may_live_apart(quota: Quota, other: Quota) -> bool:
    """Whether the two are in one namespace only because neither folder tells which."""
    return (quota.object.homeless or other.object.homeless) and quota.object.folder != other.object.folder


def _scope_conditions(quota: Quota) -> frozenset[tuple[str, str, frozenset[str]]]:
    return frozenset(map(_scope_condition, quota.requirements))


def _scope_condition(requirement: Requirement) -> tuple[str, str, frozenset[str]]:
    return requirement.scope, requirement.operator, frozenset(requirement.values)
