"""Lines of .gitignore with wildcards: pathspec says which regular expression each of them is.

They are spelt for it so that both read them alike: pathspec takes `a/**` for the folder as well, does not know escapes
and named classes in brackets, and lets a bracket take a `/`. Its import costs as much as reading a small repository.
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
"""How many steps Python's engine, which goes back, may need at worst; what may need more is given to the one that does
not, which takes about as long for every path of a repository as this many steps would."""


class Expressed:
    """A regular expression of pathspec's, and how it is tried."""

    def __init__(self, regex: str, stars: int, folders: int) -> None:
        self._stars = stars
        self._folders = folders
        self._regex = re.compile(regex, re.DOTALL)
        self._written = regex

    def means(self, text: str) -> bool:
        """Whether it means this entry, and not one above it."""
        text = text.replace("\n", "\0")  # `$` may not see the end of a line in a name
        segments = text.split("/")
        longest = max(map(len, segments)) + 1
        ways = longest**self._stars // factorial(self._stars) * len(segments) ** self._folders
        if ways * len(text) <= _CHEAP:
            return self._regex.fullmatch(text) is not None
        COUNTED.tries += _LINEAR
        try:
            return _linear_expression(self._written).covers(text)
        except (ExpressionError, TooExpensiveError):
            return False  # longer than a name or a path can be


@lru_cache(maxsize=256)
def _linear_expression(regex: str) -> Expression:
    return Expression(regex)


class Wildcard:
    """A line in pathspec's words; its regular expressions are made when it is tried first."""

    def __init__(self, spelling: str) -> None:
        self._spelling = spelling
        is_anything = _ANYTHING.fullmatch(spelling) is not None
        self.anchored = "/" in spelling[:-1] and not is_anything
        """Whether it means a path and not a name at any depth."""
        self.needed = ("",) if is_anything or spelling in _BESIDE else _needed_texts(spelling)
        """Texts without any of which it means nothing."""
        self._expressions: tuple[Expressed, ...] | None = None

    def means(self, text: str) -> bool:
        """Whether it means this entry, and not one above it."""
        COUNTED.tries += 1
        if self._expressions is None:
            COUNTED.tries += _WITH_BRACKET if "[" in self._spelling else _MADE
            self._expressions = tuple(_by_pathspec(self._spelling))
        return any(expression.means(text) for expression in self._expressions)


def any_of(bodies: Iterable[str]) -> Callable[[str, str], bool]:
    """Whether any of some lines, their signs taken off, means an entry, by its name and its path. Of thousands, those
    are tried of which the entry has the text that they need, looked up by all that it consists of."""
    wildcards = [Wildcard(spelling) for body in bodies for spelling in _spellings_of(body)]
    of_names = _Lookup([wildcard for wildcard in wildcards if not wildcard.anchored])
    of_paths = _Lookup([wildcard for wildcard in wildcards if wildcard.anchored])
    return lambda name, path: of_names.has_any(name) or of_paths.has_any(path)


class _Lookup:
    """Patterns by the text that each of them needs."""

    def __init__(self, wildcards: Sequence[Wildcard]) -> None:
        # The text that the fewest need tells most: `.yaml` is in every name.
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
        """Whether one of them means this text."""
        return any(wildcard.means(text) for needed in self._needed_in(text) for wildcard in self._by_needed[needed])

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


_MADE, _WITH_BRACKET = 50, 1000  # tries take as long as making the expression
_PIECES = 10  # of a text, looked up in the time that it takes to try a pattern
_LINEAR = 100  # tries of others take as long as that of a pattern which is followed in all ways at once


def _by_pathspec(spelling: str) -> Iterator[Expressed]:
    import warnings

    import pathspec

    is_folder = spelling.endswith("/")
    if _ANYTHING.fullmatch(spelling):  # to pathspec no expressions of entries
        yield Expressed(".*/" if is_folder else ".*", stars=1, folders=0)
        return
    if spelling in _BESIDE:
        yield Expressed("[^/]+/" if is_folder else "[^/]+/?", stars=1, folders=0)
        return
    is_anchored = "/" in spelling[:-1]
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
            yield Expressed(pattern.regex.pattern, spelling.count("*") - 2 * folders, folders + (not is_anchored))


_BESIDE = ("/*", "/*/")
"""What lies beside the file, and nothing below that."""


def _needed_texts(spelling: str) -> tuple[str, ...]:
    """Texts without any of which no path is meant: each is what most paths lack."""
    if "[" in spelling:  # what stands before the first bracket and behind the last
        spelling = f"{spelling[: spelling.index('[')]}*{spelling[spelling.rfind(']') + 1 :]}"
    if "\\" in spelling:
        return ("",)
    pieces = (piece.strip("/") for piece in spelling.replace("?", "*").split("*"))
    return tuple(dict.fromkeys(filter(None, pieces))) or ("",)


_ANYTHING = lazy_pattern(r"(?:/?(?:\*\*/)+\*\*?|\*|/?\*\*)/?")


def _spellings_of(body: str) -> list[str]:
    """The line in pathspec's words; sometimes it takes two."""
    spelt = _spelling_of(body)
    if spelt is None:
        return []
    plain = re.match(r"[^*?\[\\]*", body.removeprefix("/"))
    prefix = plain[0] if plain else ""
    after_prefix = body.removeprefix("/")[len(prefix) :]
    if "/" in body[:-1] and prefix and not prefix.endswith("/") and (glued := re.match(r"\*{2,}(?=/|$)", after_prefix)):
        # dir.c, match_pathname, compares what comes before the first wildcard and matches the rest by itself, so that
        # `a**/b` begins with `**/`.
        after = after_prefix[glued.end() :].removeprefix("/")
        if not after:
            return [spelt, *_spellings_of(f"/{prefix}*/**/*" + "/" * body.endswith("/"))]
        # Where that stands for no folder, what it leads to is no beginning of its own.
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
    """A bracket of these characters: `]` first, `-` last, and neither at an end of a range."""
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
        inner = f"{_NOBODY}{inner}"
    return f"[{first}{inner}{last}]" if first or inner or last else f"[{_NOBODY}]"


_NOBODY = "\0"
"""What no name has."""


def _ranges_between(low: str, high: str) -> Iterator[tuple[str, str]]:
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
