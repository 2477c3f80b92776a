"""What `--with` names: files of a cluster, and those of one cluster at several times."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence

from quotalint.cli.actions import CannotRun
from quotalint.deployed import MAX_SNAPSHOT, Snapshot, snapshot
from quotalint.text.documents import Failure
from quotalint.text.files import content
from quotalint.transcript import note_doubt

_PATTERN = re.compile(r"[*?\[]")
_NUMBERS = re.compile(r"(\d+)")


def given_snapshots(given: Sequence[str]) -> tuple[Snapshot, ...]:
    """What each `[ENV=]FILE` or `[ENV=]PATTERN` shows. What is of one cluster at several times is one, the newest, with
    the others in it: the files of a pattern, and those that say themselves which cluster they are of."""
    single: list[Snapshot] = []
    histories: dict[tuple[str, ...], list[Snapshot]] = {}
    for option in given:
        environment, paths = _named(option)
        for path in paths:
            found = _read(option, environment, path)
            about = found.about
            of = (found.environment, about.cluster, *about.namespaces)
            if about.cluster or len(paths) > 1:
                histories.setdefault(of if about.cluster else (option, found.environment), []).append(found)
            else:
                single.append(found)
    return (*single, *map(_history, histories.values()))


def snapshot_files(given: Sequence[str]) -> Iterator[str]:
    """The paths of all files that are named."""
    for option in given:
        yield from _named(option)[1]


def refuse_unknown(snapshots: Sequence[Snapshot], names: Sequence[str]) -> None:
    """A snapshot of an environment that is none of these would silently be left out."""
    for one in snapshots:
        alone = one.about.environment and list(names) == [""]
        if one.environment not in ("", *names) and not alone:
            known = f"there are {', '.join(names)}" if len(names) > 1 else "there is only one here, without a name"
            given = one.name if one.about.environment else f"{one.environment}={one.name}"
            raise CannotRun(f"--with {given}: there is no environment {one.environment}; {known}")


def _named(option: str) -> tuple[str, tuple[str, ...]]:
    """The environment, if one is given, and the files."""
    environment, equals, path = option.partition("=")
    if not equals or os.path.exists(option):
        environment, path = "", option
    if not _PATTERN.search(path) or os.path.exists(path):
        return environment, (path,)
    note_doubt("a pattern stands for files that come and go")
    found = tuple(sorted(filter(os.path.isfile, glob.glob(path, recursive=True)), key=_in_order))
    if not found:
        raise CannotRun(f"--with {option}: no file is called like this")
    return environment, found


def _in_order(path: str) -> tuple[list[str | tuple[int, str]], ...]:
    """As people number files: `9.yaml` before `10.yaml`."""
    parts = _NUMBERS.split(path)
    return ([part if at % 2 == 0 else f"{int(part):020}" for at, part in enumerate(parts)],)


def _read(option: str, environment: str, path: str) -> Snapshot:
    try:
        data = content(path, MAX_SNAPSHOT) if path else None
    except (OSError, ValueError) as error:
        raise CannotRun(f"--with {option}: {getattr(error, 'strerror', None) or error}") from None
    if data is None:
        raise CannotRun(f"--with {option}: it is no file")
    if len(data) > MAX_SNAPSHOT:
        raise CannotRun(f"--with {option}: it is larger than {MAX_SNAPSHOT >> 20} MiB")
    found = snapshot(data, os.path.relpath(path).replace(os.sep, "/"), environment)
    if isinstance(found, Failure):
        where = f"{path}: " if path not in option else ""
        raise CannotRun(f"--with {option}: {where}line {found.line}: {found.message}")
    return found if environment else found._replace(environment=found.about.environment)


def _history(several: Sequence[Snapshot]) -> Snapshot:
    """The newest, by the times at which they were taken if all of them say so, else by the names of their files."""
    if all(one.about.taken for one in several):
        several = sorted(several, key=lambda one: _moment(one.about.taken))
    else:
        several = sorted(several, key=lambda one: _in_order(one.name))
    return several[-1]._replace(earlier=tuple(several[:-1]))


def _moment(taken: str) -> tuple[float, str]:
    from datetime import datetime, timezone

    try:
        moment = datetime.fromisoformat(taken.replace("Z", "+00:00"))
    except ValueError:
        return 0.0, taken
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp(), taken
