"""Two states that differ in so little that neither is judged as a whole: they hold the same files, or differ in files
that nobody looked at when the first one was compared in an earlier run, or that reach no further than some namespaces.

What such a run keeps of a state is what a report says of it where nothing changes, which files it read, and what of it
stands by itself (`slices/`). It is kept by all that it follows from: the names and ids of all files, the options, the
paths and quotalint itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from quotalint import transcript
from quotalint.backstop import was_stopped
from quotalint.cache.folder import is_trusted
from quotalint.catalogue import SEVERITIES
from quotalint.cli.actions import Request
from quotalint.cli.decisions import StateSettings
from quotalint.cli.formats import Report
from quotalint.cli.state_keys import StateQuestion, key_by_check, state_key
from quotalint.cli.state_notes import StateNote, doubts_of, findings_text, keep_note, kept_note
from quotalint.cli.states import CheckedState, Run, changes_beside_itself, changes_of_facts, from_anywhere
from quotalint.diff.changes import SAME_FILES, Changes, changes_of_parts
from quotalint.diff.contents import own_file
from quotalint.diff.git import Git, TreeListing
from quotalint.diff.standing import Standing
from quotalint.diff.trees import Side, looking_at
from quotalint.faults import noted_faults
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Result, silent_result
from quotalint.reports.summary import Summary
from quotalint.slices.edits import FileChanges
from quotalint.suppression.baseline import Baseline
from quotalint.text.disk import leads_somewhere
from quotalint.text.files import lies_in
from quotalint.text.guards import MAX_BYTES
from quotalint.text.sources import counts

if TYPE_CHECKING:
    from quotalint.slices.trial import SliceInBoth

UNCOUNTED = frozenset(("text", "markdown", "github", "gitlab", "rdjson"))
"""Formats in which nothing has to be known of two states that hold the same files."""
NOTED_FROM = 200
"""Files of a state of which it is noted what stands by itself; fewer are compared in no time."""
_OF_STANDING = UNCOUNTED | {"json", "sarif"}
"""Formats that say of what has not changed how many quotas and which findings that are, and of which quotas not
everything is in view, at most."""


class Unjudged(NamedTuple):
    """What differs between two states, neither of which was judged as a whole."""

    changes: Changes
    results: tuple[Result, Result]
    """Of the parts of both that were judged."""


class ComparedBy(NamedTuple):
    """What two states are compared by."""

    request: Request
    of: Git
    here: str
    paths: tuple[str, ...]
    by: StateSettings
    accepts_findings: bool
    """A baseline does, of either state."""

    @property
    def formats(self) -> frozenset[str]:
        """Those of the reports."""
        return frozenset(output.format for output in self.request.outputs)

    @property
    def shows_standing(self) -> bool:
        """Whether a report shows what both states have alike, with its lines."""
        return not self.formats <= UNCOUNTED

    @property
    def is_plain(self) -> bool:
        """Whether both states are judged alike, by nothing but what they hold."""
        by, request = self.by, self.request
        renderers = (by.now.renderers.kustomize, by.now.renderers.helm)
        return not (
            request.snapshots
            or request.trust_head_config
            or by.changed
            or by.was != by.now
            # What a program says depends on more than on the files.
            or {"binary", "program"}.intersection(renderers)
        )

    def is_configured_by(self, side: Side) -> bool:
        """Whether the configuration is a file of a state, if there is any: one that lies elsewhere may say something
        else by the next run."""
        file = self.by.now.file
        if not file:
            return True
        way = os.path.relpath(os.path.join(self.here, file), self.of.root).replace(os.sep, "/")
        leaf = side.folder.tree.leaf(side.path_of(way)) if side.folder is not None and way in side.ids else None
        return leaf is not None and leaf.target is None


def unjudged_changes(asked: ComparedBy, first: Side, second: Side) -> Unjudged | None:
    """What differs between two states where that is known without judging either as a whole; None where it is not."""
    if not asked.is_plain or not asked.formats <= _OF_STANDING:
        return None
    changed = _changed_files(first, second)
    if changed is None or not _asked_ways(asked).isdisjoint(changed.came | changed.went):
        return None
    if not any(changed) and asked.formats <= UNCOUNTED:
        return _changes_of_slices(SAME_FILES, [], asked, (first, second))
    if not is_trusted(transcript.folder()):
        return None
    for side in (first, second):
        note = _known_note(asked, side)
        if note is None:
            continue
        touched = changed._replace(contents=note.read & changed.contents)
        if not any(touched):
            return _changes_of_slices(note.standing, [], asked, (first, second), note.several_environments)
        unjudged = _changes_of_namespaces(note, touched, asked, (first, second)) if side is first else None
        if unjudged is not None:
            return unjudged
    return None


def _changes_of_namespaces(
    note: StateNote, touched: FileChanges, asked: ComparedBy, states: tuple[Side, Side]
) -> Unjudged | None:
    """What a change does to the namespaces that the touched files are about; None where they are about more."""
    from quotalint.cli.compared_slices import slices_in_both, slices_of_note
    from quotalint.slices.remaking import remaking_once

    slices = slices_of_note(note, asked.by.now)
    if slices is None:
        return None
    remake = remaking_once()  # what is no answer to the first question is one to the second, or to neither
    pairs = slices_in_both(slices, touched, asked, states[1], remake)
    if pairs is not None:
        changes = _changes_of_slices(note.standing, pairs, asked, states, note.several_environments)
        if changes is not None:
            return changes
    if asked.accepts_findings:
        return None  # of what is found alike in several places, a baseline accepts one
    from quotalint.cli.judged_slices import judged_slices

    try:
        judged = judged_slices(note, slices, touched, asked, states, remake)
    except Exception:  # it is met again, and said, where everything is looked at
        return None
    return None if judged is None else Unjudged(*judged)


def note_state(asked: ComparedBy, of: Run, state: CheckedState, baseline: Baseline | None) -> None:
    """Keep what was found out of a first state, for another run that compares it with something else."""
    noted = transcript.noted_so_far()
    key = _key(asked, state.side) if noted is not None and asked.is_plain else ""
    if noted is None or not key or not state.applied.repository.files:
        return
    if is_trusted(noted.folder) and _known_note(asked, state.side) is not None:
        return
    changes = changes_beside_itself(of, state, baseline)
    fates = changes.findings
    if changes.quotas or any(group for name, group in fates._asdict().items() if name != "unchanged"):
        return
    if noted.doubt or noted_faults() or was_stopped() or any(stream == transcript.STDERR for stream, _ in noted.said):
        return
    doubts = doubts_of(state.state.tables)
    standing = Standing(changes.quotas_checked, len(fates.unchanged), findings_text(fates.unchanged), doubts)
    read = {*_looked_at(state), *(_way(path, state.side) for path in noted.read)}
    slices = _slices_of(state, of)
    keep_note(noted.folder, key, StateNote(standing, frozenset(read), changes.several_environments, slices))


def _slices_of(state: CheckedState, of: Run) -> bytes:
    """What of a state stands by itself."""
    from quotalint.slices.noting import noted_slices

    if state.applied.seen.noted is None:
        return b""
    try:
        with looking_at(state.side, of.here):
            return noted_slices(state.result.environments, state.result.findings, state.applied.seen)
    except Exception:  # what cannot be kept is worked out again
        return b""


def report_of_changes(request: Request, result: Result) -> Report:
    """What reports are made of that say of the second state only what a change brings."""
    numbers = Summary(0, 0, 0, 0, 0, 0, dict.fromkeys(SEVERITIES, 0), 0)
    return Report(result, numbers, tuple, request.quiet, request.verbose, asked=request.asked)


def _changes_of_slices(
    standing: Standing,
    slices: Sequence[SliceInBoth],
    asked: ComparedBy,
    states: tuple[Side, Side],
    several_environments: bool = False,
) -> Unjudged | None:
    """What differs in these slices, and in nothing else."""
    parts = []
    for of in slices:
        part = changes_of_facts(of.before, of.after)
        if part.quotas and not of.sums_are_fine:
            return None  # what is said of a quota may be said otherwise now
        parts.append(part)
    changes = changes_of_parts(parts, standing, several_environments=several_environments)
    old, new = (tuple(of.before for of in slices), tuple(of.after for of in slices))
    first, second = states
    results = (
        from_anywhere(silent_result(old), first, asked.here),
        from_anywhere(silent_result(new), second, asked.here),
    )
    return Unjudged(changes, results)


def _changed_files(first: Side, second: Side) -> FileChanges | None:
    """The ways from the root to the files that differ; None where more than files and what they hold is different."""
    old, new = first.folder, second.folder
    if old is None or new is None or first.left_out != second.left_out or old.lacks_contents or new.lacks_contents:
        return None
    if old is new:
        return FileChanges(frozenset())
    paths = new.tree.changes_since(old.tree)
    if paths is None:
        return None
    groups: dict[str, set[str]] = {"contents": set(), "came": set(), "went": set(), "folders": set()}
    for path in paths:
        was, now = old.tree.leaf(path), new.tree.leaf(path)
        if not all(leaf is None or (leaf.id and leaf.target is None and leaf.size <= MAX_BYTES) for leaf in (was, now)):
            return None
        if was is not None and now is not None and was.is_executable != now.is_executable:
            return None
        group = "contents" if was and now else "came" if now else "went" if was else "folders"
        groups[group].add(_way(path, first))
    changes = FileChanges(**{name: frozenset(ways) for name, ways in groups.items()})
    return changes if changes.is_of_contents or _keeps_links(second) else None


def _keeps_links(second: Side) -> bool:
    """Whether each link is what it was, though files came or went: none leads nowhere since the file is gone that it
    led to, which was read by its own name."""
    assert second.folder is not None
    links = [way for way, leaf in second.folder.tree.listing() if leaf.target is not None]
    if any(way.endswith(".json") for way in links):
        return False  # whether one that leads nowhere is one to data depends on what lies beside it
    with second.laid_out():
        return all(leads_somewhere(second.path_of(way)) for way in links if counts(way.rpartition("/")[2]))


def _asked_ways(asked: ComparedBy) -> frozenset[str]:
    """The ways from the root to what is asked about: a file among it is read, whatever it is called."""
    ways = (os.path.relpath(os.path.join(asked.here, path), asked.of.root) for path in asked.paths)
    return frozenset(way.replace(os.sep, "/") for way in ways)


def _way(path: str, side: Side) -> str:
    """The path from the root of the repository."""
    return path.removeprefix(os.path.join(side.root, "")).replace(os.sep, "/")


def _known_note(asked: ComparedBy, side: Side) -> StateNote | None:
    """What is kept of a state in the folder, which is trusted: by an earlier comparison, or by a check of what that
    state is, if no baseline is there."""
    folder, key = transcript.folder(), _key(asked, side)
    note = kept_note(folder, key) if key else None
    if note is None and key and not asked.accepts_findings:
        note = kept_note(folder, key_by_check(key))
    if note is not None and note.refusing and "json" in asked.formats:
        note = _note_after_itself(note, asked)
        if note is not None:
            keep_note(folder, key, note)
    return note


def _note_after_itself(note: StateNote, asked: ComparedBy) -> StateNote | None:
    """The same, with what is noted of a state that follows on this one. No other report shows that of what has not
    changed, and no finding comes or goes with it."""
    from quotalint.cli.compared_slices import standing_after_itself

    standing = standing_after_itself(note, asked)
    return None if standing is None else note._replace(standing=standing, refusing=())


def _key(asked: ComparedBy, side: Side) -> str:
    """What stands for all that decides what is said of a state; empty where something of it is not known."""
    folder, listing = side.folder, side.listing
    if folder is None or listing is None or folder.lacks_contents:
        return ""
    if folder.has_more_than_git:  # a baseline that lies in the work tree alone
        return ""
    if lies_in(os.path.realpath(transcript.folder()), asked.of.root) or not asked.is_configured_by(side):
        return ""
    tree = listing.id or _unwritten_tree(listing)
    own = own_file(asked.of.own, "config")
    question = StateQuestion(asked.of.root, asked.here, asked.paths, asked.request.options, own, side.left_out)
    return state_key(question, tree, (entry.size for entry in listing.entries))


def _unwritten_tree(listing: TreeListing) -> str:
    """The id of the tree that would be written of it; empty where that is not known."""
    from quotalint.diff.tree_ids import tree_id

    if not all(entry.id for entry in listing.entries):
        return ""
    return tree_id({os.fsencode(entry.path): (entry.mode, entry.id) for entry in listing.entries})


def _looked_at(state: CheckedState) -> Iterator[str]:
    """What was read as a manifest, in an earlier run perhaps."""
    sources_found = state.applied.files_found
    paths = (
        *(source.path for source in sources_found.sources),
        *(template.path for template in sources_found.templates),
    )
    yield from (_way(path, state.side) for path in paths)
