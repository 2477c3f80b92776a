"""The program git, asked about a repository that nobody vouches for, without touching it.

Whatever a repository configures, nothing of it runs: no hook, no file system monitor, no filter, no textconv, no
transport. The index is not refreshed, no lock is taken, nothing is fetched, and no file of the work tree is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quotalint.gitops.programs import Stopped, one_line, program, run

_TIMEOUT = 120.0
_MAX_OUTPUT = 512 * 1024 * 1024
_OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.sshCommand=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # A partial clone would fetch what is missing, with whatever program its configuration names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}


class Git(NamedTuple):
    """A repository, and what reads it."""

    program: str
    root: str
    """The real path of its work tree."""
    home: str
    """A private folder for the program to stand in."""


class Refused(NamedTuple):
    """Why git has no answer, for whoever typed the command."""

    reason: str


class Revision(NamedTuple):
    """A state of the repository."""

    name: str
    """As it was asked for."""
    commit: str
    """Its id, empty for a bare tree."""
    tree: str


class Entry(NamedTuple):
    """Something in a tree."""

    path: str
    """From the root of the repository, with `/`; not to be trusted."""
    mode: str
    """Octal, as git has it: 100644, 100755, 120000 (a symbolic link), 160000 (a submodule)."""
    id: str
    size: int
    """In bytes; -1 where git does not say."""
    skipped: bool = False
    """It is in the index alone: a sparse checkout leaves it out of the work tree."""


def git(start: str, home: str) -> Git | Refused:
    """The repository around a real path."""
    root = start
    while not os.path.lexists(os.path.join(root, ".git")):
        if root == os.path.dirname(root):
            return Refused("this is no git repository: there is no .git here or in a folder above")
        root = os.path.dirname(root)
    found = program("git", root)
    if found is None:
        return Refused("there is no program git on PATH, which reads the revisions")
    asked = Git(found, root, home)
    said = _ask(asked, "rev-parse", "--git-dir")
    return said if isinstance(said, Refused) else asked


def revision(of: Git, name: str) -> Revision | Refused:
    """What a revision is; `name` comes from a command line."""
    tree = _id(of, f"{name}^{{tree}}")
    if not tree:
        return Refused(f"unknown revision {name!r}{_hint(of, name)}")
    return Revision(name, _id(of, f"{name}^{{commit}}"), tree)


def merge_base(of: Git, one: Revision, other: Revision) -> Revision | Refused:
    """Where two revisions parted."""
    said = _ask(of, "merge-base", one.commit, other.commit) if one.commit and other.commit else Refused("")
    if isinstance(said, Refused) or not said.strip():
        hint = "; this is a shallow clone: `git fetch --unshallow` brings the rest" if _is_shallow(of) else ""
        return Refused(f"{one.name} and {other.name} have no commit in common here{hint}")
    found = revision(of, said.split()[0].decode("ascii", "replace"))
    return found if isinstance(found, Refused) else found._replace(name=f"{one.name}...{other.name}")


def tree(of: Git, what: Revision) -> tuple[Entry, ...] | Refused:
    """Every file, link and submodule of a revision."""
    said = _ask(of, "ls-tree", "-r", "-z", "-l", "--full-tree", what.tree)
    if isinstance(said, Refused):
        return said
    return tuple(_entries(said))


def index(of: Git) -> tuple[Entry, ...] | Refused:
    """What the index holds; of a file in conflict each side."""
    said = _ask(of, "ls-files", "-z", "--cached", "--stage", "-t", "--full-name")
    return said if isinstance(said, Refused) else tuple(_indexed(said))


def untracked(of: Git) -> tuple[str, ...] | Refused:
    """The paths of files that git neither knows nor ignores; a repository of its own ends with `/`."""
    said = _ask(of, "ls-files", "-z", "--others", "--exclude-standard", "--full-name")
    return said if isinstance(said, Refused) else tuple(map(os.fsdecode, filter(None, said.split(b"\0"))))


def blobs(of: Git, ids: Sequence[str]) -> Iterator[tuple[str, bytes]] | Refused:
    """The contents of files by their ids; None may be missing."""
    listed = os.path.join(of.home, "wanted")
    with open(listed, "w", encoding="ascii") as file:
        file.writelines(f"{one}\n" for one in ids)
    said = _ask(of, "cat-file", "--batch", "--buffer", given=listed)
    if isinstance(said, Refused):
        return said
    found = list(_contents(said))
    if len(found) < len(ids):
        number = len(ids) - len(found)
        missing = "1 file of the revisions is" if number == 1 else f"{number} files of the revisions are"
        hint = "`git fetch --refetch --no-filter` brings what a partial clone left out"
        return Refused(f"{missing} not in this clone; {hint}")
    return iter(found)


def git_path(of: Git, name: str) -> str:
    """Where a file of the repository's own really is; empty where nobody knows."""
    said = _ask(of, "rev-parse", "--git-path", name)
    return "" if isinstance(said, Refused) else os.path.join(of.home, os.fsdecode(said.rstrip(b"\n")))


def _ask(of: Git, *arguments: str, given: str = os.devnull) -> bytes | Refused:
    environment = {**_ENVIRONMENT, "GIT_DIR": os.path.join(of.root, ".git"), "GIT_WORK_TREE": of.root}
    command = [of.program, *_OPTIONS, *arguments]
    ended = run(command, of.home, environment, _TIMEOUT, _MAX_OUTPUT, given)
    if isinstance(ended, Stopped):
        return Refused(f"git {arguments[0]} {ended.reason}")
    if ended.status != 0:
        return Refused(f"git {arguments[0]}: {one_line(ended.errors.decode(errors='replace')) or 'failed'}")
    return ended.output


def _id(of: Git, name: str) -> str:
    # What begins with a dash would be an option where git is older than `--end-of-options`.
    if name.startswith("-") or "\0" in name:
        return ""
    said = _ask(of, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
    return "" if isinstance(said, Refused) else said.decode("ascii", "replace").strip()


def _hint(of: Git, name: str) -> str:
    """What to do about a revision that is not here; a clone in CI mostly has a single commit."""
    if not name.startswith("-") and _id(of, f"origin/{name}^{{tree}}"):
        return f"; did you mean origin/{name}?"
    fetch = f"git fetch origin {name.removeprefix('origin/')}"
    if _is_shallow(of):
        return f"; this is a shallow clone: fetch it first (`{fetch}`, then FETCH_HEAD), or all (fetch-depth: 0)"
    return f"; if it is on the server, fetch it first: `{fetch}`"


def _is_shallow(of: Git) -> bool:
    said = _ask(of, "rev-parse", "--is-shallow-repository")
    return not isinstance(said, Refused) and said.strip() == b"true"


def _entries(said: bytes) -> Iterator[Entry]:
    for record in filter(None, said.split(b"\0")):
        about, _, path = record.partition(b"\t")
        mode, _, found, size = about.decode("ascii").split()
        yield Entry(os.fsdecode(path), mode, found, int(size) if size.isdigit() else -1)


def _indexed(said: bytes) -> Iterator[Entry]:
    for record in filter(None, said.split(b"\0")):
        about, _, path = record.partition(b"\t")
        tag, mode, found, _ = about.decode("ascii").split()
        yield Entry(os.fsdecode(path), mode, found, -1, tag == "S")


def _contents(said: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at < len(said):
        end = said.index(b"\n", at)
        found, kind, *size = said[at:end].decode("ascii", "replace").split()
        at = end + 1
        if kind == "blob":
            length = int(size[0])
            yield found, said[at : at + length]
            at += length + 1
