"""Quotas and LimitRanges that Kyverno makes in namespaces: generate rules, and GeneratingPolicies.

Source: Kyverno 1.15, api/kyverno/v1/common_types.go (Generation, CloneFrom, CloneList),
pkg/background/generate/generator.go; api/policies.kyverno.io/v1alpha1/generating_policy.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from quotalint.admission.policies.expressions import is_creation_matched
from quotalint.admission.policies.kyverno import scope_of
from quotalint.admission.policies.kyverno_match import do_hold, is_matched
from quotalint.admission.policies.kyverno_variables import resolve_deep
from quotalint.admission.policies.target import Target, all_of, is_selected
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, dig, mapping, sequence, strings, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.limit_range import limit_range
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.quota.family import CLUSTER_POLICY, GENERATING, Family
from quotalint.quota.family.described_namespaces import Namespace, described_namespaces
from quotalint.quota.quotas import quota
from quotalint.text.documents import read
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path, Place

_KINDS = ("ResourceQuota", "LimitRange")
_FIRST = "default"
"""A namespace that is there before any policy."""
_UNKNOWN_LIMITS: Body = {
    "spec": {"limits": [{"type": "Container", "default": {"cpu": "${DEFAULT}", "memory": "${DEFAULT}"}}]}
}
"""What stands for a LimitRange whose content is not in view: defaults of an unknown amount."""
_CAST = lazy_pattern(r"\b(?:dyn|string|int|double)\(")
_APPLY = lazy_pattern(r"generator\.Apply\(\s*(?P<namespace>[^,]+?)\s*,\s*(?P<objects>.+)\)\s*", re.DOTALL)


class _Made(NamedTuple):
    """An object that a policy makes in a namespace."""

    kind: str
    name: str
    namespace: str
    body: Body
    place: Place
    is_sure: bool
    """Whether the policy surely makes it, and its content is known."""


def generated_limits(cluster: Cluster) -> Family:
    """The quotas and LimitRanges that the policies of a cluster make. One that is applied or shown itself counts
    instead."""
    there = {obj.ref for kind in _KINDS for obj in cluster.of("", kind)}
    quotas, limits = [], []
    namespaces = tuple(described_namespaces(cluster).by_name.values())
    exceptions = cluster.of("kyverno.io", "PolicyException")
    for policy in (obj for kind in (CLUSTER_POLICY, *GENERATING) for obj in cluster.of(*kind)):
        if policy.group == "kyverno.io":
            made = _made_by_rules(policy, namespaces, exceptions, cluster)
        else:
            made = _made_by_expressions(policy, namespaces)
        for item in made:
            obj = _object_of(item, policy)
            if obj.ref in there or not item.name or not item.namespace or is_placeholder(item.namespace):
                continue
            there.add(obj.ref)
            if item.kind == "ResourceQuota":
                quotas.append(quota(obj)._replace(is_general=True))
            else:
                limits.append(limit_range(obj))
    return Family(tuple(quotas), tuple(limits))


def _object_of(made: _Made, policy: Object) -> Object:
    metadata = {**mapping(made.body.get("metadata")), "name": made.name, "namespace": made.namespace}
    body = {**made.body, "apiVersion": "v1", "kind": made.kind, "metadata": metadata}
    guesses = policy.guesses
    if not made.is_sure:
        reason = f"{policy.kind} {policy.name} may make a {made.kind} in this namespace, and it is counted as if it did"
        cure = "let the Namespace and what the policy copies be in view, in the repository or by `--with`"
        guesses = (*guesses, Guess(CONTENT, reason, cure))
    return Object("", "v1", made.kind, made.namespace, made.name, body, made.place, guesses)


def _target_of(namespace: Namespace) -> Target:
    first = namespace.objects[0].body if namespace.objects else {}
    metadata = {**mapping(first.get("metadata")), "name": namespace.name, "labels": dict(namespace.labels)}
    body = {**first, "kind": "Namespace", "metadata": metadata}
    return Target("", "v1", "Namespace", "", namespace.name, body, namespace.labels if namespace.objects else None)


def _made_by_rules(
    policy: Object, namespaces: Sequence[Namespace], exceptions: Sequence[Object], cluster: Cluster
) -> tuple[_Made, ...]:
    made: list[_Made] = []
    for index, rule in enumerate(map(mapping, sequence(policy.spec.get("rules")))):
        generate = mapping(rule.get("generate"))
        parts: list[tuple[Path, Body]] = [(("generate",), generate)]
        for number, part in enumerate(sequence(generate.get("foreach"))):
            parts.append((("generate", "foreach", number), mapping(part)))
        for path, part in parts:
            if not _names_limits(part):
                continue
            place = policy.at("spec", "rules", index, *path)
            for namespace in namespaces:
                target = _target_of(namespace)
                matched = is_matched(policy, rule, target, exceptions)
                holds = all_of((matched, do_hold(rule.get("preconditions"), scope_of(target))))
                if namespace.name == _FIRST and not _is_for_existing(policy, generate):
                    holds = holds and None
                if holds is not False:
                    made += _made_by_part(part, target, place, cluster, is_sure=bool(holds))
    return tuple(made)


def _is_for_existing(policy: Object, generate: Body) -> bool:
    """Whether a rule also makes objects for what was there before it."""
    fields = ("generateExisting", "generateExistingOnPolicyUpdate")
    return generate.get(fields[0]) is True or any(policy.spec.get(field) is True for field in fields)


def _names_limits(part: Body) -> bool:
    kinds = (text(part.get("kind")), *strings(dig(part, "cloneList", "kinds")))
    return any(kind.rpartition("/")[2] in _KINDS for kind in kinds)


def _made_by_part(part: Body, target: Target, place: Place, cluster: Cluster, *, is_sure: bool) -> Iterator[_Made]:
    scope = scope_of(target)
    namespace = text(resolve_deep(part.get("namespace"), scope))
    kind, name = text(part.get("kind")), text(resolve_deep(part.get("name"), scope))
    clone_list = mapping(part.get("cloneList"))
    if clone_list:
        kinds = {kind.rpartition("/")[2] for kind in strings(clone_list.get("kinds"))}
        source = text(clone_list.get("namespace"))
        for kind in _KINDS:
            for obj in cluster.of("", kind) if kind in kinds else ():
                labels = mapping(obj.metadata.get("labels"))
                if obj.namespace == source != namespace and is_selected(clone_list.get("selector"), labels):
                    yield _Made(kind, obj.name, namespace, {"spec": obj.spec}, obj.place, is_sure)
        return
    if "clone" in part:
        source, named = (text(dig(part, "clone", field)) for field in ("namespace", "name"))
        for obj in cluster.of("", kind):
            if (obj.namespace, obj.name) == (source, named):
                yield _Made(kind, name, namespace, {"spec": obj.spec}, obj.place, is_sure)
                return
        if kind == "LimitRange":
            yield _Made(kind, name, namespace, _UNKNOWN_LIMITS, place.at("clone"), is_sure=False)
        return
    yield _Made(kind, name, namespace, mapping(resolve_deep(part.get("data"), scope)), place.at("data"), is_sure)


def _made_by_expressions(policy: Object, namespaces: Sequence[Namespace]) -> tuple[_Made, ...]:
    variables = {
        f"variables.{text(item.get('name'))}": text(item.get("expression")).strip()
        for item in map(mapping, sequence(policy.spec.get("variables")))
    }
    conditions = [text(mapping(item).get("expression")) for item in sequence(policy.spec.get("matchConditions"))]
    made: list[_Made] = []
    for index, item in enumerate(map(mapping, sequence(policy.spec.get("generate")))):
        call = _APPLY.fullmatch(text(item.get("expression")).strip())
        if call is None:
            continue
        objects = _literal(call["objects"], variables)
        where = variables.get(call["namespace"], call["namespace"])
        place = policy.at("spec", "generate", index)
        for namespace in namespaces:
            target = _target_of(namespace)
            if not is_creation_matched(policy.spec.get("matchConstraints"), target):
                continue
            named = namespace.name if where in ("object.metadata.name", "namespaceObject.metadata.name") else ""
            named = where[1:-1] if where[:1] in "\"'" and where[:1] else named
            for body in map(mapping, sequence(objects)):
                kind, name = text(body.get("kind")), text(dig(body, "metadata", "name"))
                if kind in _KINDS:
                    made.append(_Made(kind, name, named, body, place, is_sure=not conditions))
    return tuple(made)


def _literal(expression: str, variables: Mapping[str, str], depth: int = 4) -> object:
    """The value of an expression that only has literals, as YAML reads them; None for any other."""
    written = expression.strip()
    if written in variables and depth:
        return _literal(variables[written], variables, depth - 1)
    if written.startswith("[variables.") and depth:
        names = written.strip("[]").split(",")
        return [value for name in names for value in [_literal(name, variables, depth - 1)] if value is not None]
    reading = read(_without_casts(written).encode())
    return reading.documents[0].value if reading.documents and not reading.failures else None


def _without_casts(expression: str) -> str:
    """An expression without the calls that only change a type, `dyn(…)`."""
    kept: list[str] = []
    closing: list[bool] = []
    quote = ""
    at = 0
    while at < len(expression):
        character = expression[at]
        cast = None if quote else _CAST.match(expression, at)
        if cast is not None:
            closing.append(False)
            at = cast.end()
            continue
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "(":
            closing.append(True)
        elif character == ")" and closing and not closing.pop():
            at += 1
            continue
        kept.append(character)
        at += 1
    return "".join(kept)
