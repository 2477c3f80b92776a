"""Checks of entries of `hard` that the API server accepts and nothing ever enforces."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, check
from quotalint.facts import Facts
from quotalint.kube import kinds, spelling
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.discovery import MISSING, is_unserved
from quotalint.kube.fields import mapping
from quotalint.kube.releases import counted_since
from quotalint.kube.resources import quota_name_errors
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import tracking_state


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
    if (hard is None or hard == {}) and not quota.refused and not _lets_in(quota):
        field = quota.within("hard")
        yield Hit(quota.object.at(*quota.path), {"quota": quota.name, "resource": ""}, quota.object, field)
    for name, written in mapping(hard).items():
        if written is None and not quota_name_errors(name):
            values = {"quota": quota.name, "resource": name}
            place = quota.entry(name)
            yield Hit(place, values, quota.object, quota.field(name), variant="null", resource=name)


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
