"""What `--with` names: files of a cluster, and those of one cluster at several times."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence

from quotalint.cli.actions import CannotRun
from quotalint.cli.given_files import given_file
from quotalint.deployed import MAX_SNAPSHOT, Snapshot, shown_by
from quotalint.joining import joined
from quotalint.text.documents import Failure
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
            for found in _read(option, environment, path):
                about = found.about
                of = (found.environment, about.cluster, *about.namespaces)
                if found.is_report or not (about.cluster or len(paths) > 1):
                    single.append(found)
                else:
                    histories.setdefault(of if about.cluster else (option, found.environment), []).append(found)
    return (*single, *map(_history, histories.values()))


def snapshot_files(given: Sequence[str]) -> Iterator[str]:
    """The paths of all files that are named."""
    for option in given:
        yield from _named(option)[1]


def refuse_unknown(snapshots: Sequence[Snapshot], names: Sequence[str], aliases: Mapping[str, str]) -> None:
    """A snapshot of an environment that is none of these would silently be left out, and so would a report."""
    used = {one.name for one in joined(snapshots, names, aliases)}
    for one in snapshots:
        if one.is_report and one.name not in used:
            theirs = [other.environment or "one without a name" for other in snapshots if other.name == one.name]
            ours = [name or "one without a name" for name in names]
            raise CannotRun(
                f"--with {one.name}: its environments are {', '.join(theirs)}, and here are {', '.join(ours)}; "
                f"`environmentAliases` in .quotalint.yaml, or --with ENV=FILE, says which is which"
            )
        if one.is_report:
            continue
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


def _read(option: str, environment: str, path: str) -> tuple[Snapshot, ...]:
    if not path:
        raise CannotRun(f"--with {option}: it is not a file")
    data = given_file(f"--with {option}", path, MAX_SNAPSHOT)
    found = shown_by(data, os.path.relpath(path).replace(os.sep, "/"), environment)
    if isinstance(found, Failure):
        where = f"{path}: " if path not in option else ""
        raise CannotRun(f"--with {option}: {where}line {found.line}: {found.message}")
    if found[0].is_report:
        return _chosen(found, environment, option)
    return found if environment else tuple(one._replace(environment=one.about.environment) for one in found)


def _chosen(report: tuple[Snapshot, ...], environment: str, option: str) -> tuple[Snapshot, ...]:
    """Of a report, what it says of the environment that is given: the one of that name, or its only one."""
    if not environment:
        return report
    of_name = [one for one in report if one.environment == environment] or (report if len(report) == 1 else ())
    if not of_name:
        there = ", ".join(one.environment or "one without a name" for one in report)
        raise CannotRun(f"--with {option}: the report has no environment {environment}; there are {there}")
    return (of_name[0]._replace(environment=environment),)


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
