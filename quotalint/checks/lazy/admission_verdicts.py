"""How one ValidatingAdmissionPolicy decides on a request: refused, accepted, or unknown.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/policy/validating/validator.go (Validate).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from quotalint.accounts.facts import Facts
from quotalint.cel.cel_environments import KUBERNETES
from quotalint.cel.cel_tokens import names, selected_names, tokens_of
from quotalint.cel.engine import Engine, Failed, Issue, Unknown, Value, engine
from quotalint.checks.lazy.admission_requests import (
    VARIABLES,
    AdmissionRequest,
    ExpressionReads,
    params_of,
    values_of,
)
from quotalint.kube.admission_policies import UnseenFact
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple

Outcome = Value | Unknown | Failed
REFUSED, ACCEPTED, OPEN = "refused", "accepted", "open"


class AdmissionVerdict(NamedTuple):
    """The decision on one request."""

    state: str
    message: str = ""
    """The API server's message, or why the decision is unknown."""
    number: int = 0
    """The index of the validation."""
    fails: bool = False
    """The expression fails, and the failurePolicy makes that a refusal."""


class Bound(NamedTuple):
    """A policy with one of its bindings."""

    policy: Object
    binding: Object
    actions: tuple[str, ...]


class PolicyJudge:
    """Evaluates one policy. It is a class because it keeps the parsed expressions for all objects."""

    def __init__(self, bound: Bound, facts: Facts) -> None:
        self._bound = bound
        self._facts = facts
        self._engine = engine()
        spec = bound.policy.spec
        self._validations = [mapping(validation) for validation in sequence(spec.get("validations"))]
        self._conditions = [
            text(mapping(condition).get("expression")) for condition in sequence(spec.get("matchConditions"))
        ]
        self._variables = [
            (text(mapping(variable).get("name")), text(mapping(variable).get("expression")))
            for variable in sequence(spec.get("variables"))
        ]
        self._annotations = [
            text(mapping(annotation).get("valueExpression")) for annotation in sequence(spec.get("auditAnnotations"))
        ]
        self._types = {**VARIABLES, **{f"variables.{name}": "dyn" for name, _ in self._variables}}
        if mapping(spec.get("paramKind")):
            self._types["params"] = "dyn"
        self._ignores = spec.get("failurePolicy") == "Ignore"
        expressions = [text(validation.get("expression")) for validation in self._validations]
        expressions += [*self._conditions, *self._annotations, *(expression for _, expression in self._variables)]
        self._alike = not any({"request", "oldObject"} & _reading_of(expression).names for expression in expressions)

    def verdicts(self, request: AdmissionRequest, operations: Iterable[str]) -> dict[str, AdmissionVerdict]:
        """The verdict for each operation; computed once if no expression reads the operation."""
        ordered = sorted(operations)
        if self._alike:
            return dict.fromkeys(ordered, self.verdict(request, ordered[0]))
        return {operation: self.verdict(request, operation) for operation in ordered}

    def verdict(self, request: AdmissionRequest, operation: str) -> AdmissionVerdict:
        """The verdict on a request for one operation."""
        params = params_of(self._bound.policy, self._bound.binding, request, self._facts)
        if isinstance(params, UnseenFact) and not params.some:
            return AdmissionVerdict(OPEN, params.reason)
        in_view = params.some if isinstance(params, UnseenFact) else params
        verdicts = [self._verdict_for_all_bodies(request, operation, param) for param in in_view]
        refusal = next((verdict for verdict in verdicts if verdict.state == REFUSED), None)
        if refusal is not None:
            return refusal
        if isinstance(params, UnseenFact):
            return AdmissionVerdict(OPEN, params.reason)
        return next((verdict for verdict in verdicts if verdict.state == OPEN), AdmissionVerdict(ACCEPTED))

    def _verdict_for_all_bodies(self, request: AdmissionRequest, operation: str, params: object) -> AdmissionVerdict:
        """The verdict that holds for all possible bodies of a request, else unknown."""
        first = self._with_params(request, operation, params)
        for body in request.others:
            other = self._with_params(request._replace(body=body), operation, params)
            if other.state != first.state:
                return AdmissionVerdict(OPEN, "whether the token of its service account is mounted is not known")
        return first

    def _with_params(self, request: AdmissionRequest, operation: str, params: object) -> AdmissionVerdict:
        case = _Case(self._engine, request, operation, self._types, params)
        for name, expression in self._variables:
            case.define(name, expression)
        conditions = [case.outcome(expression) for expression in self._conditions]
        if any(isinstance(condition, Value) and condition.value is False for condition in conditions):
            return AdmissionVerdict(ACCEPTED)
        for expression, condition in zip(self._conditions, conditions, strict=True):
            if not isinstance(condition, Value):
                return self._failure(expression, condition) or AdmissionVerdict(ACCEPTED)
        undecided: AdmissionVerdict | None = None
        for index, validation in enumerate(self._validations):
            expression = text(validation.get("expression"))
            outcome = case.outcome(expression)
            if isinstance(outcome, Value):
                if outcome.value is not True:
                    return AdmissionVerdict(REFUSED, _denial_message(validation, case), index)
                continue
            failure = self._failure(expression, outcome, index)
            if failure is not None and failure.state == REFUSED:
                return failure
            undecided = undecided or failure
        for expression in self._annotations:
            # An annotation that fails also denies, whatever the binding's actions are (dispatcher.go, Dispatch).
            outcome = case.outcome(expression)
            failure = None if isinstance(outcome, Value) else self._failure(expression, outcome)
            if failure is not None and failure.state == REFUSED:
                return failure
            undecided = undecided or failure
        return undecided or AdmissionVerdict(ACCEPTED)

    def _failure(self, expression: str, outcome: Unknown | Failed | Issue, number: int = 0) -> AdmissionVerdict | None:
        """The verdict on an expression without a value; None if the policy ignores failures."""
        if isinstance(outcome, Failed) and _fails_in_cel_go(outcome.reason):
            if self._ignores:
                return None
            words = f"expression '{expression.strip()}' resulted in error: {_as_go_says(outcome.reason)}"
            return AdmissionVerdict(REFUSED, words, number, fails=True)
        return AdmissionVerdict(OPEN, getattr(outcome, "reason", "it cannot be evaluated"))


