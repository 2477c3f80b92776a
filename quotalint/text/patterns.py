"""The patterns of .gitignore: which paths a list of lines matches, like git (gitignore(5), dir.c)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quotalint.named_tuples import NamedTuple


class PatternStep(NamedTuple):
    """Adjacent lines with the same sign, compiled together."""

    ignores: bool
    """False for lines with `!`."""
    matches: Callable[[str, str], object]
    """Called with (name, path) of an entry, which end with `/` for a folder; true if a line matches this entry
    itself."""


class _Counted:
    """The work done for patterns. It is a class only because it counts."""

    tries = 0
    """How many wildcards were tried since the process started; each takes some microseconds."""


COUNTED = _Counted()

Patterns = tuple[PatternStep, ...]
"""Compiled lines, the last line first, because the last matching line decides."""


def compile_patterns(lines: Iterable[str]) -> Patterns:
    """Compiles the lines of a .gitignore file, or of a list of such patterns.

    Lines that can never match in git are dropped, as git does.
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
    """Whether the entry itself is ignored (True), not ignored because of a `!` line (False), or not matched (None).

    `entry` is its name, ending with `/` for a folder; `way` is the path of its folder below the folder of the patterns,
    empty or ending with `/`. Parent folders are not checked.
    """
    for step in patterns:
        if step.matches(entry, way + entry):
            return step.ignores
    return None


def covers(patterns: Patterns, path: str) -> bool:
    """Whether an entry or a folder above it is ignored, because git does not look into ignored folders.

    The path has `/` separators and ends with `/` for a folder; `.` and `..` in it are not checked.
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
    """The line after git's trim_trailing_spaces (dir.c); empty for a comment."""
    if line.startswith("#"):
        return ""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare if escapes % 2 == 0 else line[: len(bare) + 1]


def _any_matcher(bodies: list[str]) -> Callable[[str, str], object]:
    """A function of a name and a path: whether any of these lines of an ignore file matches. Names, paths and
    `*.suffix`, the most common lines, are looked up; others use pathspec."""
    exact: set[str] = set()
    suffixes: set[str] = set()
    wildcards: list[str] = []
    for body in bodies:
        anchored = "/" in body[:-1]
        file_and_folder = [body] if body.endswith("/") else [body, body + "/"]
        if _SPECIAL.isdisjoint(body):
            exact.update(["/" + name.removeprefix("/") for name in file_and_folder] if anchored else file_and_folder)
        elif body[0] == "*" and not anchored and _SPECIAL.isdisjoint(body[1:]):
            suffixes.update(name[1:] for name in file_and_folder)
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
