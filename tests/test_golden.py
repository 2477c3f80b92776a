"""A folder in tests/golden/ is a test: `repo/` is checked by each line of `commands`, and prints `expected.txt`.

`pytest --update-golden` rewrites the expectations; read what it wrote before you commit it.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from quotalint.cli import run

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.parent for path in GOLDEN.glob("*/commands"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_golden(
    case: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    # A repository by itself: this one around it has a name and remotes of its own.
    shutil.copytree(case / "repo", tmp_path / "repo", symlinks=True)
    monkeypatch.chdir(tmp_path / "repo")
    printed = []
    for line in (case / "commands").read_text().splitlines():
        command, _, given = line.partition(" < ")
        if given:
            content = Path(given).read_bytes()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        status = run(shlex.split(command)[1:])
        out, err = capsys.readouterr()
        printed.append(f"$ {line}\n{out}{err}(exit status {status})\n")
    expected = case / "expected.txt"
    if request.config.getoption("--update-golden"):
        expected.write_text("\n".join(printed))
    assert "\n".join(printed) == expected.read_text()


def test_there_are_golden_cases() -> None:
    assert len(CASES) >= 5
