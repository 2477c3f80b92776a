"""The patterns by which Argo CD's git generator finds folders and files.

Folders are found by Go's path.Match. Files are found by `git ls-files -- <pattern>`, where a `*` crosses `/`, unless
the controller runs with --enable-new-git-file-globbing (argo-cd 3.6, util/git/client.go, `LsFiles`), which is not
the default.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from quotalint.text.glob_dialects import git_pathspec, path_match
from quotalint.text.globs import covers

Matches = Callable[[str], bool]


def folder_pattern(pattern: str) -> Matches | None:
    """Whether path.Match matches a folder's path; None for a pattern that it finds malformed, which matches nothing."""
    glob = path_match(pattern)
    return None if glob is None else lambda path: covers(glob, path)


def file_pattern(pattern: str) -> Matches | str:
    """Whether git finds a file by the pattern; if it refuses it, or it is one we do not read, why."""
    if pattern.startswith(":"):
        return "git's pathspec magic (`:`) is not supported here"
    if pattern.startswith("/"):
        return "it is outside the repository"
    plain = posixpath.normpath(pattern) if pattern else "."
    if plain == ".." or plain.startswith("../"):
        return "it is outside the repository"
    if plain == ".":
        return lambda _path: True
    folder = plain + "/"
    if _SPECIAL.isdisjoint(plain):
        only = pattern.endswith("/")
        return lambda path: path.startswith(folder) or (path == plain and not only)
    if pattern.endswith("/"):
        plain = folder
    if "[[:" in plain:
        return "character classes such as `[[:alpha:]]` are not supported here"
    glob = git_pathspec(plain)

    def matches(path: str) -> bool:
        return path == plain or path.startswith(folder) or (glob is not None and covers(glob, path))

    return matches


_SPECIAL = frozenset("*?[\\")
