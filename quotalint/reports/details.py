"""Parts of a finding that all formats share: details beside the message, fixes, selection and order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from quotalint.catalogue import SEVERITIES
from quotalint.fixes.fix import Fix
from quotalint.named_tuples import NamedTuple
from quotalint.reports.terminal import safe_text
from quotalint.results.finding import Finding
from quotalint.text.place import Whole


def most_severe_first(findings: Sequence[Finding]) -> list[Finding]:
    """The findings that are not suppressed, the most severe first."""
    shown = [finding for finding in findings if finding.suppressed is None]
    return sorted(shown, key=lambda finding: SEVERITIES.index(finding.severity))


def causes_first(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Findings with exceeded sums before those that follow from them, even if their file comes later."""
    earliest: dict[tuple[str, ...], int] = {}
    for position, finding in enumerate(findings):
        earliest.setdefault(_entry_key(finding, finding.rule.id), position)

    def place(position: int) -> tuple[int, ...]:
        finding = findings[position]
        following = [earliest.get(_entry_key(finding, rule_id), position) for rule_id in finding.rule.outdoes]
        first = min((position, *following))
        return first, first == position, position

    return [findings[position] for position in sorted(range(len(findings)), key=place)]


def _entry_key(finding: Finding, rule_id: str) -> tuple[str, ...]:
    """The key of rules that judge the same quota with the same certainty."""
    return rule_id, finding.severity, finding.namespace, finding.values.get("quota", ""), *finding.environments


def finding_details(finding: Finding) -> Iterator[tuple[str, str]]:
    """Labels and sentences about a finding beside its message; the help comes last."""
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
    """The subject of a finding, without lines and amounts: the same from run to run."""
    obj = finding.object
    about = f"{obj.kind} {obj.name}" if obj else ""
    within = f" in {finding.namespace}" if finding.namespace else ""
    return safe_text(" ".join(filter(None, (about + within, finding.field))))


if TYPE_CHECKING:
    from quotalint.fixes.file_contents import LineChange


class OfferedFix(NamedTuple):
    """A fix that can be applied, and the text that it would write on its own."""

    safe: bool
    description: str
    edits: tuple[LineChange, ...]


def propose_repairs(
    fixes: Sequence[Fix | None], content: Callable[[str], bytes], refusal: Callable[[str], str]
) -> list[OfferedFix | None]:
    """The fixes of findings, in their order; None for a finding without an applicable fix."""
    from quotalint.fixes.apply import apply_each
    from quotalint.fixes.file_contents import changed_lines

    outcomes = iter(apply_each([wanted for wanted in fixes if wanted is not None], content, refusal))
    proposals: list[OfferedFix | None] = []
    for fix in fixes:
        outcome = next(outcomes) if fix is not None else None
        if outcome is None or outcome.reason or not outcome.files:
            proposals.append(None)
        else:
            proposals.append(OfferedFix(outcome.fix.safe, outcome.fix.words, changed_lines(outcome.files)))
    return proposals


def count_repairable(findings: Iterable[Finding]) -> tuple[int, int]:
    """How many findings `--fix` is likely to repair, and how many more `--unsafe-fixes`. An estimate without reading
    files: whether a file allows the edit is known only after a try."""
    options = [
        _likely_fix(finding.fix) for finding in findings if finding.suppressed is None and finding.file != "<stdin>"
    ]
    return sum(fix is not None and fix.safe for fix in options), sum(
        fix is not None and not fix.safe for fix in options
    )


def _likely_fix(fix: Fix | None) -> Fix | None:
    """The fix or its alternative, whichever has no known obstacle."""
    while fix is not None and (fix.obstacle or any(isinstance(edit.place.origin, Whole) for edit in fix.edits)):
        fix = fix.otherwise
    return fix
