"""ValidatingAdmissionPolicies of the repository, evaluated on what it would apply.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go and
generic/policy_dispatcher.go (CollectParams).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quotalint.cel import INSTALL, is_installed
from quotalint.checks.hit import UNDECIDED, Hit, Note, Related
from quotalint.checks.seldom.admission_requests import (
    CREATE,
    UPDATE,
    VARIABLES,
    Request,
    params_of,
    request_of,
    values_of,
)
from quotalint.facts import Facts
from quotalint.kube.admission_policies import GROUP, Unseen, matched_operations
from quotalint.kube.fields import Body, mapping, sequence, strings, text
from quotalint.kube.objects import Object
from quotalint.kube.stored_objects import KINDS
from quotalint.workloads import makes_pods

_REFUSED, _ACCEPTED, _OPEN = "refused", "accepted", "open"
_MUTATING = ("MutatingAdmissionPolicy", "MutatingWebhookConfiguration")


class _Verdict(NamedTuple):
    """What becomes of one request."""

    state: str
    message: str = ""
    """What the API server says, or why nobody knows."""
    number: int = 0
    """Which of the validations."""
    fails: bool = False
    """The expression cannot be evaluated, which the failurePolicy makes a refusal."""


class _Bound(NamedTuple):
    """A policy with one of its bindings."""

    policy: Object
    binding: Object
    actions: tuple[str, ...]


def denied_objects(facts: Facts) -> Iterator[Hit]:
    """The objects that a policy of the repository denies, and why others cannot be judged."""
    undecided: dict[tuple[int, str], list[Object]] = {}
    bounds = list(_bounds(facts))
    requests = [
        request
        for obj in facts.cluster.objects
        if (obj.group, obj.kind) in KINDS and obj.name and not obj.foreign
        if (request := request_of(obj, facts)) is not None
    ]
    installed = bool(bounds) and is_installed()
    mutating = [one for kind in _MUTATING for one in facts.cluster.of("admissionregistration.k8s.io", kind)]
    for index, bound in enumerate(bounds):
        judge = _Judge(bound, facts) if installed else None
        for request in requests:
            operations = _operations(bound, request)
            if isinstance(operations, Unseen):
                undecided.setdefault((index, operations.reason), []).append(request.object)
                continue
            if not operations:
                continue
            if judge is None:
                reason = f"expressions need the engine of CEL, for Python 3.11 and later: `{INSTALL}`"
                undecided.setdefault((index, reason), []).append(request.object)
                continue
            verdicts = {one: judge.verdict(request, one) for one in sorted(operations)}
            refusals = [one for one, verdict in verdicts.items() if verdict.state == _REFUSED]
            if refusals:
                yield _denial(bound, request, verdicts, refusals, bool(mutating))
                continue
            for verdict in verdicts.values():
                if verdict.state == _OPEN:
                    undecided.setdefault((index, verdict.message), []).append(request.object)
                    break
        made = _made_elsewhere(bound, facts)
        if made:
            undecided.setdefault((index, _PODS), []).append(made)
    for (index, reason), objects in undecided.items():
        yield _open(bounds[index], reason, list({id(one): one for one in objects}.values()))


_PODS = "pods that controllers make are changed by other admission plugins before policies see them"


class _Judge:
    """Evaluates one policy. A class because of what it keeps for all objects."""

    def __init__(self, bound: _Bound, facts: Facts) -> None:
        from quotalint.cel.engine import engine

        self._bound = bound
        self._facts = facts
        self._engine = engine()
        spec = bound.policy.spec
        self._validations = [mapping(one) for one in sequence(spec.get("validations"))]
        self._conditions = [text(mapping(one).get("expression")) for one in sequence(spec.get("matchConditions"))]
        self._variables = [
            (text(mapping(one).get("name")), text(mapping(one).get("expression")))
            for one in sequence(spec.get("variables"))
        ]
        self._types = {**VARIABLES, **{f"variables.{name}": "dyn" for name, _ in self._variables}}
        if mapping(spec.get("paramKind")):
            self._types["params"] = "dyn"
        self._ignores = spec.get("failurePolicy") == "Ignore"

    def verdict(self, request: Request, operation: str) -> _Verdict:
        """What becomes of a request."""
        params = params_of(self._bound.policy, self._bound.binding, request, self._facts)
        if isinstance(params, Unseen) and not params.some:
            return _Verdict(_OPEN, params.reason)
        several = params.some if isinstance(params, Unseen) else params
        verdicts = [self._with_params(request, operation, one) for one in several]
        decided = next((one for one in verdicts if one.state == _REFUSED), None)
        if decided is not None:
            return decided
        if isinstance(params, Unseen):
            return _Verdict(_OPEN, params.reason)
        return next((one for one in verdicts if one.state == _OPEN), _Verdict(_ACCEPTED))

    def _with_params(self, request: Request, operation: str, params: object) -> _Verdict:
        from quotalint.cel.engine import Failed, Issue, Unknown, Value

        values, reasons = values_of(request, operation, self._facts)
        if "params" in self._types:
            values["params"] = params
        fields: dict[str, frozenset[str]] = {}

        def outcome(expression: str) -> Value | Unknown | Failed | Issue:
            used = _fields(expression)
            for name, inner in fields.items():
                if name in used and f"variables.{name}" in self._types:
                    used = used | inner
            why = request.unsettled(used)
            if why:
                return Unknown(why)
            found = self._engine.evaluate("kubernetes", expression, self._types, values)
            if isinstance(found, Issue):
                return Unknown(f"the engine does not take `{_short(expression)}`: {found.message}")
            if isinstance(found, Unknown) and found.variable in reasons:
                return Unknown(reasons[found.variable])
            return found

        for name, expression in self._variables:
            found = outcome(expression)
            fields[name] = _fields(expression)
            if isinstance(found, Value) and _is_plain(found.value):
                values[f"variables.{name}"] = found.value
            else:
                reasons[f"variables.{name}"] = (
                    found.reason if isinstance(found, (Unknown, Failed)) else "it is no plain value"
                )
        conditions = [outcome(one) for one in self._conditions]
        if any(isinstance(one, Value) and one.value is False for one in conditions):
            return _Verdict(_ACCEPTED)
        open_ = next((one for one in conditions if not isinstance(one, Value)), None)
        if open_ is not None:
            return _Verdict(_OPEN, getattr(open_, "reason", "a match condition cannot be evaluated"))
        left = ""
        for index, validation in enumerate(self._validations):
            expression = text(validation.get("expression"))
            found = outcome(expression)
            if isinstance(found, Value):
                if found.value is not True:
                    return _Verdict(_REFUSED, self._message(validation, outcome), index)
            elif isinstance(found, Failed):
                if not self._ignores:
                    said = f"expression '{expression.strip()}' resulted in error: {_as_go_says(found.reason)}"
                    return _Verdict(_REFUSED, said, index, True)
            else:
                left = left or getattr(found, "reason", "it cannot be evaluated")
        return _Verdict(_OPEN, left) if left else _Verdict(_ACCEPTED)

    def _message(self, validation: Body, outcome: Any) -> str:
        """As the API server composes it (validator.go, Validate)."""
        written = text(validation.get("messageExpression"))
        if written:
            found = getattr(outcome(written), "value", None)
            if isinstance(found, str) and found.strip() and "\n" not in found.strip():
                return found.strip()
        said = text(validation.get("message")).strip()
        return said or f"failed expression: {text(validation.get('expression')).strip()}"


def _fields(expression: str) -> frozenset[str]:
    from quotalint.cel.tokens import names, tokens_of

    return names(tokens_of(expression))


def _as_go_says(reason: str) -> str:
    """The commonest error in the words of cel-go."""
    head, found, key = reason.partition("Key not found in map : ")
    return f"no such key: {key.strip(chr(34))}" if found and not head else reason


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (str, bool, int, float))


def _bounds(facts: Facts) -> Iterator[_Bound]:
    """Each policy with each binding of it that makes somebody hear of a refusal."""
    policies = {obj.name: obj for obj in facts.cluster.of(GROUP, "ValidatingAdmissionPolicy")}
    for binding in facts.cluster.of(GROUP, "ValidatingAdmissionPolicyBinding"):
        policy = policies.get(text(binding.spec.get("policyName")))
        actions = strings(binding.spec.get("validationActions"))
        if policy is not None and {"Deny", "Warn"}.intersection(actions):
            yield _Bound(policy, binding, actions)


def _operations(bound: _Bound, request: Request) -> frozenset[str] | Unseen:
    policy = matched_operations(bound.policy.spec.get("matchConstraints"), request.target, False)
    binding = matched_operations(bound.binding.spec.get("matchResources"), request.target, True)
    both = [one for one in (policy, binding) if not isinstance(one, Unseen)]
    if any(not one for one in both):
        return frozenset()
    unseen = next((one for one in (policy, binding) if isinstance(one, Unseen)), None)
    if unseen is not None:
        return unseen
    found = frozenset((CREATE, UPDATE))
    for one in both:
        found &= one
    return found


def _denial(
    bound: _Bound, request: Request, verdicts: Mapping[str, _Verdict], refusals: Sequence[str], mutating: bool
) -> Hit:
    obj, first = request.object, verdicts[refusals[0]]
    denies = "Deny" in bound.actions
    variant = "warned" if not denies else "failing" if first.fails else "default"
    doubtful = first.fails or mutating or len(refusals) < len(verdicts)
    severity = "info" if not denies else "warning" if doubtful else ""
    values = {
        "kind": obj.kind,
        "name": obj.name,
        "policy": bound.policy.name,
        "binding": bound.binding.name,
        "message": first.message,
        "key": f"{bound.policy.name} {bound.binding.name} {first.number}",
        "detail": f"{bound.policy.name}/{first.number}",
    }
    notes = []
    if len(refusals) < len(verdicts):
        when = "when it is created" if CREATE in refusals else "when it is changed"
        notes.append(Note("when", f"it is refused {when}; of the other operation that is not known, or it is accepted"))
    if mutating:
        notes.append(
            Note("sure?", "the repository has mutating webhooks or policies, which may change the object before")
        )
    place = bound.policy.at("spec", "validations", first.number)
    related = (Related("policy", place, f"ValidatingAdmissionPolicy {bound.policy.name}"),)
    guesses = tuple(dict.fromkeys((*obj.guesses, *bound.policy.guesses, *bound.binding.guesses)))
    return Hit(
        obj.place, values, obj, variant=variant, related=related, notes=tuple(notes), severity=severity, guesses=guesses
    )


def _open(bound: _Bound, reason: str, objects: Sequence[Object]) -> Hit:
    """That several objects cannot be judged, for one reason."""
    first, more = objects[0], len(objects) - 1
    named = f"{first.kind} {first.name}" + (f" in {first.namespace}" if first.namespace else "")
    values = {
        "subject": named + (f" and {more} more" if more else ""),
        "policy": bound.policy.name,
        "binding": bound.binding.name,
        "reason": reason.rstrip("."),
        "key": f"{bound.policy.name} {bound.binding.name} {reason}",
    }
    policy = bound.policy
    owner = bound.binding if policy.foreign else policy
    related = (Related("for", first.place, named),) if not first.foreign else ()
    return Hit(owner.place, values, owner, variant=UNDECIDED, related=related)


def _made_elsewhere(bound: _Bound, facts: Facts) -> Object | None:
    """A workload whose pods the policy is about."""
    rules = [mapping(one) for one in sequence(mapping(bound.policy.spec.get("matchConstraints")).get("resourceRules"))]
    about = {name for rule in rules if _is_of_core(rule) for name in strings(rule.get("resources"))}
    if not about & {"pods", "*", "*/*"}:
        return None
    made = (
        obj
        for obj in facts.cluster.objects
        if not obj.foreign and obj.kind != "Pod" and makes_pods(obj, facts.settings.workloads)
    )
    return next(made, None)


def _is_of_core(rule: Body) -> bool:
    return bool({"", "*"}.intersection(strings(rule.get("apiGroups"))))


def _short(expression: str) -> str:
    words = " ".join(expression.split())
    return words if len(words) <= 60 else words[:59] + "…"
