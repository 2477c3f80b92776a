"""What people wrote down not to be told of: in comments, annotations, the configuration, a baseline.

All four come to one kind of value, a `Silence`, so that what is unused is found in one way.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from quotalint.settings import Settings
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
    default = os.path.join(settings.root, _BASELINE_NAME) if settings.file else _BASELINE_NAME
    return os.path.relpath(named or settings.baseline or default).replace(os.sep, "/")


_BASELINE_NAME = ".quotalint-baseline.yaml"


def split_rule_ids(rules: str) -> tuple[str, ...]:
    """The ids of `QL301, QL4`."""
    return tuple(dict.fromkeys(filter(None, re.split(r"[\s,]+", rules))))
