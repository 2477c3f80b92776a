"""What people wrote down not to be told of: in comments, annotations, the configuration, a baseline.

All four come to one kind of value, a `Silence`, so that what is unused is found in one way.
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
"""The rule that reports what silences nothing."""
SILENCED = "QL008"
"""The rule that reports what a change silences."""


class Suppression(NamedTuple):
    """Why a finding is neither shown nor counted."""

    by: str
    """comment, annotation, configuration or baseline."""
    reason: str
    """In the words of whoever wrote it; mostly empty."""
    file: str
    line: int


class Silence(NamedTuple):
    """A rule, or what several begin with, that is not to be reported of something."""

    by: str
    rule: str
    """Empty: every rule."""
    place: Place
    """Where it is written. Real: never in a rendered object."""
    line: int = 0
    column: int = 0
    """Of what has no path: a comment."""
    reason: str = ""

    def covers(self, rule: str) -> bool:
        """Whether it means a rule. What is said of unused suppressions is only silenced by its own id."""
        return self.rule == rule if rule == UNUSED else rule.startswith(self.rule)


def baseline_file(named: str | None, settings: Settings) -> str:
    """Where the baseline is, as a report would name it: where somebody says, else beside the configuration, else in the
    working directory."""
    default = os.path.join(settings.root, BASELINE_NAME) if settings.file else BASELINE_NAME
    return os.path.relpath(named or settings.baseline or default).replace(os.sep, "/")


BASELINE_NAME = ".quotalint-baseline.yaml"


def split_rule_ids(rules: str) -> tuple[str, ...]:
    """The ids of `QL301, QL4`."""
    return tuple(dict.fromkeys(filter(None, re.split(r"[\s,]+", rules))))


IGNORE = "quotalint.dev/ignore"
_MOST = 1000
"""How many rules an annotation may name; there are some hundred."""


def asks_for_silence(obj: Object) -> bool:
    """Whether an object asks for silence; asked of every object that something is found of."""
    metadata = obj.body.get("metadata")
    return isinstance(metadata, dict) and IGNORE in mapping(metadata.get("annotations"))


def silences_of(obj: Object) -> Iterator[Silence]:
    """What an object asks not to be told of, and where it says so."""
    rules = mapping(obj.metadata.get("annotations")).get(IGNORE)
    if isinstance(rules, str):
        place = obj.at("metadata", "annotations", IGNORE).real._replace(made=None)
        for rule in split_rule_ids(rules)[:_MOST]:
            yield Silence(ANNOTATION, rule, place)


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
