"""Two states that hold the same files are not judged where no report needs more than that."""

from __future__ import annotations

import json
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota

from quotalint.cli import run, states
from quotalint.pipeline import gathered

FILES = {
    "README.md": "What this is.\n",
    "a/web.yaml": deployment(9),
    "a/quota.yaml": quota("pods: 3, requests.cpu: 50"),
}


@pytest.fixture
def committed(repository: Repository) -> Repository:
    repository.commit(FILES)
    repository.git("commit", "-q", "--allow-empty", "-m", "nothing")
    return repository


@pytest.mark.parametrize("form", ["text", "markdown", "github", "gitlab", "rdjson"])
@pytest.mark.parametrize("revisions", [("HEAD~1", "HEAD"), ("HEAD", "HEAD"), ("HEAD",), ("--staged",)])
def test_neither_is_judged(
    committed: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any, form: str, revisions: tuple[str, ...]
) -> None:
    judged: list[object] = []

    def noting(*given: Any) -> Any:
        judged.append(given)
        return gathered(*given)

    monkeypatch.setattr(states, "gathered", noting)
    assert run(["diff", *revisions, "--format", form]) == 0
    out, err = capsys.readouterr()
    assert ("unchanged" in out, err, judged) == (False, "", [])


def test_says_so(committed: Repository, capsys: Any) -> None:
    run(["diff", "HEAD", "HEAD"])
    assert capsys.readouterr().out.startswith("Nothing changes: both hold the same files.\n\nNo new findings, ")
    run(["diff", "HEAD", "--format", "markdown"])
    assert "Nothing changes: both hold the same files." in capsys.readouterr().out


def test_json_names_what_both_have_wrong(committed: Repository, capsys: Any) -> None:
    run(["diff", "HEAD", "HEAD", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert [finding["rule"] for finding in report["findings"]["unchanged"]] == ["QL301"]


def test_another_configuration_has_them_judged(committed: Repository, capsys: Any) -> None:
    """What the change brings of it counts only where that is asked for."""
    committed.commit({".quotalint.yaml": "failOn: never\n"})
    run(["diff", "HEAD~1", "HEAD"])
    assert "both hold the same files" not in capsys.readouterr().out
