"""ValidatingAdmissionPolicies: which requests they judge. What their CEL expressions say is another matter.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/policy/matching/matching.go (Matches),
plugin/webhook/predicates/rules/rules.go (Matcher) and plugin/policy/validating/dispatcher.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from quotalint.kube.fields import Body, mapping, sequence, strings
from quotalint.kube.label_selectors import selector_keys, selects
from quotalint.kube.objects import Object

GROUP = "admissionregistration.k8s.io"
_OPERATIONS = frozenset(("CREATE", "UPDATE", "DELETE", "CONNECT"))
_NAME = "kubernetes.io/metadata.name"


class Target(NamedTuple):
    """An object of the cluster that requests are about."""

    group: str
    version: str
    resource: str
    namespace: str
    name: str
    labels: Body
    namespace_labels: Body | None
    """None where the Namespace is not in view."""


class Unseen(NamedTuple):
    """Why it is not known whether a policy is about an object, or with which parameters."""

    reason: str
    some: tuple[object, ...] = ()
    """Of parameters: those that are in view."""


def matched_operations(written: object, target: Target, everything: bool) -> frozenset[str] | Unseen:
    """The operations on an object that `matchConstraints` or `matchResources` name; `everything`: also where no rules
    are given. Not known where labels of a Namespace decide that is not in view."""
    selector = mapping(written).get("namespaceSelector")
    if target.namespace_labels is None and selector_keys(selector) - {_NAME}:
        rest = _matched({**mapping(written), "namespaceSelector": None}, target, everything)
        return rest and Unseen(f"Namespace {target.namespace}, whose labels decide, is not in view")
    return _matched(written, target, everything)


def judged(policies: Iterable[Object], bindings: Iterable[Object], target: Target) -> frozenset[str]:
    """The operations on an object that some policy may deny: CREATE, UPDATE, DELETE."""
    by_name = {policy.name: policy.spec for policy in policies if sequence(policy.spec.get("validations"))}
    found: frozenset[str] = frozenset()
    for binding in bindings:
        name = binding.spec.get("policyName")
        policy = by_name.get(name) if isinstance(name, str) else None
        if policy is not None and "Deny" in strings(binding.spec.get("validationActions")):
            found |= _matched(policy.get("matchConstraints"), target, False) & _matched(
                binding.spec.get("matchResources"), target, True
            )
    return found


def _matched(written: object, target: Target, everything: bool) -> frozenset[str]:
    """The operations that match; `everything`: also where no rules are given."""
    resources = mapping(written)
    if not _in_namespace(resources.get("namespaceSelector"), target):
        return frozenset()
    if not selects(resources.get("objectSelector"), target.labels):
        return frozenset()
    rules = sequence(resources.get("resourceRules"))
    matched = _OPERATIONS if everything and not rules else _operations(rules, target)
    return matched - _operations(sequence(resources.get("excludeResourceRules")), target)


def _in_namespace(selector: object, target: Target) -> bool:
    labels = {**(target.namespace_labels or {}), _NAME: target.namespace}
    # Nobody knows the labels of a Namespace that is not in view: the policy may well be meant for it.
    return (target.namespace_labels is None and selector_keys(selector) - {_NAME} != set()) or selects(selector, labels)


def _operations(rules: Iterable[object], target: Target) -> frozenset[str]:
    found: set[str] = set()
    for rule in map(mapping, rules):
        names = strings(rule.get("resourceNames"))
        if (
            {"*", target.group}.intersection(strings(rule.get("apiGroups")))
            and {"*", target.version}.intersection(strings(rule.get("apiVersions")))
            and any(_is_resource(resource, target.resource) for resource in strings(rule.get("resources")))
            and rule.get("scope") in (None, "*", "Namespaced")
            and (not names or target.name in names)
        ):
            operations = strings(rule.get("operations"))
            found |= _OPERATIONS if "*" in operations else _OPERATIONS.intersection(operations)
    return frozenset(found)


def _is_resource(written: str, resource: str) -> bool:
    """Whether it means the objects themselves, not only a subresource."""
    name, _, subresource = written.partition("/")
    return name in ("*", resource) and subresource in ("", "*")
