"""Small pull requests, each with what a person has to be told of it, where, and with nothing else beside."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pull_request_judge import Report, differences, report_of

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("pull_requests/*/case.json"))
TOLD = (
    "copied-namespace-keeps-the-old-name",
    "overlay-patch-raises-requests",
    "quota-lowered-below-use",
    "replicas-raised-over-quota",
    "values-file-raises-replicas",
)
"""Those of which everything that is said is kept, to be read: the annotations, the comment, the results in SARIF."""
DOUBLED = re.compile(r"\b([A-Za-z]+) \1\b")
FIELD = re.compile(r"\bspec\.|\bmetadata\.|\{[a-z]+\}|\bNone\b(?! of)|[\x00-\x08\x0e-\x1f]")
ONE_OF_MANY = re.compile(r"\b1 (?:\w+ )?(?:pods|replicas|problems|quotas|environments|findings|places|remarks)\b")


@pytest.mark.parametrize("case", CASES, ids=[path.name for path in CASES])
def test_what_a_pull_request_does_is_told(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, request: pytest.FixtureRequest
) -> None:
    wanted = json.loads((case / "case.json").read_text())
    report = report_of(case, tmp_path, monkeypatch, capsys, wanted.get("args", []))
    assert list(differences(wanted, report)) == [], wanted["why"]
    assert badly_said(report.head) == []
    if case.name in TOLD:
        update = bool(request.config.getoption("--update-golden"))
        for name, text in _kept(report).items():
            file = HERE / "pull_request_reports" / case.name / name
            if update:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            assert text == file.read_text()


def badly_said(head: str) -> list[str]:
    """What of a text is no English, no word for people, or too long before it comes to a number."""
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("|")]
    wrong = [line for line in lines if DOUBLED.search(line) or FIELD.search(line) or ONE_OF_MANY.search(line)]
    first = re.split(r"\d", " ".join(lines), maxsplit=1)[0]
    has_amounts = re.search(r"\d \w*of \d|\d\w* of \d", head)
    return [*wrong, *([first] if has_amounts and len(first.split()) > 30 else [])]


def _kept(report: Report) -> dict[str, str]:
    results = [
        {
            "rule": result["ruleId"],
            "level": result["level"],
            "message": result["message"]["text"],
            "location": result["locations"][0]["physicalLocation"],
            "related": [each["physicalLocation"] for each in result.get("relatedLocations", [])],
        }
        for result in report.sarif["runs"][0]["results"]
    ]
    sarif = json.dumps(results, indent=1, ensure_ascii=False) + "\n"
    return {"annotations.txt": report.github, "comment.md": report.markdown, "sarif.json": sarif}


def test_there_are_cases() -> None:
    assert CASES
    assert {path.name for path in CASES}.issuperset(TOLD)
