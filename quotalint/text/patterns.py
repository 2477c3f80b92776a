"""The patterns of .gitignore: which paths a list of lines covers, as git decides it (gitignore(5), dir.c)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.named_tuples import NamedTuple


class PatternStep(NamedTuple):
    """Neighbouring lines of the same sign, asked as one."""

    ignores: bool
    """False for lines that begin with `!`."""
    matches: Callable[[str, str], object]
    """(name, path) of an entry, a folder's with a `/` at the end; true when a line means this very entry."""


class _Counted:
    """What patterns took. A class because of that alone."""

    tries = 0
    """How many wildcards were tried since the process began; each takes some microseconds."""


COUNTED = _Counted()

Patterns = tuple[PatternStep, ...]
"""Compiled lines, the last line first, since the last line that matches decides."""


def compile_patterns(lines: Iterable[str]) -> Patterns:
    """The lines of a .gitignore file, or of a list of such patterns, ready to be asked.

    A line that git could never match anything with is dropped, as git does.
    """
    steps: list[PatternStep] = []
    run: list[str] = []
    sign = True
    for line in filter(None, map(_trimmed_line, lines)):
        ignores = not line.startswith("!")
        if ignores is not sign and run:
            steps.append(PatternStep(sign, _any_matcher(run)))
            run = []
        sign = ignores
        run.append(line if ignores else line[1:])
    if run:
        steps.append(PatternStep(sign, _any_matcher(run)))
    return tuple(reversed(steps))


def verdict(patterns: Patterns, way: str, entry: str) -> bool | None:
    """Whether the entry itself is ignored (True), kept by a `!` line (False) or not spoken of (None).

    `entry` is its name, a folder's with a `/` at the end; `way` leads to it from the folder that the patterns belong
    to, and is empty or ends with `/`. What is said of the folders on that way is not considered.
    """
    for step in patterns:
        if step.matches(entry, way + entry):
            return step.ignores
    return None


def covers(patterns: Patterns, path: str) -> bool:
    """Whether an entry is ignored, itself or with a folder above it, since git never looks into an ignored folder.

    The path is `/`-separated, a folder's has a `/` at the end; `.` and `..` in it are no such folders.
    """
    start = 0
    while start < len(path):
        end = path.find("/", start) + 1 or len(path)
        entry = path[start:end]
        if entry.rstrip("/") not in (".", "..") and verdict(patterns, path[:start], entry):
            return True
        start = end
    return False


def _trimmed_line(line: str) -> str:
    """The line without what git's trim_trailing_spaces (dir.c) takes away; empty for a comment."""
    if line.startswith("#"):
        return ""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare if escapes % 2 == 0 else line[: len(bare) + 1]


def _any_matcher(bodies: list[str]) -> Callable[[str, str], object]:
    """Whether one of the lines, their signs taken off, means an entry. What most .gitignore files consist of (names,
    paths and `*.suffix`) is looked up; all others are pathspec's."""
    exact: set[str] = set()
    suffixes: set[str] = set()
    wildcards: list[str] = []
    for body in bodies:
        anchored = "/" in body[:-1]
        both = [body] if body.endswith("/") else [body, body + "/"]
        if _SPECIAL.isdisjoint(body):
            exact.update(["/" + name.removeprefix("/") for name in both] if anchored else both)
        elif body[0] == "*" and not anchored and _SPECIAL.isdisjoint(body[1:]):
            suffixes.update(name[1:] for name in both)
        else:
            wildcards.append(body)
    ends = tuple(suffixes)
    means_any: Callable[[str, str], bool] | None = None
    if wildcards:
        from quotalint.text.wildcards import any_of

        means_any = any_of(wildcards)

    def matches(name: str, path: str) -> object:
        return (
            name in exact
            or name.endswith(ends)
            or "/" + path in exact
            or (means_any is not None and means_any(name, path))
        )

    return matches


_SPECIAL = frozenset("*?[\\")
