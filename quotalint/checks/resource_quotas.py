"""Checks of ResourceQuotas: what the API server refuses in a new or changed one."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts, RefusedQuota
from quotalint.checks import quota_repairs
from quotalint.checks.hit import Hit, Related, check
from quotalint.kube import spelling
from quotalint.kube.amounts import is_stand_in
from quotalint.kube.api_error import ApiError, Wrong
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.names import label_name_errors
from quotalint.kube.objects import Object
from quotalint.kube.resources import is_standard_quota
from quotalint.kube.scopes import OPERATORS, Requirement, admits, known_scopes
from quotalint.quota.quotas import Quota
from quotalint.text.place import Place
from quotalint.text.words import join_with_and


def _error_hits(refused: RefusedQuota, wrong: Wrong) -> Iterator[tuple[ApiError, Hit]]:
    quota = refused.quota
    for error in refused.errors:
        if error.wrong is wrong:
            values = {"quota": quota.name, "detail": error.detail, "value": error.value, "suggestion": ""}
            hit = Hit(quota.object.at(*error.path), values, quota.object, error.field, resource=error.subject)
            yield error, hit


def _with_suggestion(hit: Hit, suggestion: str | None, **values: str) -> Hit:
    merged = {**hit.values, **values, "suggestion": suggestion or ""}
    return hit._replace(values=merged, variant="suggested" if suggestion else "default")


@check("QL101", RefusedQuota)
def invalid_name(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    quota = refused.quota
    for error, hit in _error_hits(refused, Wrong.NAME):
        named = hit._replace(values={**hit.values, "kind": quota.object.kind, "name": quota.name})
        yield named if error.value else named._replace(variant="missing")


@check("QL101", Object)
def invalid_namespace(obj: Object, facts: Facts) -> Iterator[Hit]:
    """For Namespaces their name, for other objects their namespace."""
    is_namespace = (obj.group, obj.kind) == ("", "Namespace")
    field = "name" if is_namespace else "namespace"
    name = obj.metadata.get(field)
    # The namespace of a cluster-scoped object is ignored.
    if not isinstance(name, str) or not name or is_stand_in(name) or not (is_namespace or obj.namespace == name):
        return
    errors = label_name_errors(name)
    if errors:
        values = {"kind": obj.kind, "name": obj.name, "value": name, "detail": "; ".join(errors)}
        variant = "named" if is_namespace else "namespace"
        yield Hit(obj.at("metadata", field), values, obj, f"metadata.{field}", variant)


@check("QL102", RefusedQuota)
def unknown_resource(refused: RefusedQuota, facts: Facts) -> Iterator[Hit]:
    quota = refused.quota
    for error, hit in _error_hits(refused, Wrong.RESOURCE):
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


@check("QL103", RefusedQuota)
def invalid_quantity(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(refused, Wrong.AMOUNT):
        written = dig(refused.quota.object.body, *error.path)
        if error.subject in _BESIDE_HARD and isinstance(written, (list, dict)):
            yield hit._replace(values={**hit.values, "resource": error.subject}, variant="beside")
        elif entries := spelling.flat_entries(error.subject, mapping(written)):
            yield _with_suggestion(hit, join_with_and(entries), resource=error.subject)._replace(variant="nested")
        else:
            yield _with_suggestion(hit, spelling.amount(error.value), resource=error.subject)


_BESIDE_HARD = ("scopes", "scopeSelector")


@check("QL104", RefusedQuota)
def negative_quantity(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(refused, Wrong.NEGATIVE):
        yield _with_suggestion(hit, None, resource=error.subject)


@check("QL105", RefusedQuota)
def fractional_count(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(refused, Wrong.FRACTION):
        yield _with_suggestion(hit, None, resource=error.subject)


@check("QL106", RefusedQuota)
def unknown_scope(refused: RefusedQuota, facts: Facts) -> Iterator[Hit]:
    quota = refused.quota
    version = facts.settings.kube_version
    scopes = known_scopes(version)
    for error, hit in _error_hits(refused, Wrong.SCOPE):
        suggestion = spelling.most_similar(error.value, scopes)
        fix = quota_repairs.correct_scope(quota, error.path, error.value, scopes)
        yield _with_suggestion(hit, suggestion, known=", ".join(sorted(scopes)), version=version)._replace(fix=fix)


@check("QL107", RefusedQuota)
def conflicting_scopes(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    for error, hit in _error_hits(refused, Wrong.CONFLICT):
        yield hit._replace(values={**hit.values, "one": error.value, "other": error.subject})


@check("QL108", RefusedQuota)
def resource_not_in_scope(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    quota = refused.quota
    for error, hit in _error_hits(refused, Wrong.NOT_IN_SCOPE):
        scope = next(requirement for requirement in quota.requirements if requirement.scope == error.value)
        related = Related("scope", quota.object.at(*scope.path), f"the scope {error.value}")
        allowed = sorted(name for name in _LIMITABLE if admits(error.value, name))
        values = {**hit.values, "resource": error.subject, "scope": error.value, "allowed": ", ".join(allowed)}
        yield hit._replace(values=values, related=(related,))


@check("QL109", RefusedQuota)
def invalid_operator(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    quota = refused.quota
    for error, hit in _error_hits(refused, Wrong.OPERATOR):
        requirement = _requirement_at(hit.place, "operator", quota)
        fallback = "In" if requirement.values else "Exists"
        suggestion = spelling.most_similar(error.value, OPERATORS) or fallback
        variant = "default" if error.value else "absent"
        if error.detail.startswith("must be 'Exists'"):
            suggestion, variant = "Exists", "exists"
        fix = quota_repairs.correct_operator(quota, requirement)
        yield _with_suggestion(hit, suggestion, scope=error.subject)._replace(variant=variant, fix=fix)


@check("QL110", RefusedQuota)
def operator_values(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    quota = refused.quota
    for error, hit in _error_hits(refused, Wrong.VALUES):
        variant = "missing" if error.value in ("In", "NotIn") else "default"
        requirement = _requirement_at(hit.place, "values", quota)
        fix = None if variant == "missing" else quota_repairs.drop_values(quota, requirement)
        values = {**hit.values, "operator": error.value, "scope": error.subject}
        yield hit._replace(values=values, variant=variant, fix=fix)


@check("QL111", Quota)
def immutable_scopes(quota: Quota, facts: Facts) -> Iterator[Hit]:
    if quota.object.kind != "ResourceQuota" or quota.object.group or not quota.object.name:
        return
    old = facts.before.get(quota.object.ref)
    if old is None or _scope_set(old) == _scope_set(quota):
        return
    values = {"quota": quota.name, "old": _scopes_text(old), "new": _scopes_text(quota)}
    yield Hit(quota.object.at("spec", "scopes"), values, quota.object, quota.within("scopes"))


@check("QL112", RefusedQuota)
def refused_quota(refused: RefusedQuota, _: Facts) -> Iterator[Hit]:
    quota = refused.quota
    for error, hit in _error_hits(refused, Wrong.ELSEWHERE):
        obj = quota.object
        values = {**hit.values, "kind": obj.kind, "name": obj.name, "field": error.field}
        variant = "metadata" if error.field.startswith("metadata") else "default"
        yield hit._replace(values=values, variant="annotation" if obj.kind == "Namespace" else variant)


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


def _requirement_at(place: Place, field: str, quota: Quota) -> Requirement:
    """The requirement that has a field at this place."""
    return next(part for part in quota.requirements if quota.object.at(*part.path, field) == place)


def _scope_set(quota: Quota) -> frozenset[str]:
    # A set, because order and duplicates do not matter.
    return frozenset(map(text, sequence(quota.spec.get("scopes"))))


def _scopes_text(quota: Quota) -> str:
    return ", ".join(sorted(_scope_set(quota))) or "none"
