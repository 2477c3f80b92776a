"""The user's own policies: where each is violated, and where that is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from quotalint.accounts.facts import Facts
from quotalint.cel.cel_environments import POLICIES
from quotalint.cel.cel_tokens import Token, names, tokens_of, uses
from quotalint.cel.engine import Engine, Failed, Issue, Unknown, Value, engine
from quotalint.cel.quantities import LEAST
from quotalint.cel.shorthand import Spelled, spell_out, with_policy_names
from quotalint.checks.hit import UNDECIDED, Check, Hit, Related
from quotalint.checks.lazy.policy_sums import environment_values
from quotalint.checks.lazy.policy_values import (
    VARIABLES,
    KnownValues,
    of_entry,
    of_namespace,
    of_quota,
    of_workload,
    pods_of,
    workloads_of,
)
from quotalint.kube import quantity
from quotalint.kube.amounts import is_placeholder
from quotalint.kube.guess import LEFT_OUT, Guess
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import AT_LEAST, UNKNOWN, Projection
from quotalint.quota.quotas import Quota
from quotalint.settings import SCENARIOS, Scenario
from quotalint.settings.checking import did_you_mean, nearest_word
from quotalint.settings.policy_files import CLUSTER, ENTRY, NAMESPACE, QUOTA, WORKLOAD, Policy
from quotalint.text.place import Place

_SHARED = tuple(name for name in VARIABLES[CLUSTER] if name != "environment.name")
_COMPARED = frozenset({"==", "!=", "in"})


class _Subject(NamedTuple):
    """A subject that a policy is evaluated for."""

    title: str
    place: Place
    values: KnownValues
    texts: Mapping[str, str]
    object: Object | None = None
    field: str = ""
    resource: str = ""


class _ParsedPolicy(NamedTuple):
    """A policy's parsed expression."""

    policy: Policy
    spelled: Spelled
    tokens: tuple[Token, ...]
    used: tuple[str, ...]
    """The variables that it reads."""


def checks_of(policies: Iterable[Policy]) -> tuple[Check, ...]:
    """A check for each policy."""
    engine().begin()
    return tuple(Check(policy.rule.id, Facts, partial(_judge_subjects, _read_policy(policy))) for policy in policies)


def issues_in(policy: Policy) -> tuple[Issue, ...]:
    """The errors in an expression, with their offsets in the written text."""
    read = _read_policy(policy)
    type_or_issues = engine().check(POLICIES, read.spelled.text, VARIABLES[policy.about])
    if isinstance(type_or_issues, str):
        kind = type_or_issues.lower()
        wrong = f"it comes to a {kind}, not to true or false"
        return () if kind in ("bool", "dyn") else (Issue(wrong, 0),)
    return tuple(
        Issue(_explained_message(issue.message, policy), read.spelled.origin(issue.offset)) for issue in type_or_issues
    )


def _explained_message(message: str, policy: Policy) -> str:
    """The engine's message, with a suggestion for an unknown variable."""
    spelled_message = with_policy_names(message)
    unknown = re.fullmatch("undeclared reference to '([^']+)'", spelled_message)
    if unknown is None:
        return spelled_message
    variables = sorted(map(with_policy_names, VARIABLES[policy.about]))
    likely = did_you_mean(nearest_word(unknown[1], variables))
    return (
        f"{spelled_message}{likely}"
        if likely
        else f"{spelled_message}; a policy for each {policy.about} has {', '.join(variables)}"
    )


def _read_policy(policy: Policy) -> _ParsedPolicy:
    means = spell_out(policy.expression)
    tokens = tokens_of(means.text)
    used = tuple(name for name in VARIABLES[policy.about] if uses(tokens, name))
    return _ParsedPolicy(policy, means, tokens, used)


