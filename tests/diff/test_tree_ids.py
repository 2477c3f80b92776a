"""The id of the tree that a work tree would be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from git_repositories import Repository
from hypothesis import given
from hypothesis import strategies as st

from quotalint.cache.census import Census, census, content_digest
from quotalint.diff.tree_ids import NamedTree, blob_id, lying_tree, tree_id

FILES = {"a/one.yaml": "a: 1\n", "a.b/two.yaml": "a: 2\n", "a-b": "b: 1\n", "a/b/c/deep.txt": "", "b.yaml": "b: 1\n"}
"""Of which folders are ordered as if a slash were a part of their names."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo", FILES)


def tree_here(repository: Repository) -> NamedTree | None:
    root = str(repository.folder)
    seen = census([root], 1_000)
    assert seen is not None
    return tree_of(root, seen, digests(seen))


def tree_of(root: str, seen: Census, of_contents: bytes) -> NamedTree | None:
    entries = zip(seen.paths(), seen.stamps(), strict=True)
    return lying_tree(root, entries, seen.links, of_contents)


def digests(seen: Census) -> bytes:
    return b"".join(map(content_digest, seen.paths()))


def committed_tree(repository: Repository) -> str:
    repository.git("add", "-A")
    return repository.git("write-tree")


def _edited(repository: Repository) -> None:
    (repository.folder / "a" / "one.yaml").write_text("a: 3\n")
    (repository.folder / "b.yaml").unlink()
    (repository.folder / "new").write_text("of nobody")


def _linked(repository: Repository) -> None:
    os.symlink("../b.yaml", repository.folder / "a" / "linked.yaml")
    os.symlink("nothing", repository.folder / "lost")


def _runnable(repository: Repository) -> None:
    (repository.folder / "a-b").chmod(0o755)


def _emptied(repository: Repository) -> None:
    repository.git("rm", "-rq", ".")


def _named_otherwise(repository: Repository) -> None:
    (repository.folder / "é ü.yaml").write_text("")


@pytest.mark.parametrize("change", [lambda _: None, _edited, _linked, _runnable, _emptied, _named_otherwise])
def test_is_that_of_git(repository: Repository, change: Callable[[Repository], None]) -> None:
    change(repository)
    named = tree_here(repository)
    assert named is not None
    assert named.id == committed_tree(repository)
    listed = repository.git("ls-tree", "-r", "-l", "-z", named.id).split("\0")[:-1]
    assert list(map(os.fsdecode, named.names)) == [line.partition("\t")[2] for line in listed]
    assert list(named.sizes) == [int(line.partition("\t")[0].split()[3]) for line in listed]


def test_sizes_tell_what_git_has_made_another(repository: Repository) -> None:
    repository.commit({".gitattributes": "*.yaml text eol=crlf\n"})
    repository.git("rm", "-q", "--cached", "-r", ".")
    repository.git("reset", "-q", "--hard")
    index = repository.folder / ".git" / "index"
    os.utime(index, ns=(0, index.stat().st_mtime_ns + 1_000_000_000))  # so that git looked at them when all was written
    named = tree_here(repository)
    assert named is not None
    sizes = repository.git("ls-tree", "-r", "-l", named.id).splitlines()
    assert list(named.sizes) != [int(line.split()[3]) for line in sizes]


def test_there_is_none_of_an_empty_folder(repository: Repository) -> None:
    (repository.folder / "empty").mkdir()
    assert tree_here(repository) is None


def test_there_is_none_of_a_link_that_leads_out(repository: Repository) -> None:
    os.symlink("../elsewhere", repository.folder / "link")
    assert tree_here(repository) is None


@pytest.mark.parametrize(
    "target", ["{root}/b.yaml", "../../{name}/b.yaml", "../.git/config", "../a/../b.yaml", "c/../b"]
)
def test_there_is_none_of_a_link_that_may_lead_elsewhere_in_a_revision(repository: Repository, target: str) -> None:
    root = repository.folder
    os.symlink(target.format(root=root, name=root.name), root / "a" / "link")
    assert tree_here(repository) is None


def test_there_is_none_of_what_is_no_file(repository: Repository) -> None:
    os.mkfifo(repository.folder / "pipe")
    assert tree_here(repository) is None


def test_there_is_none_where_a_file_is_another_by_now(repository: Repository) -> None:
    """Of the same length and at the same time."""
    path = repository.folder / "b.yaml"
    path.write_text("b: 2\n")
    root, status = str(repository.folder), path.stat()
    seen = census([root], 1_000)
    assert seen is not None
    before = digests(seen)
    path.write_text("b: 3\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert tree_of(root, seen, before) is None


names = st.sampled_from(["a", "a.b", "a-b", "a0", "b", "Z", "é"])
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


@given(st.sets(paths, max_size=12))
def test_depends_on_the_files_alone(given_paths: set[str]) -> None:
    """Not on their order; and two sets of files have two trees."""
    files = [path for path in given_paths if not any(other.startswith(f"{path}/") for other in given_paths)]
    entries = [(os.fsencode(path), ("100644", blob_id(40)(path.encode()))) for path in files]
    of_all = tree_id(dict(entries))
    assert tree_id(dict(reversed(entries))) == of_all
    assert all(tree_id(dict(entries[:at] + entries[at + 1 :])) != of_all for at in range(len(entries)))


def test_an_id_of_another_kind() -> None:
    """Of a repository with SHA-256."""
    name = blob_id(64)(b"")
    assert name == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    assert len(tree_id({b"a/b": ("100644", name)})) == 64
