"""What git is asked of a repository."""

from __future__ import annotations

from pathlib import Path

from git_repositories import Repository

from quotalint.diff.git import Git, Refused, TreeListing, git, remote, sizes, tree


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


def test_a_tree_beside_another_one_has_the_same_sizes(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    first = repository.commit({"gone.txt": "1", "b/kept.txt": "22", "b/c.txt": "333", "run.sh": "4444", "b-c.txt": "5"})
    (repository.folder / "run.sh").chmod(0o755)
    (repository.folder / "link").symlink_to("b")
    repository.git("rm", "-q", "gone.txt")
    repository.write({"b/c.txt": "66666\n", "b/new \u00e9.txt": "", "gone.txt/a": "a folder now"})
    repository.git("add", "--all")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{first},module")
    repository.git("commit", "-q", "-m", "much else")
    second = repository.git("rev-parse", "HEAD")
    opened_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(opened_git, Git)
    for commit, other in ((second, first), (first, second), (first, first)):
        listed, others = tree(opened_git, commit), tree(opened_git, other)
        assert not isinstance(listed, Refused) and not isinstance(others, Refused)
        assert tree(opened_git, commit, beside=TreeListing(other, others)) == listed


def test_a_submodule_may_have_the_id_of_a_file(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", {"a.txt": "four"})
    file = repository.git("rev-parse", "HEAD:a.txt")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{file},module")
    repository.git("rm", "-q", "--cached", "a.txt")
    first, second = repository.git("write-tree"), repository.git("rev-parse", "HEAD^{tree}")
    opened_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(opened_git, Git)
    before, after = tree(opened_git, first), tree(opened_git, second)
    assert not isinstance(before, Refused) and not isinstance(after, Refused)
    assert tree(opened_git, second, beside=TreeListing(first, before)) == after


def test_a_submodule_of_a_partial_clone_has_no_size(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", {"a.txt": "1"})
    first = repository.git("rev-parse", "HEAD")
    repository.write({"b.txt": "22"})
    repository.git("add", "b.txt")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    repository.git("commit", "-q", "-m", "with a submodule")
    second = repository.git("rev-parse", "HEAD")
    repository.git("config", "remote.origin.promisor", "true")
    repository.git("config", "remote.origin.url", "file:///nowhere")
    opened_git = git(str(repository.folder), str(tmp_path))
    assert isinstance(opened_git, Git)
    before = tree(opened_git, first)
    assert not isinstance(before, Refused)
    after = tree(opened_git, second, beside=TreeListing(first, before))
    assert not isinstance(after, Refused)
    assert {entry.path: entry.size for entry in after} == {"a.txt": 1, "b.txt": 2, "module": -1}
