"""Values for policies about a whole environment: its quotas and their totals."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from quotalint.accounts.facts import Facts
from quotalint.cel.quantities import Amount, amount, is_least, value_of
from quotalint.checks.lazy.policy_values import (
    METADATA,
    SCENARIOS,
    KnownValues,
    declared_namespace,
    described_quota,
    labels_of,
    parsed_amount,
    reason_of,
    why_hidden,
)
from quotalint.kube.fields import Body, mapping
from quotalint.quota.projection import UNKNOWN


def environment_values(facts: Facts) -> KnownValues:
    """The values that are the same for everything in an environment."""
    quotas = [quota for enforced_quotas in facts.enforced.values() for quota in enforced_quotas]
    quotas = list({quota.id: quota for quota in quotas}.values())
    hidden = why_hidden(facts, "ResourceQuota")
    names = sorted({*facts.enforced, *facts.cluster.by_namespace} - {""})
    listed = [
        {**described_quota(quota, facts), "namespace": quota.namespace, **labels_of(facts, quota.namespace)}
        for quota in quotas
    ]
    values = KnownValues(
        {
            "environment.name": facts.environment,
            "cluster.quotas": listed,
            "cluster.totals": _by_label(listed, least=hidden != ""),
            "cluster.namespaces": [{"name": name, **labels_of(facts, name)} for name in names],
            "cluster.capacity": {name: parsed_amount(value) for name, value in facts.settings.capacity.amounts.items()},
            **{f"cluster.{field}": _totals_of(listed, field, least=hidden != "") for field in ("hard", *SCENARIOS)},
        },
        {},
        {},
    )
    guesses = tuple(dict.fromkeys(guess for quota in quotas for guess in quota.object.guesses))
    sums = tuple(dict.fromkeys((*guesses, *(guess for quota in quotas for guess in facts.guesses_of(quota)))))
    for name in ("cluster.quotas", "cluster.totals", *(f"cluster.{scenario}" for scenario in SCENARIOS)):
        values.guesses[name] = sums
    values.guesses["cluster.hard"] = guesses
    if hidden:
        values.unknown["cluster.quotas"] = hidden
    unread = next(
        (unknown.reason for quota in quotas for unknown in quota.unknowns if unknown.path[-2:-1] == ("hard",)), ""
    )
    if unread:
        values.unknown.update({"cluster.quotas": unread, "cluster.hard": unread, "cluster.totals": unread})
    uncertain = next((projection for projection in facts.projections if projection.certainty == UNKNOWN), None)
    if uncertain is not None:
        reason = reason_of(uncertain)
        values.unknown.update({f"cluster.{scenario}": reason for scenario in SCENARIOS})
    if facts.unseen:
        values.unknown["cluster.namespaces"] = facts.unseen[0].reason
    nameless = next((name for name in names if declared_namespace(facts, name) is None), "")
    lacking = ((METADATA, f"Namespace {nameless} is not in view"),) if nameless else ()
    unsettled = ((frozenset(SCENARIOS), reason_of(uncertain)),) if uncertain is not None else ()
    if nameless:
        values.unknown["cluster.totals"] = f"Namespace {nameless} is not in view"
    partial = {"cluster.quotas": (*lacking, *unsettled), "cluster.totals": unsettled, "cluster.namespaces": lacking}
    return values._replace(partial=partial)


def _by_label(listed: Iterable[Body], *, least: bool) -> dict[str, dict[str, dict[str, object]]]:
    """The totals of the quotas, by label of their namespaces and its value."""
    members: dict[tuple[str, str], list[Body]] = {}
    for quota_values in listed:
        for label, value in mapping(quota_values.get("labels")).items():
            members.setdefault((label, str(value)), []).append(quota_values)
    by_label: dict[str, dict[str, dict[str, object]]] = {}
    for (label, value), labelled_quotas in members.items():
        sums: dict[str, object] = {
            field: _totals_of(labelled_quotas, field, least=least) for field in ("hard", *SCENARIOS)
        }
        by_label.setdefault(label, {})[value] = sums
    return by_label


def _totals_of(listed: Iterable[Body], field: str, *, least: bool) -> dict[str, Amount]:
    sums: dict[str, tuple[Fraction, bool]] = {}
    for quota_values in listed:
        for name, value in mapping(quota_values.get(field)).items():
            sum_, bound = sums.get(name, (Fraction(0), least))
            sums[name] = sum_ + value_of(value), bound or is_least(value)
    return {name: amount(sum_, least=bound) for name, (sum_, bound) in sums.items()}
