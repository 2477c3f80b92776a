"""A folder in tests/golden/ is a test: `repo/` is checked by each line of `commands`, and prints `expected.txt`.

A line `… > report.json` puts what is printed into that file of the folder, as a shell would. `pytest --update-golden`
rewrites the expectations; read what it wrote before you commit it.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from pathlib import Path

import pytest

import quotalint
from quotalint.cli import run

GOLDEN = Path(__file__).parent / "golden"
HTML = Path(quotalint.__file__).parent / "reports" / "html"
MOST_LINES = 400
"""A longer file is read by nobody when it changes."""
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
    reports = {}
    for line in (case / "commands").read_text().splitlines():
        rest, _, report = line.partition(" > ")
        command, _, given = rest.partition(" < ")
        if given:
            content = Path(given).read_bytes()
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        status = run(shlex.split(command)[1:])
        out, err = capsys.readouterr()
        if report:
            reports[report] = without_shipped_files(out)
            out = ""
        printed.append(f"$ {line}\n{out}{err}(exit status {status})\n")
    reports["expected.txt"] = "\n".join(printed)
    for name, text in reports.items():
        if request.config.getoption("--update-golden"):
            (case / name).write_text(text)
        assert text == (case / name).read_text(), name


def without_shipped_files(report: str) -> str:
    """An HTML report with the name of each style and script in place of its text."""
    for path in (HTML / "page.css", HTML / "page.js", HTML / "sliders.js"):
        report = report.replace(path.read_text(encoding="utf-8"), f"/* {path.name} */\n")
    return report


def test_there_are_golden_cases() -> None:
    assert len(CASES) >= 5


def test_expected_outputs_are_short_enough_to_be_read() -> None:
    files = [path for case in CASES for path in case.iterdir() if path.is_file()]
    lengths = {f"{path.parent.name}/{path.name}": path.read_text().count("\n") for path in files}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}
