"""Small pull requests, each with what a person has to be told of it, where, and with nothing else beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pull_request_judge import differences, report_of

CASES = sorted(one.parent for one in Path(__file__).parent.glob("pull_requests/*/case.json"))


@pytest.mark.parametrize("case", CASES, ids=[one.name for one in CASES])
def test_what_a_pull_request_does_is_told(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    wanted = json.loads((case / "case.json").read_text())
    report = report_of(case, tmp_path, monkeypatch, capsys, wanted.get("args", []))
    assert list(differences(wanted, report)) == [], wanted["why"]


def test_there_are_cases() -> None:
    assert len(CASES) >= 30
