"""Fingerprints stay: a baseline that somebody committed still silences what it silenced.

`pytest --update-golden` rewrites the list. A line that changes there breaks the baselines of users, however harmless
the new words of a message are.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.cli import run

ROOT = Path(__file__).parents[2]
EXPECTED = ROOT / "tests" / "golden" / "fingerprints.txt"
REPOSITORIES = {"examples": ROOT / "examples"} | {
    folder.parent.name: folder for folder in sorted((ROOT / "tests" / "golden").glob("*/repo"))
}


def fingerprints(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Of the repository in which we are: rule, file and fingerprint of each finding."""
    capsys.readouterr()
    run(["check", ".", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return sorted(f"{finding['rule']} {finding['file']} {finding['fingerprint']}" for finding in findings)


def test_every_fingerprint_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    lines = []
    for name, folder in REPOSITORIES.items():
        shutil.copytree(folder, tmp_path / name, symlinks=True)
        monkeypatch.chdir(tmp_path / name)
        lines += [f"{name}: {line}" for line in fingerprints(capsys)]
    for rule_id in rule_ids():
        for number, example in enumerate(rule_by_id(rule_id).bad):
            folder = tmp_path / rule_id / str(number)
            for file, text in example["files"].items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text)
            monkeypatch.chdir(folder)
            lines += [f"{rule_id}/{number}: {line}" for line in fingerprints(capsys) if line.startswith(rule_id)]
    if request.config.getoption("--update-golden"):
        EXPECTED.write_text("\n".join(lines) + "\n")
    assert lines == EXPECTED.read_text().splitlines()
    assert len(lines) > 300
