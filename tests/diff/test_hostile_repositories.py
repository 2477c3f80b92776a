"""Repositories that nobody vouches for: nothing of them runs, nothing outside is touched, nothing is changed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, in_short, quota
from opened_states import close_states, states

from quotalint.cli import run
from quotalint.diff import git, trees
from quotalint.diff.folders import is_safe
from quotalint.diff.git import blobs
from quotalint.diff.trees import LeftOut, Side
from quotalint.pipeline import gathered
from quotalint.text.disk import entries_of, status_of, with_stand_ins
from quotalint.text.files import content


@pytest.fixture
def repository(repository: Repository) -> Iterator[Repository]:
    repository.commit({"quota.yaml": quota("pods: 5")})
    yield repository
    close_states()


def listed(side: Side) -> dict[str, str]:
    """What lies in a folder: what links lead to, and `x` before what may be executed."""
    listed = {}
    assert side.folder is not None
    with with_stand_ins(side.folder.tree):
        left = [side.root]
        while left:
            for entry in entries_of(left.pop()):
                way = os.path.relpath(entry.path, side.root)
                status = status_of(entry.path, follow=False)
                leaf = side.folder.tree.leaf(entry.path)
                if leaf is not None and stat.S_ISLNK(status.st_mode):
                    listed[way] = f"-> {leaf.target}"
                elif leaf is not None:
                    data = content(entry.path, 1 << 20) or b""
                    listed[way] = ("x " if status.st_mode & stat.S_IXUSR else "") + data.decode()
                elif entry.name != ".git":
                    left.append(entry.path)
    return listed


def test_what_a_repository_configures_does_not_run(repository: Repository, capsys: Any) -> None:
    folder = repository.folder
    ran = folder.parent / "ran"
    trap = folder / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{ran}'\ncat\n")
    trap.chmod(0o755)
    repository.commit({"a.yaml": quota("pods: 6", "a"), ".gitattributes": "*.yaml filter=trap diff=trap\n"})
    (folder / ".git" / "hooks").mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman"):
        (folder / ".git" / "hooks" / name).write_bytes(trap.read_bytes())
        (folder / ".git" / "hooks" / name).chmod(0o755)
    settings = {
        "core.fsmonitor": str(trap),
        "core.hooksPath": str(folder / ".git" / "hooks"),
        "core.sshCommand": str(trap),
        "core.pager": str(trap),
        "core.worktree": "/etc",
        "filter.trap.clean": str(trap),
        "filter.trap.smudge": str(trap),
        "filter.trap.process": str(trap),
        "filter.trap.required": "true",
        "diff.trap.textconv": str(trap),
        "diff.external": str(trap),
        "remote.origin.url": f"ext::{trap}",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": str(trap),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
        "alias.ls-tree": f"!{trap}",
        "safe.directory": "/nowhere",
    }
    config = folder / ".git" / "config"
    for key, value in settings.items():
        section, _, name = key.rpartition(".")
        top, _, below = section.partition(".")
        header = f'[{top} "{below}"]' if below else f"[{top}]"
        config.write_text(f'{config.read_text()}{header}\n\t{name} = "{value}"\n')
    repository.write({"b.yaml": quota("pods: 7", "b")})
    os.utime(folder / "a.yaml", (1, 1))  # so that git would look at its content, with the filter
    index = (folder / ".git" / "index").read_bytes()
    _, report = difference(capsys, "HEAD~1")
    assert [quota["name"] for quota in report["quotas"]] == ["a", "b"]
    assert not ran.exists(), ran.read_text()
    assert (folder / ".git" / "index").read_bytes() == index


def test_names_that_are_unusual(repository: Repository, capsys: Any) -> None:
    names = ["-c.yaml", "new\nline.yaml", "tab\t.yaml", "größe.yaml", "日本.yaml", '"quoted".yaml', "back\\slash.yaml"]
    repository.commit({f"-rf/{name}": quota("pods: 1", f"q{number}") for number, name in enumerate(names)})
    repository.write({f"-rf/{name}": quota("pods: 2", f"q{number}") for number, name in enumerate(names)})
    _, report = difference(capsys, "HEAD", "--", "./-rf")
    _, again = difference(capsys, "HEAD", "--", "-rf")
    shown = [name.replace("\n", "\\n").replace("\t", "\\t") for name in names]
    assert [quota["file"] for quota in report["quotas"]] == [f"-rf/{name}" for name in shown]
    assert again["quotas"] == report["quotas"]


def test_links_and_executable_files_stay_what_they_are(repository: Repository) -> None:
    folder = repository.folder
    (folder / "link.yaml").symlink_to("quota.yaml")
    (folder / "away.yaml").symlink_to("/etc/hostname")
    (folder / "folder").symlink_to("..")
    repository.write({"run.sh": "true\n", "plain.sh": "true\n"})
    (folder / "run.sh").chmod(0o755)
    repository.commit({})
    base, head = states(repository)
    there = {
        "quota.yaml": quota("pods: 5"),
        "link.yaml": "-> quota.yaml",
        "away.yaml": "-> /etc/hostname",
        "folder": "-> ..",
        "run.sh": "x true\n",
        "plain.sh": "true\n",
    }
    assert (listed(base), listed(head)) == (there, there)
    assert base.ids == head.ids
    assert sorted(os.listdir(base.root)) == [".git"]  # nothing else is on the disk


def test_a_link_of_the_working_tree_is_one_too(repository: Repository) -> None:
    (repository.folder / "link.yaml").symlink_to("quota.yaml")
    _, head = states(repository)
    assert (listed(head)["link.yaml"], head.left_out) == ("-> quota.yaml", ())


@pytest.mark.parametrize(
    ("path", "safe"),
    [
        ("a/" * 199 + "b", True),
        ("a/" * 200 + "b", False),
        ("a/.GIT/b", False),
        ("a/.github/b", True),
        ("a//b", False),
        ("a/../b", False),
        ("./a", False),
    ],
)
def test_which_names_may_be_those_of_files(path: str, safe: bool) -> None:
    assert is_safe(path) is safe


@pytest.mark.parametrize(("target", "status"), [("team", 0), ("../gone", 0), ("outside", 2)])
def test_a_link_may_be_asked_about_unless_something_outside_is_there(
    repository: Repository, capsys: Any, target: str, status: int
) -> None:
    (repository.folder.parent / "outside").mkdir()
    (repository.folder / "link").symlink_to(repository.folder.parent / target if target == "outside" else target)
    repository.commit({"team/quota.yaml": quota("pods: 1", "own")})
    refused = "quotalint: no such file or folder: link\n"
    assert run(["diff", "HEAD", "--", "link"]) == status
    assert (capsys.readouterr().err == refused) is (status == 2)


@pytest.mark.parametrize("ignored", ["", "in\n"])
def test_nothing_is_read_through_a_link_to_the_outside(repository: Repository, capsys: Any, ignored: str) -> None:
    outside = repository.folder.parent / "outside"
    outside.mkdir()
    (outside / "web.yaml").write_text(deployment(9))
    repository.commit({"in/web.yaml": deployment(1)})
    repository.write({"in/web.yaml": None, ".gitignore": ignored})
    (repository.folder / "in").rmdir()
    (repository.folder / "in").symlink_to(outside)
    _, report = difference(capsys, "HEAD", "--", ".", "in")
    assert in_short(report)[-1] == "  removed Deployment web: 1 → None"


def test_a_tree_that_git_would_not_write(repository: Repository) -> None:
    """A link, and a folder of the same name behind it; names that lead out of the tree."""
    blob = repository.git("rev-parse", "HEAD:quota.yaml")
    outside = repository.folder.parent / "outside"
    outside.mkdir()
    link = repository.git("hash-object", "-w", "--stdin", given=os.fsencode(outside))
    leaf = _tree(repository, [("100644", "evil.yaml", blob)])
    up = _tree(repository, [("100644", "up.yaml", blob)])
    entries = [("120000", "a", link), ("40000", "a", leaf), ("40000", "..", up), ("100644", ".git", blob)]
    base, _ = states(repository, _tree(repository, entries))
    assert list(outside.iterdir()) == []
    assert listed(base) == {"a/evil.yaml": quota("pods: 5")}
    assert [left_out.path for left_out in base.left_out] == ["../up.yaml", ".git", "a"]


def _tree(repository: Repository, entries: list[tuple[str, str, str]]) -> str:
    data = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(blob) for mode, name, blob in entries)
    return repository.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", given=data)


def test_trees_of_trees_without_end(repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """A commit of a kilobyte that lists a billion files."""
    tree = repository.git("rev-parse", "HEAD^{tree}").strip()
    for _ in range(9):
        entries = "".join(f"040000 tree {tree}\td{number}\n" for number in range(10))
        tree = repository.git("mktree", given=entries.encode()).strip()
    commit = repository.git("commit-tree", tree, "-m", "x").strip()
    monkeypatch.setattr(git, "MAX_LISTING", 1 << 20)
    assert run(["diff", "HEAD", commit]) == 2
    assert "git ls-tree printed more than 1 MiB" in capsys.readouterr().err


def test_a_revision_is_what_its_id_says(repository: Repository, capsys: Any) -> None:
    first = repository.git("rev-parse", "HEAD:quota.yaml")
    repository.commit({"quota.yaml": quota("pods: 6")})
    repository.git("replace", first, repository.git("rev-parse", "HEAD:quota.yaml"))
    _, report = difference(capsys, "HEAD~1")
    assert in_short(report) == ["changed team-a/base", "  pods: hard 5 → 6, steady 0"]


def test_equal_states_are_looked_at_once(repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    repository.commit({"web.yaml": deployment(9)})
    repository.git("commit", "-q", "--allow-empty", "-m", "nothing")
    calls = []

    def counted(*given: Any) -> Any:
        calls.append(given)
        return gathered(*given)

    monkeypatch.setattr("quotalint.cli.states.gathered", counted)
    _, report = difference(capsys, "HEAD~1", "HEAD")
    assert (len(calls), in_short(report)) == (1, ["unchanged QL301 quota.yaml:6"])


def _blobs_asked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the blobs that are read from now on."""
    asked: list[str] = []

    def noted(of: Any, ids: Any) -> Any:
        asked.extend(ids)
        return blobs(of, ids)

    monkeypatch.setattr("quotalint.diff.git.blobs", noted)
    return asked


