"""Repairs cost nothing where none is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from manifests import quota

QUOTA = quota("b", "a", "count/jobs: 1")


def test_a_finding_imports_no_editor(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(QUOTA)
    program = (
        f"import sys; sys.path[:] = {sys.path!r}\nfrom quotalint.cli import run\nrun(['check', '.'])\n"
        "sys.stderr.write(' '.join(name for name in sys.modules if name.startswith('quotalint.fixes')))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert sorted(done.stderr.split()) == ["quotalint.fixes", "quotalint.fixes.fix"]
