"""How fast quotalint is, beside peers that run in the same minutes on the same files: `python benchmarks/compare.py`.

    python compare.py [--files N] [--rounds N] [--corpus FOLDER ...] [--history REPOSITORY ...] [--dimensions] [--write]

Every figure is of a whole process. The commands of a table run in turn, and what counts are the ratios of their
medians: of the processor time of each, its children included, and of the time that passed. What is not installed is
left out and named. `--write` puts the tables into docs/benchmarks.md, between its marks. Bytecode is written before
anything is measured, as pip does when it installs.

Peers: a program that merely loads the files with PyYAML's CSafeLoader; kubeconform with an empty folder of schemas, so
that it parses and no more; kube-linter with one check; kubernetes-validate; `kubectl kustomize` over the kustomizations
of a corpus that no other builds on, and over those that a check builds; `helm template` of each chart.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from commits import commits_table, compared_commits
from dimensions import DIMENSIONS, charts, environments, files
from kustomize import built_roots, top_roots
from processes import Run, installed_quotalint, measured

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- written by benchmarks/compare.py -->\n", "<!-- end -->\n"
LOADER = """
import os, sys, yaml
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith((".yaml", ".yml")):
            with open(os.path.join(folder, name), "rb") as file:
                try:
                    for document in yaml.load_all(file, Loader=yaml.CSafeLoader):
                        pass
                except (yaml.YAMLError, ValueError, TypeError):
                    pass
"""


class Command(NamedTuple):
    """Something to measure."""

    name: str
    words: Sequence[str]
    before: Callable[[], None] = lambda: None
    """What is done before each run, and not measured."""
    cached: bool = False
    """It may answer from memory."""
    folder: Path | None = None
    """Where it runs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000, metavar="N", help="plain manifests (default: 10000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of each table (default: 5)")
    parser.add_argument("--corpus", action="append", default=[], metavar="FOLDER", help="a repository with roots")
    parser.add_argument(
        "--history",
        action="append",
        default=[],
        metavar="REPOSITORY",
        help="a git repository, whose commits are compared",
    )
    parser.add_argument("--commits", type=int, default=30, metavar="N", help="commits of each history (default: 30)")
    parser.add_argument("--step", type=int, default=5, metavar="N", help="every N-th of them (default: 5)")
    parser.add_argument("--dimensions", action="store_true", help="how time grows in each dimension")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    given = parser.parse_args()
    quotalint = installed_quotalint()
    _write_bytecode()
    tables = [_about()]
    with tempfile.TemporaryDirectory(prefix="quotalint-benchmark-") as folder:
        for table in _tables(quotalint, Path(folder), given):
            print(table, flush=True)
            tables.append(table)
    if given.write:
        head, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(head + BEGIN + "\n" + "\n".join(tables) + "\n" + END + rest.partition(END)[2])


def _tables(quotalint: str, folder: Path, given: argparse.Namespace) -> Iterator[str]:
    small, large = folder / "small", folder / "large"
    files(small, 10)
    files(large, given.files)
    bare = Command("`python -c pass`", [sys.executable, "-c", "pass"])
    yield _table(
        "Start-up",
        [
            bare,
            Command("`quotalint --version`", [quotalint, "--version"]),
            Command("`quotalint check`, 10 files", [quotalint, "check", str(small)]),
            Command("the same, answered from memory", [quotalint, "check", str(small)], cached=True),
        ],
        max(9, given.rounds),
        folder,
    )
    yield _table(f"{given.files:,} plain manifests", [*_plain(quotalint, large, folder)], given.rounds, folder)
    fleet = folder / "environments"
    environments(fleet, 100)
    yield _table("100 overlays of one base", [*_built(quotalint, fleet)], given.rounds, folder)
    released = folder / "charts"
    charts(released, 30)
    yield _table("30 charts", [*_charts(quotalint, released, folder)], given.rounds, folder)
    for corpus in given.corpus:
        yield _table(f"{Path(corpus).name}", [*_built(quotalint, Path(corpus))], given.rounds, folder)
    for number, history in enumerate(map(Path, given.history)):
        name, own = history.resolve().name, folder / f"history-{number}"
        yield _table(f"The last commit of {name}", [*_history(quotalint, history, own)], given.rounds, folder)
        yield commits_table(name, [*compared_commits(quotalint, history, own, given.commits, given.step)])
    if given.dimensions:
        yield _exponents(quotalint, folder)


