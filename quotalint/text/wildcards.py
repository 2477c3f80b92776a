"""Lines of .gitignore with wildcards: pathspec says which regular expression each of them is.

They are spelt for it so that both read them alike: pathspec takes `a/**` for the folder as well, does not know escapes
and named classes in brackets, and lets a bracket take a `/`. Its import costs as much as reading a small repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import factorial

from quotalint.text.expression_syntax import NAMED_CLASSES, ExpressionError, complement
from quotalint.text.expressions import Expression, TooExpensiveError

_CHEAP = 100_000
"""How many steps Python's engine, which goes back, may need at worst; what may need more is given to the one that does
not, which takes about as long for every path of a repository as this many steps would."""


class Tried:
    """A pattern of pathspec's, and how it is tried."""

    def __init__(self, regex: str, anchored: bool, stars: int, folders: int, needed: str = "") -> None:
        self.anchored = anchored
        """Whether it means a path and not a name at any depth."""
        self._needed = needed
        self._stars = stars
        self._folders = folders
        self._regex = re.compile(regex, re.DOTALL)
        self._written = regex

    def means(self, text: str) -> bool:
        """Whether it means this entry, and not one above it."""
        if self._needed not in text:
            return False
        text = text.replace("\n", "\0")  # `$` may not see the end of a line in a name
        segments = text.split("/")
        longest = max(map(len, segments)) + 1
        ways = longest**self._stars // factorial(self._stars) * len(segments) ** self._folders
        if ways * len(text) <= _CHEAP:
            return self._regex.fullmatch(text) is not None
        try:
            return _linear(self._written).covers(text)
        except (ExpressionError, TooExpensiveError):
            return False  # longer than a name or a path can be


@lru_cache(maxsize=256)
def _linear(regex: str) -> Expression:
    return Expression(regex)


def tried_patterns(body: str) -> list[Tried]:
    """What a line without its sign means; nothing for one that git drops."""
    return [tried for spelling in _spellings(body) for tried in _by_pathspec(spelling)]


def _by_pathspec(spelling: str) -> Iterator[Tried]:
    import warnings

    import pathspec

    anchored = "/" in spelling[:-1]
    if _ANYTHING.fullmatch(spelling):  # to pathspec no expressions of entries
        yield Tried(".*/" if spelling.endswith("/") else ".*", anchored=False, stars=1, folders=0)
        return
    if spelling in ("/*", "/*/"):  # what lies beside the file, and nothing below that
        yield Tried("[^/]+/" if spelling.endswith("/") else "[^/]+/?", anchored=True, stars=1, folders=0)
        return
    if spelling.startswith(("!", "#", " ")):  # to pathspec another sign, a comment, and in 0.12 nothing
        spelling = "\\" + spelling
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `[[`, which becomes a regular expression as it is
            patterns = list(pathspec.GitIgnoreSpec.from_lines([spelling]).patterns)
    except (ValueError, re.error):
        return
    folders = spelling.split("/").count("**")
    for pattern in patterns:
        if pattern.regex is not None:
            stars = spelling.count("*") - 2 * folders
            yield Tried(pattern.regex.pattern, anchored, stars, folders + (not anchored), _needed(spelling))


def _needed(spelling: str) -> str:
    """A text without which no path is meant: what most paths lack."""
    if "[" in spelling or "\\" in spelling:
        return ""
    return max((piece.strip("/") for piece in spelling.replace("?", "*").split("*")), key=len)


_ANYTHING = re.compile(r"(?:/?(?:\*\*/)+\*\*?|\*|/?\*\*)/?")


