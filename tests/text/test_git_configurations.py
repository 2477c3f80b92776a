"""Wherever git is told to look for attributes, nothing is said of what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_repositories import Repository

from quotalint.text.git_filters import filtered_files

ELSEWHERE = "[core]\n\tattributesFile = ~/attributes\n"
VARIABLES = [
    {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.attributesFile", "GIT_CONFIG_VALUE_0": "/attributes"},
    {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": "/more"},
    {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "attr.tree", "GIT_CONFIG_VALUE_0": "HEAD"},
    {"GIT_CONFIG_PARAMETERS": "'core.attributesfile'='/attributes'"},
    {"GIT_ATTR_SOURCE": "HEAD"},
]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    home = tmp_path / "home"
    (home / ".config" / "git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return Repository(tmp_path / "repo", {"a.yaml": ""})


def is_known(repository: Repository) -> bool:
    """Whether it is known which files are kept as they are."""
    return filtered_files(str(repository.folder), ["a.yaml"]) is not None


@pytest.mark.parametrize("variables", VARIABLES)
def test_variables(repository: Repository, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    assert is_known(repository)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert not is_known(repository)


def test_a_variable_that_says_nothing_of_attributes(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """As runners set it."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "*")
    assert is_known(repository)


@pytest.mark.parametrize("variable", ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"])
def test_files_that_variables_name(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    (tmp_path / "other").write_text(ELSEWHERE)
    monkeypatch.setenv(variable, str(tmp_path / "other"))
    assert not is_known(repository)


@pytest.mark.parametrize("name", ["home/.gitconfig", "home/.config/git/config", "repo/.git/config.worktree"])
def test_files(repository: Repository, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("[attr]\n\ttree = HEAD\n")
    assert not is_known(repository)


@pytest.mark.parametrize(
    ("included", "is_read"),
    [
        ("[include]\n\tpath = %s/more\n", True),
        ('[includeIf "gitdir:/x"] path = "%s/more"\n', True),
        ("[include]\n\tPATH = ../../more\n", True),
        ("[include]\n\tpath = ~/../more\n", True),
        ("[include]\n\tpath = %%(prefix)/more\n", False),
        ("[include]\n\tpath = /m\\\n\t/more\n", False),
        ('[include]\n\tpath = /"more"\n', False),
    ],
)
def test_what_a_configuration_includes(repository: Repository, tmp_path: Path, included: str, is_read: bool) -> None:
    """As runners keep what they sign in with. What is named in another way may be anything."""
    with (repository.folder / ".git" / "config").open("a") as file:
        file.write(included.replace("%s", str(tmp_path)).replace("%%", "%"))
    assert is_known(repository) is is_read
    (tmp_path / "more").write_text(ELSEWHERE)
    assert not is_known(repository)


def test_files_that_include_each_other(repository: Repository, tmp_path: Path) -> None:
    (repository.folder / ".git" / "config").write_text(f"[include]\n\tpath = {tmp_path}/more\n")
    (tmp_path / "more").write_text("[include]\n\tpath = more\n\tpath = repo/.git/config\n")
    assert is_known(repository)
    for number in range(60):
        (tmp_path / f"more{number}").write_text(f"[include]\n\tpath = more{number + 1}\n")
    (tmp_path / "more").write_text("[include]\n\tpath = more0\n")
    assert not is_known(repository)
