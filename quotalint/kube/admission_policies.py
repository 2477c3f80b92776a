"""Which requests a ValidatingAdmissionPolicy matches. Its CEL expressions are evaluated elsewhere.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/policy/matching/matching.go (Matches),
plugin/webhook/predicates/rules/rules.go (Matcher) and plugin/policy/validating/dispatcher.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quotalint.kube.fields import Body, mapping, sequence, strings
from quotalint.kube.label_selectors import NAMESPACE_NAME, selector_keys, selects
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple

GROUP = "admissionregistration.k8s.io"
_OPERATIONS = frozenset(("CREATE", "UPDATE", "DELETE", "CONNECT"))


class PolicyTarget(NamedTuple):
    """An object of the cluster, as requests for it are matched."""

    group: str
    version: str
    resource: str
    namespace: str
    name: str
    labels: Body
    namespace_labels: Body | None
    """None if the Namespace is unknown; for a Namespace, its own labels."""
    scope: str = "Namespaced"
    """`Cluster` for a cluster-scoped object."""
    other_versions: frozenset[str] | None = frozenset()
    """The other versions of its kind in its group; None if they are unknown."""


class UnseenFact(NamedTuple):
    """Why it is unknown whether a policy matches an object, or which parameters it has."""

    reason: str
    some: tuple[object, ...] = ()
    """For parameters: the known ones."""
    operations: frozenset[str] = frozenset()
    """The operations that it matches if it matches the object at all."""


def matched_operations(written: object, target: PolicyTarget, *, everything: bool) -> frozenset[str] | UnseenFact:
    """The operations on an object that `matchConstraints` or `matchResources` match; `everything`: without rules all of
    them. Unknown if labels of an unknown Namespace decide, or if a rule is for another version, to which the API server
    converts the object."""
    selector = mapping(written).get("namespaceSelector")
    if target.namespace_labels is None and target.scope != "Cluster" and selector_keys(selector) - {NAMESPACE_NAME}:
        elsewhere_matched = _matched_operations(
            {**mapping(written), "namespaceSelector": None}, target, everything=everything
        )
        return elsewhere_matched and UnseenFact(
            "labels of a Namespace decide that is not in view", (), elsewhere_matched
        )
    matched = _matched_operations(written, target, everything=everything)
    if matched or target.other_versions == frozenset() or mapping(written).get("matchPolicy") == "Exact":
        return matched
    converted = _matched_operations(written, target._replace(version=_ANY_OTHER), everything=everything)
    return converted and UnseenFact(f"its rules are about another version than {target.version}, which is written")


def deniable_operations(policies: Iterable[Object], bindings: Iterable[Object], target: PolicyTarget) -> frozenset[str]:
    """The operations on an object that a policy may deny: CREATE, UPDATE, DELETE."""
    by_name = {policy.name: policy.spec for policy in policies if sequence(policy.spec.get("validations"))}
    operations: frozenset[str] = frozenset()
    for binding in bindings:
        name = binding.spec.get("policyName")
        policy = by_name.get(name) if isinstance(name, str) else None
        if policy is not None and "Deny" in strings(binding.spec.get("validationActions")):
            operations |= _matched_operations(
                policy.get("matchConstraints"), target, everything=False
            ) & _matched_operations(binding.spec.get("matchResources"), target, everything=True)
    return operations


def _matched_operations(written: object, target: PolicyTarget, *, everything: bool) -> frozenset[str]:
    """The operations that match; `everything`: without rules all of them."""
    resources = mapping(written)
    rules = sequence(resources.get("resourceRules"))
    matched = _OPERATIONS if everything and not rules else _operations_of_rules(rules, target)
    if not matched:  # the common case: a policy matches few kinds
        return matched
    if not _in_namespace(resources.get("namespaceSelector"), target):
        return frozenset()
    if not selects(resources.get("objectSelector"), target.labels):
        return frozenset()
    excluding = sequence(resources.get("excludeResourceRules"))
    excluded = _operations_of_rules(excluding, target)
    if target.other_versions != frozenset() and resources.get("matchPolicy") != "Exact":
        excluded |= _operations_of_rules(excluding, target._replace(version=_ANY_OTHER))
    return matched - excluded


_ANY_OTHER = "any other version"


def _in_namespace(selector: object, target: PolicyTarget) -> bool:
    if target.scope == "Cluster" and target.namespace_labels is None:
        return True
    labels = {**(target.namespace_labels or {}), NAMESPACE_NAME: target.namespace or target.name}
    # The labels of an unknown Namespace are unknown, so the policy may match.
    return (target.namespace_labels is None and selector_keys(selector) - {NAMESPACE_NAME} != set()) or selects(
        selector, labels
    )


def _operations_of_rules(rules: Iterable[object], target: PolicyTarget) -> frozenset[str]:
    selected: set[str] = set()
    for rule in map(mapping, rules):
        names = strings(rule.get("resourceNames"))
        if (
            {"*", target.group}.intersection(strings(rule.get("apiGroups")))
            and _is_version(strings(rule.get("apiVersions")), target)
            and any(is_resource(resource, target.resource) for resource in strings(rule.get("resources")))
            and rule.get("scope") in (None, "*", target.scope)
            and (not names or target.name in names)
        ):
            operations = strings(rule.get("operations"))
            selected |= _OPERATIONS if "*" in operations else _OPERATIONS.intersection(operations)
    return frozenset(selected)


def _is_version(written: Sequence[str], target: PolicyTarget) -> bool:
    if target.version != _ANY_OTHER:
        return "*" in written or target.version in written
    return bool(written) if target.other_versions is None else not target.other_versions.isdisjoint(written)


def is_resource(written: str, resource: str) -> bool:
    """Whether a rule's resource matches the objects themselves, not only a subresource."""
    name, _, subresource = written.partition("/")
    return name in ("*", resource) and subresource in ("", "*")
