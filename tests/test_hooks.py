"""The hooks do what they promise, run exactly as their file says."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: base, namespace: team-a}}\nspec: {{hard: {{{}: 1}}}}\n"


def test_the_hook_never_takes_file_names() -> None:
    # A quota is a sum over the repository: the files of one commit say nothing.
    taking = {name: hook["pass_filenames"] for name, hook in HOOKS.items()}
    assert taking == {"quotalint": False, "quotalint-fix": False}


@pytest.mark.parametrize(("resource", "status"), [("pods", 0), ("pod", 1)])
def test_the_hook_passes_and_fails(tmp_path: Path, resource: str, status: int) -> None:
    (tmp_path / "quota.yaml").write_text(QUOTA.format(resource))
    command, *arguments = shlex.split(HOOKS["quotalint"]["entry"])
    assert command == "quotalint"
    run = subprocess.run(
        [sys.executable, "-m", "quotalint", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (status, "")


def test_the_repairing_hook_repairs(tmp_path: Path) -> None:
    quota = tmp_path / "quota.yaml"
    quota.write_text(QUOTA.format("memory.limit"))
    command = [sys.executable, "-m", "quotalint", *shlex.split(HOOKS["quotalint-fix"]["entry"])[1:]]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    # pre-commit itself fails a hook that changes a file.
    assert (run.returncode, quota.read_text()) == (0, QUOTA.format("limits.memory"))
