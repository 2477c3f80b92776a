"""The patterns by which Argo CD's git generator finds folders and files.

Folders are found by Go's path.Match. Files are found by `git ls-files -- <pattern>`, where a `*` crosses `/`, unless
the controller runs with --enable-new-git-file-globbing (argo-cd 3.6, util/git/client.go, `LsFiles`), which is not
the default.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import NamedTuple

Matches = Callable[[str], bool]


def folder_pattern(pattern: str) -> Matches | None:
    """Whether path.Match matches a folder's path; None for a pattern that it finds malformed, which matches nothing."""
    terms = _terms(pattern, _GO)
    return None if terms is None else _compiled(terms, "/")


def file_pattern(pattern: str) -> Matches | str:
    """Whether git finds a file by the pattern; if it refuses it, or it is one we do not read, why."""
    if pattern.startswith(":"):
        return "git's pathspec magic (`:`) is not read here"
    if pattern.startswith("/"):
        return "it is outside of the repository"
    plain = posixpath.normpath(pattern) if pattern else "."
    if plain == "..":
        return "it is outside of the repository"
    if plain.startswith("../"):
        return "it is outside of the repository"
    if plain == ".":
        return lambda _path: True
    folder = plain + "/"
    if _SPECIAL.isdisjoint(plain):
        only = pattern.endswith("/")
        return lambda path: path.startswith(folder) or (path == plain and not only)
    if pattern.endswith("/"):
        plain = folder
    if "[[:" in plain:
        return "character classes such as `[[:alpha:]]` are not read here"
    terms = _terms(plain, _GIT)
    covers = _compiled(terms, "") if terms is not None else None

    def matches(path: str) -> bool:
        return path == plain or path.startswith(folder) or (covers is not None and covers(path))

    return matches


_SPECIAL = frozenset("*?[\\")


class _Term(NamedTuple):
    """What matches one character."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False
    within: bool = False
    """Whether it is a `?`, which in Go is no `/`."""

    def has(self, character: str, stop: str) -> bool:
        if self.within and character == stop:
            return False
        return any(low <= character <= high for low, high in self.ranges) != self.negated


_SIGN = r"(?:\\.|[^-\]\\])"
_GO = re.compile(
    rf"\[ (?P<not>\^?) (?P<class>(?:{_SIGN}(?:-{_SIGN})?)+) \] | \\(?P<escaped>.) | [^\\\[]", re.DOTALL | re.VERBOSE
)
_GIT = re.compile(
    r"\[ (?P<not>[!^]?) (?P<class>(?:\\.|.)(?:\\.|[^\]\\])*) \] | \\(?P<escaped>.) | [^\\\[]", re.DOTALL | re.VERBOSE
)
_RANGE = re.compile(r"(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)


def _terms(pattern: str, signs: re.Pattern[str]) -> list[_Term | None] | None:
    """The terms of a pattern, None for a star; None if it is malformed."""
    terms: list[_Term | None] = []
    at = 0
    while at < len(pattern):
        found = signs.match(pattern, at)
        if not found:
            return None
        at = found.end()
        sign = found[0]
        if sign == "*":
            if not terms or terms[-1]:
                terms.append(None)
        elif sign == "?":
            terms.append(_Term((), negated=True, within=True))
        elif found["class"]:
            ranges = [(low[-1], (high or low)[-1]) for low, high in _RANGE.findall(found["class"])]
            terms.append(_Term(tuple(ranges), negated=bool(found["not"])))
        else:
            terms.append(_Term(((sign[-1], sign[-1]),)))
    return terms


def _compiled(terms: list[_Term | None], stop: str) -> Matches:
    """A regular expression where it is safe and the same: with many stars, one can take very long, and it would
    go back to a star before a class that has taken a `/`, as Go does not.
    """
    crossing = stop and any(one is not None and not one.within and one.has(stop, "") for one in terms)
    if terms.count(None) > 2 or crossing:
        return lambda path: _matches(terms, path, stop)
    regex = re.compile("".join("[^/]*" if stop and one is None else _regex(one, stop) for one in terms), re.DOTALL)
    return lambda path: regex.fullmatch(path) is not None


def _regex(term: _Term | None, stop: str) -> str:
    if term is None:
        return ".*"
    if term.within:
        return "[^/]" if stop else "."
    ranges = "".join(f"{re.escape(low)}-{re.escape(high)}" for low, high in term.ranges if low <= high)
    if not ranges:
        return "." if term.negated else "(?!)"
    return f"[{'^' * term.negated}{ranges}]"


def _matches(terms: list[_Term | None], path: str, stop: str) -> bool:
    """Whether the terms cover the path. A star takes anything but `stop`; only the last one ever has to give way."""
    at = term = 0
    star = resume = -1
    while at < len(path):
        one = terms[term] if term < len(terms) else _END
        if one is None:
            star, resume = term, at
            term += 1
        elif one.has(path[at], stop):
            at += 1
            term += 1
        elif star < 0 or path[resume] == stop:
            return False
        else:
            resume += 1
            at, term = resume, star + 1
    return all(one is None for one in terms[term:])


_END = _Term(())
