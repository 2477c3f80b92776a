"""What a file was called before a change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from git_repositories import Repository, deployment, quota
from opened_states import close_states, states

from quotalint.diff.edited_lines import EditedLines


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    yield Repository(tmp_path / "repository", {"web.yaml": deployment(2), "quota.yaml": quota("pods: 5")})
    close_states()


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (deployment(2), "web.yaml"),
        (deployment(3), "web.yaml"),
        (quota("pods: 5", "web"), "apps/web.yaml"),
        ("", "apps/web.yaml"),
    ],
    ids=["as it was", "with another number", "something else", "nothing"],
)
def test_a_file_that_moves_is_known_by_what_it_holds(repository: Repository, text: str, before: str) -> None:
    repository.commit({"web.yaml": None, "apps/web.yaml": text})
    base, head = states(repository, "HEAD~1", "HEAD")
    edited = EditedLines(base, head, str(repository.folder))
    assert (edited.before("apps/web.yaml"), edited.before("quota.yaml")) == (before, "quota.yaml")


@pytest.mark.parametrize(
    ("path", "text", "before"),
    [
        ("shop.yaml", deployment(3), "web.yaml"),
        ("apps/shop.yaml", deployment(3), "apps/shop.yaml"),
        ("shop.json", deployment(3), "shop.json"),
        ("apps/web.yaml", "kind: List\n" * 12 + deployment(2), "web.yaml"),
        ("apps/web.yaml", "kind: List\n" * 13 + deployment(2), "apps/web.yaml"),
    ],
    ids=["in its folder", "in another folder", "of another suffix", "half of it", "less than half of it"],
)
def test_a_file_that_moves_and_changes_is_known_by_its_name_or_folder(
    repository: Repository, path: str, text: str, before: str
) -> None:
    repository.commit({"web.yaml": None, path: text})
    base, head = states(repository, "HEAD~1", "HEAD")
    assert EditedLines(base, head, str(repository.folder)).before(path) == before


@pytest.mark.parametrize(
    ("before", "after", "seam"),
    [
        ("a:\n  b: 1\n---\nc: 2\n", "a:\n---\nc: 2\n", 1),
        ("a:\n  b: 1\n\nc: 2\n", "a:\n\nc: 2\n", 1),
        ("a:\n  b: 1\n", "a:\n", 1),
        ("a:\n  b: 1\n  c: 2\n", "a:\n  c: 2\n", 2),
        ("b: 1\n---\nc: 2\n", "---\nc: 2\n", 1),
        ("a:\n  b: 1\n", "a:\n  b: 2\n", 2),
    ],
    ids=["of a document", "of a part", "of the file", "none", "and begin", "written"],
)
def test_what_is_gone_from_an_end_leaves_its_seam_there(
    repository: Repository, before: str, after: str, seam: int
) -> None:
    repository.commit({"list.yaml": before})
    repository.commit({"list.yaml": after})
    base, head = states(repository, "HEAD~1", "HEAD")
    assert EditedLines(base, head, str(repository.folder)).seams("list.yaml") == (seam,)
