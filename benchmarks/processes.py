"""What a process takes, its children included."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """What one process took."""

    cpu: float
    wall: float
    memory: int
    """KiB, of the largest process."""


def installed_quotalint() -> str:
    """The program that is installed with this Python, or on PATH; the run ends where there is none."""
    program = shutil.which("quotalint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        sys.exit("quotalint is not installed: pip install .")
    return program


def measured(name: str, words: Sequence[str], folder: Path | None, cache: Path | None) -> Run:
    """A run of a command in a folder, with what is kept in `cache`, or without memory. A status that says more than
    that something was found is printed."""
    environment = {**os.environ, "QUOTALINT_CACHE_DIR": str(cache or ""), "QUOTALINT_NO_CACHE": "" if cache else "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, cwd=folder)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        print(f"{name} exited with {process.returncode}", file=sys.stderr)
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss)


def ninetieth(numbers: Sequence[float]) -> float:
    """The 90th percentile: the smallest that at least nine in ten do not exceed."""
    return sorted(numbers)[math.ceil(0.9 * len(numbers)) - 1]
