"""Reviewdog's diagnostic format (reviewdog/proto/rdf): findings that any code host can show, with suggested changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from quotalint.reports.details import OfferedFix, finding_details, most_severe_first
from quotalint.reports.excerpt import lines_of
from quotalint.reports.json_text import json_text
from quotalint.reports.sarif import HOME, rule_url
from quotalint.reports.terminal import safe_text
from quotalint.results.finding import Finding
from quotalint.text.place import Span

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}
Lines = Callable[[str], tuple[str, ...]]


def render(findings: Sequence[Finding], fixes: Sequence[OfferedFix | None], content: Callable[[str], bytes]) -> str:
    """A DiagnosticResult. `fixes` has one for each finding, or is empty."""
    lines = cache(lambda name: lines_of(content(name)))
    by_finding = {finding.identity: fix for finding, fix in zip(findings, fixes, strict=False)}
    report = {
        "source": {"name": "quotalint", "url": HOME},
        "diagnostics": [
            _finding_diagnostic(finding, by_finding.get(finding.identity), lines)
            for finding in most_severe_first(findings)
        ],
    }
    return json_text(report) + "\n"


def _finding_diagnostic(finding: Finding, fix: OfferedFix | None, lines: Lines) -> dict[str, Any]:
    more = "".join(f"\n{label}: {text}" for label, text in finding_details(finding))
    url = rule_url(finding.rule)
    diagnostic: dict[str, Any] = {
        "message": safe_text(finding.message) + more,
        "location": _span_location(finding.file, finding.span, lines),
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.rule.id, **({"url": url} if url else {})},
    }
    suggestions = list(_finding_suggestions(finding.file, fix))
    if suggestions:
        diagnostic["suggestions"] = suggestions
    if finding.related:
        diagnostic["relatedLocations"] = [
            {
                "message": safe_text(f"{related.label} {related.message}"),
                "location": _span_location(related.file, related.span, lines),
            }
            for related in finding.related
        ]
    return diagnostic


def _finding_suggestions(file: str, fix: OfferedFix | None) -> Iterator[dict[str, Any]]:
    """The text of a safe fix that edits only this file. A range without columns covers whole lines; a fix that only
    adds lines has no range."""
    if fix is None or not fix.safe or any(edit.file != file or not edit.before for edit in fix.edits):
        return
    for edit in fix.edits:
        last = edit.line + edit.before.rstrip("\n").count("\n")
        lines = {"start": {"line": edit.line}, "end": {"line": last}}
        yield {"range": lines, "text": edit.after.removesuffix("\n")}


def _span_location(file: str, span: Span, lines: Lines) -> dict[str, Any]:
    start = {"line": span.line, "column": _byte_column(file, span.line, span.column, lines)}
    end = {"line": span.end_line, "column": _byte_column(file, span.end_line, span.end_column, lines)}
    place: dict[str, Any] = {"path": safe_text(file), "range": {"start": start}}
    if (span.end_line, span.end_column) > (span.line, span.column):
        place["range"]["end"] = end
    return place


def _byte_column(file: str, line: int, column: int, lines: Lines) -> int:
    """Columns are counted in bytes of UTF-8, from 1."""
    texts = lines(file)
    if not 1 <= line <= len(texts) or texts[line - 1].isascii():
        return column
    return len(texts[line - 1][: column - 1].encode("utf-8", "replace")) + 1
