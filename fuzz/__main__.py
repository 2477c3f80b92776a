"""`python -m fuzz`: mutates small repositories, runs quotalint on them through every command and format, and judges.

    python -m fuzz --log fuzz.jsonl --cpu-hours 6      until the log holds so many; the same command continues it
    python -m fuzz --seconds 3600 --log fuzz.jsonl     until then; a line each minute and for each crash
    python -m fuzz --executions 200 --seed 1           as CI does
    python -m fuzz --again FOLDER                      what was kept of a crash, with its traceback

It runs on a copy of a commit, HEAD unless `--commit` names another, so that nothing that is edited meanwhile counts as
a crash; what is not committed is not fuzzed. `--here` runs on the files as they are, as `--again` does.

Every other execution is a case of `fuzz.confusion`, in their order. A log that exists is continued with its next seed.
The last line of each seed says what that piece took: executions, crashes, and for each command its seconds of processor
time, with those of child processes that have ended.

What made it crash is kept in `--keep`, one folder each: `repo/`, `arguments`, `reason`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fuzz.copying import copy_of, run_copy
from fuzz.running import Runner, again, kept

_EVERY = 60.0  # seconds between lines of the log


def main() -> int:
    """The exit status: 1 where anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--executions", type=int, default=sys.maxsize)
    parser.add_argument("--cpu-hours", type=float, default=float("inf"), help="of all pieces in the log together")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-crashes"))
    parser.add_argument("--again", type=Path)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--here", action="store_true")
    given = parser.parse_args()
    if given.again:
        return again(given.again)
    pieces = _pieces(given.log)
    if given.seed is None:
        given.seed = max(pieces) + 1 if pieces else int(time.time())
    status = _fuzz(given, [*pieces.values()]) if given.here else _fuzz_copy(given)
    if given.log and not given.here:
        _tell_total(given.log)
    return status


def _fuzz_copy(given: argparse.Namespace) -> int:
    names = ("seed", "executions", "seconds", "cpu_hours")
    arguments = ["--here", *(f"--{name.replace('_', '-')}={getattr(given, name)}" for name in names)]
    arguments.append(f"--keep={given.keep.absolute()}")
    if given.log:
        arguments.append(f"--log={given.log.absolute()}")
    try:
        with copy_of(given.commit) as folder:
            return run_copy(folder, arguments)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"there is no copy to be had of {given.commit} ({error}); --here fuzzes the files as they are")
        return 2


def _fuzz(given: argparse.Namespace, earlier: Sequence[Mapping[str, Any]]) -> int:
    spent = sum(map(_cpu, earlier))
    confused = sum(piece["executions"] // 2 for piece in earlier)
    began = last_told = time.monotonic()
    crashes = 0
    cpu: dict[str, float] = defaultdict(float)
    with Runner(given.seed, confused) as runner:
        for number in range(given.executions):
            before = sum(os.times()[:4])
            outcome = runner.confuse() if number % 2 else runner.run()
            cpu[outcome.arguments[0]] += sum(os.times()[:4]) - before
            if outcome.reason:
                crashes += 1
                folder = kept(given.keep, outcome)
                _log(given.log, crash=str(folder), reason=outcome.reason, seed=given.seed, execution=number)
            now = time.monotonic()
            is_over = now - began > given.seconds or spent + sum(cpu.values()) > given.cpu_hours * 3600
            if now - last_told > _EVERY or is_over or number + 1 == given.executions:
                last_told = now
                seconds = {name: round(took, 1) for name, took in sorted(cpu.items())}
                _log(given.log, seed=given.seed, executions=number + 1, crashes=crashes, cpu=seconds)
            if is_over:
                break
    return 1 if crashes else 0


def _pieces(file: Path | None) -> dict[int, dict[str, Any]]:
    """The last line of each seed in a log."""
    lines = map(json.loads, file.read_text("utf-8").splitlines()) if file and file.exists() else ()
    return {line["seed"]: line for line in lines if "cpu" in line}


def _cpu(piece: Mapping[str, Any]) -> float:
    return float(sum(piece["cpu"].values()))


def _tell_total(file: Path) -> None:
    pieces = _pieces(file).values()
    for name in sorted({name for piece in pieces for name in piece["cpu"]}):
        print(f"{sum(piece['cpu'].get(name, 0) for piece in pieces):10.0f} s {name}")
    executions, crashes = (sum(piece[name] for piece in pieces) for name in ("executions", "crashes"))
    print(f"{sum(map(_cpu, pieces)) / 3600:.2f} hours of processor time, {executions} executions, {crashes} crashes")


def _log(file: Path | None, **line: object) -> None:
    text = json.dumps({"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **line})
    print(text, flush=True)
    if file:
        with file.open("a", encoding="utf-8") as log:
            log.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
