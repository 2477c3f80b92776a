"""`python -m fuzz`: mutates small repositories, runs quotalint on them through every command and format, and judges.

    python -m fuzz --seconds 3600 --log fuzz.jsonl     until then; a line each minute and for each crash
    python -m fuzz --executions 200 --seed 1           as CI does
    python -m fuzz --again FOLDER                      what was kept of a crash, with its traceback

It runs on a copy of a commit, HEAD unless `--commit` names another, so that nothing that is edited meanwhile counts as
a crash; what is not committed is not fuzzed. `--here` runs on the files as they are, as `--again` does.

What made it crash is kept in `--keep`, one folder each: `repo/`, `arguments`, `reason`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from fuzz.copying import copy_of, run_copy
from fuzz.running import Runner, again, kept

_EVERY = 60.0  # seconds between lines of the log


def main() -> int:
    """The exit status: 1 where anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--executions", type=int, default=sys.maxsize)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--log", type=Path)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-crashes"))
    parser.add_argument("--again", type=Path)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--here", action="store_true")
    given = parser.parse_args()
    if given.again:
        return again(given.again)
    return _fuzz(given) if given.here else _fuzz_copy(given)


def _fuzz_copy(given: argparse.Namespace) -> int:
    arguments = ["--here", f"--seed={given.seed}", f"--executions={given.executions}", f"--seconds={given.seconds}"]
    arguments.append(f"--keep={given.keep.absolute()}")
    if given.log:
        arguments.append(f"--log={given.log.absolute()}")
    try:
        with copy_of(given.commit) as folder:
            return run_copy(folder, arguments)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"there is no copy to be had of {given.commit} ({error}); --here fuzzes the files as they are")
        return 2


def _fuzz(given: argparse.Namespace) -> int:
    began = last_told = time.monotonic()
    crashes = 0
    with Runner(given.seed) as runner:
        for number in range(given.executions):
            outcome = runner.run()
            if outcome.reason:
                crashes += 1
                folder = kept(given.keep, outcome)
                _log(given.log, crash=str(folder), reason=outcome.reason, seed=given.seed, execution=number)
            now = time.monotonic()
            if now - last_told > _EVERY or now - began > given.seconds or number + 1 == given.executions:
                last_told = now
                _log(given.log, seed=given.seed, executions=number + 1, crashes=crashes, seconds=round(now - began))
            if now - began > given.seconds:
                break
    return 1 if crashes else 0


def _log(file: Path | None, **line: object) -> None:
    text = json.dumps({"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **line})
    print(text, flush=True)
    if file:
        with file.open("a", encoding="utf-8") as log:
            log.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
