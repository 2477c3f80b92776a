"""Checks of entries of `hard` that never bind: nothing enforces them, or another limits the same objects more
tightly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, Related, check
from quotalint.kube import kinds, quantity, schema, spelling
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import MISSING, is_unserved
from quotalint.kube.fields import mapping
from quotalint.kube.plausibility import absurd_amount
from quotalint.kube.releases import counted_since
from quotalint.kube.resources import alias, quota_name_errors
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import can_count, tracking_state


@check("QL201", Quota)
def untracked_resource(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for name in _untracked_names(quota, facts):
        if counted_since(name):
            yield _of_another_release(_unenforced_hit(quota, name, None), facts, counted_since(name))
        elif not name.startswith("count/"):
            suggestion = spelling.tracked_resource(name, facts.cluster.discovery)
            yield _unenforced_hit(quota, name, suggestion)._replace(fix=quota_repairs.rename_entry(quota, name, facts))


@check("QL202", Quota)
def unknown_object_count(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for name in _untracked_names(quota, facts):
        counted = name[len("count/") :]
        if name.startswith("count/") and is_unserved(facts.cluster.discovery, counted):
            hit = _unenforced_hit(quota, name, None)
            version = facts.settings.kube_version
            yield hit._replace(values={**hit.values, "version": version}, variant="unserved")
        elif name.startswith("count/"):
            hit = _unenforced_hit(quota, name, spelling.object_count(counted, facts.cluster.discovery))
            virtual = counted in kinds.VIRTUAL
            yield (
                hit._replace(variant="virtual")
                if virtual
                else hit._replace(fix=quota_repairs.rename_entry(quota, name, facts))
            )


@check("QL208", Quota)
def empty_limit(quota: Quota, facts: Facts) -> Iterator[Hit]:
    hard = quota.spec.get("hard")
    if (hard is None or hard == {}) and not quota.refused and not _lets_in(quota) and not _is_elsewhere(quota):
        field = quota.within("hard")
        yield Hit(quota.object.at(*quota.path), {"quota": quota.name, "resource": ""}, quota.object, field)
    for name, written in mapping(hard).items():
        if written is None and not quota_name_errors(name):
            values = {"quota": quota.name, "resource": name}
            place = quota.entry(name)
            yield Hit(place, values, quota.object, quota.field(name), variant="null", resource=name)


def _is_elsewhere(quota: Quota) -> bool:
    """Whether `hard` may be what stands in another place, or under another name, which is refused there (QL004)."""
    obj = quota.object
    return (obj.group, obj.kind) == ("", "ResourceQuota") and bool(schema.errors(obj.kind, obj.body))


def _lets_in(quota: Quota) -> bool:
    """Whether it may be there to let pods in: an API server may refuse those of a scope that no quota selects."""
    return any(
        requirement.scope in ("PriorityClass", "CrossNamespacePodAffinity") for requirement in quota.requirements
    )


def _untracked_names(quota: Quota, facts: Facts) -> Iterator[str]:
    for name in mapping(quota.spec.get("hard")):
        if quota_name_errors(name) or is_placeholder(name):
            continue
        if tracking_state(name, facts.cluster.discovery) == MISSING:
            yield name


def _unenforced_hit(quota: Quota, name: str, suggestion: str | None) -> Hit:
    values = {"quota": quota.name, "resource": name, "suggestion": suggestion or ""}
    variant = "default"
    if suggestion:
        variant = "present" if suggestion in quota.hard else "suggested"
    place = quota.entry(name)
    return Hit(place, values, quota.object, quota.field(name), variant, resource=name)


def _of_another_release(hit: Hit, facts: Facts, since: str) -> Hit:
    return hit._replace(values={**hit.values, "version": facts.settings.kube_version, "since": since}, variant="later")


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
        tightest = quantity.show(other.hard[other_name])
        # Where that is a few bytes, that is what is wrong (QL603).
        if absurd_amount(other_name, tightest, {}) is not None:
            continue
        is_pair = alias(other_name) != alias(name)
        related = Related("limited by", other.entry(other_name), f"{other_name}: {tightest}")
        values = {
            "quota": quota.name,
            "resource": name,
            "hard": quantity.show(hard),
            "other": other.name,
            "other_resource": other_name,
            "other_hard": tightest,
        }
        # Equal amounts are how many people write that nothing may be overcommitted.
        is_equal = other.hard[other_name].nano == hard.nano
        variant = ("equal" if is_equal else "pair") if is_pair else "alias" if other is quota else "default"
        severity = "info" if is_equal else ""
        field = quota.field(name)
        hit = Hit(quota.entry(name), values, quota.object, field, variant, (related,), severity=severity, resource=name)
        yield hit._replace(guesses=other.object.guesses)


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
            if _scope_conditions(other) <= mine and not quota.object.may_live_apart(other.object):
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


def _scope_conditions(quota: Quota) -> frozenset[tuple[str, str, frozenset[str]]]:
    return frozenset(map(_scope_condition, quota.requirements))


def _scope_condition(requirement: Requirement) -> tuple[str, str, frozenset[str]]:
    return requirement.scope, requirement.operator, frozenset(requirement.values)