def _plain(quotalint: str, where: Path, folder: Path) -> Iterator[Command]:
    yield Command("CSafeLoader alone", [sys.executable, "-c", LOADER, str(where)])
    # In the repository, as a hook runs: what stands by itself is only known of files below the working directory.
    yield Command("`quotalint check`, cold", [quotalint, "check"], folder=where)
    yield Command("`quotalint check --jobs 1`, cold", [quotalint, "check", "--jobs", "1"], folder=where)
    yield Command("`quotalint check`, nothing changed", [quotalint, "check"], cached=True, folder=where)
    changed = next(where.rglob("deployment.yaml"))

    numbers = itertools.count(1)

    def touch() -> None:
        text = re.sub(r"replicas: \d+", f"replicas: {next(numbers) % 2 + 1}", changed.read_text())
        changed.write_text(f"{text}# changed\n")
        time.sleep(0.1)  # of a file that is written while a run begins nobody keeps an answer

    yield Command("`quotalint check`, one file changed", [quotalint, "check"], touch, cached=True, folder=where)
    empty = folder / "no-schemas"
    empty.mkdir(exist_ok=True)
    if shutil.which("kubeconform"):
        location = f"{empty}/{{{{.ResourceKind}}}}.json"
        words = ["kubeconform", "-schema-location", location, "-ignore-missing-schemas", str(where)]
        yield Command("kubeconform, parsing alone", words)
    if shutil.which("kube-linter"):
        yield Command(
            "kube-linter, one check",
            ["kube-linter", "lint", "--do-not-auto-add-defaults", "--include", "unset-cpu-requirements", str(where)],
        )
    if shutil.which("kubernetes-validate"):
        # As many files as a command line takes.
        some = [str(path) for path in sorted(where.rglob("*.yaml"))[:100]]
        yield Command("kubernetes-validate, 100 of the files", ["kubernetes-validate", "--quiet", *some])


def _built(quotalint: str, where: Path) -> Iterator[Command]:
    yield Command("`quotalint check`, cold", [quotalint, "check", str(where)])
    yield Command("`quotalint check`, nothing changed", [quotalint, "check", str(where)], cached=True)
    if shutil.which("kubectl"):
        loop = 'for folder in "$@"; do kubectl kustomize "$folder" >/dev/null 2>&1; done; true'
        tops, built = top_roots(str(where)), built_roots(str(where))
        for folders, which in ((tops, "that no other builds on"), (built, "that a check builds")):
            if folders:
                name = f"`kubectl kustomize`, each of {len(folders)} folders {which}"
                yield Command(name, ["sh", "-c", loop, "sh", *folders])


def _charts(quotalint: str, where: Path, folder: Path) -> Iterator[Command]:
    yield Command("`quotalint check`, cold", [quotalint, "check", str(where)])
    if shutil.which("helm"):
        loop = 'for chart in "$@"; do helm template app "$chart" >/dev/null 2>&1; done; true'
        made = sorted(str(path.parent) for path in where.rglob("Chart.yaml"))
        yield Command(f"`helm template`, each of {len(made)} charts", ["sh", "-c", loop, "sh", *made])


def _history(quotalint: str, where: Path, folder: Path) -> Iterator[Command]:
    clone = folder / "last"
    subprocess.run(["git", "clone", "-q", "--shared", str(where.resolve()), str(clone)], check=True)
    compare = [quotalint, "diff", "HEAD~1", "HEAD"]

    cache = folder.parent / "cache"

    def check_base() -> None:
        shutil.rmtree(cache, ignore_errors=True)
        subprocess.run(["git", "checkout", "-q", "HEAD~1"], cwd=clone, check=True)
        time.sleep(0.1)  # of a file that is written while a run begins nobody keeps an answer
        _measured(Command("`quotalint check` of its base", [quotalint, "check"], cached=True, folder=clone), cache)
        subprocess.run(["git", "checkout", "-q", "-"], cwd=clone, check=True)

    yield Command("`quotalint check`, cold", [quotalint, "check"], folder=clone)
    yield Command("`quotalint diff` of its last commit", compare, folder=clone)
    yield Command("the same, after a check of its base", compare, check_base, cached=True, folder=clone)
    yield Command("the same once more", compare, cached=True, folder=clone)


