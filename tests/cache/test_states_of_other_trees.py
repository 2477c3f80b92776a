"""What `check` has looked at is no state that git has: a link leads elsewhere in a revision, something was ignored, or
git keeps something else than what lies there."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked, note_small_states
from test_checked_states import BASE, SMALL, change, is_judged

from quotalint.cli import noted_by_check
from quotalint.diff.tree_ids import NamedTree, lying_tree


@pytest.fixture
def repository(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    note_small_states(monkeypatch)
    return remembered_repository


def _absolute_link(repository: Repository) -> None:
    repository.write({**BASE, "data/web.txt": deployment(3, "linked", "team-a")})
    os.symlink(repository.folder / "data" / "web.txt", repository.folder / "a" / "linked.yaml")


def _link_past_the_root(repository: Repository) -> None:
    """By way of a link beside the repository."""
    repository.write({**BASE, "data/web.txt": deployment(3, "linked", "team-a")})
    os.symlink(repository.folder, repository.folder.parent / "beside")
    os.symlink("../../beside/data/web.txt", repository.folder / "a" / "linked.yaml")


def _link_to_what_is_of_git(repository: Repository) -> None:
    repository.write(BASE)
    (repository.folder / ".git" / "web.yaml").write_text(deployment(3, "linked", "team-a"))
    os.symlink("../.git/web.yaml", repository.folder / "a" / "linked.yaml")


def _ignored_before_there_is_an_index(repository: Repository) -> None:
    hidden = quota("pods: 1", "hidden", "team-a")
    repository.write({**BASE, ".gitignore": "hidden.yaml\n", "hidden.yaml": hidden})


ELSEWHERE: list[Callable[[Repository], None]] = [
    *(_absolute_link, _link_past_the_root, _link_to_what_is_of_git, _ignored_before_there_is_an_index)
]


@pytest.mark.parametrize("lay_out", ELSEWHERE)
def test_what_a_revision_has_otherwise_is_judged(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, lay_out: Callable[[Repository], None]
) -> None:
    lay_out(repository)
    asked("check")
    repository.commit({})
    change(repository, SMALL["more replicas"])
    assert is_judged(monkeypatch)


@pytest.mark.parametrize("name", ["a/x\ny.yaml", os.fsdecode(b"a/\xff.yaml")])
def test_the_lines_of_a_file_are_told_whose_name_is_shown_otherwise(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    repository.commit({**BASE, name: quota("pods: 2", "more", "team-a")})
    asked("check")
    change(repository, SMALL["more replicas"])
    assert is_judged(monkeypatch)


def test_a_baseline_that_no_state_has(repository: Repository) -> None:
    """It says of what is known of them that nobody wants to be told of it."""
    repository.commit(BASE)
    change(repository, {"README.md": "of nobody\n"})
    asked("diff", "HEAD~1", "HEAD", "--format", "json")
    asked("check", "--write-baseline")
    command = ("diff", "HEAD~1", "HEAD~1", "--format", "json")
    assert asked(*command) == anew(*command)


def test_an_index_that_is_another_by_now(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was ignored while the check went on is tracked once it is kept what that found out."""
    hidden = quota("pods: 1", "hidden", "team-a")
    repository.commit({**BASE, ".gitignore": "hidden.yaml\n"})
    repository.write({"hidden.yaml": hidden})

    def tracked_tree(*about: Any) -> NamedTree | None:
        repository.git("add", "-f", "hidden.yaml")
        return lying_tree(*about)

    monkeypatch.setattr(noted_by_check, "lying_tree", tracked_tree)
    asked("check")
    repository.git("commit", "-qm", "what was ignored")
    change(repository, SMALL["more replicas"])
    assert is_judged(monkeypatch)
