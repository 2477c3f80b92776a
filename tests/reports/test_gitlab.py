"""The code quality report: what GitLab's documentation asks for."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from sample_findings import FORMATS, TEXT, finding, hostile, report

from quotalint.reports.gitlab import render

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "gitlab-code-quality.json").read_text())


def errors(printed: str) -> list[str]:
    errors = jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(printed))
    return [f"{list(error.path)}: {error.message}" for error in errors]


def test_a_finding_is_an_issue() -> None:
    assert json.loads(render([finding()])) == [
        {
            "description": "QL301 team-a asks for pods 5; quota base allows 4 (raise pods to 5)",
            "check_name": "QL301",
            "fingerprint": "0123456789abcdef0123",
            "severity": "major",
            "location": {"path": "team-a/q.yaml", "lines": {"begin": 6, "end": 6}},
        }
    ]


@pytest.mark.parametrize(
    ("severity", "issue"), [("error", "major"), ("warning", "minor"), ("info", "info")], ids=lambda value: str(value)
)
def test_severities_are_those_of_gitlab(severity: str, issue: str) -> None:
    assert [load["severity"] for load in json.loads(render([finding(severity=severity)]))] == [issue]


def test_no_two_issues_have_one_fingerprint() -> None:
    issues = json.loads(render([finding(), finding(), finding()]))
    prints = ["0123456789abcdef0123", "0123456789abcdef0123-2", "0123456789abcdef0123-3"]
    assert [issue["fingerprint"] for issue in issues] == prints


def test_nothing_to_say_is_an_empty_list() -> None:
    assert render([]) == "[]\n"


def test_the_report_of_a_repository_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    printed = report("gitlab", FORMATS, capsys)
    assert (errors(printed), len(json.loads(printed)) > 5) == ([], True)


@given(TEXT)
def test_whatever_a_manifest_says_the_report_is_valid(text: str) -> None:
    printed = render([hostile(text)])
    assert (errors(printed), printed.encode().decode() == printed) == ([], True)
