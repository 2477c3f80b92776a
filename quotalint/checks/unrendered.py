"""Checks of what was rendered: what could not be, and what the tools that apply it would refuse."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.checks.hit import Hit, Related, check
from quotalint.deployed import (
    ABSENT,
    CLUSTERS,
    DENIED,
    EXPENSIVE,
    FAMILIES,
    HELM,
    KEPT_OUT,
    LIBRARY,
    LOAD,
    MISSING,
    REFUSED,
    TEXT,
    UNRENDERED,
    Problem,
)
from quotalint.facts import Facts
from quotalint.quota.projection import HiddenObjects

_VARIANTS = {MISSING: "default", REFUSED: "refused", KEPT_OUT: "refused", LOAD: "load", DENIED: "denied"}


@check("QL003", Problem)
def unrendered_source(problem: Problem, facts: Facts) -> Iterator[Hit]:
    if problem.kind == TEXT or problem.cause == EXPENSIVE:
        return  # QL009 says it, or: the same but for line breaks in long texts, or annotations
    matters = problem.kind not in (LOAD, KEPT_OUT) and _may_matter(problem, facts)
    values = {"reason": problem.reason, "namespaces": _namespace_words(problem, facts), "subject": problem.subject}
    shared = problem.shared
    cause_variant = "outside" if problem.kind == UNRENDERED else "shared"
    if shared is not None:
        # What is pinned may move on: the same source is the same unknown.
        spoken = FAMILIES[shared.family]
        values |= {"name": shared.name, "key": f"{shared.family} {shared.name.partition('?')[0]}"}
        values |= {"what": spoken.several, "cure": spoken.cure}
        if cause_variant == "outside":
            values["many"] = "outsides"
        if shared.family == CLUSTERS and shared.name:
            values["cure"] += f"; in their paths stand {shared.name}"
    elif problem.subject and problem.kind == LOAD:
        values |= {"name": problem.subject, "many": "loads"}
    elif problem.subject and problem.cause == ABSENT:
        values |= {"name": problem.subject, "many": "absents"}
    related = [Related("through", place, "this leads there") for place in problem.via[:1]]
    yield Hit(
        problem.place,
        values,
        variant=(HELM if problem.cause == LIBRARY else problem.cause)
        or (cause_variant if shared else _VARIANTS.get(problem.kind, "unrendered")),
        related=tuple(link for link in related if link.place.real.source != problem.place.real.source),
        severity="" if matters else "info",
        group=_problem_group(problem, matters=matters),
    )


@check("QL009", Problem)
def too_expensive(problem: Problem, facts: Facts) -> Iterator[Hit]:
    if problem.cause == EXPENSIVE:
        yield Hit(problem.place, {"reason": f"too expensive: {problem.reason.removeprefix('too expensive: ')}"})


def _problem_group(problem: Problem, *, matters: bool) -> tuple[str, ...]:
    """What problems have in common that are said once: their cause, or the kustomization that names them."""
    if problem.shared is not None:
        return problem.shared.family, str(matters)
    kind = LOAD if problem.kind == LOAD else ABSENT if problem.cause == ABSENT else ""
    return (kind, problem.place.real.source, str(matters)) if kind and problem.subject else ()


def _may_matter(problem: Problem, facts: Facts) -> bool:
    """Whether it may concern a namespace that has a quota or a LimitRange, and something that is counted there."""
    if problem.kind == DENIED:
        return True  # what its author believes to be applied, a quota perhaps, is not
    limited = facts.charges
    concerned = [problem.namespace] if problem.namespace in limited else [] if problem.namespace else list(limited)
    if not problem.only:
        return bool(concerned)
    hidden = HiddenObjects(problem.reason, problem.only)
    entries = (name for where in concerned for quota in facts.enforced.get(where, ()) for name in quota.hard)
    return any(map(hidden.concerns, entries))


def _namespace_words(problem: Problem, facts: Facts) -> str:
    return f"namespace {problem.namespace}" if problem.namespace else "any namespace"
