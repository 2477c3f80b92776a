"""What Gatekeeper's Assign does to an object. Its other mutators set no amounts: AssignMetadata sets labels and
annotations, ModifySet lists of plain values, AssignImage images.

Source: Gatekeeper 3.20, pkg/mutation/match/match.go, pkg/mutation/mutators/core/mutation_function.go,
pkg/mutation/path/parser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from quotalint.admission.policies.entries import changed_entries, entries_set_by
from quotalint.admission.policies.target import (
    Change,
    Target,
    all_of,
    any_of,
    is_namespace_selected,
    is_selected,
    negated,
)
from quotalint.kube.fields import dig, mapping, sequence, strings, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

ASSIGN = ("mutations.gatekeeper.sh", "Assign")
CONFIG = ("config.gatekeeper.sh", "Config")
_IGNORED = "admission.gatekeeper.sh/ignore"
_STEP = lazy_pattern(
    r"\.?(?:\"(?P<quoted>[^\"]*)\"|'(?P<single>[^']*)'|(?P<name>[^.\[\]\"']+))"
    r"(?:\[\s*\"?(?P<key>[\w.-]+)\"?\s*:\s*(?:(?P<glob>\*)|\"(?P<value>[^\"]*)\"|'(?P<value2>[^']*)'|(?P<plain>[^\]\s]+))\s*\])?"
)


class _Step(NamedTuple):
    """A step of a location: a field, or with a key the items of a list."""

    field: str
    key: str = ""
    value: str | None = None
    """The value of the key; None for any."""


def sets_amounts(policy: Object) -> bool:
    """Whether an Assign sets requests, limits or replicas."""
    return bool(_entries(policy))


def _entries(policy: Object) -> frozenset[str]:
    steps = _steps_of(text(policy.spec.get("location"))) or ()
    value = json.dumps(dig(policy.spec, "parameters", "assign", "value"), default=str)
    last = steps[-1].field if steps else ""
    # The value is a list of amounts, or one of them.
    is_amount = any(step.field in ("requests", "limits") for step in steps)
    pointer = "".join(f"/{step.field.replace('/', '~1')}" for step in steps)
    return entries_set_by(f"{pointer} {value}" if is_amount or last in ("resources", "replicas") else value)


def changes(policy: Object, target: Target, others: Sequence[Object]) -> Iterator[Change]:
    """What an Assign does to an object, in at most one step."""
    matched = all_of((*_answers(policy, target), *(negated(_is_excluded(obj, target)) for obj in others)))
    entries = _entries(policy)
    if matched is False or not entries:
        return
    steps = _steps_of(text(policy.spec.get("location")))
    assign = mapping(dig(policy.spec, "parameters", "assign"))
    tests = _tests(policy)
    if steps is None or tests is None or "value" not in assign:
        yield Change(entries)
        return
    body = mapping(_assigned(target.body, steps, 0, assign["value"], tests))
    changed = changed_entries(target.body, body)
    if changed:
        yield Change(changed, body if matched else None)


def _answers(policy: Object, target: Target) -> Iterator[bool | None]:
    applied = map(mapping, sequence(policy.spec.get("applyTo")))
    yield any(
        _names(item.get("groups"), target.group)
        and _names(item.get("versions"), target.version)
        and _names(item.get("kinds"), target.kind)
        for item in applied
    )
    match = mapping(policy.spec.get("match"))
    kinds = [mapping(item) for item in sequence(match.get("kinds"))]
    yield not kinds or any(
        _names(item.get("apiGroups") or ["*"], target.group) and _names(item.get("kinds") or ["*"], target.kind)
        for item in kinds
    )
    yield match.get("scope") != "Cluster"
    for field, wanted in (("namespaces", True), ("excludedNamespaces", False)):
        patterns = strings(match.get(field))
        if patterns:
            yield any(_is_wildcard(pattern, target.namespace) for pattern in patterns) is wanted
    yield not match.get("name") or _is_wildcard(text(match.get("name")), target.name)
    yield is_selected(match.get("labelSelector"), target.labels)
    yield is_namespace_selected(match.get("namespaceSelector"), target)
    yield match.get("source") != "Generated"
    yield _IGNORED not in (target.namespace_labels or {})


def _names(listed: object, value: str) -> bool:
    return not {"*", value}.isdisjoint(strings(listed))


def _is_wildcard(pattern: str, value: str) -> bool:
    """Gatekeeper's wildcards: a `*` at the beginning, at the end, or both."""
    if pattern.startswith("*") and pattern.endswith("*"):
        return pattern.strip("*") in value
    if pattern.endswith("*"):
        return value.startswith(pattern[:-1])
    return value.endswith(pattern[1:]) if pattern.startswith("*") else pattern == value


def _is_excluded(obj: Object, target: Target) -> bool | None:
    """Whether Gatekeeper's Config excludes the namespace from mutation."""
    if (obj.group, obj.kind) != CONFIG:
        return False
    return any_of(
        any(_is_wildcard(pattern, target.namespace) for pattern in strings(item.get("excludedNamespaces")))
        for item in map(mapping, sequence(obj.spec.get("match")))
        if {"*", "mutation-webhook"}.intersection(strings(item.get("processes")))
    )


def _steps_of(location: str) -> tuple[_Step, ...] | None:
    """The steps of a location; None if it cannot be read."""
    steps = []
    at = 0
    while at < len(location):
        found = _STEP.match(location, at)
        if found is None:
            return None
        at = found.end()
        value = next((found[name] for name in ("value", "value2", "plain") if found[name] is not None), None)
        field = next(found[name] for name in ("quoted", "single", "name") if found[name] is not None)
        steps.append(_Step(field, found["key"] or "", value))
    return tuple(steps) or None


def _tests(policy: Object) -> Mapping[int, str] | None:
    """The conditions of `pathTests`, by the number of steps that must or must not exist; None if they are unclear."""
    tests: dict[int, str] = {}
    location = _steps_of(text(policy.spec.get("location"))) or ()
    for test in map(mapping, sequence(dig(policy.spec, "parameters", "pathTests"))):
        steps = _steps_of(text(test.get("subPath")))
        if steps is None or location[: len(steps)] != steps:
            return None
        tests[len(steps)] = text(test.get("condition"))
    return tests


def _assigned(body: object, steps: Sequence[_Step], depth: int, value: object, tests: Mapping[int, str]) -> object:
    """A value with what is at these steps set; as it is if a test fails."""
    step = steps[depth]
    if not isinstance(body, dict):
        return body
    exists = step.field in body
    wanted = tests.get(depth + 1)
    if not step.key and wanted == ("MustNotExist" if exists else "MustExist"):
        return body
    if not step.key:
        is_last = depth + 1 == len(steps)
        inner = value if is_last else _assigned(body.get(step.field, {}), steps, depth + 1, value, tests)
        return {**body, step.field: inner} if is_last or inner != body.get(step.field, {}) else body
    items = [*sequence(body.get(step.field))]
    chosen = [
        index for index, item in enumerate(items) if step.value is None or mapping(item).get(step.key) == step.value
    ]
    if wanted == ("MustNotExist" if chosen else "MustExist") or depth + 1 == len(steps):
        return body
    if not chosen and step.value is not None:
        chosen = [len(items)]
        items.append({step.key: step.value})
    for index in chosen:
        items[index] = _assigned(items[index], steps, depth + 1, value, tests)
    return {**body, step.field: items} if chosen else body
