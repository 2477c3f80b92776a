"""Why the API server refuses a ResourceQuota, and whether any evaluator counts an accepted entry.

Source: Kubernetes 1.34, pkg/apis/core/validation/validation.go (ValidateResourceQuota, ValidateResourceQuotaSpec,
validateResourceQuotaScopes, validateScopedResourceSelectorRequirement).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.evaluators import ALIASES, EVALUATORS
from quotalint.kube import quantity
from quotalint.kube.amounts import amount, is_placeholder
from quotalint.kube.api_error import UNDECODABLE, ApiError, Wrong
from quotalint.kube.discovery import KNOWN, MISSING, Discovery, resolve
from quotalint.kube.fields import mapping
from quotalint.kube.names import VALIDATED_METADATA, annotation_errors, label_errors, subdomain_errors
from quotalint.kube.quantity import BadQuantity
from quotalint.kube.releases import release
from quotalint.kube.resources import is_integer, is_standard_quota, quota_name_errors
from quotalint.kube.schema import decodes
from quotalint.kube.scopes import CONFLICTS, EXISTS_ONLY, OPERATORS, Requirement, admits, known_scopes
from quotalint.quota.quotas import Quota
from quotalint.text.place import Path

_NEEDS_EXISTS = (
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
    "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
)


def quota_errors(quota: Quota, kube_version: str) -> tuple[ApiError, ...]:
    """Every reason to refuse the quota, in the order of its fields."""
    if not decodes(quota.object):
        return (UNDECODABLE,)
    errors = (*_metadata_errors(quota), *_status_errors(quota), *quota.refused, *_hard_errors(quota))
    return (*errors, *_scope_errors(quota, kube_version)) if quota.requirements else errors


def _scope_errors(quota: Quota, kube_version: str) -> tuple[ApiError, ...]:
    scopes = [requirement for requirement in quota.requirements if requirement.is_listed]
    selector = [requirement for requirement in quota.requirements if not requirement.is_listed]
    listed, expressions = quota.within("scopes"), quota.within("scopeSelector", "matchExpressions")
    return (
        *_scope_names(scopes, listed, (), kube_version),
        *_scope_resources(quota, scopes, listed),
        *_conflict_errors(scopes, listed, (*quota.path, "scopes")),
        *_scope_names(selector, f"{expressions}.scopeName", ("scopeName",), kube_version),
        *_scope_resources(quota, selector, expressions),
        *_operator_errors(selector, f"{expressions}.operator"),
        *_value_errors(selector, f"{expressions}.values"),
        *_conflict_errors(selector, expressions, (*quota.path, "scopeSelector", "matchExpressions")),
    )


def _metadata_errors(quota: Quota) -> Iterator[ApiError]:
    for field, check in (("labels", label_errors), ("annotations", annotation_errors)):
        for key, words in check(mapping(quota.object.metadata.get(field))):
            if not is_placeholder(key) and not is_placeholder(mapping(quota.object.metadata[field])[key]):
                yield ApiError(Wrong.ELSEWHERE, f"metadata.{field}", ("metadata", field, key), words, key)
    if quota.object.kind == "ResourceQuota" and not VALIDATED_METADATA.isdisjoint(quota.object.metadata):
        from quotalint.kube.metadata_validation import metadata_errors

        for error in metadata_errors(quota.object.metadata):
            yield ApiError(Wrong.ELSEWHERE, *error)
    path: Path = ("metadata", "name")
    generated = quota.object.metadata.get("generateName")
    name = quota.object.name
    if not name:
        if not generated:
            yield ApiError(Wrong.NAME, "metadata.name", path, "name or generateName is required")
        return
    if is_placeholder(name):
        return
    errors = subdomain_errors(name)
    if errors:
        yield ApiError(Wrong.NAME, "metadata.name", path, "; ".join(errors), name)


def _status_errors(quota: Quota) -> Iterator[ApiError]:
    """Amounts of an exported `status` that do not decode; it is not validated, because the server empties it."""
    status = mapping(quota.object.body.get("status")) if quota.object.kind == "ResourceQuota" else {}
    for field in ("hard", "used"):
        for name, written in mapping(status.get(field)).items():
            value = amount(written)
            if isinstance(value, BadQuantity) and not is_placeholder(written):
                path: Path = ("status", field, name)
                yield ApiError(Wrong.ELSEWHERE, f"status.{field}[{name}]", path, value.message, _written_text(written))


def _hard_errors(quota: Quota) -> Iterator[ApiError]:
    for name, written in mapping(quota.spec.get("hard")).items():
        if is_placeholder(name):
            continue
        path, field = quota.way(name), quota.field(name)
        errors = quota_name_errors(name)
        if errors and not isinstance(written, (dict, list)):  # such a quota does not decode, so no name is validated
            yield ApiError(Wrong.RESOURCE, field, path, "; ".join(errors), name)
        value = amount(written)
        if isinstance(value, BadQuantity):
            if not is_placeholder(written):
                yield ApiError(Wrong.AMOUNT, field, path, value.message, _written_text(written), name)
            continue
        if value.nano < 0:
            words = "must be greater than or equal to 0"
            yield ApiError(Wrong.NEGATIVE, field, path, words, quantity.show(value), name)
        if is_integer(name) and not quantity.is_whole(written):
            yield ApiError(Wrong.FRACTION, field, path, "must be an integer", quantity.show(value), name)


def _scope_names(requirements: list[Requirement], field: str, below: Path, kube_version: str) -> Iterator[ApiError]:
    supported = known_scopes(kube_version)
    for requirement in requirements:
        if requirement.scope not in supported and not is_placeholder(requirement.scope):
            yield ApiError(Wrong.SCOPE, field, (*requirement.path, *below), "unsupported scope", requirement.scope)


def _scope_resources(quota: Quota, requirements: list[Requirement], field: str) -> Iterator[ApiError]:
    for requirement in requirements:
        for name in mapping(quota.spec.get("hard")):
            if is_standard_quota(name) and not admits(requirement.scope, name):
                words = "unsupported scope applied to resource"
                yield ApiError(Wrong.NOT_IN_SCOPE, field, quota.way(name), words, requirement.scope, name)


def _conflict_errors(requirements: list[Requirement], field: str, path: Path) -> Iterator[ApiError]:
    scopes = {requirement.scope for requirement in requirements}
    for scope, other in CONFLICTS:
        if scope in scopes and other in scopes:
            yield ApiError(Wrong.CONFLICT, field, path, "conflicting scopes", scope, other)


def _operator_errors(requirements: list[Requirement], field: str) -> Iterator[ApiError]:
    for requirement in requirements:
        if is_placeholder(requirement.operator):
            continue
        words = []
        if requirement.scope in EXISTS_ONLY and requirement.operator != "Exists":
            words.append(_NEEDS_EXISTS)
        if requirement.operator not in OPERATORS:
            words.append("not a valid selector operator")
        if words:
            path = (*requirement.path, "operator")
            detail = "; ".join(words)
            yield ApiError(Wrong.OPERATOR, field, path, detail, requirement.operator, requirement.scope)


def _value_errors(requirements: list[Requirement], field: str) -> Iterator[ApiError]:
    for requirement in requirements:
        words = ""
        if requirement.operator in ("In", "NotIn") and not requirement.values:
            words = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
        elif requirement.operator in ("Exists", "DoesNotExist") and requirement.values:
            words = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
        if words:
            path = (*requirement.path, "values")
            operator, scope = requirement.operator, requirement.scope
            yield ApiError(Wrong.VALUES, field, path, words, operator, scope)


def _written_text(written: object) -> str:
    if isinstance(written, dict):
        return "a mapping"
    if isinstance(written, list):
        return "a list"
    if isinstance(written, bool):
        return "true" if written else "false"
    return str(written)[:80]


_COUNTED = frozenset(ALIASES.values())


def tracking_state(name: str, discovery: Discovery) -> str:
    """Whether an evaluator of this cluster charges objects to a name of `hard`: KNOWN, MISSING or UNKNOWN.

    Source: apiserver/pkg/quota/v1/resources.go (CalculateUsage): an entry without an evaluator never gets a
    `status.used`, so it is never compared.
    """
    if not release(discovery.kube_version).counts_entry(name):
        return MISSING
    if name in _COUNTED or any(evaluator.tracks(name) for evaluator in EVALUATORS.values()):
        return KNOWN
    prefix, slash, counted = name.partition("/")
    return resolve(discovery, counted) if slash and prefix == "count" else MISSING


def matchable_scopes(name: str) -> frozenset[str]:
    """The scopes that objects charged to a name can match."""
    scopes = [evaluator.scopes for evaluator in EVALUATORS.values() if evaluator.tracks(name)]
    return frozenset().union(*scopes)


def can_count(name: str, requirements: tuple[Requirement, ...]) -> bool:
    """Whether an object charged to this name can satisfy the scope of every requirement."""
    if not requirements:
        return True
    matchable = matchable_scopes(name)
    return all(requirement.scope in matchable for requirement in requirements)
