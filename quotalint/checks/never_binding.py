"""Checks of entries of `hard` without effect: nothing enforces them, or another entry limits the same objects more
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
from quotalint.kube.pod import Pod
from quotalint.kube.releases import counted_since
from quotalint.kube.resources import alias, quota_name_errors
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import can_count, tracking_state


@check("QL201", Quota)
def untracked_resource(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for name in _untracked_names(quota, facts):
        if name.startswith("limits.nvidia.com/") and _is_read_by_hami(facts):
            continue
        if counted_since(name):
            yield _for_later_release(_unenforced_hit(quota, name, None), facts, counted_since(name))
        elif not name.startswith("count/"):
            suggestion = spelling.tracked_resource(name, facts.cluster.discovery)
            yield _unenforced_hit(quota, name, suggestion)._replace(fix=quota_repairs.rename_entry(quota, name, facts))


_SHARES_OF_GPUS = frozenset({"nvidia.com/gpucores", "nvidia.com/gpumem", "nvidia.com/gpumem-percentage"})


def _is_read_by_hami(facts: Facts) -> bool:
    """Whether HAMi is in view, whose scheduler enforces such entries (Project-HAMi/HAMi, pkg/device/quota.go): one of
    its own objects, or a pod that requests a share of a GPU."""
    if any(obj.name.startswith("hami-") or obj.name == "hami" for obj in facts.cluster.objects):
        return True
    pods = (charge.admitted.item for charges in facts.charges.values() for charge in charges)
    containers = (container for pod in pods if isinstance(pod, Pod) for container in pod.all_containers)
    return any(not _SHARES_OF_GPUS.isdisjoint(container.limits) for container in containers)


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
    if (
        (hard is None or hard == {})
        and not quota.refused
        and not _may_admit_pods(quota)
        and not _has_misplaced_fields(quota)
    ):
        field = quota.within("hard")
        yield Hit(quota.object.at(*quota.path), {"quota": quota.name, "resource": ""}, quota.object, field)
    for name, written in mapping(hard).items():
        if written is None and not quota_name_errors(name):
            values = {"quota": quota.name, "resource": name}
            place = quota.entry(name)
            yield Hit(place, values, quota.object, quota.field(name), variant="null", resource=name)


def _has_misplaced_fields(quota: Quota) -> bool:
    """Whether `hard` may be missing because of a misspelt field, which QL004 reports."""
    obj = quota.object
    return (obj.group, obj.kind) == ("", "ResourceQuota") and bool(schema.errors(obj.kind, obj.body))


def _may_admit_pods(quota: Quota) -> bool:
    """Whether the quota may exist to admit pods: an API server may refuse pods of a scope that no quota selects."""
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


def _for_later_release(hit: Hit, facts: Facts, since: str) -> Hit:
    return hit._replace(values={**hit.values, "version": facts.settings.kube_version, "since": since}, variant="later")


# A quota with one of these requires each container to state it (validationSet), and requests may not exceed limits.
_LIMITS_OF = {"requests.cpu": "limits.cpu", "requests.memory": "limits.memory"}


@check("QL206", Quota)
def shadowed_limit(quota: Quota, facts: Facts) -> Iterator[Hit]:
    neighbours = facts.enforced.get(next(iter(quota.namespaces), ""), ())
    if facts.is_rejected(quota) or quota.shares is not None or len(neighbours) == len(quota.hard) == 1:
        return
    if quota.is_general:
        return
    for name, hard in quota.hard.items():
        if not can_count(name, quota.requirements):
            continue
        tighter_entry = _tighter_entry(quota, name, neighbours)
        if tighter_entry is None:
            continue
        other, other_name = tighter_entry
        tightest = quantity.show(other.hard[other_name])
        # An implausibly small amount is reported by QL603 instead.
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
        # Equal amounts are a common way to forbid overcommitment.
        is_equal = other.hard[other_name].nano == hard.nano
        variant = ("equal" if is_equal else "pair") if is_pair else "alias" if other is quota else "default"
        severity = "info" if is_equal else ""
        field = quota.field(name)
        hit = Hit(quota.entry(name), values, quota.object, field, variant, (related,), severity=severity, resource=name)
        yield hit._replace(guesses=other.object.guesses)


def _tighter_entry(quota: Quota, name: str, neighbours: Sequence[Quota]) -> tuple[Quota, str] | None:
    """The entry that every counted object exceeds first: for the same resource or, if every pod must state both, for
    its limits."""
    wanted, hard = alias(name), quota.hard[name].nano
    pair, own_conditions = _LIMITS_OF.get(wanted), _scope_conditions(quota)
    tightest = _tightest_limits(neighbours)
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
            # Another quota counts at least the same objects if it has no additional requirement.
            if _scope_conditions(other) <= own_conditions and not quota.object.may_be_in_other_namespaces(other.object):
                return other, other_name
    return None


class _TightestLimits(NamedTuple):
    """The quotas of a namespace, and the lowest limit of each resource."""

    quotas: Sequence[Quota]
    lowest: Mapping[str, int]


_LAST_LIMITS: list[_TightestLimits] = []  # a cache for the last namespace


def _tightest_limits(quotas: Sequence[Quota]) -> _TightestLimits:
    """The tightest limits, computed once for all quotas of a namespace, which may be thousands."""
    if not _LAST_LIMITS or _LAST_LIMITS[0].quotas is not quotas:
        lowest: dict[str, int] = {}
        for quota in quotas:
            for name, hard in quota.hard.items():
                lowest[alias(name)] = min(lowest.get(alias(name), hard.nano), hard.nano)
        _LAST_LIMITS[:] = [_TightestLimits(quotas, lowest)]
    return _LAST_LIMITS[0]


def _scope_conditions(quota: Quota) -> frozenset[tuple[str, str, frozenset[str]]]:
    return frozenset(map(_scope_condition, quota.requirements))


def _scope_condition(requirement: Requirement) -> tuple[str, str, frozenset[str]]:
    return requirement.scope, requirement.operator, frozenset(requirement.values)
