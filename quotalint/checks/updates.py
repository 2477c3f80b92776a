"""Checks of what a change does to objects that are there already: updates that the API server refuses."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, check
from quotalint.facts import Facts
from quotalint.kube.fields import sequence, text
from quotalint.quota.quotas import Quota


@check("QL111", Quota)
def immutable_scopes(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if not facts.before or quota.object.kind != "ResourceQuota" or quota.object.group or not quota.object.name:
        return
    old = next((earlier for earlier in facts.before if earlier.object.ref == quota.object.ref), None)
    if old is None or _scopes(old) == _scopes(quota):
        return
    values = {"quota": quota.name, "old": _listed(old), "new": _listed(quota)}
    yield Hit(quota.object.at("spec", "scopes"), values, quota.object, quota.within("scopes"))


def _scopes(quota: Quota) -> frozenset[str]:
    # As a set: the order may change, and a scope may be given twice.
    return frozenset(map(text, sequence(quota.spec.get("scopes"))))


def _listed(quota: Quota) -> str:
    return ", ".join(sorted(_scopes(quota))) or "none"