def _table(title: str, commands: Sequence[Command], rounds: int, folder: Path) -> str:
    taken = {command.name: list[Run]() for command in commands}
    cache = folder / "cache"
    for number in range(rounds + 1):  # the first round warms the caches of the system, and quotalint's own
        for command in commands:
            command.before()
            run = _measured(command, cache)
            if number:
                taken[command.name].append(run)
    first, *_ = taken.values()
    cpu, wall = _median(first, "cpu"), _median(first, "wall")
    lines = [f"### {title}\n", "| | CPU | ratio | passed | ratio | memory |", "|---|---|---|---|---|---|"]
    for name, runs in taken.items():
        mine, passed = _median(runs, "cpu"), _median(runs, "wall")
        memory = f"{_median(runs, 'memory') / 1024:.0f} MiB"
        ratios = f"{mine:.3f} s | {mine / cpu:.2f} | {passed:.3f} s | {passed / wall:.2f}"
        lines.append(f"| {name} | {ratios} | {memory} |")
    return "\n".join(lines) + "\n"


def _median(runs: Sequence[Run], field: str) -> float:
    return float(statistics.median(getattr(run, field) for run in runs))


def _measured(command: Command, cache: Path) -> Run:
    return measured(command.name, command.words, command.folder, cache if command.cached else None)


def _exponents(quotalint: str, folder: Path) -> str:
    """What a run takes that finds nothing is left out of the exponents."""
    lines = ["### How time grows\n", "| what grows | sizes | CPU | exponents | memory |", "|---|---|---|---|---|"]
    empty = folder / "dimensions" / "empty"
    (empty / ".git").mkdir(parents=True)
    idle = Command("nothing", [quotalint, "check", "--jobs", "1", "--quiet", str(empty)])
    start = min(_measured(idle, folder / "cache").cpu for _ in range(3))
    for name, dimension in DIMENSIONS.items():
        times, memory = [], 0
        for size in dimension.sizes:
            where = folder / "dimensions" / name.replace(" ", "-") / str(size)
            dimension.write(where, size)
            (where / ".git").mkdir()
            run = Command(name, [quotalint, "check", "--jobs", "1", "--quiet", *dimension.arguments, str(where)])
            measurements = [_measured(run, folder / "cache") for _ in range(3)]
            times.append(min(run.cpu for run in measurements))
            memory = max(memory, *(run.memory for run in measurements))
            shutil.rmtree(where)
        pairs = zip(dimension.sizes, dimension.sizes[1:], times, times[1:], strict=False)
        grown = [
            math.log(max(later - start, 0.01) / max(sooner - start, 0.01)) / math.log(more / less)
            for less, more, sooner, later in pairs
        ]
        sizes = ", ".join(f"{size:,}" for size in dimension.sizes)
        shown = ", ".join(f"{time:.2f} s" for time in times)
        lines.append(
            f"| {name} | {sizes} | {shown} | {', '.join(f'{item:.2f}' for item in grown)} | {memory // 1024} MiB |"
        )
    return "\n".join(lines) + "\n"


def _write_bytecode() -> None:
    import compileall

    import quotalint

    compileall.compile_dir(Path(quotalint.__file__).parent, quiet=1)


def _about() -> str:
    tools = ("kubectl", "helm", "kubeconform", "kube-linter", "kubernetes-validate")
    missing = [name for name in tools if not shutil.which(name)]
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    about = f"Python {platform.python_version()}, {os.cpu_count()} processors, load {load} at the beginning"
    return (
        f"{time.strftime('%Y-%m-%d')}, {about}" + (f"; not installed: {', '.join(missing)}" if missing else "") + ".\n"
    )


if __name__ == "__main__":
    main()
