"""Suppressions of findings: in comments, annotations, the configuration and a baseline.

All four become `Silence` values, so unused ones are found in the same way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.settings import IgnoreRule, Settings
from quotalint.text.place import Place

COMMENT, ANNOTATION, CONFIGURATION, BASELINE = "comment", "annotation", "configuration", "baseline"
UNUSED = "QL006"
"""The rule that reports unused suppressions."""
SILENCED = "QL008"
"""The rule that reports suppressions that a change adds."""


class Suppression(NamedTuple):
    """Why a finding is neither shown nor counted."""

    by: str
    """comment, annotation, configuration or baseline."""
    reason: str
    """The author's reason; usually empty."""
    file: str
    line: int


class Silence(NamedTuple):
    """A suppression of a rule, or of all rules with a prefix."""

    by: str
    rule: str
    """Empty: every rule."""
    place: Place
    """The place where it is written, never in a rendered object."""
    line: int = 0
    column: int = 0
    """The line and column of a comment, which has no path."""
    reason: str = ""

    def covers(self, rule: str) -> bool:
        """Whether it suppresses a rule. Findings about unused suppressions are only suppressed by their full id."""
        return self.rule == rule if rule == UNUSED else rule.startswith(self.rule)


def baseline_file(named: str | None, settings: Settings) -> str:
    """The baseline file as reports name it: the named file, else beside the configuration, else in the working
    directory."""
    default = os.path.join(settings.root, BASELINE_NAME) if settings.file else BASELINE_NAME
    return os.path.relpath(named or settings.baseline or default).replace(os.sep, "/")


BASELINE_NAME = ".quotalint-baseline.yaml"


def split_rule_ids(rules: str) -> tuple[str, ...]:
    """The ids of `QL301, QL4`."""
    return tuple(dict.fromkeys(filter(None, re.split(r"[\s,]+", rules))))


IGNORE = "quotalint.dev/ignore"
_MOST = 1000
"""The most rules in one annotation."""


def has_ignore_annotation(obj: Object) -> bool:
    """Whether an object has the annotation; called for every object with a finding."""
    metadata = obj.body.get("metadata")
    return isinstance(metadata, dict) and IGNORE in mapping(metadata.get("annotations"))


def silences_of(obj: Object) -> Iterator[Silence]:
    """The suppressions in an object's annotation, with their place."""
    rules = mapping(obj.metadata.get("annotations")).get(IGNORE)
    if isinstance(rules, str):
        place = obj.at("metadata", "annotations", IGNORE).real._replace(made=None)
        for rule in split_rule_ids(rules)[:_MOST]:
            yield Silence(ANNOTATION, rule, place)


def ignore_silences(settings: Settings, rule: str, source: str, resource: str) -> Iterator[Silence]:
    """The suppressions in the configuration for a rule in a file and a resource."""
    for ignore_rule in settings.ignored_by(rule, source, resource):
        yield from (silence for silence in _rule_silences(ignore_rule) if rule.startswith(silence.rule))


def confined_silences(settings: Settings) -> Iterator[tuple[IgnoreRule, Silence]]:
    """The suppressions for some files only. Ignoring a rule or resource everywhere is a decision, and is never reported
    as unused."""
    for ignore_rule in settings.ignore:
        if ignore_rule.paths:
            yield from ((ignore_rule, silence) for silence in _rule_silences(ignore_rule))


def _rule_silences(ignore_rule: IgnoreRule) -> Iterator[Silence]:
    if ignore_rule.place is not None:
        for index, rule in enumerate(ignore_rule.rules):
            yield Silence(CONFIGURATION, rule, ignore_rule.place.at("rules", index))
