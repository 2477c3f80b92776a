"""Small repositories with the truth about what is deployed together, where, and how sure that is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from view_judge import differences, report_of

CASES = sorted(path.parent for path in Path(__file__).parent.glob("views/*/case.json"))
NOT_YET: dict[str, str] = {}
"""What does not hold yet, and why."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=case.name,
            marks=[pytest.mark.xfail(strict=True, reason=NOT_YET[case.name])] if case.name in NOT_YET else [],
        )
        for case in CASES
    ],
)
def test_what_is_said_is_true(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, report = report_of(case, tmp_path / "case", monkeypatch, capsys)
    wanted = json.loads((case / "case.json").read_text())
    assert list(differences(wanted, report, status)) == [], wanted["why"]


def test_there_are_cases() -> None:
    assert CASES
    assert NOT_YET.keys() <= {case.name for case in CASES}
