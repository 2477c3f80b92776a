"""Policies whose patches are expressions, and webhooks, whose patches nobody sees: what they set is not known here.

Source: Kubernetes 1.34, apiserver/pkg/admission/plugin/policy/mutating and plugin/webhook/mutating; Kyverno 1.15,
api/policies.kyverno.io/v1alpha1/mutating_policy.go.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from quotalint.admission.policies.entries import EVERY_ENTRY, entries_of, entries_set_by
from quotalint.admission.policies.target import Change, Target, matches_wildcard
from quotalint.kube.admission_policies import GROUP, PolicyTarget, UnseenFact, matched_operations
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.lazy_patterns import lazy_pattern

MUTATING_POLICY = (GROUP, "MutatingAdmissionPolicy")
BINDING = (GROUP, "MutatingAdmissionPolicyBinding")
KYVERNO = tuple(("policies.kyverno.io", kind) for kind in ("MutatingPolicy", "NamespacedMutatingPolicy"))
WEBHOOK = (GROUP, "MutatingWebhookConfiguration")
_AMOUNTS = frozenset(entries_of("limits", ("cpu", "memory", "ephemeral-storage")))
_PLURALS = {"Pod": "pods", "NetworkPolicy": "networkpolicies"}
# `object.metadata.namespace != "a"`, `request.namespace in ["a", "b"]`
_NAMESPACE = lazy_pattern(
    r"\s*(?P<not>!?)\(?\s*(?:request|object\.metadata)\.namespace\s*(?P<operator>==|!=|in)\s*(?P<values>\[[^\]]*\]|[\"'][^\"']*[\"'])\s*\)?\s*"
)
_TEXT = lazy_pattern(r"[\"']([^\"']*)[\"']")


def sets_amounts(policy: Object) -> bool:
    """Whether the expressions of a policy set amounts or replicas, or any webhook is not known to leave them alone."""
    if (policy.group, policy.kind) == WEBHOOK:
        return any(_unknown_webhooks(policy))
    return bool(_entries(policy))


def changes(policy: Object, target: Target, others: Sequence[Object]) -> Iterator[Change]:
    """Whether a policy or webhook may change an object."""
    if (policy.group, policy.kind) == WEBHOOK:
        for webhook in _unknown_webhooks(policy):
            written = {**webhook, "resourceRules": webhook.get("rules")}
            if is_creation_matched(written, target) and _may_hold(webhook, target):
                yield Change(_AMOUNTS if target.kind == "Pod" else _AMOUNTS | EVERY_ENTRY)
                return
        return
    spec = policy.spec
    if (policy.group, policy.kind) == MUTATING_POLICY:
        bindings = (obj.spec for obj in others if (obj.group, obj.kind) == BINDING)
        bound = [spec for spec in bindings if text(spec.get("policyName")) == policy.name]
        if not any(is_creation_matched(spec.get("matchResources") or {}, target, everything=True) for spec in bound):
            return
    elif dig(spec, "evaluation", "admission", "enabled") is False or policy.namespace not in ("", target.namespace):
        return
    if is_creation_matched(spec.get("matchConstraints"), target) and _may_hold(spec, target):
        yield Change(_entries(policy))


def _entries(policy: Object) -> frozenset[str]:
    expressions = [
        text(dig(mutation, field, "expression"))
        for mutation in sequence(policy.spec.get("mutations"))
        for field in ("applyConfiguration", "jsonPatch")
    ]
    variables = [text(mapping(item).get("expression")) for item in sequence(policy.spec.get("variables"))]
    return entries_set_by("\n".join(expressions)) and entries_set_by("\n".join((*expressions, *variables)))


def is_creation_matched(written: object, target: Target, *, everything: bool = False) -> bool:
    """Whether rules may match the creation of an object."""
    plural = _PLURALS.get(target.kind, f"{target.kind.lower()}s")
    labels = target.namespace_labels
    scope = "Cluster" if target.kind == "Namespace" else "Namespaced"
    about = PolicyTarget(
        target.group, target.version, plural, target.namespace, target.name, target.labels, labels, scope, None
    )
    matched = matched_operations(written, about, everything=everything)
    return "CREATE" in (matched.operations or {"CREATE"} if isinstance(matched, UnseenFact) else matched)


def _may_hold(spec: Body, target: Target) -> bool:
    """Whether no condition about the namespace alone excludes an object."""
    return all(
        _holds_for_namespace(text(mapping(condition).get("expression")), target.namespace)
        for condition in sequence(spec.get("matchConditions"))
    )


def _holds_for_namespace(expression: str, namespace: str) -> bool:
    found = _NAMESPACE.fullmatch(expression)
    if found is None:
        return True
    is_named = namespace in _TEXT.findall(found["values"])
    is_negative = (found["operator"] == "!=") is not bool(found["not"])
    return is_named is not is_negative


def _unknown_webhooks(policy: Object) -> Iterator[Body]:
    """The webhooks that are not known to leave amounts alone."""
    for webhook in map(mapping, sequence(policy.body.get("webhooks"))):
        names = (policy.name, text(webhook.get("name")), text(dig(webhook, "clientConfig", "service", "name")))
        if not any(map(_is_known_webhook, names)):
            yield webhook


@lru_cache(maxsize=1000)
def _is_known_webhook(name: str) -> bool:
    # Cached, because each object of a cluster asks for the same few names.
    return any(matches_wildcard(pattern, name) for pattern in known_webhooks())


@cache
def known_webhooks() -> Mapping[str, str]:
    """The webhooks that leave the requests, limits and replicas of written containers alone, by a pattern of the name
    of the configuration, the webhook or its Service."""
    with open(os.path.join(os.path.dirname(__file__), "known_webhooks.json"), encoding="utf-8") as file:
        rows = json.load(file)["webhooks"]
    return {pattern: row["source"] for row in rows for pattern in row["names"]}
