"""The comment on a merge request of GitLab, and on a pull request of Forgejo, from reports that lie there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from github_server import GitHub

from action.elsewhere import main


@pytest.fixture
def reports(tmp_path: Path) -> list[str]:
    (tmp_path / "diff.md").write_text("# quotas\n")
    (tmp_path / "diff.json").write_text(json.dumps({"findings": {"new": [{}]}, "quotas": []}))
    return [str(tmp_path / "diff.md"), str(tmp_path / "diff.json")]


def gitlab(host: GitHub) -> dict[str, str]:
    """The variables of a job of merge request 7, and a server that answers as GitLab does."""
    notes: list[dict[str, Any]] = [{"id": 3, "body": "hello", "author": {"username": "somebody"}}]
    path = "/projects/42/merge_requests/7/notes"

    def answer(_: GitHub, method: str, asked: str) -> tuple[int, Any]:
        if asked == "/user":
            return 200, {"username": "project_42_bot"}
        if method == "GET":
            return 200, notes if asked == f"{path}?per_page=100&page=1" else []
        if method == "POST" and asked == path:
            notes.append({"id": 9, "body": "<!-- written -->", "author": {"username": "project_42_bot"}})
            return 201, notes[-1]
        return (200, notes[-1]) if (method, asked) == ("PUT", f"{path}/9") else (404, {"message": "404 Not found"})

    host.otherwise = answer
    host.comments = notes
    return {
        "GITLAB_CI": "true",
        "CI_API_V4_URL": host.url,
        "CI_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "7",
        "QUOTALINT_TOKEN": "glpat-x",
    }


def test_a_merge_request_gets_one_comment(
    github: GitHub,  # the fixture
    reports: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    environ = gitlab(github)
    assert main(reports, environ) == 0
    marker = "<!-- quotalint cdb4ee2aea69cc6a -->"
    github.comments[-1]["body"] = f"{marker}\n# before\n"
    assert main(reports, environ) == 0
    assert [call.rpartition("notes")[2] for call in github.asked if "GET" not in call] == ["", "/9"]
    assert github.tokens == {"Bearer glpat-x"}
    assert capsys.readouterr().out.splitlines() == ["quotalint: commented", "quotalint: the comment is up to date"]


def test_nothing_worth_a_comment_gets_none(
    github: GitHub,  # the fixture
    reports: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path(reports[1]).write_text(json.dumps({"findings": {"new": []}, "quotas": []}))
    assert main(reports, gitlab(github)) == 0
    assert capsys.readouterr().out == "quotalint: there is nothing to comment on\n"
    Path(reports[1]).write_text(json.dumps({"findings": {"new": []}, "quotas": [], "verdict": "unknown"}))
    assert main(reports, gitlab(github)) == 0
    assert capsys.readouterr().out == "quotalint: commented\n"


def test_forgejo_is_asked_as_github_is(
    github: GitHub,  # the fixture
    reports: list[str],
    tmp_path: Path,
) -> None:
    github.me = (200, {"login": "github-actions[bot]"})
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 1, "base": {}, "head": {}}}))
    environ = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "acme/shop",
        "GITHUB_API_URL": github.url,
        "QUOTALINT_TOKEN": "t0ken",
    }
    assert (main(reports, environ), main(reports[:1], environ)) == (0, 0)
    assert [comment["body"].partition("\n")[2] for comment in github.comments] == ["# quotas\n"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"QUOTALINT_TOKEN": ""}, "no comment: there is no token in QUOTALINT_TOKEN"),
        ({"CI_MERGE_REQUEST_IID": ""}, "no comment: this pipeline is of no merge request"),
        ({"GITLAB_CI": ""}, "no comment: this run is of no pull request"),
        ({"CI_PROJECT_ID": "7"}, "no comment: 404: 404 Not found"),
    ],
)
def test_why_there_is_no_comment(
    github: GitHub,  # the fixture
    reports: list[str],
    change: dict[str, str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environ = {**gitlab(github), **change}
    assert (main(reports, environ), capsys.readouterr().out) == (0, f"quotalint: {message}\n")


def test_a_report_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (main([str(tmp_path / "gone.md")], {}), main([], {})) == (2, 2)
    assert "cannot be read" in capsys.readouterr().out
