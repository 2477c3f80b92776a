"""What is known of a state → the namespaces that a change concerns, judged as they were and as they are, where
something else is said of them now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from quotalint import budget
from quotalint.backstop import watch_shares
from quotalint.checks import checks
from quotalint.cli.compared_slices import slices_of_note
from quotalint.cli.state_notes import StateNote
from quotalint.cli.states import from_anywhere, state_of
from quotalint.diff.changes import Changes, find_changes
from quotalint.diff.finding_fates import Fates
from quotalint.diff.pairs import with_before
from quotalint.diff.trees import Side, looking_at
from quotalint.facts import Facts
from quotalint.finding import Finding
from quotalint.findings import findings
from quotalint.pipeline import Result, silent_result
from quotalint.recall import Memory, recalling
from quotalint.rechecks import Rechecks
from quotalint.slices.joined import environment_names, joined_slices, slices_after, slices_before
from quotalint.slices.outline import is_local_kind
from quotalint.slices.slice_facts import is_of_namespace, shows_way
from quotalint.slices.told_lines import repaired_places
from quotalint.slices.trial import is_cheap
from quotalint.slices.verdict import edited_files, read_noted_files

if TYPE_CHECKING:
    from quotalint.cli.unchanged import ComparedBy

_MOST = 100
"""Findings of slices; where there are more, some may be left out of what is said."""


def judged_slices(
    note: StateNote, touched: Iterable[str], asked: ComparedBy, states: tuple[Side, Side]
) -> tuple[Changes, tuple[Result, Result]] | None:
    """What a change does, of which files hold something else, and what is said of the namespaces that it concerns; None
    where that rests on more, or where it cannot be said."""
    if not note.slices:
        return None
    try:
        with watch_shares():
            return _judged_slices(note, sorted(touched), asked, states)
    except Exception:  # it is met again, and said, where everything is looked at
        return None


def _judged_slices(
    note: StateNote, touched: list[str], asked: ComparedBy, states: tuple[Side, Side]
) -> tuple[Changes, tuple[Result, Result]] | None:
    slices, (first, second) = slices_of_note(note, asked.by.now), states
    names = environment_names(slices) if note.several_environments else ()
    paths = [[side.path_of(way) for way in touched] for side in states]
    with looking_at(second, asked.here):
        edited = edited_files(slices, paths[1], is_judged=True)
        joined = None if edited is None else joined_slices(slices, edited)
    if edited is None or joined is None:
        return None
    with looking_at(first, asked.here):
        earlier = read_noted_files(slices, paths[0])
        before = None if earlier is None else slices_before(joined, tuple(map(earlier.__getitem__, edited)))
        was = None if before is None else _judged(before.environments, names)
    if before is None or was is None:
        return None
    if not is_cheap():
        return None
    budget.renew()
    with looking_at(second, asked.here):
        after = slices_after(joined, tuple(edited.values()))
        now = None if after is None else _judged(with_before(before.environments, after.environments), names)
    if after is None or now is None or not is_cheap():
        return None
    # What is written in the files that changed is said of these namespaces alone.
    if not before.whole.issuperset(slices.files.names[number] for number in edited):
        return None
    changes = find_changes(state_of(was), state_of(now))
    whole, inexact = before.whole & after.whole, before.inexact | after.inexact
    for finding in _told_findings(changes.findings):
        if finding.object is None or not is_local_kind(finding.object.body, deploys=slices.deploys):
            return None
        # Nothing elsewhere is said, or repaired, in the same place.
        if not whole.issuperset((finding.file, *(place.file for place in repaired_places(finding.fix)))):
            return None
        if not inexact.isdisjoint((finding.file, *(related.file for related in finding.related))):
            return None
    counted = sum(new is not None for pairs in changes.pairs for _, new in pairs.tables)
    standing = note.standing._replace(
        quotas=note.standing.quotas - counted, number=note.standing.number - len(was.findings)
    )
    changes = changes._replace(several_environments=note.several_environments, standing=standing)
    return changes, (from_anywhere(was, first, asked.here), from_anywhere(now, second, asked.here))


def _judged(environments: tuple[Facts, ...], names: tuple[str, ...]) -> Result | None:
    """What there is to say of slices; None where that rests on more than they show."""
    if not all(facts.quotas or facts.limit_ranges for facts in environments):
        return None  # what is said where nothing is limited depends on whether anything is elsewhere
    result, memory = silent_result(environments), Memory()
    with recalling(memory):
        own_checks = [check for check in checks() if is_of_namespace(check)]
        all_findings, _, _ = findings(environments, own_checks, result.locate, result.content, names=names)
        ways = list(memory.lasting("checks", Rechecks).ways())
    if len(all_findings) > _MOST or any(finding.suppressed is not None for finding in all_findings):
        return None
    if not all(shows_way(way, facts) for way in ways for facts in environments):
        return None
    return result._replace(findings=all_findings)


def _told_findings(fates: Fates) -> Iterator[Finding]:
    """All of which anything is told."""
    for name, group in fates._asdict().items():
        if name in ("worse", "still"):
            yield from (finding for lasting in group for finding in (lasting.was, lasting.finding))
        elif name != "unchanged":
            yield from group
