"""What `quotalint diff` cannot compare, and in which words it says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_repositories import Repository, failing_git, quota

from quotalint.cli import run


@pytest.fixture
def repository(repository: Repository) -> Repository:
    repository.commit({"quota.yaml": quota("pods: 5")})
    return repository


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "unknown revision 'nope'; if it is on the server, fetch it first: `git fetch origin nope`"),
        (["main", "nope"], "unknown revision 'nope'; if it is on the server, fetch it first: `git fetch origin nope`"),
        (["nope...main"], "unknown revision 'nope'; if it is on the server, fetch it first: `git fetch origin nope`"),
        (["main~7"], "unknown revision 'main~7': there is main, but no such commit from there"),
        (["main@{upstream}"], "unknown revision 'main@{upstream}': there is main, but no such commit from there"),
        ([""], "'' is not a revision: is a variable empty?"),
        (["origin/...main"], "'origin/' is not a revision: is a variable empty?"),
        (["^main"], "unknown revision '^main'"),
        (["-"], "unknown revision '-'"),
        (["main...--show-toplevel"], "unknown revision '--show-toplevel'"),
        (["main:team"], "'main:team' is not a revision, but a path in one; write paths after `--`"),
        (["main:quota.yaml"], "'main:quota.yaml' is not a revision, but a path in one; write paths after `--`"),
        (["main...", "main"], "main... names two revisions already, so 'main' is one too many; write paths after `--`"),
        (["main...alone"], "main and alone have no commit in common here"),
        (["main", "--", "-"], "`-` is standard input, which has no revisions"),
        (["main", "--", "nowhere", "quota.yaml"], "no such file or folder: nowhere"),
        (["main", "--config", "nowhere.yaml"], "nowhere.yaml: cannot be read: No such file or directory"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_compared_is_refused_by_name(
    arguments: list[str], message: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.git("checkout", "-q", "--orphan", "alone")
    repository.commit({"quota.yaml": quota("pods: 1")})
    repository.git("checkout", "-q", "main")
    repository.commit({"team/notes.txt": ""})
    status = run(["diff", *arguments])
    assert (status, *capsys.readouterr()) == (2, "", f"quotalint: {message}\n")


@pytest.mark.parametrize("revisions", [("main",), ("main", "HEAD"), ("main^{tree}",)])
def test_git_says_what_is_wrong_with_a_repository(
    revisions: tuple[str, ...], repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository.folder / ".git" / "config").write_text("[core\n")
    assert run(["diff", *revisions]) == 2
    assert "quotalint: git rev-parse: fatal: bad config line 1" in capsys.readouterr().err


def test_a_path_outside(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    status = run(["diff", "main", "--", "../elsewhere"])
    message = f"quotalint: ../elsewhere lies outside the repository {repository.folder.resolve()}\n"
    assert (status, *capsys.readouterr()) == (2, "", message)


def test_a_folder_outside_any_repository_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    status = run(["diff", "main"])
    assert (status, *capsys.readouterr()) == (
        2,
        "",
        "quotalint: this is not a git repository: there is no .git here or in a folder above\n",
    )


def test_a_bare_repository(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.git("clone", "-q", "--bare", ".", "../bare")
    monkeypatch.chdir(repository.folder.parent / "bare")
    status = run(["diff", "main"])
    assert (status, capsys.readouterr().err) == (
        2,
        "quotalint: this is not a git repository: there is no .git here or in a folder above; "
        "a bare repository has to be cloned first\n",
    )


def test_a_message_names_a_revision(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.commit({"quota.yaml": quota("pods: 6")})
    assert (run(["diff", "--quiet", ":/a change"]), *capsys.readouterr()) == (0, "", "")


def test_something_called_git_that_is_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    status = run(["diff", "main"])
    assert (status, capsys.readouterr().err[:27]) == (2, "quotalint: git rev-parse: f")


def test_a_comparison_without_git_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(repository.folder.parent))
    status = run(["diff", "main"])
    assert (status, *capsys.readouterr()) == (
        2,
        "",
        "quotalint: git, which reads the revisions, is not on PATH\n",
    )


@pytest.mark.parametrize("command", ["ls-tree", "ls-files -z --cached", "ls-files -z --others", "cat-file --batch "])
def test_a_git_that_breaks_off(
    command: str, repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"quota.yaml": quota("pods: 6")})
    failing_git(repository, monkeypatch, command, "fatal: Out of memory")
    status = run(["diff", "HEAD~1"])
    message = f"quotalint: git {command.split()[0]}: fatal: Out of memory\n"
    assert (status, *capsys.readouterr()) == (2, "", message)


def test_no_revision_and_too_many(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    messages = [(run(["diff", *arguments]), capsys.readouterr().err.splitlines()[-1]) for arguments in ([], ["a"] * 3)]
    assert messages == [
        (2, "Error: no revision is given, such as: quotalint diff main"),
        (2, "Error: Got unexpected extra argument (a)"),
    ]


def test_a_shallow_clone_says_what_to_fetch(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"quota.yaml": quota("pods: 6")})
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"quota.yaml": quota("pods: 7")})
    url = f"file://{repository.folder}"
    repository.git("clone", "-q", "--depth=1", "--single-branch", "-b", "feature", url, "../shallow")
    monkeypatch.chdir(repository.folder.parent / "shallow")
    messages = [(run(["diff", name]), capsys.readouterr().err) for name in ("main", "origin/main...HEAD", "feature~1")]
    start = "quotalint: unknown revision"
    hint = (
        "; this is a shallow clone: fetch it first (`git fetch origin {}`, then FETCH_HEAD), or all (fetch-depth: 0)\n"
    )
    assert messages == [
        (2, f"{start} 'main'{hint.format('main')}"),
        (2, f"{start} 'origin/main'{hint.format('main')}"),
        (
            2,
            f"{start} 'feature~1': there is feature, but no such commit from there; "
            "this is a shallow clone: `git fetch --unshallow` brings the rest (fetch-depth: 0)\n",
        ),
    ]


def test_a_shallow_clone_may_not_have_where_two_branches_parted(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"quota.yaml": quota("pods: 6")})
    repository.git("checkout", "-q", "main")
    repository.commit({"quota.yaml": quota("pods: 7")})
    url = f"file://{repository.folder}"
    repository.git("clone", "-q", "--depth=1", "--no-single-branch", url, "../shallow")
    monkeypatch.chdir(repository.folder.parent / "shallow")
    assert (run(["diff", "origin/feature...main"]), capsys.readouterr().err) == (
        2,
        "quotalint: origin/feature and main have no commit in common here; "
        "this is a shallow clone: `git fetch --unshallow` brings the rest\n",
    )


def test_a_branch_that_only_the_remote_has(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.git("branch", "other")
    repository.git("clone", "-q", str(repository.folder), "../clone")
    monkeypatch.chdir(repository.folder.parent / "clone")
    status = run(["diff", "other"])
    assert (status, capsys.readouterr().err) == (
        2,
        "quotalint: unknown revision 'other'; did you mean origin/other?\n",
    )
