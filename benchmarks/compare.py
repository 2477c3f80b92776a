"""How fast quotalint is, beside peers that run in the same minutes on the same files: `python benchmarks/compare.py`.

    python compare.py [--files N] [--rounds N] [--corpus FOLDER ...] [--history REPOSITORY ...] [--dimensions] [--write]

Every figure is of a whole process. The commands of a table run in turn, and what counts is the processor time of each,
its children included, as a ratio of that of the first command in the same round. What is not installed is left out
and named. `--write` puts the tables into docs/benchmarks.md, between its marks. Bytecode is written before anything is
measured, as pip does when it installs.

Peers: a program that merely loads the files with PyYAML's CSafeLoader; kubeconform with an empty folder of schemas, so
that it parses and no more; `kubectl kustomize` of each kustomization that a check builds, without those that it
refuses, as where it needs a network; `helm template` of each chart.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from commits import commits_table, compared_commits
from dimensions import DIMENSIONS, charts, files, overlays
from kustomize import built_roots, kustomize
from processes import Run, installed_quotalint, measured, ninetieth

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
    cache: str = ""
    """The name of the cache folder that it has, if any."""
    folder: Path | None = None
    """Where it runs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=9000, metavar="N", help="plain manifests (default: 9000)")
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
    parser.add_argument("--step", type=int, default=1, metavar="N", help="every N-th of them (default: all)")
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
            Command("`quotalint check --no-cache`, 10 files", [quotalint, "check"], folder=small),
            Command("the same, nothing changed", [quotalint, "check"], cache="kept", folder=small),
        ],
        max(9, given.rounds),
        folder,
    )
    fleet, released = folder / "overlays", folder / "charts"
    overlays(fleet, 100)
    charts(released, 30)
    made = {f"{given.files:,} plain manifests": large, "100 overlays of one base": fleet, "30 charts": released}
    corpora = {Path(corpus).name: Path(corpus).resolve() for corpus in given.corpus}
    for title, where in (made | corpora).items():
        yield _table(title, [*_checks(quotalint, where, folder), *_peers(where, folder)], given.rounds, folder)
    histories = []
    for number, history in enumerate(map(Path, given.history)):
        compared = compared_commits(quotalint, history, folder / f"history-{number}", given.commits, given.step)
        histories.append((history.resolve().name, [*compared]))
    if histories:
        yield commits_table(histories)
    if given.dimensions:
        yield _exponents(quotalint, folder)


def _checks(quotalint: str, where: Path, folder: Path) -> Iterator[Command]:
    def forget() -> None:
        shutil.rmtree(folder / "first", ignore_errors=True)

    # In the repository, as a hook runs.
    check = [quotalint, "check"]
    yield Command("`quotalint check --no-cache`", check, folder=where)
    yield Command("`quotalint check`, the first", check, forget, "first", where)
    yield Command("`quotalint check`, nothing changed", check, cache="kept", folder=where)


def _peers(where: Path, folder: Path) -> Iterator[Command]:
    yield Command("CSafeLoader alone", [sys.executable, "-c", LOADER, str(where)])
    empty = folder / "no-schemas"
    empty.mkdir(exist_ok=True)
    if shutil.which("kubeconform"):
        location = f"{empty}/{{{{.ResourceKind}}}}.json"
        words = ["kubeconform", "-schema-location", location, "-ignore-missing-schemas", str(where)]
        yield Command("kubeconform, parsing alone", words)
    if kubectl := shutil.which("kubectl"):
        # What is read for it is no part of this process, whose memory is counted for those that it starts.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            roots = pool.submit(built_roots, str(where)).result()
            built = [root for root in roots if pool.submit(kustomize, kubectl, root).result().objects is not None]
        yield from _each("kubectl kustomize --load-restrictor LoadRestrictionsNone", built, "folders that it builds")
    if shutil.which("helm"):
        made = sorted(str(path.parent) for path in where.rglob("Chart.yaml"))
        yield from _each("helm template app", made, "charts")


def _each(command: str, folders: Sequence[str], what: str) -> Iterator[Command]:
    """A command of each folder, one after the other, if there are any."""
    if folders:
        loop = f'for folder in "$@"; do {command} "$folder" >/dev/null 2>&1; done; true'
        program = " ".join(command.split()[:2])
        yield Command(f"`{program}`, each of {len(folders)} {what}", ["sh", "-c", loop, "sh", *folders])


def _table(title: str, commands: Sequence[Command], rounds: int, folder: Path) -> str:
    taken = {command.name: list[Run]() for command in commands}
    for number in range(rounds + 1):  # the first round warms the caches of the system, and quotalint's own
        for command in commands:
            command.before()
            run = _measured(command, folder)
            if number:
                taken[command.name].append(run)
    first, *_ = taken.values()
    lines = [f"### {title}\n", "| | CPU | ratio | 90th percentile | passed | memory |", "|---|---|---|---|---|---|"]
    for name, runs in taken.items():
        ratios = [run.cpu / other.cpu for run, other in zip(runs, first, strict=True)]
        cpu, passed, memory = (statistics.median(numbers) for numbers in zip(*runs, strict=True))
        numbers = f"{cpu:.3f} s | {statistics.median(ratios):.2f} | {ninetieth(ratios):.2f} | {passed:.3f} s"
        lines.append(f"| {name} | {numbers} | {memory / 1024:.0f} MiB |")
    return "\n".join(lines) + "\n"


def _measured(command: Command, folder: Path) -> Run:
    return measured(command.name, command.words, command.folder, folder / command.cache if command.cache else None)


def _exponents(quotalint: str, folder: Path) -> str:
    """What a run takes that finds nothing is left out of the exponents."""
    lines = ["### How time grows\n", "| what grows | sizes | CPU | exponents | memory |", "|---|---|---|---|---|"]
    empty = folder / "dimensions" / "empty"
    (empty / ".git").mkdir(parents=True)
    idle = Command("nothing", [quotalint, "check", "--jobs", "1", "--quiet", str(empty)])
    start = min(_measured(idle, folder).cpu for _ in range(3))
    for name, dimension in DIMENSIONS.items():
        times, memory = [], 0
        for size in dimension.sizes:
            where = folder / "dimensions" / name.replace(" ", "-") / str(size)
            dimension.write(where, size)
            (where / ".git").mkdir()
            run = Command(name, [quotalint, "check", "--jobs", "1", "--quiet", *dimension.arguments, str(where)])
            measurements = [_measured(run, folder) for _ in range(3)]
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
    tools = ("kubectl", "helm", "kubeconform")
    missing = [name for name in tools if not shutil.which(name)]
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    about = f"Python {platform.python_version()}, {os.cpu_count()} processors, load {load} at the beginning"
    return (
        f"{time.strftime('%Y-%m-%d')}, {about}" + (f"; not installed: {', '.join(missing)}" if missing else "") + ".\n"
    )


if __name__ == "__main__":
    main()
