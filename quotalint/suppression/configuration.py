"""`ignore` of the configuration, as silences."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.settings import IgnoreRule, Settings
from quotalint.suppression import CONFIGURATION, Silence


def ignore_silences(settings: Settings, rule: str, source: str, resource: str) -> Iterator[Silence]:
    """What of the configuration silences a rule in a file about a resource."""
    for ignore_rule in settings.ignored_by(rule, source, resource):
        yield from (silence for silence in _rule_silences(ignore_rule) if rule.startswith(silence.rule))


def confined_silences(settings: Settings) -> Iterator[tuple[IgnoreRule, Silence]]:
    """What is ignored in some files. To ignore a rule, or a resource, everywhere is a decision about it, whether
    anything is found or not."""
    for ignore_rule in settings.ignore:
        if ignore_rule.paths:
            yield from ((ignore_rule, silence) for silence in _rule_silences(ignore_rule))


def _rule_silences(ignore_rule: IgnoreRule) -> Iterator[Silence]:
    if ignore_rule.place is not None:
        for index, rule in enumerate(ignore_rule.rules):
            yield Silence(CONFIGURATION, rule, ignore_rule.place.at("rules", index))
