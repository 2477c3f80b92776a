"""The engine for the glob patterns of all programs. `glob_dialects` parses the dialects.

All paths through a text are followed at once: bit n of a number is the position before the nth character. So the time
is at most proportional to the lengths of pattern and text.
"""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class Sign(NamedTuple):
    """A set of characters, matching one character."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def has(self, character: str) -> bool:
        return any(low <= character <= high for low, high in self.ranges) != self.negated


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
    for term in terms:
        if isinstance(term, str) and joined and isinstance(joined[-1], str):
            joined[-1] += term
        elif not (isinstance(term, Star) and joined and joined[-1] == term):
            joined.append(term)
    begin = joined[0] if joined and isinstance(joined[0], str) else ""
    end = joined[-1] if joined and isinstance(joined[-1], str) else ""
    return Glob(tuple(joined), begin, end)


def covers(glob: Glob, text: str) -> bool:
    """Whether a pattern matches the whole text."""
    if not text.startswith(glob.begin) or not text.endswith(glob.end):
        return False
    return bool(places_after(glob, text) >> len(text))


def places_after(glob: Glob, text: str) -> int:
    """The positions that the pattern can reach from the beginning of the text, as bits of a number."""
    reached = 1
    open_braces: list[tuple[int, int]] = []  # start and end positions of each open brace
    for term in glob.terms:
        if isinstance(term, str):
            reached = _after_text(reached, term, text)
        elif isinstance(term, Sign):
            reached = _after_sign(reached, term, text)
        elif isinstance(term, Star):
            reached = _after_star(reached, term, text)
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


def _after_text(reached: int, wanted: str, text: str) -> int:
    after = 0
    at = text.find(wanted, _first_reached(reached)) if reached else -1
    while at >= 0:
        after |= (reached >> at & 1) << (at + len(wanted))
        at = text.find(wanted, at + 1) if reached >> (at + 1) else -1
    return after


def _after_sign(reached: int, sign: Sign, text: str) -> int:
    after = 0
    at = _first_reached(reached) if reached else len(text)
    while reached >> at and at < len(text):
        if reached >> at & 1 and sign.has(text[at]):
            after |= 2 << at
        at += 1
    return after


def _after_star(reached: int, star: Star, text: str) -> int:
    if not reached:
        return 0
    first = reached & -reached
    everywhere = (2 << len(text)) - 1
    if not star.stops:
        return everywhere & -first
    if star.forgets:
        reached = first
    inside = everywhere >> 1
    at = text.find("/")
    while at >= 0:
        inside ^= 1 << at
        at = text.find("/", at + 1)
    # The carry of each addition runs from the first reached position to the end of its segment.
    return reached | (((reached & inside) + inside) ^ inside)


def _first_reached(reached: int) -> int:
    return (reached & -reached).bit_length() - 1
