"""A state that `check` has looked at is known to `diff`, which says what it would find out anew."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked, judged_states, note_small_states

from quotalint.cache.census import content_bytes
from quotalint.diff import tree_ids

Files = Mapping[str, str | None]

BASE: Files = {
    ".gitattributes": "*.md text\n",
    ".gitignore": "*.tmp\n",
    "README.md": "What this is.\n",
    "a/quota.yaml": quota("pods: 9, requests.cpu: 9"),
    "a/web.yaml": deployment(2),
    "b/quota.yaml": quota("pods: 3", namespace="team-b"),
    "b/web.yaml": deployment(2, "web", "team-b"),
    "d/quota.yaml": quota("pods: two", namespace="team-d"),
    "d/web.yaml": deployment(5, "web", "team-d"),
}
"""Of which an amount is wrong."""
APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: d, namespace: argocd}
spec:
  source: {repoURL: https://example.com/it.git, path: d, targetRevision: main}
  destination: {namespace: team-d, name: in-cluster}
"""
SMALL: Mapping[str, Files] = {
    "more replicas": {"a/web.yaml": deployment(4)},
    "an image": {"a/web.yaml": deployment(2).replace("image: web", "image: other")},
    "two namespaces": {"a/web.yaml": deployment(3), "b/web.yaml": deployment(1, "web", "team-b")},
    "a text that nothing reads": {"README.md": "What this was.\n"},
    "a text beside a manifest": {"README.md": "", "a/web.yaml": deployment(3)},
    "nothing": {},
}
SAID_OTHERWISE: Mapping[str, Files] = {
    "what does not fit": {"a/web.yaml": deployment(20)},
    "what was wrong": {"d/quota.yaml": quota("pods: 2", namespace="team-d")},
    "a quota": {"a/quota.yaml": quota("pods: 8, requests.cpu: 9")},
}
LARGE: Mapping[str, Files] = {
    "a quota that comes": {"a/more.yaml": quota("pods: 9", "more", "team-a")},
    "a folder that comes": {"x/web.yaml": deployment(1, "more", "team-a")},
    "patterns of git": {".gitattributes": "*.md filter=lfs\n"},
    "a configuration": {".quotalint.yaml": "failOn: never\n"},
}
FORMS = ("text", "json", "sarif", "markdown", "github")


