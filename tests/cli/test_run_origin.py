"""Where a report comes from: what git has written down, and what CI says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from quotalint.cli.run_origin import commit_of, page_origin

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def git(folder: Path, *arguments: str) -> str:
    """What git says."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    done = subprocess.run(("git", *who, *arguments), cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With one commit."""
    if shutil.which("git") is None:
        pytest.skip("git is not on PATH")
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "one")
    return folder


def test_the_commit_as_git_says(repository: Path, tmp_path: Path) -> None:
    wanted = git(repository, "rev-parse", "HEAD")
    commits = [commit_of(str(repository))]
    git(repository, "worktree", "add", "-q", "-b", "other/way", str(tmp_path / "worktree"))
    commits.append(commit_of(str(tmp_path / "worktree")))
    git(repository, "pack-refs", "--all")
    commits += [commit_of(str(repository)), commit_of(str(tmp_path / "worktree"))]
    git(repository, "checkout", "-q", "--detach")
    commits.append(commit_of(str(repository)))
    assert commits == [wanted] * 5


@pytest.mark.parametrize(
    "head",
    ["", "ref: ", "ref: ../../secret", "ref: refs/../../x", "ref: refs/heads/none", "\0", "a" * 40, "ref: refs/\0"],
)
def test_whatever_stands_in_head(head: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    assert commit_of(str(tmp_path)) == ("a" * 40 if head == "a" * 40 else "")


def test_there_may_be_no_repository(tmp_path: Path) -> None:
    (tmp_path / "worktree").mkdir()
    (tmp_path / "worktree" / ".git").write_text("gitdir: /nowhere/at/all")
    assert (commit_of(""), commit_of(str(tmp_path)), commit_of(str(tmp_path / "worktree"))) == ("", "", "")


@pytest.mark.parametrize(
    ("environ", "address"),
    [
        (
            {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "acme/shop", "GITHUB_SHA": COMMIT},
            f"https://github.com/acme/shop/blob/{COMMIT}/a.yaml#L7",
        ),
        (
            {
                "GITHUB_SERVER_URL": "https://git.example.org",
                "GITHUB_REPOSITORY": "acme/shop",
                "GITHUB_SHA": COMMIT,
                "FORGEJO_ACTIONS": "true",
            },
            f"https://git.example.org/acme/shop/src/commit/{COMMIT}/a.yaml#L7",
        ),
        (
            {"CI_PROJECT_URL": "https://code.example.org/acme/team/shop", "CI_COMMIT_SHA": COMMIT},
            f"https://code.example.org/acme/team/shop/-/blob/{COMMIT}/a.yaml#L7",
        ),
        (
            {"BITBUCKET_GIT_HTTP_ORIGIN": "http://bitbucket.org/acme/shop", "BITBUCKET_COMMIT": COMMIT},
            f"https://bitbucket.org/acme/shop/src/{COMMIT}/a.yaml#lines-7",
        ),
        ({"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "acme/shop"}, ""),
        ({"CI_PROJECT_URL": "javascript:alert(1)", "CI_COMMIT_SHA": COMMIT}, ""),
        ({}, ""),
    ],
)
def test_what_ci_says(environ: dict[str, str], address: str) -> None:
    assert page_origin((), "", "", environ).links.to("a.yaml", 7) == address


def test_files_are_named_from_the_top_of_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "clusters").mkdir()
    monkeypatch.chdir(repository / "clusters")
    origin = page_origin(
        ("check", "a b"), "https://git.example.org/r?p={file};n={line};c={commit}", str(repository), {}
    )
    commit = git(repository, "rev-parse", "HEAD")
    assert (origin.command, origin.commit) == ("quotalint check 'a b'", commit)
    assert origin.links.to("q.yaml", 3) == f"https://git.example.org/r?p=clusters/q.yaml;n=3;c={commit}"
