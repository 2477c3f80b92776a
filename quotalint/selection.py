"""Which rules a run asks for, and how severe what they say is."""

from __future__ import annotations

from quotalint.catalogue import Rule, rule_by_id
from quotalint.checks.hit import UNDECIDED, Check, Hit
from quotalint.facts import Facts
from quotalint.kube.guess import Guess
from quotalint.settings import Settings


def rule_of(rule_id: str, settings: Settings) -> Rule:
    """A rule of the catalogue, or one of the user's own; KeyError where there is none."""
    own = (policy.rule for policy in settings.policies if policy.rule.id == rule_id)
    return next(own, None) or rule_by_id(rule_id)


def rule_runs(rule_id: str, settings: Settings) -> bool:
    """Whether a rule is applied. A check may still make it more or less severe."""
    return settings.runs(rule_id)


def is_asked_for(rule_id: str, settings: Settings) -> bool:
    """Whether anything that a rule says can be reported."""
    is_off = rule_of(rule_id, settings).severity == "off" and not settings.select and not settings.severity_of(rule_id)
    return rule_runs(rule_id, settings) and not is_off


def severity_of_hit(checked_rule: Rule, hit: Hit, settings: Settings) -> str:
    """How severe a hit of a rule is; `off` where it is not to be reported. What rests on a guess is no error."""
    chosen_severity = settings.severity_of(checked_rule.id) or _by_itself(checked_rule, hit, settings)
    if hit.variant == UNDECIDED and chosen_severity != "off":
        return "info"
    return "warning" if chosen_severity == "error" and hit.guesses else chosen_severity


def _by_itself(checked_rule: Rule, hit: Hit, settings: Settings) -> str:
    if checked_rule.severity == "off":
        return "warning" if settings.select else "off"
    return hit.severity or checked_rule.severity


def guesses_of(check: Check, subject: object, facts: Facts) -> tuple[Guess, ...]:
    """What a hit rests on that is guessed: nothing, where the rule looks at a file or an object alone."""
    return facts.guesses_of(subject) if rule_of(check.rule, facts.settings).looks_at in ("entry", "namespace") else ()
