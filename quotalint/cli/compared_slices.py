"""What is known of a state → the namespaces that a change concerns, compared by themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quotalint.cli.state_notes import StateNote
from quotalint.cli.states import changes_of_facts
from quotalint.diff.pairs import with_before
from quotalint.diff.standing import Standing
from quotalint.diff.trees import Side, looking_at
from quotalint.facts import Facts
from quotalint.reports.json import note_json
from quotalint.settings import Settings
from quotalint.slices.edits import FileChanges
from quotalint.slices.kept import Slices, unpack_slices
from quotalint.slices.remaking import Remake, read_again
from quotalint.slices.trial import OtherNotes, SliceInBoth, changed_slices, slices_after_themselves
from quotalint.slices.verdict import edits_of

if TYPE_CHECKING:
    from quotalint.cli.unchanged import ComparedBy


def slices_in_both(
    slices: Slices, changes: FileChanges, asked: ComparedBy, second: Side, remake: Remake
) -> list[SliceInBoth] | None:
    """What is known of the slices in which files are that came, went or hold something else; None where these reach
    further."""
    try:
        with looking_at(second, asked.here):
            there = changes.at(second.path_of)
            edits = edits_of(slices, sorted(there.contents), there, may_shift=not asked.shows_standing)
            # What of a quota is another is shown with its line, which is not known of all of them here.
            if edits is None or any(file.limiting for file in (*edits.files.values(), *edits.came.values())):
                return None
            second.fetch(map(os.path.abspath, read_again(slices, edits)))
            return changed_slices(slices, edits, _facts_after, remake)
    except Exception:  # it is met again, and said, where everything is looked at
        return None


def standing_after_itself(note: StateNote, asked: ComparedBy) -> Standing | None:
    """What a report says of a state that follows on itself, where something is refused in it: what is there already
    keeps its place, and that is noted. None where more than that is another, or where that cannot be said."""
    slices = slices_of_note(note, asked.by.now)
    if slices is None:
        return None
    try:
        after_themselves = slices_after_themselves(slices, note.refusing, _facts_after)
        if after_themselves is None:
            return None
        if any(changes_of_facts(of.facts, of.following).quotas for of in after_themselves):
            return None
        findings = _with_notes(json.loads(note.standing.findings), [n for of in after_themselves for n in of.notes])
    except Exception:  # it is met again, and said, where everything is looked at
        return None
    return None if findings is None else note.standing._replace(findings=json.dumps(findings, ensure_ascii=False))


def _with_notes(findings: Sequence[dict[str, Any]], others: Sequence[OtherNotes]) -> list[dict[str, Any]] | None:
    """Findings, as a report in JSON has them, with other notes; None where it is not clear which of them has which."""
    by_fingerprint = {other.fingerprint: other for other in others}
    concerned = [finding["fingerprint"] for finding in findings if finding["fingerprint"] in by_fingerprint]
    if not len(set(concerned)) == len(concerned) == len(others):
        return None
    noted = []
    for finding in findings:
        other = by_fingerprint.get(finding["fingerprint"])
        if other is not None:
            was, now = (list(map(note_json, notes)) for notes in (other.notes, other.following))
            others_notes = finding["notes"][len(was) :]
            # What is said of several environments at once has the notes of the first, and one that says so.
            if finding["notes"] != [*was, *others_notes] or len(finding["environments"]) > 1:
                return None
            noted.append({**finding, "notes": [*now, *others_notes]})
        else:
            noted.append(finding)
    return noted


def slices_of_note(note: StateNote, settings: Settings) -> Slices | None:
    """Those of a note, which `settings` are for: where their files are is another place for each state. None where
    there are none, or nobody can read them."""
    try:
        return unpack_slices(note.slices)._replace(settings=settings) if note.slices else None
    except (EOFError, TypeError, ValueError):
        return None


def _facts_after(before: Facts, after: Facts) -> Facts:
    return with_before((before,), (after,))[0]
