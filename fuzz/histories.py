"""Compares what is said with a cache with what is found out anew, to the byte, over the last commits of a repository.

    python -m fuzz.histories CLONE [--last 100] [--step 1]

CLONE is a clone with history, without blobs that are missing; each step-th commit of its first-parent line is checked
out in a copy of it, one after the other. `check`, `usage` and `diff` against the commit before are asked twice with a
cache that all commits share, and once without: what is printed, the status and the report that `--output` writes have
to be the same. Formats take turns.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import quotalint.cli  # noqa: F401  # once, and not in each process
from quotalint.answering import answer

_FORMATS = {
    "check": ("text", "json", "markdown", "html", "sarif", "github"),
    "usage": ("text", "json", "markdown", "html"),
    "diff": ("text", "json", "markdown", "sarif", "github"),
}
_SETTLED = 0.1  # seconds after which a file that is written again has another time


class Said(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str
    report: bytes
    """What it wrote with `--output`."""


def main() -> int:
    """The exit status: 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--last", type=int, default=100, metavar="N", help="how many commits (default: 100)")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="every N-th of them (default: all)")
    given = parser.parse_args()
    number = differ = 0
    with tempfile.TemporaryDirectory(prefix="quotalint-history-") as folder:
        for about, is_same in compared(given.clone.resolve(), Path(folder), given.last, given.step):
            number += 1
            differ += not is_same
            if not is_same:
                print(f"differs: {about}", flush=True)
    print(f"{number} comparisons, {differ} differ")
    return min(differ, 1)


def compared(clone: Path, folder: Path, last: int, step: int) -> Iterator[tuple[str, bool]]:
    """What was asked, and whether it is the same with the cache and without."""
    subprocess.run(["git", "clone", "-q", "-s", "-n", str(clone), str(folder / "copy")], check=True)
    os.environ["QUOTALINT_CACHE_DIR"] = str(folder / "cache")
    os.chdir(folder / "copy")
    commits = _git("log", "--first-parent", f"-{last * step + 1}", "--format=%H").split()[::step][::-1]
    for place, (before, commit) in enumerate(pairwise(commits)):
        _git("checkout", "-q", "-f", "--detach", commit)
        time.sleep(_SETTLED)
        for command, formats in _FORMATS.items():
            form, written = (formats[(place + more) % len(formats)] for more in (0, 1))
            arguments = [command, "-f", form, "-o", f"{written}={folder / 'report'}"]
            arguments += [before, commit] if command == "diff" else []
            warm = [said_apart(arguments, folder / "report") for _ in range(2)]
            os.environ["QUOTALINT_NO_CACHE"] = "1"
            cold = said_apart(arguments, folder / "report")
            del os.environ["QUOTALINT_NO_CACHE"]
            yield from ((f"{commit} {' '.join(arguments)} ({time})", said == cold) for time, said in enumerate(warm))


def said_apart(arguments: Sequence[str], report: Path) -> Said:
    """What a process of its own says, which remembers nothing but what is in the cache."""
    report.unlink(missing_ok=True)
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_tell, args=(there, arguments, report))
    process.start()
    there.close()
    said: Said = here.recv()
    process.join()
    return said


def _tell(to: Connection, arguments: Sequence[str], report: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = answer(list(arguments))
    to.send(Said(status, out.getvalue(), err.getvalue(), report.read_bytes() if report.exists() else b""))


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, encoding="utf-8", check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
