"""The folders of the states of a repository, as a comparison has them."""

from __future__ import annotations

from git_repositories import Repository

from quotalint.diff.git import Git, Refused, git
from quotalint.diff.revisions import revision
from quotalint.diff.trees import Side, States, sides

_open_states: list[States] = []


def states(
    repository: Repository, base: str = "HEAD", head: str | None = None, *, staged: bool = False
) -> tuple[Side, Side]:
    """The folders of two states."""
    folder = repository.folder.parent / "folders"
    (folder / "home").mkdir(parents=True)
    opened_git = git(str(repository.folder), str(folder / "home"))
    assert isinstance(opened_git, Git)
    first, other = revision(opened_git, base), revision(opened_git, head or base)
    assert not isinstance(first, Refused)
    assert not isinstance(other, Refused)
    opened = sides(
        opened_git, first, other if head else None, str(folder / "trees"), str(repository.folder), staged=staged
    )
    assert not isinstance(opened, Refused)
    _open_states.append(opened)
    return opened.base, opened.head


def close_states() -> None:
    """Give back what the states of a test hold open."""
    while _open_states:
        _open_states.pop().blobs.close()