class _Case:
    """The variables of one request. It is a class because variables are defined one after another."""

    def __init__(
        self, engine: Engine, request: AdmissionRequest, operation: str, types: Mapping[str, str], params: object
    ) -> None:
        self._engine, self._request, self._types = engine, request, types
        self._values, self._reasons = values_of(request, operation)
        if "params" in types:
            self._values["params"] = params
        self._readings: dict[str, ExpressionReads] = {}
        self._failures: dict[str, Failed] = {}

    def define(self, name: str, expression: str) -> None:
        """Defines a variable for later expressions; if it fails, expressions that read it fail."""
        outcome = self.outcome(expression)
        self._readings[name] = self._whole_reading(expression)
        variable = f"variables.{name}"
        if isinstance(outcome, Value):
            self._values[variable] = outcome.value
        elif isinstance(outcome, Failed) and _fails_in_cel_go(outcome.reason):
            self._failures[variable] = outcome
        else:
            self._reasons[variable] = outcome.reason

    def outcome(self, expression: str) -> Outcome:
        """The value of an expression, or why it is unknown."""
        doubt = self._request.why_undecided(self._whole_reading(expression))
        if doubt:
            return Unknown(doubt)
        outcome = self._engine.evaluate(KUBERNETES, expression, self._types, self._values)
        if isinstance(outcome, Issue):
            return Unknown(f"the engine does not take `{_shorten_expression(expression)}`: {outcome.message}")
        if isinstance(outcome, Unknown) and outcome.variable in self._failures:
            return self._failures[outcome.variable]
        if isinstance(outcome, Unknown) and outcome.variable in self._reasons:
            return Unknown(self._reasons[outcome.variable])
        return outcome

    def _whole_reading(self, expression: str) -> ExpressionReads:
        """What an expression reads, directly and through variables."""
        reading = _reading_of(expression)
        for name, inner in self._readings.items():
            if name in reading.names:
                reading = reading.with_all_of(inner)
        return reading


def _denial_message(validation: Body, case: _Case) -> str:
    """The denial message, composed like the API server does (validator.go, Validate)."""
    written = text(validation.get("messageExpression"))
    if written:
        computed = getattr(case.outcome(written), "value", None)
        if isinstance(computed, str):
            words = computed.strip()
            if words and len(words.encode()) <= _LONGEST_MESSAGE and "\n" not in words:
                return words
    message = text(validation.get("message")).strip()
    return message or f"failed expression: {text(validation.get('expression')).strip()}"


_LONGEST_MESSAGE = 5 * 1024
"""apiserver/pkg/apis/cel/config.go, MaxEvaluatedMessageExpressionSizeBytes."""
_OTHER_VARIABLES = frozenset({"request", "params", "namespaceObject", "variables", "authorizer", "oldObject"})


@lru_cache(maxsize=1000)
def _reading_of(expression: str) -> ExpressionReads:
    tokens = tokens_of(expression)
    pairs = {
        f"{tokens[index].text}.{tokens[index + 2].text}"
        for index in range(len(tokens) - 2)
        if tokens[index].text in ("metadata", "request") and tokens[index + 1].text == "."
    }
    return ExpressionReads(names(tokens) | pairs, selected_names(tokens, _OTHER_VARIABLES))


def _fails_in_cel_go(reason: str) -> bool:
    """Whether cel-go fails too; not every failure of the engine here is an error there."""
    return reason.startswith(_FAILING)


_FAILING = (
    "Key not found in map",
    "divide by zero",
    "modulus by zero",
    "Index error",
    "integer overflow",
    "quantities must match",
    "unable to parse quantity",
)


def _as_go_says(reason: str) -> str:
    """The most common errors in the words of cel-go."""
    if reason.startswith("divide by zero"):
        return "division by zero"
    index = re.match(r"Index error: index=(-?\d+) ", reason)
    if index:
        return f"index out of bounds: {index[1]}"
    head, separator, key = reason.partition("Key not found in map : ")
    return f"no such key: {key.strip(chr(34))}" if separator and not head else reason


def _shorten_expression(expression: str) -> str:
    words = " ".join(expression.split())
    return words if len(words) <= 60 else words[:59] + "…"
