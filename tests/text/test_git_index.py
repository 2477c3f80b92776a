"""What git's index says of files that are as they were when it looked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from git_repositories import Repository

from quotalint.text.git_index import content_ids
from quotalint.transcript import stamp

FILES = {"a/one.yaml": "a: 1\n", "a/two.yaml": "a: 2\n", "b.yaml": "b: 1\n"}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo", FILES)


def known_ids(repository: Repository) -> dict[str, str]:
    stamps = {name: stamp((repository.folder / name).stat()) for name in FILES}
    return content_ids(str(repository.folder), stamps)


def ids_of_git(repository: Repository) -> dict[str, str]:
    return {name: repository.git("rev-parse", f"HEAD:{name}") for name in FILES}


@pytest.mark.parametrize("version", [2, 4])
def test_are_those_of_git(repository: Repository, version: int) -> None:
    repository.git("update-index", "--index-version", str(version))
    assert known_ids(repository) == ids_of_git(repository)


def test_say_nothing_of_a_file_that_was_touched(repository: Repository) -> None:
    os.utime(repository.folder / "b.yaml", (1, 1))
    (repository.folder / "a" / "one.yaml").write_text("a: 3\n")
    assert known_ids(repository).keys() == {"a/two.yaml"}


def test_say_nothing_of_what_may_have_changed_at_once(repository: Repository) -> None:
    """The index was written when the file was, or before."""
    status = (repository.folder / "b.yaml").stat()
    index = repository.folder / ".git" / "index"
    os.utime(index, ns=(status.st_mtime_ns, status.st_mtime_ns))
    assert "b.yaml" not in known_ids(repository)


def test_say_nothing_of_what_may_have_been_given_an_older_time(repository: Repository) -> None:
    """It was written once more, of the same length, right after git looked at it, and is as old as it was."""
    path = repository.folder / "b.yaml"
    os.utime(path, (1, 1))
    repository.git("update-index", "--refresh")
    index = repository.folder / ".git" / "index"
    looked = path.stat().st_ctime_ns
    os.utime(index, ns=(looked, looked))
    assert "b.yaml" not in known_ids(repository)
    os.utime(index, ns=(looked, looked + 1))
    assert "b.yaml" in known_ids(repository)


@pytest.mark.parametrize("name", [".gitattributes", "a/.gitattributes"])
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("*.yaml filter=other\n", False),
        ("*.yaml text eol=lf\n", True),
        ("*.png filter=lfs diff=lfs merge=lfs -text\n", True),
        ("# *.yaml filter=other\n", True),
        ("*.YAML Filter=other\n", False),
        ("*.yaml working-tree-encoding=CP037\n", False),
        ("[attr]large filter=lfs\n*.yaml large\n", False),
        ('"*.yaml" filter=other\n', False),
    ],
)
def test_say_nothing_where_a_program_may_write_the_files(
    repository: Repository, name: str, text: str, known: bool
) -> None:
    repository.commit({name: text})
    assert (known_ids(repository) == ids_of_git(repository)) is known


FILTERED = {
    "*.yaml": {"a/one.yaml", "a/two.yaml", "b.yaml"},
    "/b.yaml": {"b.yaml"},
    "one.yaml": {"a/one.yaml"},
    "a/*": {"a/one.yaml", "a/two.yaml"},
    "**/two.*": {"a/two.yaml"},
    "a": set[str](),
    "a/one.yaml": {"a/one.yaml"},
}


@pytest.mark.parametrize("pattern", FILTERED)
def test_say_nothing_of_the_files_that_a_program_may_write(repository: Repository, pattern: str) -> None:
    """As in git's own words, `git check-attr`."""
    repository.commit({".gitattributes": f"{pattern} filter=other\n"})
    said = repository.git("check-attr", "filter", "--", *FILES)
    filtered = {line.partition(":")[0] for line in said.splitlines() if line.endswith(": other")}
    assert filtered == FILTERED[pattern]
    assert known_ids(repository) == {name: of for name, of in ids_of_git(repository).items() if name not in filtered}


def test_attributes_count_below_their_folder(repository: Repository) -> None:
    repository.commit({"a/.gitattributes": "*.yaml filter=other\n/two.yaml filter=other\n"})
    assert known_ids(repository).keys() == {"b.yaml"}


def test_say_nothing_where_the_user_has_attributes_elsewhere(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    own = tmp_path / "settings" / "git" / "attributes"
    own.parent.mkdir(parents=True)
    own.write_text("*.yaml filter=other\n")
    assert known_ids(repository) == {}
    own.write_text("[attr]large filter=lfs\n")
    assert known_ids(repository) == {}
    own.write_text("*.md text\n")
    assert known_ids(repository) == ids_of_git(repository)
    repository.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    assert known_ids(repository) == {}


def test_attributes_count_that_are_not_tracked(repository: Repository) -> None:
    """Git looks at them all the same."""
    (repository.folder / ".gitattributes").write_text("b.yaml filter=other\n")
    stamps = {name: stamp((repository.folder / name).stat()) for name in (*FILES, ".gitattributes")}
    assert content_ids(str(repository.folder), stamps).keys() == {"a/one.yaml", "a/two.yaml"}


def test_say_nothing_of_a_conflict(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "other")
    repository.commit({"b.yaml": "b: 2\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"b.yaml": "b: 3\n"})
    with pytest.raises(AssertionError):
        repository.git("merge", "-q", "other")
    assert known_ids(repository).keys() == {"a/one.yaml", "a/two.yaml"}


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\7abc", b"no index"])
def test_say_nothing_of_what_is_no_index(repository: Repository, data: bytes) -> None:
    (repository.folder / ".git" / "index").write_bytes(data)
    assert known_ids(repository) == {}
