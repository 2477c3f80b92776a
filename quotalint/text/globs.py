"""The engine for the glob patterns of all programs. `glob_dialects` parses the dialects.

All paths through a text are followed at once: bit n of a number is the position before the nth character. So the time
is at most proportional to the lengths of pattern and text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import groupby

from quotalint.named_tuples import NamedTuple


class Sign(NamedTuple):
    """A set of characters, matching one character."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def has(self, character: str) -> bool:
        """Whether the character is in the set. Ranges do not overlap, and are in order."""
        at = bisect_right(self.ranges, (character, _LAST))
        return (at > 0 and character <= self.ranges[at - 1][1]) != self.negated


_LAST = "\U0010ffff"


class Star(NamedTuple):
    """Matches any number of characters."""

    stops: bool
    """Whether it stops at `/`."""
    forgets: bool = False
    """Whether it begins only at the first reached position (Go's path.Match)."""


class Brace(NamedTuple):
    """`{`, `,` or `}` around and between alternative patterns."""

    sign: str


OPEN, NEXT, CLOSE = Brace("{"), Brace(","), Brace("}")

Term = str | Sign | Star | Brace
"""A str matches itself."""


class Glob(NamedTuple):
    """A compiled pattern."""

    terms: tuple[Term, ...]
    begin: str
    """The text with which every match begins."""
    end: str
    """The text with which every match ends."""


def glob_of(terms: list[Term]) -> Glob:
    """A pattern of these terms, with adjacent texts and adjacent stars joined."""
    joined: list[Term] = []
    for is_text, alike in groupby(terms, lambda term: isinstance(term, str)):
        if is_text:
            joined.append("".join(map(str, alike)))
            continue
        for term in alike:
            if isinstance(term, Sign):
                term = Sign(_without_overlaps(term.ranges), term.negated)
            if not (isinstance(term, Star) and joined and joined[-1] == term):
                joined.append(term)
    begin = joined[0] if joined and isinstance(joined[0], str) else ""
    end = joined[-1] if joined and isinstance(joined[-1], str) else ""
    return Glob(tuple(joined), begin, end)


def _without_overlaps(ranges: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The ranges in order; those that overlap joined, those from back to front left out."""
    result: list[tuple[str, str]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1]:
            result[-1] = result[-1][0], max(high, result[-1][1])
        elif low <= high:
            result.append((low, high))
    return tuple(result)


def covers(glob: Glob, text: str) -> bool:
    """Whether a pattern matches the whole text."""
    if not text.startswith(glob.begin) or not text.endswith(glob.end):
        return False
    return bool(places_after(glob, text) >> len(text))


def places_after(glob: Glob, text: str) -> int:
    """The positions that the pattern can reach from the beginning of the text, as bits of a number."""
    places: dict[str, int] = {}  # the positions of each character
    for at, character in enumerate(text):
        places[character] = places.get(character, 0) | 1 << at
    reached = 1
    open_braces: list[tuple[int, int]] = []  # start and end positions of each open brace
    for term in glob.terms:
        if isinstance(term, str):
            for character in term:
                reached = (reached & places.get(character, 0)) << 1
        elif isinstance(term, Sign):
            reached = (reached & sum(at for character, at in places.items() if term.has(character))) << 1
        elif isinstance(term, Star):
            reached = _after_star(reached, term, places.get("/", 0), len(text))
        elif term is OPEN:
            open_braces.append((reached, 0))
        else:
            begin, ends = open_braces.pop()
            if term is NEXT:
                open_braces.append((begin, ends | reached))
                reached = begin
            else:
                reached |= ends
        if not reached and not open_braces:
            return 0
    return reached


def _after_star(reached: int, star: Star, slashes: int, length: int) -> int:
    first = reached & -reached
    everywhere = (2 << length) - 1
    if not star.stops:
        return everywhere & -first
    if star.forgets:
        reached = first
    inside = (everywhere >> 1) ^ slashes
    # The carry of each addition runs from the first reached position to the end of its segment.
    return reached | (((reached & inside) + inside) ^ inside)
