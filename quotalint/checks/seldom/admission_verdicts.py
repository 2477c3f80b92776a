"""One ValidatingAdmissionPolicy → what becomes of a request: refused, accepted, or not known.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/policy/validating/validator.go (Validate).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from quotalint.checks.seldom.admission_requests import VARIABLES, Request, params_of, values_of
from quotalint.facts import Facts
from quotalint.kube.admission_policies import Unseen
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object

REFUSED, ACCEPTED, OPEN = "refused", "accepted", "open"


class Verdict(NamedTuple):
    """What becomes of one request."""

    state: str
    message: str = ""
    """What the API server says, or why nobody knows."""
    number: int = 0
    """Which of the validations."""
    fails: bool = False
    """The expression cannot be evaluated, which the failurePolicy makes a refusal."""


class Bound(NamedTuple):
    """A policy with one of its bindings."""

    policy: Object
    binding: Object
    actions: tuple[str, ...]


class Judge:
    """Evaluates one policy. A class because of what it keeps for all objects."""

    def __init__(self, bound: Bound, facts: Facts) -> None:
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
        every = [text(one.get("expression")) for one in self._validations]
        every += [*self._conditions, *(expression for _, expression in self._variables)]
        self._alike = not any({"request", "oldObject"} & _fields(one) for one in every)

    def verdicts(self, request: Request, operations: Iterable[str]) -> dict[str, Verdict]:
        """What becomes of a request by operation; what asks for none comes to the same."""
        ordered = sorted(operations)
        if self._alike:
            return dict.fromkeys(ordered, self.verdict(request, ordered[0]))
        return {one: self.verdict(request, one) for one in ordered}

    def verdict(self, request: Request, operation: str) -> Verdict:
        """What becomes of a request."""
        params = params_of(self._bound.policy, self._bound.binding, request, self._facts)
        if isinstance(params, Unseen) and not params.some:
            return Verdict(OPEN, params.reason)
        several = params.some if isinstance(params, Unseen) else params
        verdicts = [self._with_params(request, operation, one) for one in several]
        decided = next((one for one in verdicts if one.state == REFUSED), None)
        if decided is not None:
            return decided
        if isinstance(params, Unseen):
            return Verdict(OPEN, params.reason)
        return next((one for one in verdicts if one.state == OPEN), Verdict(ACCEPTED))

    def _with_params(self, request: Request, operation: str, params: object) -> Verdict:
        from quotalint.cel.engine import Failed, Issue, Unknown, Value

        values, reasons = values_of(request, operation)
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
            return Verdict(ACCEPTED)
        open_ = next((one for one in conditions if not isinstance(one, Value)), None)
        if open_ is not None:
            return Verdict(OPEN, getattr(open_, "reason", "a match condition cannot be evaluated"))
        left = ""
        for index, validation in enumerate(self._validations):
            expression = text(validation.get("expression"))
            found = outcome(expression)
            if isinstance(found, Value):
                if found.value is not True:
                    return Verdict(REFUSED, self._message(validation, outcome), index)
            elif isinstance(found, Failed) and _is_certain(found.reason):
                if not self._ignores:
                    said = f"expression '{expression.strip()}' resulted in error: {_as_go_says(found.reason)}"
                    return Verdict(REFUSED, said, index, True)
            else:
                left = left or getattr(found, "reason", "it cannot be evaluated")
        return Verdict(OPEN, left) if left else Verdict(ACCEPTED)

    def _message(self, validation: Body, outcome: Any) -> str:
        """As the API server composes it (validator.go, Validate)."""
        written = text(validation.get("messageExpression"))
        if written:
            found = getattr(outcome(written), "value", None)
            if isinstance(found, str) and found.strip() and "\n" not in found.strip():
                return found.strip()
        said = text(validation.get("message")).strip()
        return said or f"failed expression: {text(validation.get('expression')).strip()}"


@lru_cache(maxsize=1000)
def _fields(expression: str) -> frozenset[str]:
    from quotalint.cel.tokens import names, tokens_of

    return names(tokens_of(expression))


def _is_certain(reason: str) -> bool:
    """Whether cel-go fails as well: not all that the engine cannot do is an error there."""
    return reason.startswith(_FAILING)


_FAILING = (
    "Key not found in map",
    "division by zero",
    "modulus by zero",
    "integer overflow",
    "unable to parse quantity",
)


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


def _short(expression: str) -> str:
    words = " ".join(expression.split())
    return words if len(words) <= 60 else words[:59] + "…"
