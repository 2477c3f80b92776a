"""How long `quotalint diff` takes for the commits of a repository, as a ratio of a check of the same commit.

    python benchmarks/commits.py CLONE [--count 30] [--step 1]

CLONE is a clone with history, without blobs that are missing; what is compared is checked out in a copy of it. Every
step-th commit on the first-parent line that changes a manifest is taken, the last ones first: it is checked out,
checked, and compared with its parent, both without a cache, as in a pipeline.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from processes import installed_quotalint, measured, ninetieth

MANIFESTS = ("*.yaml", "*.yml", "*.json", "*.tpl", "*.gotmpl")


class ComparedCommit(NamedTuple):
    """What one commit took."""

    commit: str
    check: float
    """Seconds of CPU."""
    ratio: float
    """What `diff` took of that."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--count", type=int, default=30, metavar="N", help="how many commits (default: 30)")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="every N-th of them (default: all)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quotalint-commits-") as folder:
        done = []
        for compared in compared_commits(installed_quotalint(), given.clone, Path(folder), given.count, given.step):
            done.append(compared)
            print(f"{compared.commit[:10]} {compared.ratio:.2f} of {compared.check:.2f} s", flush=True)
    print(commits_table([(given.clone.resolve().name, done)]))


def compared_commits(quotalint: str, where: Path, folder: Path, count: int, step: int) -> Iterator[ComparedCommit]:
    """What each of some commits takes."""
    clone = folder / "commits"
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(where.resolve()), str(clone)], check=True)
    chosen = ["--first-parent", "--min-parents=1", f"-{count * step}", "--format=%H", "--", *MANIFESTS]
    listed = subprocess.run(
        ["git", "log", *chosen], cwd=clone, capture_output=True, encoding="utf-8", check=True
    ).stdout
    for commit in listed.split()[::step]:
        subprocess.run(["git", "checkout", "-q", "--force", commit], cwd=clone, check=True)
        check = measured(f"`quotalint check` of {commit}", [quotalint, "check"], clone, None).cpu
        compare = [quotalint, "diff", f"{commit}^", commit]
        yield ComparedCommit(commit, check, measured(f"`quotalint diff` of {commit}", compare, clone, None).cpu / check)


def commits_table(histories: Sequence[tuple[str, Sequence[ComparedCommit]]]) -> str:
    """The table of what the commits of some repositories take."""
    lines = [
        "### `quotalint diff --no-cache` of a commit, as a ratio of `quotalint check --no-cache`\n",
        "| repository | commits | check | median | 90th percentile |",
        "|---|---|---|---|---|",
    ]
    for name, commits in histories:
        check = statistics.median(compared.check for compared in commits)
        ratios = [compared.ratio for compared in commits]
        numbers = f"{len(commits)} | {check:.2f} s | {statistics.median(ratios):.2f} | {ninetieth(ratios):.2f}"
        lines.append(f"| {name} | {numbers} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
