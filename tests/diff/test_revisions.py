"""What revisions are, asked for at once or one after the other."""

from __future__ import annotations

import hashlib
from itertools import count
from pathlib import Path

import pytest
from git_repositories import Repository

from quotalint.diff import revisions as module
from quotalint.diff.git import Git, Refused, git
from quotalint.diff.revisions import Revision, revision, revisions

PLAIN = ("HEAD", "main", "HEAD~1", "main^", "HEAD^0", "v1", "refs/tags/v1", "topic/a-b")
OTHERS = ("@", "main^{tree}", "HEAD@{0}", "HEAD^{/first}", "main^{commit}", ":/first")
WRONG = ("nope", "^main", "main:a.txt", "main:b", "-", "main..HEAD", "HEAD^@", "HEAD^!", "", " ", "HEAD^-", "a.txt")


@pytest.fixture
def opened_git(tmp_path: Path) -> Git:
    repository = Repository(tmp_path / "repository", {"a.txt": "1", "b/c.txt": "2"})
    repository.git("commit", "-q", "--allow-empty", "-m", "first")
    repository.git("tag", "-a", "v1", "-m", "the first one")
    repository.git("branch", "topic/a-b")
    repository.commit({"a.txt": "3"})
    repository.git("commit", "-q", "--allow-empty", "-m", "last")
    found_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(found_git, Git)
    return found_git


@pytest.mark.parametrize("name", [*PLAIN, *OTHERS, *WRONG])
def test_a_revision_is_the_same_beside_another_one(name: str, opened_git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    together = revisions(opened_git, "HEAD", name)
    alone = revision(opened_git, name)
    monkeypatch.setattr(module, "_plain_revisions", lambda *_: ())
    assert together == (revision(opened_git, "HEAD"), alone)
    assert alone == revision(opened_git, name)
    assert isinstance(alone, Refused) == (name in WRONG)


def test_plain_names_are_one_question(opened_git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = revisions(opened_git, *PLAIN)

    def refuse(*_: object) -> Revision:
        raise AssertionError("asked for once more")

    monkeypatch.setattr(module, "_revision", refuse)
    assert revisions(opened_git, *PLAIN) == expected


def test_an_id_is_that_of_a_commit_whatever_it_is_named_beside(opened_git: Git) -> None:
    last = revision(opened_git, "HEAD")
    assert isinstance(last, Revision)
    repository = Repository(Path(opened_git.root))
    hashed = hashlib.sha256 if len(last.commit) == 64 else hashlib.sha1
    texts = (b"%d" % number for number in count())
    text = next(text for text in texts if hashed(_blob(text)).hexdigest().startswith(last.commit[:4]))
    repository.git("hash-object", "-w", "--stdin", given=text)
    named = last._replace(name=last.commit[:4])
    assert revision(opened_git, named.name) == named
    for other in ("HEAD", "@", "nope"):
        assert revisions(opened_git, named.name, other)[0] == named


def _blob(data: bytes) -> bytes:
    return b"blob %d\0%s" % (len(data), data)


def test_a_tree_may_be_named_by_its_id(opened_git: Git) -> None:
    of_commit = revision(opened_git, "HEAD")
    assert isinstance(of_commit, Revision)
    assert revision(opened_git, of_commit.tree) == Revision(of_commit.tree, "", of_commit.tree)
    assert revision(opened_git, of_commit.commit[:12]) == of_commit._replace(name=of_commit.commit[:12])