def _judge_subjects(read: _ParsedPolicy, facts: Facts, _: Facts) -> Iterator[Hit]:
    shared = KnownValues({"environment.name": facts.environment}, {}, {})
    cel_engine = engine()
    if not set(_SHARED).isdisjoint(read.used):
        shared = environment_values(facts)
        cel_engine.share({name: shared.by_name[name] for name in _SHARED if name not in shared.unknown})
    undecided: dict[tuple[str, str], list[_Subject]] = {}
    for subject in _SUBJECTS[read.policy.about](facts, read):
        values = subject.values.over(shared)
        guesses = tuple(dict.fromkeys(guess for name in read.used for guess in values.guesses.get(name, ())))
        left_out = next((guess.reason for guess in guesses if guess.about == LEFT_OUT), "")
        outcome = Unknown(left_out) if left_out else _evaluate_policy(read, values, cel_engine)
        if isinstance(outcome, Value):
            if outcome.value is not True:
                yield _broken_hit(subject, guesses)
        elif isinstance(outcome, Unknown):
            reason = values.unknown.get(outcome.variable) or with_policy_names(outcome.reason)
            undecided.setdefault((UNDECIDED, reason), []).append(subject)
        else:
            failure_reason = outcome.reason if isinstance(outcome, Failed) else outcome.message
            undecided.setdefault(("failed", with_policy_names(failure_reason)), []).append(subject)
    for (variant, reason), subjects in undecided.items():
        yield _open_hit(read.policy, variant, reason, subjects)


def _evaluate_policy(read: _ParsedPolicy, values: KnownValues, cel_engine: Engine) -> Value | Unknown | Failed | Issue:
    names_read = names(read.tokens)
    given_values, shared = {}, []
    for name in read.used:
        missing_field_reason = next((why for fields, why in values.partial.get(name, ()) if fields & names_read), "")
        if missing_field_reason:
            values.unknown[name] = missing_field_reason
        if name in values.unknown or name not in values.by_name:
            continue
        if _has_bound(values.by_name[name]) and any(token.text in _COMPARED for token in read.tokens):
            values.unknown[name] = f"of {with_policy_names(name)} only a lower bound is known"
        elif name in _SHARED:
            shared.append(name)
        else:
            given_values[name] = values.by_name[name]
    return cel_engine.evaluate(POLICIES, read.spelled.text, VARIABLES[read.policy.about], given_values, tuple(shared))


def _has_bound(value: object) -> bool:
    """Whether it contains an amount that is only a lower bound; such amounts cannot be compared for equality."""
    if isinstance(value, dict):
        return LEAST in value or any(map(_has_bound, value.values()))
    return isinstance(value, list) and any(map(_has_bound, value))


def _broken_hit(subject: _Subject, guesses: tuple[Guess, ...]) -> Hit:
    return Hit(
        subject.place,
        subject.texts,
        subject.object,
        subject.field,
        resource=subject.resource,
        guesses=guesses,
    )


def _open_hit(policy: Policy, variant: str, reason: str, subjects: list[_Subject]) -> Hit:
    """One hit for several subjects that cannot be judged for the same reason."""
    first, more = subjects[0], len(subjects) - 1
    title = first.title + (f" and {more} more" if more else "")
    cure = "ask with has() whether it is there before you read it" if "Key not found" in reason else ""
    keep = "keep" if more else "keeps"
    values = {"subject": title, "keep": keep, "reason": reason.rstrip("."), "cure": cure, "key": reason}
    if variant == UNDECIDED:
        return Hit(first.place, values, first.object, first.field, variant, resource=first.resource)
    related = (Related("at", first.place, first.title),)
    return Hit(policy.place, values, variant=variant, related=related, severity="warning")


def _entry_subjects(facts: Facts, read: _ParsedPolicy) -> Iterator[_Subject]:
    for quota in _own_quotas(facts):
        namespace_values, quota_values = _namespace_values(facts, quota, read.used), of_quota(quota)
        for projection in facts.projections_of(quota).values():
            yield _Subject(
                f"{projection.name} of quota {quota.name} in {quota.namespace}",
                quota.entry(projection.name),
                of_entry(projection).over(quota_values).over(namespace_values),
                {**_quota_texts(facts, quota), **_entry_texts(projection)},
                quota.object,
                quota.field(projection.name),
                projection.name,
            )


