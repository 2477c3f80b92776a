"""What renders is said with its version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_settings_of_rendering import needed_kubectl

from quotalint.gitops.kustomize_program import kustomize_renderer


@pytest.mark.parametrize(
    ("which", "expected"),
    [("auto", "built in, as Kustomize 5.8"), ("builtin", "built in, as Kustomize 5.8"), ("off", "off")],
)
def test_the_built_in_renderer(which: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(needed_kubectl()).parent))
    assert kustomize_renderer(which, str(tmp_path)) == expected


def test_a_program_is_named_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Path(needed_kubectl())
    monkeypatch.setenv("PATH", str(program.parent))
    name = kustomize_renderer("binary", str(tmp_path))
    assert re.fullmatch(r"the program /.*, kubectl v1\.\d+\.\d+.* with Kustomize v\d+\.\d+\.\d+", name), name


def test_a_program_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "kustomize"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    (tmp_path / "repo").mkdir()
    assert kustomize_renderer("binary", str(tmp_path / "repo")).endswith(", which does not give its version")
