"""The files that options name: snapshots for `--with`, and earlier reports for `--history`."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.cli.actions import standard_input
from quotalint.cli.request import CannotRun
from quotalint.joining import join_snapshots
from quotalint.runtime.transcript import note_doubt
from quotalint.snapshots.snapshot import MAX_SNAPSHOT, Snapshot, shown_by
from quotalint.text.documents import Failure
from quotalint.text.files import content
from quotalint.text.lazy_patterns import lazy_pattern

if TYPE_CHECKING:
    from quotalint.reports.earlier import EarlierReport

_PATTERN = lazy_pattern(r"[*?\[]")
_NUMBERS = lazy_pattern(r"(\d+)")


def given_snapshots(options: Sequence[str]) -> tuple[Snapshot, ...]:
    """The snapshots of each `[ENV=]FILE` or `[ENV=]PATTERN`. Snapshots of one cluster at several times become one: the
    newest, which holds the others. They are files of a pattern, or name the same cluster. Raises CannotRun."""
    single: list[Snapshot] = []
    histories: dict[tuple[str, ...], list[Snapshot]] = {}
    for option in options:
        environment, paths = _split_option(option)
        for path in paths:
            for snapshot in _read_snapshots(option, environment, path):
                about = snapshot.about
                of = (snapshot.environment, about.cluster, *about.namespaces)
                if snapshot.is_report or not (about.cluster or len(paths) > 1):
                    single.append(snapshot)
                else:
                    histories.setdefault(of if about.cluster else (option, snapshot.environment), []).append(snapshot)
    return (*single, *map(_history, histories.values()))


def snapshot_files(options: Sequence[str]) -> Iterator[str]:
    """The paths of all these files."""
    for option in options:
        yield from _split_option(option)[1]


def refuse_unknown(snapshots: Sequence[Snapshot], names: Sequence[str], aliases: Mapping[str, str]) -> None:
    """Refuse a snapshot or report of an unknown environment, which would be ignored silently. Raises CannotRun."""
    used = {snapshot.name for snapshot in join_snapshots(snapshots, names, aliases)}
    for snapshot in snapshots:
        if snapshot.is_report and snapshot.name not in used:
            theirs = [other.environment or "one without a name" for other in snapshots if other.name == snapshot.name]
            ours = [name or "one without a name" for name in names]
            raise CannotRun(
                f"--with {snapshot.name}: it has the environments {', '.join(theirs)}, "
                f"and this repository has {', '.join(ours)}; "
                f"`environmentAliases` in .quotalint.yaml, or --with ENV=FILE, says which is which"
            )
        if snapshot.is_report:
            continue
        alone = snapshot.about.environment and list(names) == [""]
        if snapshot.environment not in ("", *names) and not alone:
            choice = f"there are {', '.join(names)}" if len(names) > 1 else "there is only one here, without a name"
            argument = snapshot.name if snapshot.about.environment else f"{snapshot.environment}={snapshot.name}"
            raise CannotRun(f"--with {argument}: there is no environment {snapshot.environment}; {choice}")


def _split_option(option: str) -> tuple[str, tuple[str, ...]]:
    """The environment, if one is given, and the files."""
    environment, equals, path = option.partition("=")
    if not equals or os.path.exists(option):
        environment, path = "", option
    if not _PATTERN.search(path) or os.path.exists(path):
        return environment, (path,)
    note_doubt("a pattern stands for files that come and go")
    files = tuple(sorted(filter(os.path.isfile, glob.glob(path, recursive=True)), key=_in_order))
    if not files:
        raise CannotRun(f"--with {option}: no file matches")
    return environment, files


def _in_order(path: str) -> tuple[list[str | tuple[int, str]], ...]:
    """The order of numbered files: `9.yaml` before `10.yaml`."""
    parts = _NUMBERS.split(path)
    return ([part if at % 2 == 0 else f"{int(part):020}" for at, part in enumerate(parts)],)


def _read_snapshots(option: str, environment: str, path: str) -> tuple[Snapshot, ...]:
    if not path:
        raise CannotRun(f"--with {option}: not a file")
    data = given_file(f"--with {option}", path, MAX_SNAPSHOT)
    snapshots = shown_by(data, os.path.relpath(path).replace(os.sep, "/"), environment)
    if isinstance(snapshots, Failure):
        where = f"{path}: " if path not in option else ""
        raise CannotRun(f"--with {option}: {where}line {snapshots.line}: {snapshots.message}")
    if snapshots[0].is_report:
        return _of_environment(snapshots, environment, option)
    return (
        snapshots
        if environment
        else tuple(snapshot._replace(environment=snapshot.about.environment) for snapshot in snapshots)
    )


def _of_environment(report: tuple[Snapshot, ...], environment: str, option: str) -> tuple[Snapshot, ...]:
    """The part of a report for an environment: the one of that name, or its only one. Raises CannotRun."""
    if not environment:
        return report
    of_name = [snapshot for snapshot in report if snapshot.environment == environment] or (
        report if len(report) == 1 else ()
    )
    if not of_name:
        there = ", ".join(snapshot.environment or "one without a name" for snapshot in report)
        raise CannotRun(f"--with {option}: the report has no environment {environment}; there are {there}")
    return (of_name[0]._replace(environment=environment),)


def _history(snapshots: Sequence[Snapshot]) -> Snapshot:
    """The newest snapshot, by the recorded times if all have one, otherwise by file names."""
    if all(snapshot.about.taken for snapshot in snapshots):
        snapshots = sorted(snapshots, key=lambda snapshot: _moment(snapshot.about.taken))
    else:
        snapshots = sorted(snapshots, key=lambda snapshot: _in_order(snapshot.name))
    return snapshots[-1]._replace(earlier=tuple(snapshots[:-1]))


def _moment(taken: str) -> tuple[float, str]:
    from datetime import datetime, timezone

    try:
        moment = datetime.fromisoformat(taken.replace("Z", "+00:00"))
    except ValueError:
        return 0.0, taken
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp(), taken


def given_file(named: str, path: str, most: int, *, or_stdin: bool = False) -> bytes:
    """The content of a file of at most so many bytes, or of standard input for `-` if the option allows that; `named`
    is the option, such as `--with a.yaml`. Raises CannotRun."""
    try:
        data = standard_input()() if or_stdin and path == "-" else content(path, most)
    except (OSError, ValueError) as error:
        raise CannotRun(f"{named}: {getattr(error, 'strerror', None) or error}") from None
    if data is None:
        raise CannotRun(f"{named}: not a file")
    if len(data) > most:
        raise CannotRun(f"{named}: larger than {most >> 20} MiB")
    return data


_MOST = 64 << 20  # bytes of a report
_REPORTS = 60  # the last ones; a line that is 200 pixels wide shows no more


def earlier_reports(paths: Sequence[str]) -> tuple[EarlierReport, ...]:
    """The reports in the given order, those of a folder by name. Raises CannotRun."""
    files = [file for path in paths for file in _report_files(path)][-_REPORTS:]
    return tuple(_read_report(file) for file in files)


def _report_files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    note_doubt("a folder of reports is looked through")
    file_names = sorted((name for name in os.listdir(path) if name.endswith(".json")), key=_by_number)
    if not file_names:
        raise CannotRun(f"--history {path}: the folder has no .json file")
    yield from (os.path.join(path, name) for name in file_names)


def _by_number(name: str) -> tuple[list[tuple[int, str]], str]:
    """2 before 10."""
    parts = re.findall(r"\d{1,18}|\D+", name)
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts], name


def _read_report(path: str) -> EarlierReport:
    from quotalint.reports.earlier import read_earlier

    data = given_file(f"--history {path}", path, _MOST)
    earlier = read_earlier(os.path.basename(path).removesuffix(".json"), data)
    if isinstance(earlier, str):
        raise CannotRun(f"--history {path}: {earlier}")
    return earlier
