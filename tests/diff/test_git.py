"""What git is asked of a repository."""

from __future__ import annotations

from pathlib import Path

from git_repositories import Repository

from quotalint.diff.git import Git, git, remote


def test_the_address_is_the_one_that_it_was_cloned_from(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    opened_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(opened_git, Git)
    assert remote(opened_git) == ""
    repository.git("remote", "add", "origin", "https://example.org/shop.git")
    assert remote(opened_git) == "https://example.org/shop.git"
