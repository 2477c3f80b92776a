"""What a command line calls a revision → the commit and the tree, or what to do where it is not here."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from quotalint.diff.git import Git, Refused, ask


class Revision(NamedTuple):
    """A state of the repository."""

    name: str
    """As it was asked for."""
    commit: str
    """Its id, empty for a bare tree."""
    tree: str


def revision(of: Git, name: str) -> Revision | Refused:
    """What a revision is; `name` comes from a command line."""
    found = _id(of, name)
    commit = _id(of, f"{found}^{{commit}}") if found else ""
    tree = _id(of, f"{found}^{{tree}}") if found else ""
    if tree and (commit or ":" not in name):
        return Revision(name, commit, tree)
    if found:
        return Refused(f"{name!r} is not a revision, but something in one; paths go behind `--`")
    return Refused(_unknown(of, name))


def merge_base(of: Git, one: Revision, other: Revision) -> Revision | Refused:
    """Where two revisions parted."""
    said = ask(of, "merge-base", one.commit, other.commit) if one.commit and other.commit else Refused("")
    if isinstance(said, Refused) or not said.strip():
        hint = "; this is a shallow clone: `git fetch --unshallow` brings the rest" if _is_shallow(of) else ""
        return Refused(f"{one.name} and {other.name} have no commit in common here{hint}")
    found = revision(of, said.split()[0].decode("ascii", "replace"))
    return found if isinstance(found, Refused) else found._replace(name=f"{one.name}...{other.name}")


def _id(of: Git, name: str) -> str:
    # What begins with a dash would be an option; `--end-of-options` is too new (rev-parse knows it from git 2.30 on).
    if name.startswith("-") or "\0" in name:
        return ""
    said = ask(of, "rev-parse", "--verify", "--quiet", name)
    found = "" if isinstance(said, Refused) else said.decode("ascii", "replace").strip()
    return "" if found.startswith("^") else found


_START = re.compile("[^~^@:]*")  # gitrevisions(7)


def _unknown(of: Git, name: str) -> str:
    """What to do about a revision that is not here; a clone in CI mostly has a single commit."""
    if name.strip() and os.path.exists(name):
        what = "folder" if os.path.isdir(name) else "file"
        return f"{name!r} is a {what} here, and not a revision; paths go behind `--`: quotalint diff main -- {name}"
    if not name.strip() or name.endswith("/"):
        return f"{name!r} is not a revision: is a variable empty?"
    said = f"unknown revision {name!r}"
    start = _START.match(name)
    branch = start[0] if start else ""
    if not branch or branch.startswith("-"):
        return said
    if branch != name and _id(of, branch):
        more = "; this is a shallow clone: `git fetch --unshallow` brings the rest (fetch-depth: 0)"
        return f"{said}: there is {branch}, but no such commit from there{more if _is_shallow(of) else ''}"
    if _id(of, f"origin/{name}"):
        return f"{said}; did you mean origin/{name}?"
    fetch = f"git fetch origin {branch.removeprefix('origin/')}"
    if _is_shallow(of):
        return f"{said}; this is a shallow clone: fetch it first (`{fetch}`, then FETCH_HEAD), or all (fetch-depth: 0)"
    return f"{said}; if it is on the server, fetch it first: `{fetch}`"


def _is_shallow(of: Git) -> bool:
    said = ask(of, "rev-parse", "--is-shallow-repository")
    return not isinstance(said, Refused) and said.strip() == b"true"
