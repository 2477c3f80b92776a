"""What the formats say of a finding beside its message, what they say of repairs, and which findings they show, in
which order."""

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
    """What is to be acted on: everything that is not suppressed."""
    shown = [finding for finding in findings if finding.suppressed is None]
    return sorted(shown, key=lambda finding: SEVERITIES.index(finding.severity))


def causes_first(findings: Sequence[Finding]) -> Sequence[Finding]:
    """A sum that is exceeded before what has no room for that reason, though its file comes first."""
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
    """Which rule says something of the same quota, as surely."""
    return rule_id, finding.severity, finding.namespace, finding.values.get("quota", ""), *finding.environments


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


if TYPE_CHECKING:
    from quotalint.fixes.file_contents import LineChange


class OfferedFix(NamedTuple):
    """A repair that can be made, and what it would write if it were the only one."""

    safe: bool
    description: str
    edits: tuple[LineChange, ...]


def propose_repairs(
    fixes: Sequence[Fix | None], content: Callable[[str], bytes], refusal: Callable[[str], str]
) -> list[OfferedFix | None]:
    """Those of several findings, in their order; None where there is none, or it cannot be made."""
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
    """How many findings `--fix` is likely to repair, and how many more `--unsafe-fixes`.

    As far as that is known without reading a file again: what a file will not let be changed shows when it is tried.
    """
    options = [
        _likely_fix(finding.fix) for finding in findings if finding.suppressed is None and finding.file != "<stdin>"
    ]
    return sum(fix is not None and fix.safe for fix in options), sum(
        fix is not None and not fix.safe for fix in options
    )


def _likely_fix(fix: Fix | None) -> Fix | None:
    """A fix or what to do otherwise, whichever nothing is known to speak against."""
    while fix is not None and (fix.obstacle or any(isinstance(edit.place.origin, Whole) for edit in fix.edits)):
        fix = fix.otherwise
    return fix
