"""What the formats say of a finding beside its message, and which findings they show, in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.catalogue import SEVERITIES
from quotalint.finding import Finding
from quotalint.reports.terminal import safe_text


def most_severe_first(findings: Sequence[Finding]) -> list[Finding]:
    """What is to be acted on: everything that is not suppressed."""
    shown = [finding for finding in findings if finding.suppressed is None]
    return sorted(shown, key=lambda finding: SEVERITIES.index(finding.severity))


def finding_details(finding: Finding) -> Iterator[tuple[str, str]]:
    """A label and a sentence for everything else that is known of a finding, the help last."""
    if finding.cause is not None and finding.cause.changes:
        yield finding.cause.label, safe_text(f"{finding.cause.subject}: {', '.join(finding.cause.changes)}")
    for item in finding.related:
        yield item.label, safe_text(f"{item.message} ({item.file}:{item.span.line})")
    if finding.environments:
        yield "in", safe_text(", ".join(finding.environments))
    for note in finding.notes_for_people:
        yield note.label, safe_text(note.text)
    if finding.object is not None and finding.object.has_assumed_namespace and not finding.guesses:
        yield "note", f"namespace {safe_text(finding.namespace)} is assumed: the object names none"
    if finding.help:
        yield "help", safe_text(finding.help)


def finding_subject(finding: Finding) -> str:
    """What it is about, without lines and amounts: the same from run to run."""
    obj = finding.object
    about = f"{obj.kind} {obj.name}" if obj else ""
    within = f" in {finding.namespace}" if finding.namespace else ""
    return safe_text(" ".join(filter(None, (about + within, finding.field))))
