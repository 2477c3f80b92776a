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
    if old is None or _scope_set(old) == _scope_set(quota):
        return
    values = {"quota": quota.name, "old": _scopes_text(old), "new": _scopes_text(quota)}
    yield Hit(quota.object.at("spec", "scopes"), values, quota.object, quota.within("scopes"))


def _scope_set(quota: Quota) -> frozenset[str]:
    # As a set: the order may change, and a scope may be given twice.
    return frozenset(map(text, sequence(quota.spec.get("scopes"))))


def _scopes_text(quota: Quota) -> str:
    return ", ".join(sorted(_scope_set(quota))) or "none"
