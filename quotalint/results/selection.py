"""Which rules a run reports, their severity, and when a rule has reported enough."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.catalogue import Rule, rule_by_id
from quotalint.checks.hit import UNDECIDED, Check, Hit
from quotalint.kube.guess import Guess
from quotalint.quota.quotas import Quota
from quotalint.runtime.resource_limits import is_of_time
from quotalint.settings import Settings
from quotalint.text.place import Place
from quotalint.text.reading import File

MAX_FINDINGS = 500
"""The most findings of one rule in one file."""


def rule_of(rule_id: str, settings: Settings) -> Rule:
    """A rule of the catalogue, or a policy of the user. Raises KeyError."""
    own = (policy.rule for policy in settings.policies if policy.rule.id == rule_id)
    return next(own, None) or rule_by_id(rule_id)


def is_asked_for(rule_id: str, settings: Settings) -> bool:
    """Whether any finding of a rule can be reported."""
    is_off = rule_of(rule_id, settings).severity == "off" and not settings.select and not settings.severity_of(rule_id)
    return settings.runs(rule_id) and not is_off


def severity_of_hit(checked_rule: Rule, hit: Hit, settings: Settings) -> str:
    """The severity of a hit; `off` if it is not reported. A hit that depends on a guess is not an error."""
    chosen_severity = settings.severity_of(checked_rule.id)
    if not chosen_severity and checked_rule.severity == "off":
        chosen_severity = "warning" if settings.select else "off"
    chosen_severity = chosen_severity or hit.severity or checked_rule.severity
    if hit.variant == UNDECIDED and chosen_severity != "off":
        return "info"
    return "warning" if chosen_severity == "error" and hit.guesses else chosen_severity


def guesses_of(check: Check, subject: object, hit: Hit, facts: Facts) -> tuple[Guess, ...]:
    """The guesses that a hit depends on: none if the rule looks at a file or an object alone. A finding about a quota
    itself depends on where the quota is applied."""
    if rule_of(check.rule, facts.settings).looks_at not in ("entry", "namespace"):
        return ()
    if isinstance(subject, Quota) and not hit.entries:
        return subject.object.guesses
    return facts.guesses_of(subject, hit.entries, hit.object)


class Flood:
    """Counts the findings of each rule in each file. A class because of the counters."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self.stopped: dict[tuple[str, str], tuple[Place, str]] = {}
        """The rules that have stopped, by rule and file, with the place and the reason."""

    def count(self, rule_id: str, hit: Hit) -> None:
        """Count a hit; at the limit, the rule stops for its file."""
        key = rule_id, hit.place.file
        self._counts[key] = number = self._counts.get(key, 0) + 1
        if number == MAX_FINDINGS:
            why = f"too expensive: {key[1]} has {MAX_FINDINGS} findings of {rule_id}, and the rest is not searched"
            self.stopped[key] = hit.place.real, why

    def is_stopped(self, rule_id: str, subject: object) -> bool:
        """Whether a rule has stopped for the file of a subject."""
        return (rule_id, file_of(subject)) in self.stopped

    def stop(self, rule_id: str, file: str, reason: str) -> None:
        """Stop a rule for a file, because it takes too long."""
        self.stopped.setdefault((rule_id, file), (Place(file or "."), f"{reason} ({rule_id} on {file or 'all files'})"))

    def hits(self, *, has_base: bool) -> Iterator[Hit]:
        """A hit for each rule and file that was stopped; `has_base`: a base was judged before."""
        for (rule_id, _), (place, reason) in self.stopped.items():
            severity = "warning" if is_of_time(reason) and not has_base else ""
            yield Hit(place, {"reason": reason, "key": rule_id}, severity=severity)


def file_of(subject: object) -> str:
    """The file of a subject, if it has one; otherwise empty."""
    if isinstance(subject, File):
        return subject.source.name
    subject = getattr(subject, "quota", subject)
    place = getattr(subject, "place", None)
    return place.file if isinstance(place, Place) else str(getattr(subject, "name", ""))
