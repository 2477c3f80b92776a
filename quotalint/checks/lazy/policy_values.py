"""The values of the variables that policies can read, and why some are unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from quotalint import settings
from quotalint.accounts.facts import Facts
from quotalint.cel.quantities import Amount, amount
from quotalint.kube.discovery import MISSING, UNKNOWN
from quotalint.kube.fields import mapping, text
from quotalint.kube.guess import Guess
from quotalint.kube.label_selectors import NAMESPACE_NAME
from quotalint.kube.limit_range import FIELDS
from quotalint.kube.objects import Object, ObjectId
from quotalint.kube.quantity import Quantity, parse
from quotalint.kube.resource_list import ResourceList
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import AT_LEAST, Projection
from quotalint.quota.quotas import Quota
from quotalint.settings import Scenario
from quotalint.workloads import makes_pods
from quotalint.workloads.namespace_contents import demands

SCENARIOS = tuple(scenario.value for scenario in settings.SCENARIOS)
METADATA = frozenset({"labels", "annotations"})
_NANO = 10**9
_EVERYWHERE = {
    "environment.name": "string",
    "cluster.quotas": "objects",
    "cluster.namespaces": "objects",
    "cluster.totals": "dyn",
    "cluster.capacity": "amounts",
    **{f"cluster.{field}": "amounts" for field in ("hard", *SCENARIOS)},
}
_OF_NAMESPACE = {
    "_amespace.name": "string",
    "_amespace.labels": "texts",
    "_amespace.annotations": "texts",
    "_amespace.quotas": "objects",
    "_amespace.limits": "objects",
    "_amespace.workloads": "objects",
}
_LISTS = frozenset(name for name, kind in _OF_NAMESPACE.items() if kind == "objects")
_OF_QUOTA = {
    "quota": "amounts",
    "quota.name": "string",
    "quota.labels": "texts",
    "quota.annotations": "texts",
    "quota.scopes": "strings",
}
_OF_ENTRY = {"entry.name": "string", **{f"entry.{field}": "quantity" for field in ("hard", *SCENARIOS, "share")}}
_OF_WORKLOAD = {
    "workload.name": "string",
    "workload.kind": "string",
    "workload.labels": "texts",
    "workload.annotations": "texts",
    "workload.pods": "int",
    "workload.usage": "amounts",
    "workload.object": "dyn",
}
VARIABLES: Mapping[str, Mapping[str, str]] = {
    "entry": {**_EVERYWHERE, **_OF_NAMESPACE, **_OF_QUOTA, **_OF_ENTRY},
    "quota": {**_EVERYWHERE, **_OF_NAMESPACE, **_OF_QUOTA},
    "namespace": {**_EVERYWHERE, **_OF_NAMESPACE},
    "workload": {**_EVERYWHERE, **_OF_NAMESPACE, **_OF_WORKLOAD},
    "cluster": _EVERYWHERE,
}
"""The types of variables, by the subject of a policy. The engine knows `namespace` as `_amespace`."""


class KnownValues(NamedTuple):
    """The values of some variables."""

    by_name: dict[str, object]
    unknown: dict[str, str]
    """Variables without a value, and the reason."""
    guesses: dict[str, tuple[Guess, ...]]
    """The guesses that each value depends on."""
    partial: dict[str, tuple[tuple[frozenset[str], str], ...]] = {}  # noqa: RUF012  # none is ever changed
    """Lists with items that lack fields of these names, and the reason."""

    def over(self, other: KnownValues) -> KnownValues:
        """These values, completed by others."""
        return KnownValues(
            {**other.by_name, **self.by_name},
            {**other.unknown, **self.unknown},
            {**other.guesses, **self.guesses},
            {**other.partial, **self.partial},
        )


def of_namespace(facts: Facts, name: str, used: Sequence[str]) -> KnownValues:
    """The values for a namespace, as far as `used` variables need them."""
    values = KnownValues({"_amespace.name": name}, {}, {})
    declared = declared_namespace(facts, name)
    for field in ("labels", "annotations"):
        if declared is None:
            values.unknown[f"_amespace.{field}"] = f"Namespace {name} is not in view"
        else:
            values.by_name[f"_amespace.{field}"] = _texts_of(declared, field)
            values.guesses[f"_amespace.{field}"] = declared.guesses
    if not _LISTS.intersection(used):
        return values
    quotas = facts.enforced.get(name, ())
    limits = [
        limit_range
        for limit_range in facts.limit_ranges
        if limit_range.namespace == name and limit_range.place not in facts.errors
    ]
    workloads = workloads_of(facts, name)
    values.by_name.update(
        {
            "_amespace.quotas": [described_quota(quota, facts) for quota in quotas],
            "_amespace.limits": [
                {
                    "type": item.type,
                    "name": limit_range.name,
                    **{field: _exact_amounts(item.field(field)) for field in FIELDS},
                }
                for limit_range in limits
                for item in limit_range.items
            ],
            "_amespace.workloads": [_workload_fields(workload) for workload in workloads],
        }
    )
    values.guesses["_amespace.quotas"] = tuple(guess for quota in quotas for guess in quota.object.guesses)
    values.guesses["_amespace.limits"] = tuple(guess for limit_range in limits for guess in limit_range.object.guesses)
    values.guesses["_amespace.workloads"] = tuple(guess for workload in workloads for guess in workload.guesses)
    for variable, kind in (("quotas", "ResourceQuota"), ("limits", "LimitRange"), ("workloads", "")):
        reason = why_hidden(facts, kind, name)
        if reason:
            values.unknown[f"_amespace.{variable}"] = reason
    unread = next(
        (unknown.reason for quota in quotas for unknown in quota.unknowns if unknown.path[-2:-1] == ("hard",)), ""
    )
    if unread:
        values.unknown["_amespace.quotas"] = unread
    own_projections = (projection for quota in quotas for projection in facts.projections_of(quota).values())
    uncertain = next((projection for projection in own_projections if projection.certainty == UNKNOWN), None)
    unsettled = ((frozenset(SCENARIOS), reason_of(uncertain)),) if uncertain is not None else ()
    return values._replace(partial={"_amespace.quotas": unsettled})


def of_quota(quota: Quota) -> KnownValues:
    values = KnownValues(
        {
            "quota": _exact_amounts(quota.hard),
            "quota.name": quota.name,
            "quota.labels": _texts_of(quota.object, "labels"),
            "quota.annotations": _texts_of(quota.object, "annotations"),
            "quota.scopes": [requirement.scope for requirement in quota.requirements],
        },
        {},
        {"quota": quota.object.guesses},
    )
    unread = [unknown for unknown in quota.unknowns if unknown.path[-2:-1] == ("hard",) or unknown.path[-1] == "hard"]
    if unread:
        entry = "" if unread[0].path[-1] == "hard" else f" {unread[0].path[-1]}"
        values.unknown["quota"] = f"of quota {quota.name}, hard{entry} {unread[0].reason}"
    return values


def of_entry(projection: Projection) -> KnownValues:
    values = KnownValues({"entry.name": projection.name}, {}, {})
    if projection.hard is None:
        values.unknown.update({"entry.hard": reason_of(projection), "entry.share": reason_of(projection)})
    else:
        values.by_name["entry.hard"] = _exact_amount(projection.hard)
    if projection.certainty == UNKNOWN or projection.tracked == MISSING:
        reason = f"nothing counts {projection.name}" if projection.tracked == MISSING else reason_of(projection)
        values.unknown.update({f"entry.{scenario}": reason for scenario in (*SCENARIOS, "share")})
        return values
    least = projection.certainty == AT_LEAST
    for scenario in SCENARIOS:
        values.by_name[f"entry.{scenario}"] = _exact_amount(projection.demand(Scenario(scenario)), least=least)
        values.guesses[f"entry.{scenario}"] = projection.guesses
    if projection.hard is not None and projection.hard.nano:
        values.by_name["entry.share"] = amount(Fraction(projection.steady.nano, projection.hard.nano), least=least)
        values.guesses["entry.share"] = projection.guesses
    else:
        values.unknown.setdefault("entry.share", f"{projection.name} allows nothing, so there is no share of it")
    return values


def of_workload(facts: Facts, obj: Object, pods: int | str) -> KnownValues:
    """The values for a workload. `pods`: the steady number, or why it is unknown."""
    described = _workload_fields(obj)
    values = KnownValues({f"workload.{name}": value for name, value in described.items()}, {}, {})
    values.guesses["workload.object"] = values.guesses["workload.labels"] = obj.guesses
    if isinstance(pods, int):
        values.by_name["workload.pods"] = pods
    else:
        values.unknown["workload.pods"] = pods
    own_charges = [charge for charge in facts.charges.get(obj.namespace, ()) if charge.owner is obj]
    unread = next((reason for charge in own_charges for reason in charge.demand.size.unknowns), "")
    unread = unread or next((unknown.reason for charge in own_charges for unknown in charge.admitted.unknowns), "")
    if obj.namespace not in facts.charges:
        values.unknown["workload.usage"] = f"namespace {obj.namespace} has neither quota nor LimitRange"
    elif unread:
        values.unknown["workload.usage"] = unread
    else:
        usage: dict[str, Fraction] = {}
        for charge in own_charges:
            for name, each_amount in charge.each.items():
                usage[name] = usage.get(name, Fraction(0)) + _fraction_of(each_amount) * charge.number
        values.by_name["workload.usage"] = {name: amount(value) for name, value in usage.items()}
    return values


def pods_of(facts: Facts, namespace: str) -> Mapping[ObjectId, int | str]:
    """The steady number of pods of each workload in a namespace, by the identity of its object, or why it is
    unknown."""
    pods_by_owner: dict[ObjectId, int | str] = {}
    for demand in demands(
        facts.cluster.by_namespace.get(namespace, ()),
        facts.settings.nodes,
        facts.settings.workloads,
        kube_version=facts.cluster.discovery.kube_version,
    ):
        if demand.owner is None or demand.kind != "Pod" or demand.group:
            continue
        sum_ = pods_by_owner.get(demand.owner.identity, 0)
        pods_by_owner[demand.owner.identity] = (
            demand.size.unknowns[0] if demand.size.unknowns else sum_ + demand.number if isinstance(sum_, int) else sum_
        )
    return pods_by_owner


def workloads_of(facts: Facts, namespace: str) -> tuple[Object, ...]:
    """The objects of a namespace that make pods."""
    members = facts.cluster.by_namespace.get(namespace, ())
    return tuple(obj for obj in members if makes_pods(obj, facts.settings.workloads))


def _workload_fields(obj: Object) -> dict[str, object]:
    return {
        "name": obj.name,
        "kind": obj.kind,
        "labels": _texts_of(obj, "labels"),
        "annotations": _texts_of(obj, "annotations"),
        "object": obj.body,
    }


def described_quota(quota: Quota, facts: Facts) -> dict[str, object]:
    """A quota as an item of a list. Unknown usage is left out, so reading it is an error."""
    projected = facts.projections_of(quota)
    described: dict[str, object] = {"name": quota.name, "hard": _exact_amounts(quota.hard)}
    described["scopes"] = [requirement.scope for requirement in quota.requirements]
    for scenario in SCENARIOS:
        described[scenario] = {
            name: _exact_amount(projection.demand(Scenario(scenario)), least=projection.certainty == AT_LEAST)
            for name, projection in projected.items()
            if projection.certainty != UNKNOWN and projection.tracked != MISSING
        }
    return described


def labels_of(facts: Facts, namespace: str) -> dict[str, object]:
    """The labels and annotations of a known Namespace; empty if it is unknown."""
    declared = declared_namespace(facts, namespace)
    if declared is None:
        return {}
    return {field: _texts_of(declared, field) for field in ("labels", "annotations")}


def declared_namespace(facts: Facts, name: str) -> Object | None:
    return next((obj for obj in facts.cluster.of("", "Namespace") if obj.name == name), None)


def _texts_of(obj: Object, field: str) -> dict[str, str]:
    named = {NAMESPACE_NAME: obj.name} if (obj.kind, field) == ("Namespace", "labels") else {}
    return {**{str(key): text(value) for key, value in mapping(obj.metadata.get(field)).items()}, **named}


def why_hidden(facts: Facts, kind: str, namespace: str = "") -> str:
    """Why there may be more objects of a kind than are known, in a namespace or anywhere; empty if all are known."""
    for gap in facts.unseen:
        if (not gap.kinds or not kind or kind in gap.kinds) and (not namespace or gap.namespace in ("", namespace)):
            return gap.reason
    if kind == "ResourceQuota" and facts.default_limits.hiding() & {"", namespace}:
        return "an object of the repository makes quotas in namespaces, and which is not known"
    return ""


def reason_of(projection: Projection) -> str:
    return next(iter((*projection.unknowns, *(guess.reason for guess in projection.guesses))), "it is not known")


def _exact_amounts(listed: ResourceList) -> dict[str, Amount]:
    return {name: _exact_amount(value) for name, value in listed.items()}


def parsed_amount(value: str) -> Amount | None:
    amount_read = parse(value)
    return _exact_amount(amount_read) if isinstance(amount_read, Quantity) else None


def _exact_amount(value: Quantity, *, least: bool = False) -> Amount:
    return amount(_fraction_of(value), least=least)


def _fraction_of(value: Quantity) -> Fraction:
    return Fraction(value.nano, _NANO)