def test_the_second_state_reads_what_changed_and_nothing_else(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository.commit({"web.yaml": deployment(1), "other.yaml": deployment(1, "other")})
    repository.commit({"other.yaml": deployment(2, "other")})
    asked = _blobs_asked_for(monkeypatch)
    difference(capsys, "HEAD~1", "HEAD")
    wanted = [repository.git("rev-parse", name) for name in ("HEAD~1:other.yaml", "HEAD:other.yaml", "HEAD:web.yaml")]
    assert sorted(asked) == sorted([*wanted, repository.git("rev-parse", "HEAD:quota.yaml")])


def test_what_nobody_looks_at_is_not_read(repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Nor what is too large, or is in another repository."""
    large = "# " + "x" * (17 << 20)
    repository.commit({"charts/.gitattributes": "*.tgz filter=lfs\n"})
    commit = repository.commit({".gitattributes": large[: 2 << 20], "picture.svg": "<svg/>" * 200, "large.yaml": large})
    (repository.folder / "lib").mkdir()
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},lib")
    repository.commit({"large.yaml": f"{large}x", "quota.yaml": quota("pods: 6")})
    asked = _blobs_asked_for(monkeypatch)
    difference(capsys, "HEAD~1", "HEAD")
    names = ("HEAD:charts/.gitattributes", "HEAD~1:quota.yaml", "HEAD:quota.yaml")
    assert sorted(asked) == sorted(repository.git("rev-parse", name) for name in names)


def test_a_further_work_tree(repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    repository.git("worktree", "add", "-q", "../further")
    monkeypatch.chdir(repository.folder.parent / "further")
    Path("quota.yaml").write_text(quota("pods: 6"))
    _, report = difference(capsys, "main")
    assert in_short(report) == ["changed team-a/base", "  pods: hard 5 → 6, steady 0"]


def test_the_work_tree_and_the_index_stay_as_they_are(repository: Repository, capsys: Any) -> None:
    repository.commit({"a.yaml": quota("pods: 1", "a")})
    repository.write({"a.yaml": quota("pods: 2", "a"), "b.yaml": quota("pods: 1", "b")})

    def state() -> dict[str, tuple[int, int]]:
        files = [path for path in repository.folder.rglob("*") if path.is_file()]
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}

    before = state()
    difference(capsys, "HEAD~1", "HEAD")
    difference(capsys, "HEAD")
    assert state() == before


@pytest.mark.parametrize("mode", ["100644", "120000"], ids=["file", "link"])
@pytest.mark.parametrize("is_folder_first", [True, False], ids=["folder", "no folder"])
@pytest.mark.parametrize("is_beside", [True, False], ids=["beside the first state", "by itself"])
def test_of_a_file_and_a_folder_of_one_name_the_same_counts(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, is_beside: bool, is_folder_first: bool, mode: str
) -> None:
    below, leaf = (repository.git("hash-object", "-w", "--stdin", given=data) for data in (b"a: 1\n", b"quota.yaml"))
    entries = [(mode, "a", leaf), ("40000", "a", _tree(repository, [("100644", "b.yaml", below)]))]
    first, second = _tree(repository, [entries[is_folder_first]]), _tree(repository, entries)
    if not is_beside:
        monkeypatch.setattr(trees, "_fill_beside", lambda *_: False)
    _, head = states(repository, first, second)
    left_out = ("a/b.yaml", errno.ENOTDIR) if mode == "100644" else ("a", errno.EEXIST)
    assert head.left_out == (LeftOut(left_out[0], f"cannot be copied: {os.strerror(left_out[1])}"),)
