"""Workflow commands that GitHub Actions shows as annotations of lines of a pull request.

They are escaped like `escapeData` and `escapeProperty` of actions/toolkit (packages/core/src/command.ts), so that the
runner (actions/runner, ActionCommand.cs) restores the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.diff.unknown_effect import Unknown
from quotalint.reports.details import finding_details, most_severe_first
from quotalint.reports.terminal import count_noun, safe_text
from quotalint.results.finding import Finding, FindingId

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_SHOWN = 10  # of each command, GitHub keeps the first ten of a step


def render(findings: Sequence[Finding]) -> str:
    """A command for each finding, the most severe first, each line once before any twice; the log lists what GitHub
    would drop."""
    return "".join(f"{line}\n" for line in _report_lines(_distinct_lines_first(most_severe_first(findings))))


def _distinct_lines_first(findings: Sequence[Finding]) -> list[Finding]:
    """The findings by severity; within it those at rest before temporary ones, and the first of each line before
    others."""
    ranked = sorted(findings, key=lambda finding: bool(finding.moment))
    seen = set[tuple[str, str, int]]()
    repeats = set[FindingId]()
    for finding in ranked:
        line = finding.severity, finding.file, finding.span.line
        if line in seen:
            repeats.add(finding.identity)
        seen.add(line)
    return sorted(ranked, key=lambda finding: (SEVERITIES.index(finding.severity), finding.identity in repeats))


def unknown_commands(unknowns: Sequence[Unknown]) -> str:
    """A warning for each cause of an unknown effect, at its first line."""
    first = {unknown.reason: unknown for unknown in reversed(unknowns)}
    shown = [unknown for unknown in unknowns if first[unknown.reason] is unknown]
    return "".join(map(_unknown_command, shown[:_SHOWN]))


def _unknown_command(unknown: Unknown) -> str:
    where = f" in {unknown.namespace}" if unknown.namespace else ""
    text = f"Not known what this does to quotas{where}, because {unknown.reason}; to find out: {unknown.cure}"
    place = f"file={safe_text(_escape_property(unknown.file))},line={unknown.line},title=quotalint%3A not known"
    return f"::warning {place}::{_escape_data(safe_text(text))}\n"


def _report_lines(findings: Sequence[Finding]) -> Iterator[str]:
    shown_by_severity: Counter[str] = Counter()
    unshown = []
    for finding in findings:
        shown_by_severity[finding.severity] += 1
        if shown_by_severity[finding.severity] <= _SHOWN:
            yield _annotation_command(finding)
        else:
            unshown.append(finding)
    if unshown:
        more = count_noun(len(unshown), "more finding")
        yield f"::group::{more} without an annotation: GitHub shows {_SHOWN} of each kind"
        yield from map(_log_line, unshown)
        yield "::endgroup::"


def _annotation_command(finding: Finding) -> str:
    properties = {
        "file": finding.file,
        "line": str(finding.span.line),
        "col": str(finding.span.column),
        "title": f"{finding.rule.id} {finding.rule.name}",
    }
    listed = ",".join(f"{key}={safe_text(_escape_property(value))}" for key, value in properties.items())
    text = "\n".join((safe_text(finding.message), *(f"{label}: {text}" for label, text in finding_details(finding))))
    return f"::{_COMMANDS[finding.severity]} {listed}::{_escape_data(text)}"


def _log_line(finding: Finding) -> str:
    """A line of the log. It begins with a fixed word, because `::` at the start or `##[` anywhere would make it a
    command."""
    place = f"{finding.file}:{finding.span.line}:{finding.span.column}"
    return safe_text(f"{finding.severity} {finding.rule.id} {place}: {finding.message}").replace("##[", "# #[")


def _escape_data(text: str) -> str:
    """Escaped data, also without `##[`: the runner reads `::` first, but readers of its log may use the older form."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "# #[")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
