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
    assert {name: hook["pass_filenames"] for name, hook in HOOKS.items()} == {"quotalint": False}


@pytest.mark.parametrize(("resource", "status"), [("pods", 0), ("pod", 1)])
def test_the_hook_passes_and_fails(tmp_path: Path, resource: str, status: int) -> None:
    (tmp_path / "quota.yaml").write_text(QUOTA.format(resource))
    command, *arguments = shlex.split(HOOKS["quotalint"]["entry"])
    assert command == "quotalint"
    run = subprocess.run(
        [sys.executable, "-m", "quotalint", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (status, "")
