"""`--history`: the reports of earlier runs, out of files and folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from quotalint.cli.actions import CannotRun
from quotalint.cli.given_files import given_file
from quotalint.reports.earlier import EarlierReport, read_earlier
from quotalint.transcript import note_doubt

_MOST = 64 << 20  # bytes of a report
_REPORTS = 60  # the last ones; a line that is 200 pixels wide shows no more


def earlier_reports(paths: Sequence[str]) -> tuple[EarlierReport, ...]:
    """The reports in the order that they are given in, those of a folder by name; raises CannotRun for what is none."""
    files = [file for path in paths for file in _report_files(path)][-_REPORTS:]
    return tuple(_read_report(file) for file in files)


def _report_files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield path
        return
    note_doubt("a folder of reports is looked through")
    file_names = sorted((name for name in os.listdir(path) if name.endswith(".json")), key=_by_number)
    if not file_names:
        raise CannotRun(f"--history {path}: there is no .json file in it")
    yield from (os.path.join(path, name) for name in file_names)


def _by_number(name: str) -> tuple[list[tuple[int, str]], str]:
    """2 before 10."""
    parts = re.findall(r"\d{1,18}|\D+", name)
    return [(int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts], name


def _read_report(path: str) -> EarlierReport:
    data = given_file(f"--history {path}", path, _MOST)
    earlier = read_earlier(os.path.basename(path).removesuffix(".json"), data)
    if isinstance(earlier, str):
        raise CannotRun(f"--history {path}: {earlier}")
    return earlier
