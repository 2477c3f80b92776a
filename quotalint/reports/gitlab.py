"""The code quality report of GitLab: a list of issues, which a merge request shows as new or fixed by their
fingerprints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from quotalint.finding import Finding
from quotalint.reports.details import most_severe_first
from quotalint.reports.terminal import safe_text

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(findings: Sequence[Finding]) -> str:
    """The whole report; an empty list where there is nothing to say."""
    import json

    return json.dumps(list(_quality_issues(findings)), indent=2, ensure_ascii=False) + "\n"


def _quality_issues(findings: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for one in most_severe_first(findings):
        seen[one.fingerprint] += 1
        again = seen[one.fingerprint]
        yield {
            # GitLab shows the description alone, so it says everything.
            "description": safe_text(f"{one.rule.id} {one.message}" + (f" ({one.help})" if one.help else "")),
            "check_name": one.rule.id,
            # Of several issues with one fingerprint, GitLab shows the first.
            "fingerprint": one.fingerprint if again == 1 else f"{one.fingerprint}-{again}",
            "severity": _SEVERITIES[one.severity],
            "location": {
                "path": safe_text(one.file),
                "lines": {"begin": one.span.line, "end": max(one.span.line, one.span.end_line)},
            },
        }
