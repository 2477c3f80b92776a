"""What `quotalint diff` would have said of the last commits of a repository, one after the other.

    python benchmarks/history.py CLONE [--last 200] [--path FOLDER]... [--out FILE]

CLONE is a clone with history, without blobs that are missing; nothing of it is touched. Each commit on the
first-parent line that changes a manifest is compared with its parent. Printed are how long that took, how many said
something, every finding that would have failed the pull request, and every crash. `--out` gets a line of JSON for each
commit, to be read one by one: whether a person would have wanted to hear that is for a person to say.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

GROUPS = ("new", "still", "better", "fixed", "unknown")


class Compared(NamedTuple):
    """What was said of one commit."""

    commit: str
    title: str
    seconds: float
    status: int
    headline: str
    findings: dict[str, list[str]]
    comment: str
    """The Markdown that the pull request would have got."""
    errors: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("--last", type=int, default=200)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    done = []
    out = options.out.open("w") if options.out else None
    for commit in _commits(options.clone, options.last):
        done.append(_compare(options.clone, commit, options.path))
        if out is not None:
            out.write(json.dumps(done[-1]._asdict()) + "\n")
            out.flush()
    _tell(done)
    return any(comparison.status == 2 for comparison in done)


def _commits(clone: Path, last: int) -> list[str]:
    """The last commits that change a manifest and have a parent, the oldest first."""
    patterns = ("*.yaml", "*.yml", "*.json", "*.tpl")
    output = _git(clone, "log", "--first-parent", "--min-parents=1", f"-{last}", "--format=%H", "--", *patterns)
    return output.split()[::-1]


def _compare(clone: Path, commit: str, paths: Sequence[str]) -> Compared:
    command = [sys.executable, "-m", "quotalint", "diff", f"{commit}^1", commit, "--quiet"]
    command += ["--format", "json", "--output", "markdown=/dev/stderr", *(["--", *paths] if paths else [])]
    begun = time.perf_counter()
    ended = subprocess.run(command, cwd=clone, capture_output=True, encoding="utf-8", errors="replace", check=False)
    seconds = time.perf_counter() - begun
    title = _git(clone, "log", "-1", "--format=%s", commit).strip()
    try:
        report: Any = json.loads(ended.stdout)
    except ValueError:
        return Compared(commit, title, seconds, 2, "", {}, "", ended.stderr[-2000:])
    findings_by_group = {group: [_short(finding) for finding in report["findings"][group]] for group in GROUPS}
    headline = next((line for line in ended.stderr.splitlines() if line[:1] in "#✅❌⚠ℹ"), "")
    return Compared(commit, title, seconds, ended.returncode, headline, findings_by_group, ended.stderr, "")


def _short(finding: Any) -> str:
    return f"{finding['severity']} {finding['rule']} {finding['file']}:{finding['line']} {finding['message'][:160]}"


def _git(clone: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=clone, capture_output=True, encoding="utf-8", check=True).stdout


def _tell(done: Sequence[Compared]) -> None:
    seconds = sorted(comparison.seconds for comparison in done)
    statuses = Counter(comparison.status for comparison in done)
    print(f"{len(done)} commits: {statuses[0]} pass, {statuses[1]} fail, {statuses[2]} could not be compared")
    if seconds:
        slow = seconds[(len(seconds) - 1) * 95 // 100]
        print(f"seconds: median {statistics.median(seconds):.1f}, 95th {slow:.1f}, largest {seconds[-1]:.1f}")
    number = sum(
        any(comparison.findings.get(group) for group in ("new", "still", "better", "fixed")) for comparison in done
    )
    print(f"{number} of them say something of findings")
    for line in _lines(done):
        print(line)


def _lines(done: Sequence[Compared]) -> Iterator[str]:
    for comparison in done:
        if comparison.status:
            headline = comparison.headline or comparison.errors.strip()[-300:]
            yield f"\n{comparison.commit[:10]} {comparison.title[:90]}\n  {headline}"
            yield from (
                f"  {group:6} {text}" for group in ("new", "still") for text in comparison.findings.get(group, ())[:5]
            )


if __name__ == "__main__":
    sys.exit(main())