def _spellings(body: str) -> list[str]:
    """The line in pathspec's words; sometimes it takes two."""
    segments = list(_segments(body))
    if segments and segments[-1] is None:
        return []
    whole = [segment or "" for segment in segments]
    spelt = _joined(whole)
    plain = re.match(r"[^*?\[\\]*", body.removeprefix("/"))
    prefix = plain[0] if plain else ""
    rest = body.removeprefix("/")[len(prefix) :]
    if "/" in body[:-1] and prefix and not prefix.endswith("/") and (glued := re.match(r"\*{2,}(?=/|$)", rest)):
        # dir.c, match_pathname, compares what comes before the first wildcard and matches the rest by itself, so that
        # `a**/b` begins with `**/`.
        after = rest[glued.end() :].removeprefix("/")
        if not after:
            return [spelt, *_spellings(f"/{prefix}*/**/*" + "/" * body.endswith("/"))]
        return [*_spellings(f"/{prefix}{after}"), *_spellings(f"/{prefix}*/**/{after}")]
    return [spelt]


def _joined(segments: list[str]) -> str:
    spelt = "/".join(segments)
    return re.sub(r"/\*\*(?=/?$)", "/**/*", spelt) if len(spelt) > 3 or not spelt.startswith("/**") else spelt


def _segments(body: str) -> Iterator[str | None]:
    """The parts between slashes, with runs of stars made one, and brackets as pathspec reads them; at last None for a
    line that git drops."""
    at = 0
    part = ""
    while at < len(body):
        sign = body[at]
        if sign == "/":
            yield part
            part = ""
            at += 1
        elif sign == "*":
            run = len(body) - at - len(body[at:].lstrip("*"))
            at += run
            alone = not part and (at == len(body) or body[at] == "/")
            part += "**" if alone and run > 1 else "*"
        elif sign == "[":
            bracket = _bracket(body, at + 1)
            if bracket is None:
                yield None
                return
            part += bracket[0]
            at = bracket[1]
        else:
            part += body[at : at + 2] if sign == "\\" else sign
            at += 2 if sign == "\\" else 1
    yield part


def _bracket(body: str, at: int) -> tuple[str, int] | None:
    """The bracket that begins there (wildmatch.c), as pathspec reads it, and where it ends; None if it never does."""
    negated = body.startswith(("!", "^"), at)
    at += negated
    ranges: list[tuple[str, str]] = []
    begin = at
    while at == begin or not body.startswith("]", at):
        close = body.find("]", at + 2) if body.startswith("[:", at) else -1
        if close > at + 2 and body[close - 1] == ":":
            named = NAMED_CLASSES.get(body[at + 2 : close - 1])
            if named is None:
                return None
            ranges += named
            at = close + 1
            continue
        low, at = _character(body, at)
        high = low
        if body.startswith("-", at) and body[at + 1 : at + 2] not in ("", "]"):
            high, at = _character(body, at + 1)
        if not low or not high:
            return None
        ranges.append((low, high))
    others = complement(tuple((low, high) for low, high in ranges if low <= high))
    unwanted = complement(others) if negated else others
    return _written(complement((*unwanted, ("/", "/")))), at + 1


def _character(body: str, at: int) -> tuple[str, int]:
    at += body.startswith("\\", at)
    return body[at : at + 1], at + 1


def _written(ranges: tuple[tuple[str, str], ...]) -> str:
    """A bracket of these characters: `]` first, `-` last, and neither at an end of a range."""
    first = last = ""
    parts: list[str] = []
    for low, high in ranges:
        if low <= "-" <= high:
            last = "-"
        if low <= "]" <= high:
            first = "]"
        for begin, end in _between(low, high):
            parts.append(begin if begin == end else f"{begin}-{end}")
    inner = "".join(sorted(parts, key=lambda part: part[0] in "!^"))
    if not first and inner[:1] in ("!", "^"):
        inner = f"{_NOBODY}{inner}"
    return f"[{first}{inner}{last}]" if first or inner or last else f"[{_NOBODY}]"


_NOBODY = "\0"
"""What no name has."""


def _between(low: str, high: str) -> Iterator[tuple[str, str]]:
    """A range without `]` and `-`, in which backslashes stand alone."""
    begin = low
    for stop in ("-", "\\", "]"):
        if begin <= stop <= high:
            if begin < stop:
                yield begin, chr(ord(stop) - 1)
            if stop == "\\":
                yield stop, stop
            if stop == high:
                return
            begin = chr(ord(stop) + 1)
    yield begin, high
