"""Which objects a Kyverno rule is about.

Source: Kyverno 1.15, pkg/engine/utils/match.go (MatchesResourceDescription), pkg/utils/kube/kind.go
(ParseKindSelector), pkg/engine/variables/operator (conditions), pkg/autogen/v1/autogen.go (CanAutoGen).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.admission.policies.kyverno_variables import Scope, Unresolved, resolve_deep
from quotalint.admission.policies.target import (
    Target,
    all_of,
    any_of,
    is_namespace_selected,
    is_selected,
    matches_wildcard,
    negated,
)
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, mapping, sequence, strings, text
from quotalint.kube.objects import Object

GROUP = "kyverno.io"
POLICIES = ((GROUP, "ClusterPolicy"), (GROUP, "Policy"))
_CONTROLLERS = frozenset(
    ("DaemonSet", "Deployment", "Job", "StatefulSet", "ReplicaSet", "ReplicationController", "CronJob")
)
_AUTOGEN = "pod-policies.kyverno.io/autogen-controllers"
_FILTERED_NAMESPACES = ("kube-system", "kube-public", "kube-node-lease", "kyverno")
_USERS = ("roles", "clusterRoles", "subjects")


def is_matched(policy: Object, rule: Body, target: Target, exceptions: Sequence[Object]) -> bool | None:
    """Whether a rule is about an object when it is created; its preconditions are another matter."""
    spec = policy.spec
    if spec.get("admission") is False or (policy.namespace and policy.namespace != target.namespace):
        return False
    excluded = _is_in_block(rule.get("exclude"), target) if mapping(rule.get("exclude")) else False
    excepted = any_of(
        _is_in_block(exception.spec.get("match"), target)
        for exception in exceptions
        if _names_rule(exception, policy, text(rule.get("name")))
    )
    # By default Kyverno looks at no object of these namespaces, which its configuration may change.
    filtered = None if (target.namespace or target.name) in _FILTERED_NAMESPACES else True
    return all_of((_is_in_block(rule.get("match"), target), negated(excluded), negated(excepted), filtered))


def _names_rule(exception: Object, policy: Object, rule: str) -> bool:
    named = (policy.name, f"{policy.namespace}/{policy.name}")
    return any(
        text(item.get("policyName")) in named
        and any(matches_wildcard(name, rule) for name in strings(item.get("ruleNames")))
        for item in map(mapping, sequence(exception.spec.get("exceptions")))
    )


def _is_in_block(block: object, target: Target) -> bool | None:
    """Whether a `match` or `exclude` names an object."""
    written = mapping(block)
    if sequence(written.get("any")):
        return any_of(_is_in_filter(item, target) for item in sequence(written["any"]))
    if sequence(written.get("all")):
        return all_of(_is_in_filter(item, target) for item in sequence(written["all"]))
    return _is_in_filter(written, target)


def _is_in_filter(written: object, target: Target) -> bool | None:
    resources = mapping(mapping(written).get("resources"))
    users = [mapping(written).get(field) for field in _USERS]
    if not resources and not any(users):
        return False
    operations = strings(resources.get("operations"))
    if operations and "CREATE" not in operations:
        return False
    return all_of((*_answers_of_resources(resources, target), *(None for listed in users if sequence(listed))))


def _answers_of_resources(resources: Body, target: Target) -> Iterator[bool | None]:
    if sequence(resources.get("kinds")):
        yield any(_is_kind(kind, target) for kind in strings(resources["kinds"]))
    names: tuple[tuple[Sequence[str], str], ...] = (
        ((text(resources["name"]),) if resources.get("name") else (), target.name),
        (strings(resources.get("names")), target.name),
        (strings(resources.get("namespaces")), target.name if target.kind == "Namespace" else target.namespace),
    )
    for patterns, value in names:
        if patterns:
            yield any_of(None if "{{" in pattern else matches_wildcard(pattern, value) for pattern in patterns)
    for key, wanted in mapping(resources.get("annotations")).items():
        is_unknown = target.kind == "Namespace" and target.namespace_labels is None
        yield (
            None
            if is_unknown
            else any(
                matches_wildcard(str(key), str(name)) and matches_wildcard(text(wanted), text(written))
                for name, written in target.annotations.items()
            )
        )
    if target.kind == "Namespace":
        labelled = target._replace(namespace=target.name)
        yield is_namespace_selected(_without_wildcards(resources.get("selector"), target.namespace_labels), labelled)
        yield resources.get("namespaceSelector") is None
    else:
        yield is_selected(_without_wildcards(resources.get("selector"), target.labels), target.labels)
        selector = _without_wildcards(resources.get("namespaceSelector"), target.namespace_labels)
        yield is_namespace_selected(selector, target)


def _without_wildcards(selector: object, labels: Body | None) -> object:
    """A selector with labels of the object for what matches them with `*` or `?` (ext/wildcard, ReplaceInSelector)."""
    wanted = mapping(mapping(selector).get("matchLabels"))
    if not any({"*", "?"}.intersection(f"{key}{value}") for key, value in wanted.items()):
        return selector
    replaced = {}
    for key, value in wanted.items():
        found = (
            (name, label)
            for name, label in (labels or {}).items()
            if matches_wildcard(str(key), str(name)) and matches_wildcard(text(value), text(label))
        )
        name, label = next(found, (key, value))
        replaced[name] = label
    return {**mapping(selector), "matchLabels": replaced}


def _is_kind(written: str, target: Target) -> bool:
    parts = written.split("/")
    parts = [*parts[:-1], *parts[-1].split(".")]
    versioned = parts[0] == "*" or (parts[0].startswith("v") and parts[0][1:2].isdigit())
    group, version, kind, subresource = "*", "*", parts[-1], ""
    if len(parts) == 2:
        version, kind, subresource = (parts[0], parts[1], "") if versioned else ("*", parts[0], parts[1])
    elif len(parts) == 3:
        group, version, kind, subresource = ("*", *parts) if versioned else (*parts, "")
    elif len(parts) == 4:
        group, version, kind, subresource = parts
    pairs = ((group, target.group), (version, target.version), (kind, target.kind), (subresource, ""))
    return all(matches_wildcard(pattern, value) for pattern, value in pairs)


def controllers_of(policy: Object) -> frozenset[str]:
    """The kinds for whose pod templates Kyverno repeats the rules of a policy about pods."""
    rules = [mapping(rule) for rule in sequence(policy.spec.get("rules"))]
    if not all(map(_allows_copies, rules)):
        return frozenset()
    written = mapping(policy.metadata.get("annotations")).get(_AUTOGEN)
    return _CONTROLLERS if written is None else _CONTROLLERS & frozenset(text(written).split(","))


def _allows_copies(rule: Body) -> bool:
    mutate = mapping(rule.get("mutate"))
    loops = map(mapping, sequence(mutate.get("foreach")))
    if rule.get("generate") or any(part.get("patchesJson6902") for part in (mutate, *loops)):
        return False
    blocks = [mapping(rule.get(field)) for field in ("match", "exclude")]
    filters = [item for block in blocks for item in (block, *sequence(block.get("any")), *sequence(block.get("all")))]
    for resources in (mapping(mapping(item).get("resources")) for item in filters):
        kinds = strings(resources.get("kinds"))
        if any(resources.get(field) for field in ("name", "names", "selector", "annotations")):
            return False
        if len(kinds) > 1 and "Pod" in kinds:
            return False
    return True


def do_hold(conditions: object, scope: Scope) -> bool | None:
    """Whether preconditions hold; None if that is unknown."""
    if isinstance(conditions, list):
        return all_of(_holds(condition, scope) for condition in conditions)
    written = mapping(conditions)
    some = sequence(written.get("any"))
    return all_of(
        (
            any_of(_holds(condition, scope) for condition in some) if some else True,
            *(_holds(condition, scope) for condition in sequence(written.get("all"))),
        )
    )


def _holds(condition: object, scope: Scope) -> bool | None:
    written = mapping(condition)
    operator = text(written.get("operator"))
    key, wanted = (resolve_deep(written.get(field), scope) for field in ("key", "value"))
    keys, values = ([*map(text, item)] if isinstance(item, list) else [text(item)] for item in (key, wanted))
    if isinstance(key, (dict, Unresolved)) or isinstance(wanted, dict) or any(map(is_placeholder, (*keys, *values))):
        return None
    held = [any(matches_wildcard(value, name) or matches_wildcard(name, value) for value in values) for name in keys]
    if operator in ("Equal", "Equals", "In", "AllIn"):
        return all(held)
    if operator == "AnyIn":
        return any(held)
    if operator in ("NotEqual", "NotEquals", "NotIn", "AllNotIn"):
        return not any(held)
    return not all(held) if operator == "AnyNotIn" else None
