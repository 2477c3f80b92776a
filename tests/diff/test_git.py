"""What git is asked of a repository."""

from __future__ import annotations

from pathlib import Path

from git_repositories import Repository

from quotalint.diff.git import Git, git, remote, sizes


def test_the_address_is_the_one_that_it_was_cloned_from(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    opened_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(opened_git, Git)
    assert remote(opened_git) == ""
    repository.git("remote", "add", "origin", "https://example.org/shop.git")
    assert remote(opened_git) == "https://example.org/shop.git"


def test_only_files_have_a_size(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    commit = repository.commit({"a.txt": "four"})
    file = repository.git("rev-parse", "HEAD:a.txt")
    opened_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(opened_git, Git)
    assert sizes(opened_git, [file, commit, "0" * 40]) == {file: 4}
