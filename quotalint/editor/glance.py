"""A quick answer while a file cannot be parsed, for example in the middle of a word: only the syntax error is new.

Other findings stay, at their moved lines, until the file is repaired or saved. A full check of a half-written line
would be slow and soon outdated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from quotalint.checks.manifest_files import is_reported, unreadable_manifest
from quotalint.pipeline import Result
from quotalint.results.finding import Finding
from quotalint.results.findings import findings
from quotalint.text.reading import File


def is_broken(file: File, result: Result) -> bool:
    """Whether a file has a syntax error that is reported."""
    return bool(file.reading.failures) and is_reported(file, result.environments[0])


def with_breaks(result: Result, broken: Sequence[File], texts: Mapping[str, tuple[bytes, bytes]]) -> Result:
    """The former findings, with the current syntax errors of the broken files; `texts` by name are the former and the
    current ones."""
    facts = result.environments[0]
    facts = facts._replace(repository=facts.repository._replace(files=tuple(broken)))
    rule_id = unreadable_manifest.rule
    new_findings, _, _ = findings([facts], [unreadable_manifest], result.locate, result.content)
    kept_findings = (
        _moved(finding, *texts[finding.file]) if finding.file in texts else finding
        for finding in result.findings
        if finding.file not in texts or finding.rule.id != rule_id
    )
    return result._replace(
        findings=(*kept_findings, *(finding for finding in new_findings if finding.rule.id == rule_id))
    )


def _moved(finding: Finding, before: bytes, after: bytes) -> Finding:
    """A finding at the line of its text `after` an edit."""
    old, new = before.split(b"\n"), after.split(b"\n")
    same_lines = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(old), reversed(new), strict=False))
    unchanged = sum(1 for _ in same_lines)
    span, by = finding.span, len(new) - len(old)
    if span.line <= len(old) - unchanged:
        return finding
    return finding._replace(span=span._replace(line=span.line + by, end_line=span.end_line + by))
