"""Glob patterns of every program whose files are read, by one engine: no pattern takes longer than it is long times the
length of the text. `glob_dialects` says how each program writes them.

All ways through a text are followed at once: bit n of a number stands for the place before the nth character.
"""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple


class Sign(NamedTuple):
    """What matches one character."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def has(self, character: str) -> bool:
        return any(low <= character <= high for low, high in self.ranges) != self.negated


class Star(NamedTuple):
    """What matches any number of characters."""

    stops: bool
    """Whether it ends at a `/`."""
    forgets: bool = False
    """Whether it begins at the first place that was reached, and at no later one (Go's path.Match)."""


class Brace(NamedTuple):
    """`{`, `,` or `}` around and between patterns of which one matches."""

    sign: str


OPEN, NEXT, CLOSE = Brace("{"), Brace(","), Brace("}")

Term = str | Sign | Star | Brace
"""A text stands for itself."""


class Glob(NamedTuple):
    """A pattern, ready to be tried."""

    terms: tuple[Term, ...]
    begin: str
    """What every text begins with that it matches."""
    end: str
    """And what it ends with."""


def glob_of(terms: list[Term]) -> Glob:
    """A pattern of these terms, in which neighbouring texts are one and neighbouring stars are one."""
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
    """The places up to which a pattern can match the text from its beginning, as bits of a number."""
    reached = 1
    around: list[tuple[int, int]] = []  # of each brace: where it begins, and where its patterns so far end
    for term in glob.terms:
        if isinstance(term, str):
            reached = _after_text(reached, term, text)
        elif isinstance(term, Sign):
            reached = _after_sign(reached, term, text)
        elif isinstance(term, Star):
            reached = _after_star(reached, term, text)
        elif term is OPEN:
            around.append((reached, 0))
        else:
            begin, ends = around.pop()
            if term is NEXT:
                around.append((begin, ends | reached))
                reached = begin
            else:
                reached |= ends
        if not reached and not around:
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
    # The carry of each addition runs from the first place reached to the end of its segment.
    return reached | (((reached & inside) + inside) ^ inside)


def _first_reached(reached: int) -> int:
    return (reached & -reached).bit_length() - 1
