"""What is known of a state → the namespaces that a change concerns, judged as they were and as they are, where
something else is said of them now."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from quotalint import budget
from quotalint.backstop import watch_shares
from quotalint.checks import checks
from quotalint.cli.standing_beside import findings_beside
from quotalint.cli.state_notes import StateNote, doubts_of
from quotalint.cli.states import from_anywhere, state_of
from quotalint.cli.sure_findings import sure_places
from quotalint.diff.changes import Changes, find_changes
from quotalint.diff.finding_fates import Fates
from quotalint.diff.pairs import with_before
from quotalint.diff.standing import Standing
from quotalint.diff.state import State
from quotalint.diff.trees import Side, looking_at
from quotalint.facts import Facts
from quotalint.finding import Finding
from quotalint.findings import findings
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Result, silent_result
from quotalint.recall import Memory, recalling
from quotalint.rechecks import Rechecks
from quotalint.slices.edits import Edits, FileChanges
from quotalint.slices.joined import (
    JoinedSlices,
    KnownSlices,
    environment_names,
    joined_slices,
    slices_after,
    slices_before,
)
from quotalint.slices.kept import Slices
from quotalint.slices.namespace_surroundings import home_of
from quotalint.slices.remaking import Remake, read_again
from quotalint.slices.slice_facts import (
    is_of_namespace,
    misses_alike,
    protects_alike,
    shows_way,
)
from quotalint.slices.text_notes import lines_of_text
from quotalint.slices.trial import is_cheap
from quotalint.slices.verdict import edits_of, read_noted_files
from quotalint.text.reading import File

if TYPE_CHECKING:
    from quotalint.cli.unchanged import ComparedBy

_MOST = 100
"""Findings of slices; where there are more, some may be left out of what is said."""


class _Judged(NamedTuple):
    """What is known of the slices in one state, and what there is to say of them."""

    known: KnownSlices
    result: Result
    state: State
    lines: Mapping[int, bytes]
    """What stands for where the lines of the files are that a change edits, by their numbers."""


@watch_shares()
def judged_slices(
    note: StateNote,
    slices: Slices,
    file_changes: FileChanges,
    asked: ComparedBy,
    states: tuple[Side, Side],
    remake: Remake,
) -> tuple[Changes, tuple[Result, Result]] | None:
    """What a change to files does, and what is said of the namespaces that it concerns, by the slices of a note; None
    where that rests on more. Raises what keeps it from being found out."""
    first, second = states
    standing_findings: list[dict[str, Any]] = json.loads(note.standing.findings)
    with looking_at(second, asked.here):
        there = file_changes.at(second.path_of)
        may_shift = not asked.shows_standing
        edits = edits_of(slices, sorted(there.contents), there, is_judged=True, may_shift=may_shift)
        second.fetch(map(os.path.abspath, read_again(slices, edits) if edits is not None else ()))
        joined = None if edits is None else joined_slices(slices, edits, _known_speech(standing_findings), remake)
    if edits is None or joined is None:
        return None
    with looking_at(first, asked.here):
        numbers = (*edits.files, *edits.went)
        files = read_noted_files(slices, [os.path.abspath(slices.files.names[number]) for number in numbers])
    if files is None:
        return None
    joined.rebuilding.turn_back(there.contents if there.is_of_contents else None)
    judging = _Judging(note, asked, states, joined, edits, files, standing_findings)
    # Lines are shown of what is told, and of all that is said in JSON.
    touched = edits.users(slices.files).intersection(joined.units)
    if "json" not in asked.formats and touched < joined.units.keys():
        judged = _judged_units(judging, touched)
        if judged is not None:
            return judged
        budget.renew()
    return _judged_units(judging, joined.units.keys())


class _Judging(NamedTuple):
    """What is judged in both states."""

    note: StateNote
    asked: ComparedBy
    states: tuple[Side, Side]
    joined: JoinedSlices
    edits: Edits
    files: Mapping[int, File]
    """Those that are edited or gone, as they were."""
    standing_findings: list[dict[str, Any]]
    """All of the first state, as a report in JSON has them."""


def _judged_units(of: _Judging, units: Collection[int]) -> tuple[Changes, tuple[Result, Result]] | None:
    """What a change does, where the places are known of what is made in these units; None where that does not suffice
    to say so."""
    note, asked, (first, second), joined, edits, files, standing_findings = of
    # Of the one that has no name, nothing says where a finding is true.
    names = tuple(filter(None, environment_names(joined.slices))) if note.several_environments else ()
    with looking_at(first, asked.here):
        first.fetch(os.path.abspath(name) for number in units for name in joined.units[number].files)
        was = _judge_slices(slices_before(joined, tuple(files.values()), units), files, names)
        is_affordable = is_cheap()
        budget.renew()
    if was is None or not is_affordable:
        return None
    with looking_at(second, asked.here):
        after = slices_after(joined, was.known, edits)
        environments = with_before(was.known.environments, after.environments)
        now = _judge_slices(after._replace(environments=environments), edits.files, names)
    if now is None or not is_cheap():
        return None
    in_both = tuple(zip(was.known.environments, now.known.environments, strict=True))
    if not all(protects_alike(*pair) and misses_alike(*pair) for pair in in_both):
        return None
    if not all(_is_judged_alone(state, was, now) for state in (was, now)):
        return None
    if not _is_said_in_order(now, joined.new_namespaces):
        return None
    changes = find_changes(was.state, now.state)
    told_findings = list(_told_findings(changes.findings))
    if len(units) < len(joined.units) and (told_findings or changes.quotas):
        return None
    sure = sure_places(joined, was.known, now.known, standing_findings, was.result.findings)
    file_names = joined.slices.files.names
    moved = frozenset(file_names[number] for number in was.lines if was.lines[number] != now.lines.get(number))
    if asked.shows_standing and not all(map(sure.may_move, moved)):
        return None
    if not all(map(sure.holds, told_findings)):
        return None
    standing = _standing_beside(note.standing, was, now, changes, asked.formats)
    if "json" in asked.formats and standing is not None:
        environments = with_before(was.known.environments, was.known.environments)
        with looking_at(first, asked.here):
            itself = _judge_slices(was.known._replace(environments=environments), {}, names)
        unchanged = changes.findings.unchanged
        findings_left = itself and findings_beside(
            standing_findings, itself.result.findings, unchanged, sure.holds, moved
        )
        if findings_left is None:
            return None
        standing = standing._replace(findings=findings_left, number=standing.number + len(unchanged))
        # They are among those that stand.
        changes = changes._replace(findings=changes.findings._replace(unchanged=()))
    if standing is None:
        return None
    changes = changes._replace(several_environments=note.several_environments, standing=standing)
    return changes, (from_anywhere(was.result, first, asked.here), from_anywhere(now.result, second, asked.here))


def _known_speech(findings_before: Iterable[Mapping[str, Any]]) -> Callable[[str, str], bool]:
    """Whether anything is said of a namespace, by the names of its environment and its own; the findings are as a
    report in JSON has them."""
    spoken_of: set[tuple[str, str]] = set()
    for finding in findings_before:
        obj = finding["object"] or {}
        namespace = obj["name"] if obj.get("kind") == "Namespace" else finding["namespace"]
        spoken_of.update((environment, namespace) for environment in finding["environments"] or ("",))
    return lambda environment, namespace: not spoken_of.isdisjoint(((environment, namespace), ("", namespace)))


def _standing_beside(
    standing: Standing, was: _Judged, now: _Judged, changes: Changes, formats: frozenset[str]
) -> Standing | None:
    """What stands beside these namespaces; None where what a report says of doubts is another."""
    if "sarif" in formats and doubts_of(was.state.tables) != doubts_of(now.state.tables):
        return None
    counted = sum(old is not None for pairs in changes.pairs for old, _ in pairs.tables)
    return standing._replace(quotas=standing.quotas - counted, number=standing.number - len(was.result.findings))


def _judge_slices(known: KnownSlices | None, files: Mapping[int, File], names: tuple[str, ...]) -> _Judged | None:
    """What there is to say of slices; None where that rests on more than they show."""
    # What is said where nothing is limited depends on whether anything is elsewhere.
    if known is None or not all(facts.quotas or facts.limit_ranges or _is_bare(facts) for facts in known.environments):
        return None
    result, memory = silent_result(known.environments), Memory()
    with recalling(memory):
        own_checks = [check for check in checks() if is_of_namespace(check)]
        all_findings, _, _ = findings(known.environments, own_checks, result.locate, result.content, names=names)
        ways = list(memory.lasting("checks", Rechecks).ways())
    if len(all_findings) > _MOST or any(finding.suppressed is not None for finding in all_findings):
        return None
    if not all(shows_way(way, facts) for way in ways for facts in known.environments):
        return None
    lines = {number: lines_of_text(file.source.path) for number, file in files.items()}
    result = result._replace(findings=all_findings)
    return _Judged(known, result, state_of(result), lines)


def _is_judged_alone(state: _Judged, *states: _Judged) -> bool:
    """Whether what is said in a state does not rest on whether anything is limited elsewhere, as it may where in one of
    the states there is nothing of the namespaces: what is of none is judged by that."""
    if not any(_is_bare(facts) for either in states for facts in either.known.environments):
        return True
    return all(finding.object is not None and home_of(finding.object) for finding in state.result.findings)


def _is_said_in_order(state: _Judged, new_namespaces: Collection[str]) -> bool:
    """Whether nothing is said of a new namespace and of others at once, in their order: it is not known where among
    these the new one stands."""
    for finding in state.result.findings:
        namespaces = {namespace for _, namespace, _ in finding.subjects}
        if len(namespaces) > 1 and not namespaces.isdisjoint(new_namespaces):
            return False
    return True


def _is_bare(facts: Facts) -> bool:
    """Whether nothing is in the namespaces: these are new, or there are none any more."""
    return not any(map(home_of, facts.cluster.objects))


def _told_findings(fates: Fates) -> Iterator[Finding]:
    """All of which anything is told."""
    for name, group in fates._asdict().items():
        if name in ("worse", "still"):
            yield from (finding for lasting in group for finding in (lasting.was, lasting.finding))
        elif name != "unchanged":
            yield from group
