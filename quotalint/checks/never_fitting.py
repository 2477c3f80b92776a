"""Checks of LimitRanges and quotas that leave no room for any pod or claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, Related, check
from quotalint.kube import quantity
from quotalint.kube.amounts import rounded_up
from quotalint.kube.api_error import field_path
from quotalint.kube.discovery import MISSING
from quotalint.kube.fields import dig
from quotalint.kube.limit_range import LimitRange, LimitRangeItem
from quotalint.kube.plausibility import absurd_amount
from quotalint.kube.quantity import Quantity
from quotalint.kube.resources import alias
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import tracking_state
from quotalint.text.place import Path
from quotalint.workloads import makes_pods

_WRITTEN_AS = {
    "default": ("default", "max"),
    "defaultRequest": ("defaultRequest", "default", "max", "min"),
    "min": ("min",),
}
_ORDINALS = {1: "first", 2: "second", 3: "third"}
_PODS = ("pods", "count/pods")
_ANY_POD = frozenset({"NotTerminating", "NotBestEffort"})


class Floor(NamedTuple):
    """The smallest charge of a pod or claim that states no amounts."""

    item: LimitRangeItem
    field: str
    """`default`, `defaultRequest` or `min`."""
    resource: str
    entry: str
    """The entry of a quota that counts it, by its long name."""
    amount: Quantity


class Collision(NamedTuple):
    """A floor and the quota entry that counts it."""

    floor: Floor
    quota: Quota
    entry: str
    number: int
    """Which of three such pods is the first to be refused; 0: none."""


@check("QL604", LimitRange)
def default_never_fits(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    if facts.errors.get(limits.place):
        return
    quotas = [quota for quota in facts.enforced.get(limits.namespace, ()) if _counts_any_pod(quota)]
    collisions = [collision for collision in _quota_collisions(limits, quotas, facts) if collision.number]
    reported_resources: set[str] = set()
    # The first refused pod is reported for each resource.
    for collision in sorted(collisions, key=lambda collision: collision.number):
        if collision.floor.resource not in reported_resources:
            reported_resources.add(collision.floor.resource)
            enough = (quantity.multiply(collision.floor.amount, number) for number in (1, 2, 3))
            least = next(
                amount
                for amount in enough
                if not _first_refused_number(amount.nano, collision.floor, collision.quota, limits, facts)
            )
            yield _collision_hit(limits, collision, rounded_up(collision.entry, least))


def _quota_collisions(limits: LimitRange, quotas: Sequence[Quota], facts: Facts) -> Iterator[Collision]:
    for floor in _request_floors(limits) if quotas else ():
        for quota in quotas:
            names = (name for name in quota.hard if alias(name) == floor.entry and _limits(name, quota, facts))
            # `cpu` and `requests.cpu` count the same objects; the smaller limit decides.
            name = min(names, key=lambda name: quota.hard[name].nano, default=None)
            if name and not limits.object.may_be_in_other_namespaces(quota.object):
                yield Collision(
                    floor, quota, name, _first_refused_number(quota.hard[name].nano, floor, quota, limits, facts)
                )


def _limits(name: str, quota: Quota, facts: Facts) -> bool:
    """Whether an entry is counted and plausible; other rules report the rest (QL201, QL603)."""
    is_tracked = tracking_state(name, facts.cluster.discovery) != MISSING
    return is_tracked and absurd_amount(name, quantity.show(quota.hard[name]), {}) is None


def _request_floors(limits: LimitRange) -> Iterator[Floor]:
    """The floors of a LimitRange, the minimum first: defaults cannot be smaller."""
    for item in limits.items:
        if item.type == "PersistentVolumeClaim" and "storage" in item.min:
            yield Floor(item, "min", "storage", "requests.storage", item.min["storage"])
        if item.type not in ("Container", "Pod"):
            continue
        for resource, amount in item.min.items():
            yield Floor(item, "min", resource, f"requests.{resource}", amount)
            yield Floor(item, "min", resource, f"limits.{resource}", amount)
    for item in limits.items:
        if item.type == "Container":
            for resource, amount in item.default.items():
                yield Floor(item, "default", resource, f"limits.{resource}", amount)
            for resource, amount in item.default_request.items():
                yield Floor(item, "defaultRequest", resource, f"requests.{resource}", amount)


def _counts_any_pod(quota: Quota) -> bool:
    """Whether the quota counts pods without deadlines and priorities."""
    if quota.shares is not None or any(
        quota.hard[name].nano == 0 for name in ("pods", "count/pods") if name in quota.hard
    ):
        return False
    return all(requirement.scope in _ANY_POD and requirement.operator == "Exists" for requirement in quota.requirements)


def _first_refused_number(hard: int, floor: Floor, quota: Quota, limits: LimitRange, facts: Facts) -> int:
    if not hard or not floor.amount.nano:
        return 0  # nothing is allowed at all
    if floor.amount.nano > hard:
        return 0 if floor.field != "min" and _has_smaller_default(floor, limits, facts) else 1
    if floor.field == "min" or _is_inhabited(limits.namespace, facts) or _has_smaller_default(floor, limits, facts):
        return 0
    pods = min((quota.hard[name].nano for name in _PODS if name in quota.hard), default=None)
    for number in (2, 3):
        if number * floor.amount.nano > hard:
            return number if pods is None or pods >= number * 10**9 else 0
    return 0


def _is_inhabited(namespace: str, facts: Facts) -> bool:
    """Whether workloads are known, whose real sums are more exact."""
    workloads = facts.settings.workloads
    return any(makes_pods(obj, workloads) for obj in facts.cluster.by_namespace.get(namespace, ()))


def _has_smaller_default(floor: Floor, limits: LimitRange, facts: Facts) -> bool:
    """Whether another LimitRange of the namespace may give a smaller default first."""
    return any(
        floor.resource in item.field(floor.field) and item.field(floor.field)[floor.resource].nano < floor.amount.nano
        for other in facts.limit_ranges
        if other.namespace == limits.namespace and other is not limits
        for item in other.items
        if item.type == "Container"
    )


def _collision_hit(limits: LimitRange, collision: Collision, least: Quantity) -> Hit:
    obj, (floor, quota, name, number) = limits.object, collision
    path = _amount_path(limits, floor)
    hard = quantity.show(quota.hard[name])
    values: Mapping[str, str] = {
        "limit_range": limits.name,
        "quota": quota.name,
        "resource": name,
        "amount": quantity.show(floor.amount),
        "hard": hard,
        "lower": _lower_words(floor, str(path[-2])),
        "enough": quantity.show(least),
        "who": "claim" if floor.item.type == "PersistentVolumeClaim" else "pod",
        "ordinal": _ORDINALS[number],
        "twice": quantity.show(quantity.multiply(floor.amount, number)),
    }
    variant = "minimum" if floor.field == "min" else "default" if number == 1 else "more"
    related = Related("limited by", quota.entry(name), f"quota {quota.name}: {name} {hard}")
    severity = "" if number == 1 else "warning"
    other_fixes = (quota_repairs.raise_entries(quota, {name: least}),)
    return Hit(
        obj.at(*path),
        values,
        obj,
        field_path(path),
        variant,
        (related,),
        severity=severity,
        resource=name,
        ways=other_fixes,
    )


def _lower_words(floor: Floor, written: str) -> str:
    """The words for lowering an amount; if another field stands for it, it must be written first."""
    field = f"{floor.field}.{floor.resource}"
    if written == floor.field or written not in _WRITTEN_AS[floor.field]:
        return f"lower {field}"
    return f"write a lower {field}, which is missing, so that {written}.{floor.resource} is taken for it"


def _amount_path(limits: LimitRange, floor: Floor) -> Path:
    """The path of the amount: a default may come from `max`, and a default request from any other field."""
    for field in _WRITTEN_AS[floor.field]:
        path: Path = (*floor.item.path, field, floor.resource)
        if dig(limits.object.body, *path) is not None:
            return path
    return floor.item.path
