"""Small repositories whose workloads come out of charts, with the truth about what their releases ask for."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from view_judge import differences, report_of

from quotalint.cli import run

pytest.importorskip("helm_python")

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("charts/*/case.json"))
CHANGES = HERE / "chart_changes"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_said_of_releases_is_true(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")  # no program is needed
    status, report = report_of(case, tmp_path / "case", monkeypatch, capsys)
    wanted = json.loads((case / "case.json").read_text())
    assert list(differences(wanted, report, status)) == [], wanted["why"]


def test_there_are_cases() -> None:
    assert CASES


@pytest.mark.parametrize(
    ("change", "exit_status", "place", "severity", "changed"),
    [
        pytest.param(
            "replicas-raised-in-a-values-file",
            1,
            "values-production.yaml:2",
            "error",
            [("production", "memory")],
            id="all is in view",
        ),
        pytest.param(
            "replicas-tripled-beside-values-elsewhere",
            0,
            "services/pdf/values.yaml:3",
            "warning",
            [("north", "compute"), ("south", "compute")],
            id="values lie elsewhere",
        ),
    ],
)
def test_replicas_raised_in_a_values_file_break_the_quota_at_that_line(
    change: str,
    exit_status: int,
    place: str,
    severity: str,
    changed: list[tuple[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    git(tmp_path, "init", "-q")
    for folder in ("repo-base", "repo"):
        shutil.copytree(CHANGES / change / folder, tmp_path, dirs_exist_ok=True)
        git(tmp_path, "add", "-A")
        git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", folder)
    monkeypatch.chdir(tmp_path)
    status = run(["diff", "HEAD~1", "HEAD", "--format", "json", "--no-cache"])
    report = json.loads(capsys.readouterr().out)
    (finding,) = report["findings"]["new"]
    reported = (status, finding["rule"], f"{finding['file']}:{finding['line']}", finding["severity"])
    assert reported == (exit_status, "QL301", place, severity)
    assert [(row["environment"], row["name"]) for row in report["quotas"]] == changed


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)
