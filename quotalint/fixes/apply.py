"""Applies fixes to files in memory: the result of each fix, and why some are not made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quotalint.fixes.edited_files import write_edit
from quotalint.fixes.file_contents import Content, FileContents, is_json
from quotalint.fixes.fix import Add, Drop, Edit, Fix, FixId, Rename, Replace
from quotalint.fixes.layers import kept_places, where_written
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place


class FixOutcome(NamedTuple):
    """The result of one fix."""

    fix: Fix
    """The fix, or its alternative."""
    reason: str
    """Why nothing is changed; empty if something is."""
    files: tuple[tuple[str, bytes, bytes], ...] = ()
    """Each changed file with its bytes before and after."""


class Plan(NamedTuple):
    """The result of several fixes together."""

    done: tuple[FixOutcome, ...]
    """The outcome of each fix, in order."""
    files: tuple[tuple[str, bytes, bytes], ...]
    """Each changed file with its current and new bytes."""


Refusal = Callable[[str], str]
"""Returns why a file must not be changed, by its name; empty if it may be."""


def plan_fixes(fixes: Sequence[Fix], content: Content, refusal: Refusal = lambda name: "") -> Plan:
    """The result of applying the fixes one after another."""
    return _plan_together(fixes, content, refusal)[0]


def apply_each(fixes: Sequence[Fix], content: Content, refusal: Refusal) -> tuple[FixOutcome, ...]:
    """The result of each fix applied alone."""
    from functools import cache

    content = cache(content)
    prepared = _plan_together(fixes, content, refusal)[1]
    return tuple(_apply_fix(fix, prepared, FileContents(content), set(), refusal) for fix in fixes)


class _Prepared(NamedTuple):
    """The data for all fixes, collected before the first is made."""

    refused: dict[FixId, str]
    """Why a fix cannot be made, by the identity of the fix."""
    edits: dict[FixId, tuple[Edit, ...]]
    """The edits of each fix at the places where values are written."""
    wanted: dict[str, list[Edit]]
    """The edits by file."""
    blocked: set[Place]


def _plan_together(fixes: Sequence[Fix], content: Content, refusal: Refusal) -> tuple[Plan, _Prepared]:
    """The result of the fixes, and the prepared data. If a fix fails, no other fix may change the text that it shares:
    all fixes are then made again without those."""
    prepared = _prepare_fixes(fixes, FileContents(content))
    while True:
        files, edits_made = FileContents(content), set[str]()
        done = tuple(_apply_fix(fix, prepared, files, edits_made, refusal) for fix in fixes)
        changed = {
            edit.place for outcome in done if not outcome.reason for edit in prepared.edits[outcome.fix.identity]
        }
        failed = [
            (place, outcome)
            for fix, outcome in zip(fixes, done, strict=True)
            if outcome.reason
            for place in kept_places(fix)
            if place in changed
        ]
        if not failed:
            return Plan(done, files.changed_files()), prepared
        refused = prepared.refused | {outcome.fix.identity: outcome.reason for _, outcome in failed}
        prepared = prepared._replace(refused=refused, blocked=prepared.blocked.union(place for place, _ in failed))


def _prepare_fixes(fixes: Sequence[Fix], files: FileContents) -> _Prepared:
    expanded = {option.identity: where_written(option, files) for fix in fixes for option in _fix_options(fix)}
    edits = {key: option_edits for key, option_edits in expanded.items() if not isinstance(option_edits, str)}
    agreed = _agreed_edits([edit for fix_edits in edits.values() for edit in fix_edits])
    edits = {
        key: tuple(agreed.get(_edit_subject(edit), edit) for edit in option_edits)
        for key, option_edits in edits.items()
    }
    wanted = _by_file(edit for fix_edits in edits.values() for edit in fix_edits)
    blocked = {place for fix in fixes if fix.identity not in edits for place in kept_places(fix)}
    return _Prepared(
        {key: option_edits for key, option_edits in expanded.items() if isinstance(option_edits, str)},
        edits,
        wanted,
        blocked,
    )


def _apply_fix(
    fix: Fix, prepared: _Prepared, files: FileContents, edits_made: set[str], refusal: Refusal
) -> FixOutcome:
    outcomes = []
    for option in _fix_options(fix):
        reason = prepared.refused.get(option.identity, "")
        outcomes.append(
            FixOutcome(option, reason) if reason else _apply_option(option, prepared, files, edits_made, refusal)
        )
        if not outcomes[-1].reason:
            return outcomes[-1]
    return outcomes[0]


def _fix_options(fix: Fix) -> Iterator[Fix]:
    """A fix and its alternatives, the best first."""
    option: Fix | None = fix
    while option is not None:
        yield option
        option = option.otherwise


def _agreed_edits(edits: Iterable[Edit]) -> dict[tuple[bool, Place], Edit]:
    """One edit for each place with several: the largest of several values; and renaming wins over dropping an entry,
    because another object needs it."""
    first_edits: dict[tuple[bool, Place], Edit] = {}
    for edit in edits:
        other = first_edits.get(_edit_subject(edit))
        if _edit_weight(edit) > (_edit_weight(other) if other else 0):
            first_edits[_edit_subject(edit)] = edit
    return first_edits


def _edit_subject(edit: Edit) -> tuple[bool, Place]:
    """The entry, and whether the edit concerns the entry or its value."""
    return isinstance(edit, (Rename, Drop)), edit.place.at(edit.key) if isinstance(edit, Add) else edit.place


def _edit_weight(edit: Edit) -> int:
    return edit.size if isinstance(edit, (Replace, Add)) else int(isinstance(edit, Rename))


def _by_file(edits: Iterable[Edit]) -> dict[str, list[Edit]]:
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.place.source, []).append(edit)
    return by_file


def _apply_option(
    fix: Fix, prepared: _Prepared, files: FileContents, edits_made: set[str], refusal: Refusal
) -> FixOutcome:
    """Applies a fix completely or not at all. `edits_made` collects the edits that are made, including those of shared
    text."""
    edits = prepared.edits[fix.identity]
    if any(edit.place in prepared.blocked for edit in edits):
        return FixOutcome(fix, "another object that it belongs to cannot be changed along with it")
    new: dict[str, bytes] = {}
    edits_included: list[Edit] = []
    for edit in edits:
        name = edit.place.source
        if repr(edit) in edits_made or edit in edits_included:
            continue
        reason = refusal(name)
        if reason:
            return FixOutcome(fix, f"{name}: {reason}")
        outcome = write_edit(new.get(name) or files.data(name), edit, prepared.wanted[name], json=is_json(name))
        if isinstance(outcome, str):
            return FixOutcome(fix, outcome)
        new[name] = outcome.data
        edits_included += (edit, *outcome.also)
    edits_made.update(map(repr, edits_included))
    before = {name: files.data(name) for name in new}
    for name, data in new.items():
        files.write(name, data)
    return FixOutcome(fix, "", tuple((name, before[name], data) for name, data in new.items()))
