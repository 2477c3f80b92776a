"""Checks one state of a repository in a folder of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from quotalint.accounts.quota_table import quota_tables, without_lines
from quotalint.deployed import expect_changes, holds_objects
from quotalint.diff.git import Git
from quotalint.diff.state import State
from quotalint.diff.trees import Side, looking_at
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Gathered, Result, gathered, judged
from quotalint.programs import inside
from quotalint.runtime.recall import Memory, recalling
from quotalint.settings import Settings
from quotalint.snapshots.snapshot import MAX_SNAPSHOT, Snapshot
from quotalint.suppression.baseline import Baseline
from quotalint.suppression.trust import Trust
from quotalint.text import disk
from quotalint.text.files import content
from quotalint.text.progress import Tell
from quotalint.text.reading import File, Learning
from quotalint.text.sources import Found, Source, find

_Given = TypeVar("_Given")
_T = TypeVar("_T")


class Run(NamedTuple):
    """The values that both states share."""

    of: Git
    here: str
    """The real path of the working directory."""
    paths: tuple[str, ...]
    """The paths from there."""
    jobs: int
    snapshots: tuple[Snapshot, ...]
    memory: Memory
    """What was computed for the base, for reuse in the head."""


def bring(path: str, of: Git, *to: Side, also_ignored: bool = False) -> None:
    """Copy a file that no revision has to its expected place. An unreadable file is missing there, and its reader
    reports that."""
    if not path or (inside(path, of.root) and not also_ignored):
        return
    for side in to:
        at = side.stand_in(path)
        with suppress(OSError, ValueError), side.laid_out():
            # The folders of a revision may be links to anywhere.
            if disk.is_there(at) or disk.real_path(os.path.dirname(at)) != os.path.dirname(at):
                continue
            data = content(path, MAX_SNAPSHOT)
            if data is not None and len(data) <= MAX_SNAPSHOT:
                side.put_file(at, data)


class CheckedState(NamedTuple):
    """The result of one state."""

    side: Side
    settings: Settings
    applied: Gathered
    result: Result
    state: State


def check_state(
    of: Run,
    side: Side,
    settings: Settings,
    progress: Tell,
    baseline: Baseline | None,
    before: CheckedState | None = None,
    trust: Trust | None = None,
) -> CheckedState:
    """The result of a state; `before` is the base. If both are the same, nothing is applied twice."""

    def tell_of_state(what: str, done: int = 0, of: int = 0) -> None:
        progress(f"{side.name}: {what}", done, of)

    with looking_at(side, of.here), recalling(of.memory):
        if before is not None and before.side.folder is side.folder and before.settings == settings:
            applied = before.applied
        else:
            memory = _Known(side, before)
            applied = _applied_state(of, side, settings, tell_of_state, memory, before)
        environments = before.result.environments if before else ()
        result = judged(applied, baseline, environments, tell_of_state, trust)
        state = State(result.environments, quota_tables(result.environments, without_lines), result.findings)
    return CheckedState(side, settings, applied, from_anywhere(result, side, of.here), state)


def _applied_state(
    of: Run, side: Side, settings: Settings, tell: Tell, memory: _Known, before: CheckedState | None
) -> Gathered:
    tell("looking for manifests")
    paths = [path for path in of.paths if side.holds_path(path, of.here)]
    # Whatever git tracks may be deployed: .gitignore says nothing of it.
    files_found = _found_before(before, side, settings) or find(paths, settings.root, settings.exclude, ignoring=False)
    memory.prepare(files_found)
    if before is not None and before.side.folder is not None and side.folder is not None:
        changed = side.folder.tree.changes_since(before.side.folder.tree)
        if changed is not None:
            expect_changes(of.memory, changed)
    return gathered(files_found, settings, bytes, of.jobs, of.snapshots, memory, tell)


def _found_before(before: CheckedState | None, side: Side, settings: Settings) -> Found | None:
    """The files of the base, as the same value, if this state differs only in the contents of files that are read as
    manifests."""
    if before is None or before.side.folder is None or side.folder is None or before.settings != settings:
        return None
    if not side.folder.tree.looks_like(before.side.folder.tree):
        return None
    read = {file.source.path for file in before.applied.repository.files}
    changed = (way for way, content_id in side.ids.items() if before.side.ids.get(way) != content_id)
    return before.applied.files_found if all(side.path_of(way) in read for way in changed) else None


class _Known(Learning):
    """The known files of a state: those that the base has too, under any name."""

    def __init__(self, side: Side, before: CheckedState | None) -> None:
        self._side = side
        self._read: dict[tuple[str, bool], File] = {}
        self._here: dict[Source, tuple[str, File]] = {}
        """The digests of files that are unchanged on disk, by file and id of the content."""
        for file in before.applied.repository.files if before else ():
            content_id = before.side.id_at(file.source.path) if before else ""
            if content_id:
                self._read[content_id, _is_json(file.source)] = file
                self._here[file.source] = content_id, file

    def prepare(self, files_found: Found) -> None:
        """Load the files that will be read."""
        unread = (source.path for source in files_found.sources if not self._is_read(source))
        self._side.fetch((*unread, *(template.path for template in files_found.templates)))

    def __call__(self, source: Source) -> File | None:
        content_id = self._side.id_at(source.path)
        if not content_id:
            return None
        earlier_id, earlier = self._here.get(source, ("", None))
        if earlier_id == content_id:
            return earlier  # and what was made of it holds
        file = self._read.get((content_id, _is_json(source)))
        return None if file is None else self._as_it_was(file._replace(source=source))

    def learn(self, file: File) -> File:
        return self._as_it_was(file)

    def _as_it_was(self, file: File) -> File:
        """Files that held objects before are expected to hold some, even if they cannot be read now."""
        if not file.reading.failures or file.claims:
            return file
        _, earlier = self._here.get(file.source, ("", None))
        return file._replace(claims=True) if earlier is not None and holds_objects(earlier) else file

    def _is_read(self, source: Source) -> bool:
        return (self._side.id_at(source.path), _is_json(source)) in self._read


def _is_json(source: Source) -> bool:
    # A file that is called JSON is read as nothing else.
    return source.name.lower().endswith(".json")


def from_anywhere(result: Result, side: Side, here: str) -> Result:
    """The result, usable from any working directory."""

    def ask_there(what: Callable[[_Given], _T], argument: _Given) -> _T:
        with looking_at(side, here):
            return what(argument)

    return result._replace(content=partial(ask_there, result.content), locate=partial(ask_there, result.locate))
