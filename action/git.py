"""The clone that the workflow checked out, and what may have to be fetched into it.

It is the clone of actions/checkout, whose configuration holds the address and the credentials. What is checked out in
it is not to be trusted, and nothing of it is run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

_TIMEOUT = 300.0  # seconds, for one fetch
_OPTIONS = ("--no-pager", "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false")
_FETCHING = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
_BASE = "refs/quotalint/base"


class Clone(NamedTuple):
    """A clone, and what reads it."""

    program: str
    root: str
    """Of its work tree."""
    head: str
    """The commit that is checked out."""


def clone(start: str) -> Clone | str:
    """The clone around a folder; otherwise why there is none."""
    root = os.path.realpath(start)
    while not os.path.lexists(os.path.join(root, ".git")):
        if root == os.path.dirname(root):
            return "the working directory is in no git repository"
        root = os.path.dirname(root)
    program = _program(root)
    if not program:
        return "there is no program git on PATH"
    found = Clone(program, root, "")
    head = commit(found, "HEAD")
    return found._replace(head=head) if head else "nothing is checked out"


def commit(of: Clone, revision: str) -> str:
    """The id of a commit that is here; empty where it is not."""
    if revision.startswith("-"):
        return ""
    return _asked(of, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")


def contents(of: Clone) -> str:
    """The id of all that the commit holds which is checked out: the same for commits that hold the same."""
    return _asked(of, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{of.head}^{{tree}}")


def files(of: Clone, commit_: str) -> list[str]:
    """The paths of all files of a commit that is here."""
    return _asked(of, "ls-tree", "-r", "--name-only", "-z", commit_).split("\0")


def text(of: Clone, commit_: str, path: str) -> str:
    """A file of a commit that is here; empty if it cannot be read."""
    return _asked(of, "cat-file", "blob", f"{commit_}:{path}")


def abbreviated(of: Clone, id_: str) -> str:
    """The id of a commit, as short as no other has it here."""
    return _asked(of, "rev-parse", "--short=9", id_) or id_


def parents(of: Clone) -> tuple[str, ...]:
    """Of the commit that is checked out, as it was written: a shallow clone hides them from everything else."""
    head = _asked(of, "cat-file", "commit", of.head).partition("\n\n")[0]
    return tuple(line.removeprefix("parent ") for line in head.splitlines() if line.startswith("parent "))


def merge_base(of: Clone, one: str, other: str) -> str:
    """Where two commits parted, as far as the history here goes; empty where nobody knows."""
    return _asked(of, "merge-base", one, other).partition("\n")[0]


def is_shallow(of: Clone) -> bool:
    """Whether only a part of the history is here."""
    return _asked(of, "rev-parse", "--is-shallow-repository") == "true"


def is_partial(of: Clone) -> bool:
    """Whether the contents of files may be missing, as after a sparse checkout. A comparison needs all of them."""
    return _asked(of, "config", "--get", "remote.origin.promisor") == "true"


def fetch(of: Clone, commits: Sequence[str], depth: int = 1) -> str:
    """Bring commits here; why that failed, or nothing."""
    return _fetched(of, depth, commits)


def fetch_named(of: Clone, name: str) -> str:
    """Bring what the server has under a name, and tell its id; empty where it has nothing."""
    refs = [name] if name.startswith("refs/") else [f"refs/heads/{name}", f"refs/tags/{name}"]
    for ref in refs:
        # What is no name of a ref might be more than one argument to the server.
        if _asked(of, "check-ref-format", "--normalize", ref) == ref and not _fetched(of, 1, [f"+{ref}:{_BASE}"]):
            return commit(of, _BASE)
    return ""


def _fetched(of: Clone, depth: int, refs: Sequence[str]) -> str:
    # Where all of the history is here, a depth would cut it off.
    depths = [f"--depth={depth}"] if is_shallow(of) else []
    if is_partial(of):
        depths += ["--refetch", "--no-filter"]
        refs = [*refs, of.head]
    options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", *depths]
    ended = _run(of, *_FETCHING, "fetch", *options, "origin", *refs)
    if isinstance(ended, str):
        return ended
    return "" if ended.returncode == 0 else ended.stderr.decode(errors="replace").strip() or "git fetch failed"


def _asked(of: Clone, *arguments: str) -> str:
    ended = _run(of, *arguments)
    if isinstance(ended, str) or ended.returncode != 0:
        return ""
    return ended.stdout.decode(errors="replace").strip()


def _run(of: Clone, *arguments: str) -> subprocess.CompletedProcess[bytes] | str:
    # In a container the work tree is somebody else's, which git minds where it has to look for the repository.
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("INPUT_")},
        "GIT_DIR": os.path.join(of.root, ".git"),
        "GIT_WORK_TREE": of.root,
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    command = [of.program, *_OPTIONS, *arguments]
    try:
        return subprocess.run(
            command,
            cwd=of.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"git took longer than {_TIMEOUT:.0f} s"
    except OSError as error:
        return f"git could not be started: {error.strerror}"


def _program(root: str) -> str:
    """The absolute path of git; never one that the repository brings, for which Windows looks first."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("git", path=folder) if os.path.isabs(folder) else None
        # Neither the program nor the link to it may lie there.
        around = [os.path.realpath(found), os.path.realpath(os.path.dirname(found))] if found else []
        if found and os.path.isabs(found) and not any(f"{one}{os.sep}".startswith(root + os.sep) for one in around):
            return found
    return ""
