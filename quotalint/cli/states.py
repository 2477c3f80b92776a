"""One state of a repository, checked in a folder that stands for it: its findings, its quotas."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from quotalint.deployed import MAX_SNAPSHOT, Snapshot
from quotalint.diff.git import Git
from quotalint.diff.lines import without_lines
from quotalint.diff.state import State
from quotalint.diff.trees import Side, standing_in
from quotalint.pipeline import Result, run
from quotalint.programs import inside
from quotalint.reports.quota_table import quota_tables
from quotalint.settings import Settings
from quotalint.suppression.baseline import Baseline
from quotalint.suppression.trust import Trust
from quotalint.text.files import content
from quotalint.text.progress import Tell
from quotalint.text.reading import File, Learning
from quotalint.text.sources import Source, find

_Given = TypeVar("_Given")
_T = TypeVar("_T")
Known = Callable[[Source], File | None]


class Run(NamedTuple):
    """What is the same for both states."""

    of: Git
    here: str
    """The real path of the working directory."""
    paths: tuple[str, ...]
    """From there."""
    jobs: int
    snapshots: tuple[Snapshot, ...]


def bring(path: str, of: Git, *to: Side, also_ignored: bool = False) -> None:
    """Copy a file that is in no revision to where it will be looked for. What cannot be read is not there, and whoever
    needs it will say so."""
    if not path or (inside(path, of.root) and not also_ignored):
        return
    for side in to:
        at = side.stand_in(path)
        # The folders of a revision may be links to anywhere.
        if os.path.lexists(at) or os.path.realpath(os.path.dirname(at)) != os.path.dirname(at):
            continue
        try:
            data = content(path, MAX_SNAPSHOT)
            if data is not None and len(data) <= MAX_SNAPSHOT:
                os.makedirs(os.path.dirname(at), exist_ok=True)
                with open(at, "xb") as file:
                    file.write(data)
        except (OSError, ValueError):
            continue


def is_there(path: str, side: Side, here: str) -> bool:
    """Whether a state has a path, which must not lead out of it."""
    at = os.path.normpath(os.path.join(side.stand_in(here), path))
    return os.path.lexists(at) and (not os.path.exists(at) or inside(at, side.root))


def checked(
    of: Run,
    side: Side,
    settings: Settings,
    progress: Tell,
    baseline: Baseline | None = None,
    before: Result | None = None,
    known: Known | None = None,
    trust: Trust | None = None,
) -> tuple[Result, State]:
    """Everything that is found out of one state; `before` and `known` are of the state that it is compared with."""
    folder = side.stand_in(of.here)

    def told(what: str, done: int = 0, of: int = 0) -> None:
        progress(f"{side.name}: {what}", done, of)

    with standing_in(folder):
        told("looking for manifests")
        paths = [path for path in of.paths if is_there(path, side, of.here)]
        # Whatever git tracks may be deployed: .gitignore says nothing of it.
        found = find(paths, settings.root, settings.exclude, ignoring=False)
        environments = before.environments if before else ()
        result = run(found, settings, bytes, of.jobs, of.snapshots, baseline, environments, known, told, trust)
        state = State(result.environments, quota_tables(result.environments, without_lines), result.findings)
    return _anywhere(result, folder), state


def readings(of: Result, first: Side, second: Side, otherwise: Learning | None) -> Known:
    """The files of the second state that the first has too, under whatever name, and others that are known."""
    read: dict[tuple[str, bool], File] = {}
    for file in of.environments[0].repository.files:
        found = _id(file.source, first)
        if found:
            read[found] = file

    return _Readings(read, second, otherwise)


class _Readings(Learning):
    """What is known of the files of the second state."""

    def __init__(self, read: Mapping[tuple[str, bool], File], side: Side, otherwise: Learning | None) -> None:
        self._read = read
        self._side = side
        self._otherwise = otherwise

    def __call__(self, source: Source) -> File | None:
        found = _id(source, self._side)
        file = self._read.get(found) if found else None
        if file is not None:
            return file._replace(source=source)
        return self._otherwise(source) if self._otherwise is not None else None

    def learn(self, file: File) -> None:
        if self._otherwise is not None:
            self._otherwise.learn(file)


def _id(source: Source, side: Side) -> tuple[str, bool] | None:
    # A file that is called JSON is read as nothing else.
    found = side.ids.get(source.path.removeprefix(os.path.join(side.root, "")).replace(os.sep, "/"))
    return (found, source.name.lower().endswith(".json")) if found else None


def _anywhere(result: Result, folder: str) -> Result:
    """The result, to be asked for more from any working directory."""

    def asked(what: Callable[[_Given], _T], given: _Given) -> _T:
        with standing_in(folder):
            return what(given)

    return result._replace(content=partial(asked, result.content), locate=partial(asked, result.locate))
