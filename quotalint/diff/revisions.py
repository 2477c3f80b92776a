"""Revision names on the command line → commits and trees; or what to do if a revision is missing."""

from __future__ import annotations

import os
from collections.abc import Sequence

from quotalint.diff.git import ABSENT, Git, Refused, ask, ids_of
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern


class Revision(NamedTuple):
    """A state of the repository."""

    name: str
    """The name as written on the command line."""
    commit: str
    """The id of the commit; empty for a tree without a commit."""
    tree: str


def revisions(of: Git, *names: str) -> tuple[Revision | Refused, ...]:
    """What revisions are; their names come from a command line."""
    together = _plain_revisions(of, names)
    if together or len(names) == 1:
        return together or (_revision(of, names[0]),)
    return tuple(revision(of, name) for name in names)  # what each is does not depend on the others


def revision(of: Git, name: str) -> Revision | Refused:
    """What a revision is; `name` comes from a command line."""
    return revisions(of, name)[0]


_PLAIN = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9_./@~^-]*")
_IDS = lazy_pattern(r"[0-9a-f\n]+")
_KINDS = ("commit", "tree")


def _plain_revisions(of: Git, names: Sequence[str]) -> tuple[Revision, ...]:
    """The revisions with plain names, from one call of git; empty if one of them needs more calls."""
    if not all(map(_PLAIN.fullmatch, names)):
        return ()
    reply = ask(of, "rev-parse", *(f"{name}^{{{kind}}}" for name in names for kind in _KINDS))
    text = "" if isinstance(reply, Refused) else reply.decode("ascii", "replace")
    ids = text.split()
    if not _IDS.fullmatch(text) or len(ids) != len(_KINDS) * len(names):
        return ()
    return tuple(map(Revision, names, ids[::2], ids[1::2]))


def _revision(of: Git, name: str) -> Revision | Refused:
    object_id = _id(of, name)
    commit, tree = ids_of(of, (f"{object_id}^{{commit}}", f"{object_id}^{{tree}}")) if object_id else ("", "")
    if tree and (commit or ":" not in name):
        return Revision(name, commit, tree)
    # Where the tree is not here git fails, so that its answer about the commit does not count either.
    if object_id and _id(of, f"{object_id}^{{commit}}"):
        return Refused(f"the tree of {name!r} is {ABSENT}")
    if object_id:
        return Refused(f"{name!r} is not a revision, but a path in one; write paths after `--`")
    failed = ask(of, "rev-parse", "--git-common-dir")  # nothing is unknown where git reads no repository here
    if isinstance(failed, Refused):
        return failed
    return Refused(_unknown(of, name))


def merge_base(of: Git, first: Revision, second: Revision) -> Revision | Refused:
    """The last common commit of two revisions."""
    reply = ask(of, "merge-base", first.commit, second.commit) if first.commit and second.commit else Refused("")
    if isinstance(reply, Refused) or not reply.strip():
        hint = "; this is a shallow clone: `git fetch --unshallow` brings the rest" if _is_shallow(of) else ""
        return Refused(f"{first.name} and {second.name} have no commit in common here{hint}")
    base = revision(of, reply.split()[0].decode("ascii", "replace"))
    return base if isinstance(base, Refused) else base._replace(name=f"{first.name}...{second.name}")


def _id(of: Git, name: str) -> str:
    # What begins with a dash would be an option; `--end-of-options` is too new (rev-parse knows it from git 2.30 on).
    if name.startswith("-") or "\0" in name:
        return ""
    reply = ask(of, "rev-parse", "--verify", "--quiet", name)
    object_id = "" if isinstance(reply, Refused) else reply.decode("ascii", "replace").strip()
    return "" if object_id.startswith("^") else object_id


_START = lazy_pattern("[^~^@:]*")  # gitrevisions(7)


def _unknown(of: Git, name: str) -> str:
    """A message about a revision that is missing; a clone in CI usually has a single commit."""
    if name.strip() and os.path.exists(name):
        what = "folder" if os.path.isdir(name) else "file"
        return f"{name!r} is a {what} here, not a revision; write paths after `--`: quotalint diff main -- {name}"
    if not name.strip() or name.endswith("/"):
        return f"{name!r} is not a revision: is a variable empty?"
    message = f"unknown revision {name!r}"
    start = _START.match(name)
    branch = start[0] if start else ""
    if not branch or branch.startswith("-"):
        return message
    if branch != name and _id(of, branch):
        more = "; this is a shallow clone: `git fetch --unshallow` brings the rest (fetch-depth: 0)"
        return f"{message}: there is {branch}, but no such commit from there{more if _is_shallow(of) else ''}"
    if _id(of, f"origin/{name}"):
        return f"{message}; did you mean origin/{name}?"
    fetch = f"git fetch origin {branch.removeprefix('origin/')}"
    if _is_shallow(of):
        return (
            f"{message}; this is a shallow clone: fetch it first (`{fetch}`, then FETCH_HEAD), or all (fetch-depth: 0)"
        )
    return f"{message}; if it is on the server, fetch it first: `{fetch}`"


def _is_shallow(of: Git) -> bool:
    reply = ask(of, "rev-parse", "--is-shallow-repository")
    return not isinstance(reply, Refused) and reply.strip() == b"true"