def _quota_subjects(facts: Facts, read: _ParsedPolicy) -> Iterator[_Subject]:
    for quota in _own_quotas(facts):
        values = of_quota(quota).over(_namespace_values(facts, quota, read.used))
        texts = _quota_texts(facts, quota)
        yield _Subject(f"quota {quota.name} in {quota.namespace}", quota.place, values, texts, quota.object)


def _namespace_subjects(facts: Facts, read: _ParsedPolicy) -> Iterator[_Subject]:
    for name in sorted({*facts.cluster.by_namespace, *facts.enforced, *_declared_objects(facts)} - {""}):
        members = facts.cluster.by_namespace.get(name, ())
        obj = _declared_objects(facts).get(name) or next((member for member in members if not member.foreign), None)
        if obj is not None and not is_placeholder(name):
            texts = {"namespace": name, "environment": facts.environment}
            yield _Subject(f"namespace {name}", obj.place, of_namespace(facts, name, read.used), texts, obj)


def _workload_subjects(facts: Facts, read: _ParsedPolicy) -> Iterator[_Subject]:
    for namespace in facts.cluster.by_namespace:
        own_workloads = [obj for obj in workloads_of(facts, namespace) if not obj.foreign]
        if not own_workloads:
            continue
        around, numbers = of_namespace(facts, namespace, read.used), pods_of(facts, namespace)
        for obj in own_workloads:
            pods = numbers.get(obj.identity, 0)
            texts = {
                "namespace": namespace,
                "environment": facts.environment,
                "kind": obj.kind,
                "workload": obj.name,
                "pods": str(pods) if isinstance(pods, int) else "an unknown number of",
            }
            values = of_workload(facts, obj, pods).over(around)
            yield _Subject(f"{obj.kind} {obj.name} in {namespace}", obj.place, values, texts, obj)


def _cluster_subject(facts: Facts, read: _ParsedPolicy) -> Iterator[_Subject]:
    if facts.quotas:
        where = f"environment {facts.environment}" if facts.environment else "the cluster"
        yield _Subject(where, read.policy.place, KnownValues({}, {}, {}), {"environment": facts.environment})


_SUBJECTS = {
    ENTRY: _entry_subjects,
    QUOTA: _quota_subjects,
    NAMESPACE: _namespace_subjects,
    WORKLOAD: _workload_subjects,
    CLUSTER: _cluster_subject,
}


def _own_quotas(facts: Facts) -> tuple[Quota, ...]:
    """The enforced quotas of the repository."""
    return tuple(quota for quota in facts.quotas if not facts.is_rejected(quota) and not quota.object.foreign)


def _namespace_values(facts: Facts, quota: Quota, used: Sequence[str]) -> KnownValues:
    """The values for the namespace of a quota; unknown for a quota of several namespaces."""
    if len(quota.namespaces) == 1:
        return of_namespace(facts, quota.namespace, used)
    reason = f"quota {quota.name} is for {len(quota.namespaces)} namespaces"
    return KnownValues({}, dict.fromkeys((name for name in VARIABLES[NAMESPACE] if name.startswith("_")), reason), {})


def _declared_objects(facts: Facts) -> dict[str, Object]:
    return {obj.name: obj for obj in facts.cluster.of("", "Namespace")}


def _quota_texts(facts: Facts, quota: Quota) -> dict[str, str]:
    return {"namespace": quota.namespace, "quota": quota.name, "environment": facts.environment}


def _entry_texts(projection: Projection) -> dict[str, str]:
    bound = "at least " if projection.certainty == AT_LEAST else ""

    def used_text(scenario: Scenario) -> str:
        return (
            "an unknown amount"
            if projection.certainty == UNKNOWN
            else bound + quantity.show(projection.demand(scenario))
        )

    share = "an unknown share"
    if projection.hard is not None and projection.hard.nano > 0 and projection.certainty != UNKNOWN:
        share = f"{bound}{quantity.percent(projection.steady, projection.hard)} %"
    return {
        "resource": projection.name,
        "hard": "an unknown amount" if projection.hard is None else quantity.show(projection.hard),
        "share": share,
        **{scenario.value: used_text(scenario) for scenario in SCENARIOS},
    }
