"""`python -m fuzz`: mutates small repositories, runs quotalint on them through every command and format, and judges.

    python -m fuzz --seconds 3600 --log fuzz.jsonl     until then; a line each minute and for each crash
    python -m fuzz --executions 200 --seed 1           as CI does
    python -m fuzz --again FOLDER                      what was kept of a crash, with its traceback

What made it crash is kept in `--keep`, one folder each: `repo/`, `arguments`, `reason`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

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
    given = parser.parse_args()
    if given.again:
        return again(given.again)
    began = said = time.monotonic()
    crashes = 0
    with Runner(given.seed) as runner:
        for number in range(given.executions):
            outcome = runner.run()
            if outcome.reason:
                crashes += 1
                folder = kept(given.keep, outcome)
                _log(given.log, crash=str(folder), reason=outcome.reason, seed=given.seed, execution=number)
            now = time.monotonic()
            if now - said > _EVERY or now - began > given.seconds or number + 1 == given.executions:
                said = now
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
