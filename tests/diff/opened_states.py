"""The folders of the states of a repository, as a comparison has them."""

from __future__ import annotations

from git_repositories import Repository

from quotalint.diff.git import Git, Refused, git
from quotalint.diff.revisions import revision
from quotalint.diff.trees import Side, States, sides

open_states: list[States] = []


def states(
    repository: Repository, base: str = "HEAD", head: str | None = None, *, staged: bool = False
) -> tuple[Side, Side]:
    """The folders of two states."""
    folder = repository.folder.parent / "folders"
    (folder / "home").mkdir(parents=True)
    of = git(str(repository.folder), str(folder / "home"))
    assert isinstance(of, Git)
    first, other = revision(of, base), revision(of, head or base)
    assert not isinstance(first, Refused)
    assert not isinstance(other, Refused)
    refused = sides(of, first, other if head else None, str(folder / "trees"), str(repository.folder), staged=staged)
    assert not isinstance(refused, Refused)
    open_states.append(refused)
    return refused.base, refused.head
