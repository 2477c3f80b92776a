"""The head without added deployers: these may not hide errors that the base proves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.deployed import is_deployer, is_deployer_file
from quotalint.diff.changes import Changes
from quotalint.diff.edited_lines import EditedLines
from quotalint.diff.finding_changes import NO_FINDING_CHANGES, Lasting
from quotalint.diff.lost_objects import LostObjects
from quotalint.diff.state import State
from quotalint.results.finding import Finding


def added_deployers(before: State, after: State, edited: EditedLines) -> list[str]:
    """The new files that say what is deployed; empty if the base already has deployers, because then new ones are as
    good as those."""
    if any(is_deployer(obj) for facts in before.environments for obj in facts.cluster.objects):
        return []
    files = {obj.place.file for facts in after.environments for obj in facts.cluster.objects if is_deployer(obj)}
    return [name for name in edited.new_files() if name in files or is_deployer_file(name)]


def judged_as_before(before: State, after: State, lost: LostObjects, check: Callable[[], State]) -> frozenset[str]:
    """The fingerprints of errors that the head hides: the state `check`, which lacks the added deployers, still has
    them."""
    spaces = {unknown.namespace for unknown in lost.unknowns}
    now = {finding.fingerprint: finding for finding in after.findings}
    errors = list(filter(_is_proof, before.findings))
    guessed = {error.fingerprint for error in errors if error.fingerprint in now and now[error.fingerprint].guesses}
    if not spaces and not guessed:
        return frozenset()
    return frozenset(
        finding.fingerprint
        for finding in filter(_is_proof, check().findings)
        if finding.namespace in spaces or finding.fingerprint in guessed
        if finding.fingerprint not in now or not _is_proof(now[finding.fingerprint])
    )


def with_errors_kept(changes: Changes, hidden: Iterable[str], after: State) -> Changes:
    """The changes with these errors listed as still there, even if they are unchanged, and without new errors that the
    whole head lacks."""
    kept = frozenset(hidden)
    if not kept:
        return changes
    finding_changes = changes.findings
    as_before = [finding for finding in finding_changes.unchanged if finding.fingerprint in kept]
    rest = tuple(finding for finding in finding_changes.unchanged if finding.fingerprint not in kept)
    still = (*finding_changes.still, *(Lasting(finding, finding) for finding in as_before))
    true = kept.union(finding.fingerprint for finding in after.findings)
    new = tuple(
        finding for finding in finding_changes.new if finding.severity != "error" or finding.fingerprint in true
    )
    return changes._replace(findings=finding_changes._replace(new=new, still=still, unchanged=rest))


def errors_beside(changes: Changes, shown: State) -> Changes:
    """The changes of the whole head, reduced to the new errors that the state `shown`, without added deployers,
    lacks."""
    there = {finding.fingerprint for finding in shown.findings}
    new = (of for of in changes.findings.new if of.severity == "error" and of.fingerprint not in there)
    return changes._replace(findings=NO_FINDING_CHANGES._replace(new=tuple(new)))


def _is_proof(finding: Finding) -> bool:
    is_error = finding.severity == "error" and finding.suppressed is None
    return is_error and (bool(finding.counts) or finding.rule.refuses)
