"""The code quality report of GitLab: a list of issues, which a merge request shows as new or fixed by their
fingerprints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from quotalint.reports.details import most_severe_first
from quotalint.reports.json_text import json_text
from quotalint.reports.terminal import safe_text
from quotalint.results.finding import Finding

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(findings: Sequence[Finding]) -> str:
    """The whole report; an empty list if there are no findings."""
    return json_text(list(_quality_issues(findings))) + "\n"


def _quality_issues(findings: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    fingerprints: Counter[str] = Counter()
    for finding in most_severe_first(findings):
        fingerprints[finding.fingerprint] += 1
        again = fingerprints[finding.fingerprint]
        yield {
            # GitLab shows only the description, so it has message and help.
            "description": safe_text(
                f"{finding.rule.id} {finding.message}" + (f" ({finding.help})" if finding.help else "")
            ),
            "check_name": finding.rule.id,
            # Of several issues with one fingerprint, GitLab shows the first.
            "fingerprint": finding.fingerprint if again == 1 else f"{finding.fingerprint}-{again}",
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": safe_text(finding.file),
                "lines": {"begin": finding.span.line, "end": max(finding.span.line, finding.span.end_line)},
            },
        }
