"""The patterns of Argo CD's `directory.include` and `exclude` (gobwas/glob 0.2.3 without separators)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_OPEN, _NEXT, _CLOSE, _STAR = "{", ",", "}", "*"


class _Sign(NamedTuple):
    """What matches one character."""

    low: str = "\0"
    high: str = "\U0010ffff"
    listed: str = ""
    """The characters, where they are no range."""
    negated: bool = False

    def has(self, character: str) -> bool:
        return (character in self.listed if self.listed else self.low <= character <= self.high) != self.negated


def covers(pattern: str, name: str) -> bool:
    """Whether a pattern (`*`, `?`, `[a-z]`, `{a,b}`) is that of a name; `*` does not stop at `/`. One that gobwas/glob
    refuses is that of none."""
    terms = _terms(pattern)
    return terms is not None and _covers(terms, name)


def _covers(terms: tuple[_Sign | str, ...], name: str) -> bool:
    """All ways through the pattern at once: bit n of a number stands for the place before the nth character."""
    where: dict[str, int] = {}
    for number, character in enumerate(name):
        where[character] = where.get(character, 0) | 1 << number
    everywhere = (2 << len(name)) - 1
    reached = 1
    around: list[tuple[int, int]] = []  # of each brace: where it begins, and where its patterns so far end
    for term in terms:
        if isinstance(term, _Sign):
            found = sum(places for character, places in where.items() if term.has(character))
            reached = (reached & found) << 1
        elif term == _STAR:
            reached = everywhere & -(reached & -reached)
        elif term == _OPEN:
            around.append((reached, 0))
        else:
            begin, ends = around.pop()
            if term == _NEXT:
                around.append((begin, ends | reached))
                reached = begin
            else:
                reached |= ends
    return bool(reached >> len(name))


@lru_cache(maxsize=64)
def _terms(pattern: str) -> tuple[_Sign | str, ...] | None:
    """The terms of a pattern (syntax/lexer, syntax/ast); None if it is malformed."""
    terms: list[_Sign | str] = []
    at = depth = 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        if sign == "{":
            depth += 1
            terms.append(_OPEN)
        elif sign == "," and depth:
            terms.append(_NEXT)
        elif sign == "}" and depth:
            depth -= 1
            terms.append(_CLOSE)
        elif sign == "*":
            terms.append(_STAR)
        elif sign == "?":
            terms.append(_Sign())
        elif sign == "[":
            found = _class(pattern, at)
            if found is None:
                return None
            terms.append(found[0])
            at = found[1]
        elif sign != "\\":
            terms.append(_Sign(sign, sign))
        elif at < len(pattern):  # a backslash at the very end is nothing
            terms.append(_Sign(pattern[at], pattern[at]))
            at += 1
    return (*terms, *[_CLOSE] * depth)  # braces may stay open


def _class(pattern: str, at: int) -> tuple[_Sign, int] | None:
    """One range, or a list of characters, where a `-` and a `^` are nothing special; and where it ends."""
    negated = pattern.startswith("!", at)
    at += negated
    if pattern.startswith("-", at + 1):
        low, high, close = pattern[at], pattern[at + 2 : at + 3], pattern[at + 3 : at + 4]
        return (_Sign(low, high, "", negated), at + 4) if low <= high and close == "]" else None
    listed = ""
    while at < len(pattern) and pattern[at] != "]":
        at += pattern[at] == "\\"
        listed += pattern[at : at + 1]
        at += 1
    return (_Sign("", "", listed, negated), at + 1) if listed and at < len(pattern) else None
