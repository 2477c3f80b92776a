"""The glob dialects of several programs: a function for each parses a pattern, or returns None if the program refuses
it."""

from __future__ import annotations

import re
from functools import lru_cache

from quotalint.text.globs import CLOSE, NEXT, OPEN, Glob, Sign, Star, Term, glob_of
from quotalint.text.lazy_patterns import lazy_pattern

_ANY = Sign((), negated=True)
_WITHIN = Sign((("/", "/"),), negated=True)
_SIGN = r"(?:\\.|[^-\]\\])"
_GO_CLASS = rf"\[ (?:(?P<not>\^)|(?!\^)) (?P<class>(?:{_SIGN}(?:-{_SIGN})?)+) \]"
_GIT_CLASS = r"\[ (?P<not>[!^]?) (?P<class>(?:\\.|.)(?:\\.|[^\]\\])*) \]"
_REST = r"| \\(?P<escaped>.) | [^\\\[]"
_DOUBLESTAR = lazy_pattern(
    r"(?P<folders>\*\*/)|(?P<all>\*\*)|\[(?P<not>[!^]?)(?P<class>[^\]]+)\]|\\(?P<escaped>.)|.", re.DOTALL
)
_RANGE = lazy_pattern(r"(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)


@lru_cache(maxsize=256)
def path_match(pattern: str) -> Glob | None:
    """Go's path.Match: `*` and `?` stop at `/`, brackets do not."""
    return _bracketed_glob(pattern, _GO_CLASS, Star(stops=True, forgets=True), _WITHIN)


@lru_cache(maxsize=256)
def envsubst(pattern: str) -> Glob | None:
    """The patterns of `${NAME#pattern}` and similar (envsubst, path/match.go): path.Match without segments."""
    return _bracketed_glob(pattern, _GO_CLASS, Star(stops=False), _ANY)


@lru_cache(maxsize=256)
def git_pathspec(pattern: str) -> Glob | None:
    """The paths that `git ls-files -- <pattern>` finds (wildmatch.c without WM_PATHNAME), without named classes."""
    return _bracketed_glob(pattern, _GIT_CLASS, Star(stops=False), _ANY)


def _bracketed_glob(pattern: str, bracket: str, star: Star, single: Sign) -> Glob | None:
    signs = re.compile(bracket + _REST, re.DOTALL | re.VERBOSE)
    terms: list[Term] = []
    at = 0
    while at < len(pattern):
        match = signs.match(pattern, at)
        if match is None:
            return None
        at = match.end()
        sign = match[0]
        if sign == "*":
            terms.append(star)
        elif sign == "?":
            terms.append(single)
        elif match["class"]:
            terms.append(_class_sign(match))
        else:
            terms.append(sign[-1])
    return glob_of(terms)


def _class_sign(match: re.Match[str]) -> Sign:
    """The set of characters in brackets, or its complement."""
    ranges = [(low[-1], (high or low)[-1]) for low, high in _RANGE.findall(match["class"])]
    return Sign(tuple(ranges), negated=bool(match["not"]))


class _Braces:
    """Decides which of `{`, `,` and `}` belong to alternatives: outside of braces they are literal."""

    def __init__(self) -> None:
        self.depth = 0

    def term(self, sign: str) -> Term | None:
        """The term for a character of alternatives; None if it is literal."""
        if sign == "{":
            self.depth += 1
            return OPEN
        if sign == "," and self.depth:
            return NEXT
        if sign == "}" and self.depth:
            self.depth -= 1
            return CLOSE
        return None


@lru_cache(maxsize=256)
def gobwas(pattern: str) -> Glob | None:
    """Argo CD's `directory.include` and `exclude` (gobwas/glob 0.2.3 without separators, syntax/lexer and syntax/ast):
    `*` does not stop at `/`, braces may stay open, a final backslash is ignored."""
    terms: list[Term] = []
    braces = _Braces()
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        if alternative := braces.term(sign):
            terms.append(alternative)
        elif sign == "*":
            terms.append(Star(stops=False))
        elif sign == "?":
            terms.append(_ANY)
        elif sign == "[":
            class_and_end = _gobwas_class(pattern, at)
            if class_and_end is None:
                return None
            class_sign, at = class_and_end
            terms.append(class_sign)
        elif sign != "\\":
            terms.append(sign)
        elif at < len(pattern):
            terms.append(pattern[at])
            at += 1
    return glob_of([*terms, *[CLOSE] * braces.depth])


def _gobwas_class(pattern: str, at: int) -> tuple[Sign, int] | None:
    """One range, or a list of characters in which `-` and `^` are literal; and the offset after it."""
    negated = pattern.startswith("!", at)
    at += negated
    if pattern.startswith("-", at + 1):
        low, high, close = pattern[at], pattern[at + 2 : at + 3], pattern[at + 3 : at + 4]
        return (Sign(((low, high),), negated), at + 4) if low <= high and close == "]" else None
    listed = ""
    while at < len(pattern) and pattern[at] != "]":
        at += pattern[at] == "\\"
        listed += pattern[at : at + 1]
        at += 1
    ranges = tuple((character, character) for character in listed)
    return (Sign(ranges, negated), at + 1) if listed and at < len(pattern) else None


@lru_cache(maxsize=256)
def doublestar(pattern: str) -> Glob | None:
    """The patterns of helmfile's values files (bmatcuk/doublestar): `*` and `?` stop at `/`, `**/` matches any number
    of folders, and one of the patterns in braces must match."""
    terms: list[Term] = []
    braces = _Braces()
    at = 0
    while at < len(pattern):
        match = _DOUBLESTAR.match(pattern, at)
        if match is None:
            return None
        at = match.end()
        sign = match[0]
        if match["folders"]:
            terms += (OPEN, NEXT, Star(stops=False), "/", CLOSE)
        elif match["all"]:
            terms.append(Star(stops=False))
        elif sign == "*":
            terms.append(Star(stops=True))
        elif sign == "?":
            terms.append(_WITHIN)
        elif match["class"]:
            terms.append(_class_sign(match))
        elif alternative := braces.term(sign):
            terms.append(alternative)
        else:
            terms.append(match["escaped"] or sign)
    return None if braces.depth else glob_of(terms)
