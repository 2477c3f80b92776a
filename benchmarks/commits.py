"""How long `quotalint diff` takes for the commits of a repository, as a ratio of a cold check of the commit before.

    python benchmarks/commits.py CLONE [--count 30] [--step 1]

CLONE is a clone with history, without blobs that are missing; what is compared is checked out in a copy of it. Every
step-th commit that changes a file is taken, the last ones first. Of each the commit before is checked, cold and then as
a hook does it; then the commit is compared with it. A root is what is applied together: a folder, a kustomization, or
what an Application or the like deploys. A commit touches those of which it changes a file, before it or since.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from processes import installed_quotalint, measured

from quotalint.deployed import render
from quotalint.diff.trees import standing_in

NEAR = 0.3
"""The ratio that a commit to one root is to take at most."""


class ComparedCommit(NamedTuple):
    """What one commit took."""

    commit: str
    files: tuple[str, ...]
    cold: float
    """Seconds of CPU of a cold check of the commit before."""
    ratio: float
    """What `diff` took of that."""
    roots: int
    """How many it touches."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--count", type=int, default=30, metavar="N", help="how many commits (default: 30)")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="every N-th of them (default: all)")
    given = parser.parse_args()
    quotalint = installed_quotalint()
    with tempfile.TemporaryDirectory(prefix="quotalint-commits-") as folder:
        done = []
        for compared in compared_commits(quotalint, given.clone, Path(folder), given.count, given.step):
            done.append(compared)
            first = compared.files[0] if compared.files else ""
            print(
                f"{compared.commit[:10]} {compared.ratio:.2f} of {compared.cold:.2f} s, "
                f"{len(compared.files)} files of {compared.roots} roots: {first}"
            )
            sys.stdout.flush()
    print(commits_table(given.clone.resolve().name, done))


def compared_commits(quotalint: str, where: Path, folder: Path, count: int, step: int) -> Iterator[ComparedCommit]:
    """What each of some commits takes."""
    clone, cache = folder / "commits", folder / "cache-of-commits"
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(where.resolve()), str(clone)], check=True)
    listed = _git(clone, "log", "--no-merges", "--min-parents=1", "--format=%H", f"-{count * step}")
    for commit in listed.split()[::step]:
        files = tuple(filter(None, _git(clone, "diff", "--name-only", "-z", f"{commit}^", commit).split("\0")))
        shutil.rmtree(cache, ignore_errors=True)
        _git(clone, "checkout", "-q", "--force", f"{commit}^")
        time.sleep(0.1)  # of a file that is written while a run begins nobody keeps an answer
        check = f"`quotalint check` of {commit}^"
        cold = measured(check, [quotalint, "check"], clone, None).cpu
        measured(check, [quotalint, "check"], clone, cache)
        touched = _touched_roots(clone, files)
        _git(clone, "checkout", "-q", "--force", commit)
        compare = [quotalint, "diff", f"{commit}^", commit]
        taken = measured(f"`quotalint diff` of {commit}", compare, clone, cache).cpu
        yield ComparedCommit(commit, files, cold, taken / cold, len(touched | _touched_roots(clone, files)))


def _touched_roots(clone: Path, files: Sequence[str]) -> set[tuple[str, str]]:
    """The environments and names of those that any of these files is a part of, as the clone is checked out."""
    # What is read for it is no part of this process, whose memory is counted for those that it starts.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_roots_of_files, str(clone), frozenset(files)).result()


def _roots_of_files(clone: str, files: frozenset[str]) -> set[tuple[str, str]]:
    with standing_in(clone):
        view = render(".")
    return {
        (environment.name, min(rendering.units | rendering.used))
        for environment in view.environments
        for rendering in environment.renderings
        if not files.isdisjoint(rendering.used)
    }


def commits_table(name: str, commits: Sequence[ComparedCommit]) -> str:
    """The table of what commits take, those that touch one root, none and several."""
    title = f"### `quotalint diff` of {len(commits)} commits of {name}, after a check of the commit before"
    lines = [
        f"{title}\n",
        f"| | commits | cold check | median ratio | at most {NEAR} | smallest, largest |",
        "|---|---|---|---|---|---|",
    ]
    groups = {
        "one root": [own for own in commits if own.roots == 1],
        "no root": [own for own in commits if own.roots == 0],
        "several roots": [own for own in commits if own.roots > 1],
    }
    for group, own in groups.items():
        if own:
            ratios = sorted(compared.ratio for compared in own)
            cold = statistics.median(compared.cold for compared in own)
            near = sum(ratio <= NEAR for ratio in ratios)
            numbers = f"{cold:.2f} s | {statistics.median(ratios):.2f} | {near} | {ratios[0]:.2f}, {ratios[-1]:.2f}"
            lines.append(f"| {group} | {len(own)} | {numbers} |")
    return "\n".join(lines) + "\n"


def _git(clone: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=clone, capture_output=True, encoding="utf-8", check=True).stdout


if __name__ == "__main__":
    main()
