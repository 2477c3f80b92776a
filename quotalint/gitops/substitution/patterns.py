"""The patterns of `${NAME#pattern}` and its kin: envsubst/path/match.go, where a star also matches slashes."""

from __future__ import annotations

import re
from typing import NamedTuple


def without_prefix(value: str, pattern: str, longest: bool) -> str:
    """The value without its shortest or longest beginning of at least one character that matches the pattern.

    Follows all ways of matching at once, a bit for each place in the pattern, so that no pattern takes long.
    """
    terms = _terms(pattern)
    if terms is None:
        return value
    stars = _bits([term is None for term in terms])
    matching: dict[str, int] = {}
    reached = 1
    end = 0
    for count, character in enumerate(value, 1):
        if character not in matching:
            matching[character] = _bits([term is not None and term.has(character) for term in terms])
        reached |= (reached & stars) << 1  # a star may match nothing
        reached = (reached & stars) | (reached & matching[character]) << 1
        if (reached | (reached & stars) << 1) >> len(terms):
            end = count
            if not longest:
                break
        if not reached:
            break
    return value[end:]


def _bits(flags: list[bool]) -> int:
    """The number whose bit 0 is the first flag."""
    return int("".join("1" if flag else "0" for flag in reversed(flags)) or "0", 2)


class _Term(NamedTuple):
    """What matches one character in a pattern."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def has(self, character: str) -> bool:
        return any(low <= character <= high for low, high in self.ranges) != self.negated


def _terms(pattern: str) -> list[_Term | None] | None:
    """The terms of a pattern, None for a star; None if it is malformed, which matches nothing."""
    terms: list[_Term | None] = []
    at = 0
    while at < len(pattern):
        found = _TERM.match(pattern, at)
        if not found:
            return None
        at = found.end()
        sign = found[0]
        if sign == "*":
            if not terms or terms[-1]:
                terms.append(None)
        elif sign == "?":
            terms.append(_Term((), negated=True))
        elif found["class"]:
            ranges = [(low[-1], (high or low)[-1]) for low, high in _RANGE.findall(found["class"])]
            terms.append(_Term(tuple(ranges), negated=bool(found["not"])))
        else:
            terms.append(_Term(((sign[-1], sign[-1]),)))
    return terms


_SIGN = r"(?:\\.|[^-\]\\])"
_RANGE = re.compile(f"({_SIGN})(?:-({_SIGN}))?", re.DOTALL)
_TERM = re.compile(
    rf"\[ (?:(?P<not>\^)|(?!\^)) (?P<class>(?:{_SIGN}(?:-{_SIGN})?)+) \] | \\. | [^\\\[]", re.DOTALL | re.VERBOSE
)
