"""How fast quotalint is, as ratios against peers measured alternately in the same run: `python compare.py [N]`.

Peers: a program that merely loads the same files with PyYAML's CSafeLoader, and a bare `python -c pass`. Times are of
whole processes; the median of several rounds is shown. Absolute times depend on the machine, the ratios hardly do.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from generate import generate

ROUNDS = 7
LOADER = """
import sys, yaml
from pathlib import Path
for path in sorted(Path(sys.argv[1]).rglob("*.yaml")):
    with path.open("rb") as file:
        for document in yaml.load_all(file, Loader=yaml.CSafeLoader):
            pass
"""


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    quotalint = shutil.which("quotalint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if quotalint is None:
        sys.exit("quotalint is not installed: pip install .")
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder, "large"), Path(folder, "small")
        generate(large, count)
        generate(small, 10)
        bare = [sys.executable, "-c", "pass"]
        load = [sys.executable, "-c", LOADER, str(large)]
        commands = {
            "bare": bare,
            "version": [quotalint, "--version"],
            "small": [quotalint, "check", str(small)],
            "load": load,
            "large": [quotalint, "check", str(large)],
            "one": [quotalint, "check", "--jobs", "1", str(large)],
        }
        times, memory = _measure(commands)
    print(f"{count} manifests, median of {ROUNDS} rounds, Python {sys.version.split()[0]}, {os.cpu_count()} processors")
    _ratio("quotalint --version", times["version"], "python -c pass", times["bare"])
    _ratio("quotalint check, 10 files", times["small"], "python -c pass", times["bare"])
    _ratio(f"quotalint check, {count} files", times["large"], "CSafeLoader alone", times["load"])
    _ratio("  the same with --jobs 1", times["one"], "CSafeLoader alone", times["load"])
    print(f"peak memory of one process: {memory['large'] // 1024} MiB ({memory['one'] // 1024} MiB with --jobs 1)")


def _measure(commands: Mapping[str, Sequence[str]]) -> tuple[dict[str, float], dict[str, int]]:
    taken: dict[str, list[float]] = {name: [] for name in commands}
    memory = dict.fromkeys(commands, 0)
    for _ in range(ROUNDS + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            taken[name].append(time.perf_counter() - start)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                sys.exit(f"{' '.join(command)} exited with {process.returncode}")
            memory[name] = max(memory[name], used.ru_maxrss)
    # The first round warms the caches of the system.
    return {name: statistics.median(times[1:]) for name, times in taken.items()}, memory


def _ratio(name: str, taken: float, peer: str, reference: float) -> None:
    print(f"{name:32} {taken * 1000:7.0f} ms = {taken / reference:5.2f} × {peer} ({reference * 1000:.0f} ms)")


if __name__ == "__main__":
    main()
