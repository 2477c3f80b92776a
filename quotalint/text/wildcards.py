"""Lines of .gitignore with wildcards, converted to regular expressions by pathspec.

The lines are rewritten so that pathspec reads them like git. pathspec matches the folder itself with `a/**`, does not
support escapes and named classes in brackets, and lets a bracket match `/`. Importing it costs as much as reading a
small repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import factorial

from quotalint.text.expression_steps import NAMED_CLASSES, complement
from quotalint.text.expression_syntax import ExpressionError
from quotalint.text.expressions import Expression, TooExpensiveError
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.patterns import COUNTED

_CHEAP = 100_000
"""The most steps of Python's backtracking engine. An expression that may need more uses the linear engine, which takes
about as long for every path as this many steps."""


class Expressed:
    """A regular expression made by pathspec, matched by the faster engine that is safe for it."""

    def __init__(self, regex: str, stars: int, folders: int) -> None:
        self._stars = stars
        self._folders = folders
        self._regex = re.compile(regex, re.DOTALL)
        self._written = regex

    def matches_exactly(self, text: str) -> bool:
        """Whether it matches this name or path itself, not only a folder above it."""
        text = text.replace("\n", "\0")  # `$` must not match at a line break in a name
        segments = text.split("/")
        longest = max(map(len, segments)) + 1
        ways = longest**self._stars // factorial(self._stars) * len(segments) ** self._folders
        if ways * len(text) <= _CHEAP:
            return self._regex.fullmatch(text) is not None
        COUNTED.tries += _LINEAR
        try:
            return _linear_expression(self._written).covers(text)
        except (ExpressionError, TooExpensiveError):
            return False  # the text is longer than any name or path


@lru_cache(maxsize=256)
def _linear_expression(regex: str) -> Expression:
    return Expression(regex)


class Wildcard:
    """A line in pathspec's syntax; its regular expressions are compiled when it is first tried."""

    def __init__(self, spelling: str) -> None:
        self._spelling = spelling
        is_anything = _ANYTHING.fullmatch(spelling) is not None
        self.anchored = "/" in spelling[:-1] and not is_anything
        """Whether it matches a path, not a name at any depth."""
        self.needed = ("",) if is_anything or spelling in _SAME_FOLDER else _needed_texts(spelling)
        """Every match contains at least one of these texts."""
        self._expressions: tuple[Expressed, ...] | None = None

    def matches_exactly(self, text: str) -> bool:
        """Whether it matches this name or path itself, not only a folder above it."""
        COUNTED.tries += 1
        if self._expressions is None:
            COUNTED.tries += _WITH_BRACKET if "[" in self._spelling else _MADE
            self._expressions = tuple(_by_pathspec(self._spelling))
        return any(expression.matches_exactly(text) for expression in self._expressions)


def any_of(bodies: Iterable[str]) -> Callable[[str, str], bool]:
    """A function of a name and a path: whether any of these lines of an ignore file matches. Of thousands of lines,
    only those whose fixed text is in the path are tried."""
    wildcards = [Wildcard(spelling) for body in bodies for spelling in _spellings_of(body)]
    of_names = _Lookup([wildcard for wildcard in wildcards if not wildcard.anchored])
    of_paths = _Lookup([wildcard for wildcard in wildcards if wildcard.anchored])
    return lambda name, path: of_names.has_any(name) or of_paths.has_any(path)


class _Lookup:
    """Patterns by the text that a match must contain."""

    def __init__(self, wildcards: Sequence[Wildcard]) -> None:
        # The rarest text selects best: `.yaml` is in every name.
        number: dict[str, int] = {}
        for wildcard in wildcards:
            for needed in wildcard.needed:
                number[needed] = number.get(needed, 0) + 1
        self._by_needed: dict[str, list[Wildcard]] = {}
        for wildcard in wildcards:
            rarest = min(wildcard.needed, key=lambda needed: (number[needed], -len(needed)))
            self._by_needed.setdefault(rarest, []).append(wildcard)
        self._lengths = sorted({len(needed) for needed in self._by_needed})

    def has_any(self, text: str) -> bool:
        """Whether one of the patterns matches this text."""
        return any(
            wildcard.matches_exactly(text) for needed in self._needed_in(text) for wildcard in self._by_needed[needed]
        )

    def _needed_in(self, text: str) -> Iterable[str]:
        pieces = len(self._lengths) * len(text)
        if len(self._by_needed) <= pieces:
            return [needed for needed in self._by_needed if needed in text]
        COUNTED.tries += pieces // _PIECES
        return {
            text[at : at + length]
            for length in self._lengths
            for at in range(len(text) - length + 1)
            if text[at : at + length] in self._by_needed
        }


_MADE, _WITH_BRACKET = 50, 1000  # compiling an expression takes as long as this number of tries
_PIECES = 10  # lookups of parts of a text take as long as one try
_LINEAR = 100  # one try of the linear engine takes as long as this number of other tries


