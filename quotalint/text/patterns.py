"""The patterns of .gitignore: which paths a list of lines covers, as git decides it (gitignore(5), wildmatch.c)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Step(NamedTuple):
    """Neighbouring lines of the same sign, asked as one."""

    ignores: bool
    """False for lines that begin with `!`."""
    matches: Callable[[str, str], object]
    """(name, path) of an entry, a folder's with a `/` at the end; true when a line means this very entry."""


Patterns = tuple[Step, ...]
"""Compiled lines, the last line first, since the last line that matches decides."""


def compiled(lines: Iterable[str]) -> Patterns:
    """The lines of a .gitignore file, or of a list of such patterns, ready to be asked.

    A line that git could never match anything with is dropped, as git does.
    """
    steps: list[Step] = []
    run: list[str] = []
    sign = True
    for line in filter(None, map(_trimmed, lines)):
        ignores = not line.startswith("!")
        if ignores is not sign and run:
            steps.append(Step(sign, _any(run)))
            run = []
        sign = ignores
        run.append(line if ignores else line[1:])
    if run:
        steps.append(Step(sign, _any(run)))
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


def _trimmed(line: str) -> str:
    """The line without what git's trim_trailing_spaces (dir.c) takes away; empty for a comment."""
    if line.startswith("#"):
        return ""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare if escapes % 2 == 0 else line[: len(bare) + 1]


def _any(bodies: list[str]) -> Callable[[str, str], object]:
    """Whether one of the lines, their signs taken off, means an entry. What most .gitignore files consist of (names,
    paths and `*.suffix`) is looked up, because compiling hundreds of regular expressions costs milliseconds."""
    exact: set[str] = set()
    suffixes: set[str] = set()
    names: list[str] = []
    paths: list[str] = []
    foreign: list[re.Pattern[str]] = []
    for body in bodies:
        anchored = "/" in body[:-1]
        both = [body] if body.endswith("/") else [body, body + "/"]
        if _SPECIAL.isdisjoint(body):
            exact.update(["/" + name.removeprefix("/") for name in both] if anchored else both)
        elif body[0] == "*" and not anchored and _SPECIAL.isdisjoint(body[1:]):
            suffixes.update(name[1:] for name in both)
        elif (regex := _regex(body)) is not None:
            (paths if anchored else names).append(regex)
        else:
            foreign += _foreign(body)
    ends = tuple(suffixes)
    by_name = re.compile("|".join(names), re.DOTALL).fullmatch if names else None
    by_path = re.compile("|".join(paths), re.DOTALL).fullmatch if paths else None

    def matches(name: str, path: str) -> object:
        return (
            name in exact
            or name.endswith(ends)
            or "/" + path in exact
            or (by_name and by_name(name))
            or (by_path and by_path(path))
            or (foreign and any(_itself(regex, path) for regex in foreign))
        )

    return matches


_SPECIAL = frozenset("*?[\\")
_TOKEN = r"""
    (?P<star> \*+ )
    | (?P<any> \? )
    | \\ (?P<escaped> . )
    | (?P<bracket> \[ (?: [A-Za-z0-9]-[A-Za-z0-9] | [A-Za-z0-9_.](?!-) )+ \] )   # read alike by all dialects
    | (?P<plain> [^*?\\\[]+ )
"""


def _regex(body: str) -> str | None:
    """The regular expression of a line without its sign, to be matched in full against an entry's name, or against its
    path when the line has a `/` other than at its end. None for what is left to pathspec: brackets of the rarer kinds
    and `**` that is glued to other characters of a path."""
    folders_only = body.endswith("/")
    segments = (body[:-1] if folders_only else body).split("/")
    anchored = len(segments) > 1
    if anchored and not segments[0]:
        del segments[0]
    parts: list[str] = []
    for segment in segments[:-1]:
        part = "(?:.+/)?" if segment == "**" else _glob(segment, anchored)
        if part is None:
            return None
        parts.append(part if segment == "**" else part + "/")
    last = ".+" if anchored and segments[-1] == "**" else _glob(segments[-1], anchored)
    return None if last is None else "".join(parts) + last + ("/" if folders_only else "/?")


def _glob(segment: str, anchored: bool) -> str | None:
    tokens = re.compile(_TOKEN, re.VERBOSE | re.DOTALL)  # compiled when first needed
    parts: list[str] = []
    end = 0
    while end < len(segment):
        token = tokens.match(segment, end)
        if token is None or (anchored and token["star"] not in (None, "*")):
            return None
        if any(low > high for low, high in re.findall("(.)-(.)", token["bracket"] or "")):
            return None
        end = token.end()
        if token["star"]:
            parts.append("[^/]*" if len(segment) > 1 else "[^/]+")  # `a/*` is not the folder a
        elif token["any"]:
            parts.append("[^/]")
        else:
            parts.append(token["bracket"] or re.escape(token["escaped"] or token["plain"]))
    return "".join(parts)


def _foreign(body: str) -> list[re.Pattern[str]]:
    """The same from pathspec, whose import costs as much as reading a small repository."""
    import warnings

    import pathspec

    # pathspec takes `a/**` to mean the folder as well, git what is in it.
    body = re.sub(r"/\*\*(?=/?$)", "/**/*", body)
    if body.startswith(("!", "#", " ")):  # to pathspec another sign, a comment, and in 0.12 nothing
        body = "\\" + body
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `[[:space:]]`, which becomes a regular expression as it is
            patterns = list(pathspec.GitIgnoreSpec.from_lines([body]).patterns)
    except (ValueError, re.error):
        return []
    return [found.regex for found in patterns if found.regex is not None]


def _itself(regex: re.Pattern[str], path: str) -> bool:
    """Whether pathspec's expression means the entry, not one below it: its group `ps_d` stands where a folder ends."""
    found = regex.match(path.replace("\n", "\0"))  # neither `.` nor `$` may see the end of a line in a name
    if found is None:
        return False
    return found.end("ps_d" if found.groupdict().get("ps_d") else 0) == len(path)
