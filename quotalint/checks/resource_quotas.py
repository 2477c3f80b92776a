"""Checks of ResourceQuotas: what the API server refuses."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, Related, check
from quotalint.facts import Facts
from quotalint.kube import spelling
from quotalint.kube.amounts import is_stand_in
from quotalint.kube.api_error import ApiError, Wrong
from quotalint.kube.names import label_name_errors
from quotalint.kube.objects import Object
from quotalint.kube.resources import is_standard_quota
from quotalint.kube.scopes import OPERATORS, admits, known_scopes
from quotalint.quota.quotas import Quota


def _error_hits(quota: Quota, facts: Facts, wrong: Wrong) -> Iterator[tuple[ApiError, Hit]]:
    for error in facts.errors.get(quota.place, ()):
        if error.wrong is wrong:
            values = {"quota": quota.name, "detail": error.detail, "value": error.value, "suggestion": ""}
            hit = Hit(quota.object.at(*error.path), values, quota.object, error.field, resource=error.subject)
            yield error, hit


def _with_suggestion(hit: Hit, suggestion: str | None, **values: str) -> Hit:
    merged = {**hit.values, **values, "suggestion": suggestion or ""}
    return hit._replace(values=merged, variant="suggested" if suggestion else "default")


@check("QL101", Quota)
def invalid_name(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.NAME):
        yield hit if error.value else hit._replace(variant="missing")


@check("QL101", Object)
def invalid_namespace(obj: Object, facts: Facts) -> Iterator[Hit]:
    """Of Namespaces their name, of everything else where it goes."""
    is_one = (obj.group, obj.kind) == ("", "Namespace")
    field = "name" if is_one else "namespace"
    name = obj.metadata.get(field)
    # A cluster-scoped object has no namespace, whatever is written.
    if not isinstance(name, str) or not name or is_stand_in(name) or not (is_one or obj.namespace == name):
        return
    errors = label_name_errors(name)
    if errors:
        values = {"kind": obj.kind, "value": name, "detail": "; ".join(errors)}
        variant = "named" if is_one else "namespace"
        yield Hit(obj.at("metadata", field), values, obj, f"metadata.{field}", variant)


@check("QL102", Quota)
def unknown_resource(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.RESOURCE):
        suggestion = spelling.resource(error.value)
        fix = quota_repairs.rename_entry(quota, error.value, facts)
        named = _with_suggestion(hit, suggestion, resource=error.value)._replace(resource=error.value, fix=fix)
        scopes = (
            requirement.scope for requirement in quota.requirements if suggestion and is_standard_quota(suggestion)
        )
        scope = next((scope for scope in scopes if not admits(scope, suggestion or "")), "")
        if scope:
            obstacle = f"the scope {scope} does not admit {suggestion}"
            values = {**named.values, "scope": scope}
            named = named._replace(variant="elsewhere", values=values, fix=fix and fix._replace(obstacle=obstacle))
        yield named


@check("QL103", Quota)
def invalid_quantity(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.AMOUNT):
        yield _with_suggestion(hit, spelling.amount(error.value), resource=error.subject)


@check("QL104", Quota)
def negative_quantity(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.NEGATIVE):
        yield _with_suggestion(hit, None, resource=error.subject)


@check("QL105", Quota)
def fractional_count(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.FRACTION):
        yield _with_suggestion(hit, None, resource=error.subject)


@check("QL106", Quota)
def unknown_scope(quota: Quota, facts: Facts) -> Iterator[Hit]:
    version = facts.settings.kube_version
    scopes = known_scopes(version)
    for error, hit in _error_hits(quota, facts, Wrong.SCOPE):
        suggestion = spelling.nearest(error.value, scopes)
        fix = quota_repairs.correct_scope(quota, error.path, error.value, scopes)
        yield _with_suggestion(hit, suggestion, known=", ".join(sorted(scopes)), version=version)._replace(fix=fix)


@check("QL107", Quota)
def conflicting_scopes(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.CONFLICT):
        yield hit._replace(values={**hit.values, "one": error.value, "other": error.subject})


@check("QL108", Quota)
def resource_not_in_scope(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.NOT_IN_SCOPE):
        scope = next(requirement for requirement in quota.requirements if requirement.scope == error.value)
        related = Related("scope", quota.object.at(*scope.path), f"the scope {error.value}")
        allowed = sorted(name for name in _LIMITABLE if admits(error.value, name))
        values = {**hit.values, "resource": error.subject, "scope": error.value, "allowed": ", ".join(allowed)}
        yield hit._replace(values=values, related=(related,))


@check("QL109", Quota)
def invalid_operator(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.OPERATOR):
        requirement = next(
            requirement
            for requirement in quota.requirements
            if quota.object.at(*requirement.path, "operator") == hit.place
        )
        fallback = "In" if requirement.values else "Exists"
        suggestion = spelling.nearest(error.value, OPERATORS) or fallback
        variant = "default" if error.value else "absent"
        if error.detail.startswith("must be 'Exists'"):
            suggestion, variant = "Exists", "exists"
        fix = quota_repairs.correct_operator(quota, requirement)
        yield _with_suggestion(hit, suggestion, scope=error.subject)._replace(variant=variant, fix=fix)


@check("QL110", Quota)
def operator_values(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.VALUES):
        variant = "missing" if error.value in ("In", "NotIn") else "default"
        requirement = next(
            requirement
            for requirement in quota.requirements
            if quota.object.at(*requirement.path, "values") == hit.place
        )
        fix = None if variant == "missing" else quota_repairs.drop_values(quota, requirement)
        values = {**hit.values, "operator": error.value, "scope": error.subject}
        yield hit._replace(values=values, variant=variant, fix=fix)


@check("QL112", Quota)
def refused_quota(quota: Quota, facts: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(quota, facts, Wrong.ELSEWHERE):
        obj = quota.object
        values = {**hit.values, "kind": obj.kind, "name": obj.name, "field": error.field}
        yield hit._replace(values=values, variant="annotation" if obj.kind == "Namespace" else "default")


_LIMITABLE = (
    "cpu",
    "limits.cpu",
    "limits.memory",
    "memory",
    "persistentvolumeclaims",
    "pods",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
)