@pytest.fixture
def repository(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    note_small_states(monkeypatch)
    return remembered_repository


def is_judged(monkeypatch: pytest.MonkeyPatch, *options: str) -> bool:
    """Whether the last commit is found out by judging states; in any case what is said is what is found out anew."""
    is_any = False
    for form in FORMS:
        command = ("diff", "HEAD~1", "HEAD", "--format", form, *options)
        expected = asked(*command[:1], "--no-cache", *command[1:])
        with monkeypatch.context() as inner:
            judged = judged_states(inner)
            assert asked(*command) == expected
            is_any = is_any or bool(judged)
    return is_any


def change(repository: Repository, files: Files) -> None:
    """A commit, of nothing perhaps."""
    repository.write(files)
    repository.git("add", "-A")
    repository.git("commit", "-q", "--allow-empty", "-m", "a change")


@pytest.mark.parametrize("edit", [*SMALL.values(), *SAID_OTHERWISE.values()], ids=[*SMALL, *SAID_OTHERWISE])
def test_what_was_checked_is_known(repository: Repository, monkeypatch: pytest.MonkeyPatch, edit: Files) -> None:
    repository.commit(BASE)
    asked("check")
    change(repository, edit)
    assert not is_judged(monkeypatch)


@pytest.mark.parametrize("edit", LARGE)
def test_what_reaches_further_is_judged(repository: Repository, monkeypatch: pytest.MonkeyPatch, edit: str) -> None:
    repository.commit(BASE)
    asked("check")
    change(repository, LARGE[edit])
    assert is_judged(monkeypatch)


@pytest.mark.parametrize("form", ["json", "markdown", "sarif"])
def test_reports_of_sums_leave_as_much(repository: Repository, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """As those that the action has written."""
    repository.commit(BASE)
    asked("check", "--output", "github=-", "--output", f"{form}={repository.folder.parent / 'report'}")
    change(repository, SMALL["more replicas"])
    assert not is_judged(monkeypatch)


def test_what_git_knows_is_not_read_again(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for what was not committed then."""
    repository.commit(BASE)
    repository.write({"d/more.yaml": deployment(1, "more", "team-d")})
    read: list[str] = []

    def reading(path: str) -> bytes | None:
        read.append(path)
        return content_bytes(path)

    monkeypatch.setattr(tree_ids, "content_bytes", reading)
    asked("check")
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "what was checked")
    change(repository, SMALL["more replicas"])
    assert not is_judged(monkeypatch)
    assert [os.path.basename(path) for path in read] == ["more.yaml"]


def test_also_of_a_fresh_checkout(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in continuous integration: other times and inodes, and the change is what is checked out."""
    repository.commit(BASE)
    asked("check")
    change(repository, SMALL["more replicas"])
    for path in repository.folder.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    repository.git("checkout", "-q", "--", ".")
    assert not is_judged(monkeypatch)


def test_of_the_working_tree(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(BASE)
    asked("check")
    repository.write(SMALL["more replicas"])
    expected = anew("diff", "HEAD")
    judged = judged_states(monkeypatch)
    assert asked("diff", "HEAD") == expected
    assert judged == []


def test_known_once_it_is_known_for_good(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer of the check may go."""
    repository.commit(BASE)
    asked("check")
    change(repository, SMALL["more replicas"])
    asked("diff", "HEAD~1", "HEAD")
    time.sleep(0.1)
    asked("check")
    assert not is_judged(monkeypatch)


def test_a_part_of_it(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the whole alone it is known what stands by itself, and of a part what is said of the part."""
    repository.commit(BASE)
    asked("check", "a")
    change(repository, SMALL["more replicas"])
    assert not is_judged(monkeypatch, "--", "a")


def _ignored_then_tracked(repository: Repository) -> None:
    (repository.folder / ".gitignore").write_text("*.tmp\nhidden.yaml\n")
    repository.git("commit", "-aqm", "ignore")
    (repository.folder / "hidden.yaml").write_text(quota("pods: 1", "hidden", "team-a"))
    asked("check")
    repository.git("add", "-f", "hidden.yaml")
    repository.git("commit", "-qm", "track")


def _run_bit(repository: Repository) -> None:
    asked("check")
    repository.git("update-index", "--chmod=+x", "a/web.yaml")
    repository.git("commit", "-qm", "a mode")
    repository.git("checkout", "-q", "--", ".")


def _line_ends(repository: Repository) -> None:
    """What lies there is not what git has."""
    (repository.folder / "a" / "web.yaml").write_bytes(deployment(2).replace("\n", "\r\n").encode())
    asked("check")
    repository.git("checkout", "-q", "--", ".")


def _same_length(repository: Repository) -> None:
    (repository.folder / "a" / "web.yaml").write_text(deployment(8))
    asked("check")
    repository.git("checkout", "-q", "--", ".")


def _left_over(repository: Repository) -> None:
    (repository.folder / "left.tmp").write_text("")
    asked("check")
    (repository.folder / "left.tmp").unlink()


def _empty_folder(repository: Repository) -> None:
    (repository.folder / "a" / "empty").mkdir()
    asked("check")
    (repository.folder / "a" / "empty").rmdir()


def _directive(repository: Repository) -> None:
    repository.commit({"d/quota.yaml": "# quotalint: ignore[QL1]\n" + str(BASE["d/quota.yaml"])})
    asked("check")


def _annotation(repository: Repository) -> None:
    silenced = str(BASE["d/quota.yaml"]).replace("{name:", "{annotations: {quotalint.dev/ignore: QL1}, name:")
    repository.commit({"d/quota.yaml": silenced})
    asked("check")


def _baseline(repository: Repository) -> None:
    asked("check", "--write-baseline")
    repository.git("add", "-A")
    repository.git("commit", "-qm", "a baseline")
    asked("check")


def _untracked_baseline(repository: Repository) -> None:
    asked("check")
    asked("check", "--write-baseline")


def _configuration_above(repository: Repository) -> None:
    asked("check")
    (repository.folder.parent / ".quotalint.yaml").write_text("ignore: [{rules: [QL1]}]\n")


def _remote(repository: Repository) -> None:
    """Whether it is this repository that Argo CD deploys is told by what it is called elsewhere."""
    repository.commit({"application.yaml": APPLICATION})
    asked("check")
    repository.git("remote", "add", "origin", "https://example.com/it.git")


def _link(repository: Repository) -> None:
    os.symlink("../d/web.yaml", repository.folder / "a" / "link.yaml")
    asked("check")
    (repository.folder / "a" / "link.yaml").unlink()
    os.symlink("../b/web.yaml", repository.folder / "a" / "link.yaml")
    repository.git("add", "-A")
    repository.git("commit", "-qm", "a link")


def _other_options(_: Repository) -> None:
    asked("check", "--kube-version", "1.30")


def _other_paths(_: Repository) -> None:
    asked("check", "a")


def _from_elsewhere(repository: Repository) -> None:
    here = os.getcwd()
    os.chdir(repository.folder / "a")
    asked("check", "..")
    os.chdir(here)


def _damaged(repository: Repository) -> None:
    asked("check")
    for path in (repository.folder.parent / "kept").glob("*.answer"):
        path.write_bytes(path.read_bytes()[:-1])


def test_checked_before_it_was_edited(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that still stands is one of what there is now; what was there before is known as well."""
    repository.commit(BASE)
    asked("check")
    (repository.folder / "a" / "web.yaml").write_text(deployment(3))
    time.sleep(0.1)
    asked("check")
    repository.git("checkout", "-q", "--", ".")
    change(repository, SMALL["more replicas"])
    assert not is_judged(monkeypatch)


OTHERS: list[Callable[[Repository], None]] = [
    *(_ignored_then_tracked, _run_bit, _line_ends, _same_length, _left_over, _empty_folder, _directive),
    *(_annotation, _baseline, _untracked_baseline, _configuration_above, _remote, _link, _other_options, _other_paths),
    *(_from_elsewhere, _damaged),
]


@pytest.mark.parametrize("other", OTHERS)
def test_another_state_or_question_is_judged(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, other: Callable[[Repository], None]
) -> None:
    repository.commit(BASE)
    other(repository)
    change(repository, SMALL["more replicas"])
    assert is_judged(monkeypatch)


def test_links_are_as_they_were(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    os.symlink("d/web.yaml", repository.folder / "a.link")
    repository.commit(BASE)
    asked("check")
    change(repository, SMALL["more replicas"])
    assert not is_judged(monkeypatch)


@pytest.mark.parametrize("of", ["file", "folder"])
def test_a_link_may_lead_nowhere_once_a_file_is_gone(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    """Of a manifest that is there twice nobody reads the link."""
    repository.write({**BASE, "d/more/more.yaml": deployment(1, "more", "team-d")})
    if of == "folder":
        os.symlink("../d/more", repository.folder / "b" / "more")
    os.symlink("more/more.yaml" if of == "folder" else "../d/more/more.yaml", repository.folder / "b" / "linked.yaml")
    repository.commit({"d/more/web.yaml": deployment(1, "other", "team-d")})
    asked("check")
    change(repository, {"d/more/more.yaml": None})
    assert is_judged(monkeypatch)


def test_a_folder_that_others_may_write_to_is_not_used(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repository.commit(BASE)
    asked("check")
    change(repository, SMALL["more replicas"])
    (tmp_path / "kept").chmod(0o777)
    assert is_judged(monkeypatch)
