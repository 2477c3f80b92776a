"""One state of a repository, checked in a folder that stands for it: its settings, its findings, its quotas."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from quotalint.catalogue import rule_ids
from quotalint.cli.actions import CannotRun, known_baseline, tell_of_release
from quotalint.cli.printing import tell
from quotalint.deployed import MAX_SNAPSHOT, Snapshot
from quotalint.diff.git import Git
from quotalint.diff.lines import without_lines
from quotalint.diff.state import State
from quotalint.diff.trees import Side, standing_in
from quotalint.pipeline import Result, run
from quotalint.programs import inside
from quotalint.reports.quota_table import quota_tables
from quotalint.settings import NAME, Options, Settings, describe, load
from quotalint.suppression import baseline_file
from quotalint.text.files import content
from quotalint.text.progress import Tell
from quotalint.text.reading import File
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


def settings_of(
    options: Options, paths: Sequence[str], of: Git, first: Side, second: Side, here: str
) -> tuple[Settings, Settings]:
    """Each state goes by its own configuration; the first by that of the second where its own is of no use."""
    if options.config is not None:
        named = os.path.abspath(options.config)
        bring(named, of, first, second, also_ignored=True)
        options = options._replace(config=os.path.relpath(named, here))
    else:
        bring(_above(of.root), of, first, second)
    known = frozenset(rule_ids())
    with standing_in(second.stand_in(here)):
        now = load(paths, options, known, second.top)
    if not isinstance(now, Settings):
        raise CannotRun("\n".join(map(describe, now)))
    tell_of_release(now)
    with standing_in(first.stand_in(here)):
        was = load(paths, options, known, first.top)
    if isinstance(was, Settings):
        return was, now
    for error in was:
        tell(f"quotalint: {first.name}: {describe(error)}")
    tell(f"quotalint: {first.name} is checked with the configuration of {second.name}")
    root, repository = (first.top + path.removeprefix(second.top) for path in (now.root, now.repository))
    return now._replace(root=root, repository=repository), now


def _above(root: str) -> str:
    """The configuration that lies nearest above the repository, and so in no revision; empty where there is none."""
    folder = root
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.isfile(os.path.join(folder, NAME)):
            return os.path.join(folder, NAME)
    return ""


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
    of: Run, side: Side, settings: Settings, progress: Tell, before: Result | None = None, known: Known | None = None
) -> tuple[Result, State]:
    """Everything that is found out of one state; `before` and `known` are of the state that it is compared with."""
    folder = side.stand_in(of.here)

    def told(what: str, done: int = 0, of: int = 0) -> None:
        progress(f"{side.name}: {what}", done, of)

    with standing_in(folder):
        told("looking for manifests")
        found = find([path for path in of.paths if is_there(path, side, of.here)], settings.root, settings.exclude)
        file = baseline_file(None, settings)
        bring(os.path.normpath(os.path.join(of.here, file)), of.of, side, also_ignored=before is not None)
        baseline = known_baseline(file, needed=bool(settings.baseline) and before is not None)
        environments = before.environments if before else ()
        result = run(found, settings, bytes, of.jobs, of.snapshots, baseline, environments, known, told)
        state = State(result.environments, quota_tables(result.environments, without_lines), result.findings)
    return _anywhere(result, folder), state


def readings(of: Result, first: Side, second: Side) -> Known:
    """The files of the second state that the first has too, under whatever name."""
    read: dict[tuple[str, bool], File] = {}
    for file in of.environments[0].repository.files:
        found = _id(file.source, first)
        if found:
            read[found] = file

    def known(source: Source) -> File | None:
        found = _id(source, second)
        file = read.get(found) if found else None
        return None if file is None else file._replace(source=source)

    return known


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
