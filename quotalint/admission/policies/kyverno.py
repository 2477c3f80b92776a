"""What Kyverno's mutate rules do to an object.

Source: Kyverno 1.15, pkg/engine/handlers/mutation, pkg/engine/mutate/mutation.go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from quotalint.admission.policies.entries import changed_entries, entries_set_by
from quotalint.admission.policies.kyverno_match import controllers_of, do_hold, is_matched
from quotalint.admission.policies.kyverno_variables import UNRESOLVED, Scope, evaluate, resolve_deep
from quotalint.admission.policies.patches import UnclearPatchError, merged, patched
from quotalint.admission.policies.target import Change, Target, all_of, matches_wildcard
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.documents import read

_CRON_JOB = ("spec", "jobTemplate", "spec", "template")


def sets_amounts(policy: Object) -> bool:
    """Whether any rule of a policy sets requests, limits or replicas."""
    return any(_entries_of_rule(rule) for rule in map(mapping, sequence(policy.spec.get("rules"))))


def changes(policy: Object, target: Target, others: Sequence[Object]) -> Iterator[Change]:
    """What each rule of a policy does to an object, each to what the last one made of it."""
    rules = [mapping(rule) for rule in sequence(policy.spec.get("rules"))]
    copied = controllers_of(policy) if target.kind != "Pod" else frozenset[str]()
    exceptions = [obj for obj in others if obj.kind == "PolicyException"]
    for rule in rules:
        if not rule.get("mutate"):
            continue
        if mapping(rule.get("mutate")).get("targets"):
            entries = _entries_of_rule(rule)
            if entries and _may_be_target(rule, target):
                yield Change(entries)
            continue
        change = _change_by_rule(policy, rule, target, exceptions)
        if change is None and target.kind in copied:
            change = _change_of_template(policy, rule, target, exceptions)
        if change is None:
            continue
        yield change
        target = target if change.body is None else target._replace(body=change.body)


def _entries_of_rule(rule: Body) -> frozenset[str]:
    mutate = mapping(rule.get("mutate"))
    parts = [mutate, *map(mapping, sequence(mutate.get("foreach")))]
    written = [part.get(field) for part in parts for field in ("patchStrategicMerge", "patchesJson6902", "foreach")]
    texts = [value if isinstance(value, str) else json.dumps(value, default=str) for value in written if value]
    return entries_set_by("\n".join(texts))


def _may_be_target(rule: Body, target: Target) -> bool:
    """Whether a rule that changes other objects than the one of the request may change this one, at some time."""
    return any(
        text(named.get("kind")) == target.kind
        and all(
            "{{" in written or not written or matches_wildcard(written, value)
            for written, value in (
                (text(named.get("namespace")), target.namespace),
                (text(named.get("name")), target.name),
            )
        )
        for named in map(mapping, sequence(mapping(rule.get("mutate")).get("targets")))
    )


def _change_of_template(policy: Object, rule: Body, target: Target, exceptions: Sequence[Object]) -> Change | None:
    """What a rule about pods does to the template of a controller, to which Kyverno copies it."""
    path = _CRON_JOB if target.kind == "CronJob" else ("spec", "template")
    template = mapping(dig(target.body, *path))
    own = target._replace(group="", version="v1", kind="Pod", body=template)
    change = _change_by_rule(policy, rule, own, exceptions)
    if change is None or change.body is None:
        return change
    return change._replace(body=_with_value(target.body, path, change.body))


def _with_value(body: Body, path: tuple[str, ...], value: object) -> Body:
    inner = _with_value(mapping(body.get(path[0])), path[1:], value) if len(path) > 1 else value
    return {**body, path[0]: inner}


def scope_of(target: Target) -> Scope:
    """The variables that a request for an object has."""
    metadata = {**mapping(target.body.get("metadata")), "namespace": target.namespace}
    if target.kind == "Namespace" and target.namespace_labels is None:
        metadata |= {"labels": UNRESOLVED, "annotations": UNRESOLVED}
    body = {**target.body, "kind": target.kind, "metadata": metadata}
    return {"request": {"operation": "CREATE", "namespace": target.namespace, "object": body}}


def _change_by_rule(policy: Object, rule: Body, target: Target, exceptions: Sequence[Object]) -> Change | None:
    matched = is_matched(policy, rule, target, exceptions)
    entries = _entries_of_rule(rule) if matched is not False else None
    if not entries:
        return None
    scope = scope_of(target)
    holds = all_of((matched, do_hold(rule.get("preconditions"), scope)))
    if holds is False:
        return None
    try:
        body = _mutated(mapping(rule.get("mutate")), target.body, scope)
    except UnclearPatchError:
        return Change(entries)
    changed = changed_entries(target.body, body)
    return Change(changed, body if holds else None) if changed else None


def _mutated(mutate: Body, body: Body, scope: Scope) -> Body:
    loops = [mapping(loop) for loop in sequence(mutate.get("foreach"))]
    if not loops:
        return _after_patch(mutate, body, scope)
    for loop in loops:
        elements = evaluate(text(loop.get("list")), scope)
        if elements is None:  # the object has no such list
            continue
        if not isinstance(elements, list) or loop.get("foreach") or loop.get("context"):
            raise UnclearPatchError
        for index, element in enumerate(elements):
            inner = {**scope, "element": element, "elementIndex": index}
            holds = do_hold(loop.get("preconditions"), inner)
            if holds is None:
                raise UnclearPatchError
            if holds:
                body = _after_patch(loop, body, inner)
    return body


def _after_patch(part: Body, body: Body, scope: Scope) -> Body:
    if part.get("patchStrategicMerge"):
        body = merged(resolve_deep(part["patchStrategicMerge"], scope), body)
    written = part.get("patchesJson6902")
    if isinstance(written, str):
        reading = read(text(resolve_deep(written, scope)).encode())
        operations = [item for document in reading.documents for item in sequence(document.value)]
        if reading.failures or not operations:
            raise UnclearPatchError
        body = patched(operations, body)
    return body