def _by_pathspec(spelling: str) -> Iterator[Expressed]:
    import warnings

    import pathspec

    is_folder = spelling.endswith("/")
    if _ANYTHING.fullmatch(spelling):  # pathspec has no expressions of entries for these
        yield Expressed(".*/" if is_folder else ".*", stars=1, folders=0)
        return
    if spelling in _SAME_FOLDER:
        yield Expressed("[^/]+/" if is_folder else "[^/]+/?", stars=1, folders=0)
        return
    is_anchored = "/" in spelling[:-1]
    if spelling.startswith(("!", "#", " ")):  # pathspec reads these as a sign or a comment, and 0.12 drops the space
        spelling = "\\" + spelling
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about `[[`, which stays unchanged in the regular expression
            patterns = list(pathspec.GitIgnoreSpec.from_lines([spelling]).patterns)
    except (ValueError, re.error):
        return
    folders = spelling.split("/").count("**")
    for pattern in patterns:
        if pattern.regex is not None:
            yield Expressed(pattern.regex.pattern, spelling.count("*") - 2 * folders, folders + (not is_anchored))


_SAME_FOLDER = ("/*", "/*/")
"""Matches the entries in the file's own folder only."""


def _needed_texts(spelling: str) -> tuple[str, ...]:
    """Every matching path contains one of these texts; most other paths contain none."""
    if "[" in spelling:  # the text before the first bracket and after the last
        spelling = f"{spelling[: spelling.index('[')]}*{spelling[spelling.rfind(']') + 1 :]}"
    if "\\" in spelling:
        return ("",)
    pieces = (piece.strip("/") for piece in spelling.replace("?", "*").split("*"))
    return tuple(dict.fromkeys(filter(None, pieces))) or ("",)


_ANYTHING = lazy_pattern(r"(?:/?(?:\*\*/)+\*\*?|\*|/?\*\*)/?")


def _spellings_of(body: str) -> list[str]:
    """The line in pathspec's syntax; some lines need two."""
    spelt = _spelling_of(body)
    if spelt is None:
        return []
    plain = re.match(r"[^*?\[\\]*", body.removeprefix("/"))
    prefix = plain[0] if plain else ""
    after_prefix = body.removeprefix("/")[len(prefix) :]
    if "/" in body[:-1] and prefix and not prefix.endswith("/") and (glued := re.match(r"\*{2,}(?=/|$)", after_prefix)):
        # dir.c, match_pathname, compares the text before the first wildcard and matches the rest separately, so `a**/b`
        # begins with `**/`.
        after = after_prefix[glued.end() :].removeprefix("/")
        if not after:
            return [spelt, *_spellings_of(f"/{prefix}*/**/*" + "/" * body.endswith("/"))]
        # If that stands for no folder, the rest does not begin a new segment.
        nowhere = _spellings_of(f"/{prefix}{after}") if after[0] == "*" else [_spelling_of(f"/{prefix}{after}") or ""]
        return [*filter(None, nowhere), *_spellings_of(f"/{prefix}*/**/{after}")]
    return [spelt]


def _spelling_of(body: str) -> str | None:
    segments = list(_segments_of(body))
    return None if segments and segments[-1] is None else _join_segments([segment or "" for segment in segments])


def _join_segments(segments: list[str]) -> str:
    spelt = "/".join(segments)
    return re.sub(r"/\*\*(?=/?$)", "/**/*", spelt) if len(spelt) > 3 or not spelt.startswith("/**") else spelt


def _segments_of(body: str) -> Iterator[str | None]:
    """The parts between slashes, with runs of stars joined, and brackets in pathspec's syntax; finally None for a line
    that git drops."""
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
            bracket = _bracket_at(body, at + 1)
            if bracket is None:
                yield None
                return
            part += bracket[0]
            at = bracket[1]
        else:
            part += body[at : at + 2] if sign == "\\" else sign
            at += 2 if sign == "\\" else 1
    yield part


def _bracket_at(body: str, at: int) -> tuple[str, int] | None:
    """The bracket that begins there (wildmatch.c), in pathspec's syntax, and the offset after it; None if it does not
    end."""
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
        low, at = _character_at(body, at)
        high = low
        if body.startswith("-", at) and body[at + 1 : at + 2] not in ("", "]"):
            high, at = _character_at(body, at + 1)
        if not low or not high:
            return None
        ranges.append((low, high))
    others = complement(tuple((low, high) for low, high in ranges if low <= high))
    unwanted = complement(others) if negated else others
    return _write_ranges(complement((*unwanted, ("/", "/")))), at + 1


def _character_at(body: str, at: int) -> tuple[str, int]:
    at += body.startswith("\\", at)
    return body[at : at + 1], at + 1


def _write_ranges(ranges: tuple[tuple[str, str], ...]) -> str:
    """A bracket with these characters: `]` first, `-` last, and neither at the end of a range."""
    first = last = ""
    parts: list[str] = []
    for low, high in ranges:
        if low <= "-" <= high:
            last = "-"
        if low <= "]" <= high:
            first = "]"
        for begin, end in _ranges_between(low, high):
            parts.append(begin if begin == end else f"{begin}-{end}")
    inner = "".join(sorted(parts, key=lambda part: part[0] in "!^"))
    if not first and inner[:1] in ("!", "^"):
        inner = f"{_UNUSED_CHARACTER}{inner}"
    return f"[{first}{inner}{last}]" if first or inner or last else f"[{_UNUSED_CHARACTER}]"


_UNUSED_CHARACTER = "\0"
"""A character that no name contains."""


def _ranges_between(low: str, high: str) -> Iterator[tuple[str, str]]:
    """A range without `]` and `-`, in which backslashes are separate."""
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
