"""`.ci/lines` and `.ci/trace` count what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def table(script: str, *arguments: str) -> list[list[str]]:
    """The cells of a script's table, without its head."""
    if not (ROOT / ".ci").exists() or not (ROOT / ".git").exists():
        pytest.skip("the scripts of the repository are not in the source distribution")
    command = [sys.executable, str(ROOT / ".ci" / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()[2:]]


def test_lines_of_all_packages_add_up() -> None:
    rows = {row[0]: int(row[1].replace(",", "")) for row in table("lines", "HEAD")}
    assert rows.pop("all") == sum(rows.values())
    assert {"gitops", "checks", "top level"} <= rows.keys()


def test_a_finding_is_traced() -> None:
    ((_, functions, modules, types),) = table("trace")
    assert int(functions) > int(modules) > int(types) > 20
