"""How programs write glob patterns: their terms, by dialect. What a program refuses is None."""

from __future__ import annotations

import re
from functools import lru_cache

from quotalint.text.globs import CLOSE, NEXT, OPEN, Glob, Sign, Star, Term, glob_of

_ANY = Sign((), negated=True)
_WITHIN = Sign((("/", "/"),), negated=True)
_SIGN = r"(?:\\.|[^-\]\\])"
_GO_CLASS = rf"\[ (?:(?P<not>\^)|(?!\^)) (?P<class>(?:{_SIGN}(?:-{_SIGN})?)+) \]"
_GIT_CLASS = r"\[ (?P<not>[!^]?) (?P<class>(?:\\.|.)(?:\\.|[^\]\\])*) \]"
_REST = r"| \\(?P<escaped>.) | [^\\\[]"
_RANGE = re.compile(r"(\\.|.)(?:-(\\.|[^\]]))?", re.DOTALL)


@lru_cache(maxsize=256)
def path_match(pattern: str) -> Glob | None:
    """Go's path.Match: `*` and `?` stop at a `/`, brackets do not."""
    return _bracketed(pattern, _GO_CLASS, Star(stops=True, forgets=True), _WITHIN)


@lru_cache(maxsize=256)
def envsubst(pattern: str) -> Glob | None:
    """The patterns of `${NAME#pattern}` and its kin (envsubst, path/match.go): path.Match without segments."""
    return _bracketed(pattern, _GO_CLASS, Star(stops=False), _ANY)


@lru_cache(maxsize=256)
def git_pathspec(pattern: str) -> Glob | None:
    """What `git ls-files -- <pattern>` finds (wildmatch.c without WM_PATHNAME), named classes excepted."""
    return _bracketed(pattern, _GIT_CLASS, Star(stops=False), _ANY)


def _bracketed(pattern: str, bracket: str, star: Star, single: Sign) -> Glob | None:
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
            ranges = [(low[-1], (high or low)[-1]) for low, high in _RANGE.findall(match["class"])]
            terms.append(Sign(tuple(ranges), negated=bool(match["not"])))
        else:
            terms.append(sign[-1])
    return glob_of(terms)


@lru_cache(maxsize=256)
def gobwas(pattern: str) -> Glob | None:
    """Argo CD's `directory.include` and `exclude` (gobwas/glob 0.2.3 without separators, syntax/lexer and syntax/ast):
    `*` does not stop at a `/`, braces may stay open, a backslash at the very end is nothing."""
    terms: list[Term] = []
    at = depth = 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        if sign == "{":
            depth += 1
            terms.append(OPEN)
        elif sign == "," and depth:
            terms.append(NEXT)
        elif sign == "}" and depth:
            depth -= 1
            terms.append(CLOSE)
        elif sign == "*":
            terms.append(Star(stops=False))
        elif sign == "?":
            terms.append(_ANY)
        elif sign == "[":
            found = _gobwas_class(pattern, at)
            if found is None:
                return None
            terms.append(found[0])
            at = found[1]
        elif sign != "\\":
            terms.append(sign)
        elif at < len(pattern):
            terms.append(pattern[at])
            at += 1
    return glob_of([*terms, *[CLOSE] * depth])


def _gobwas_class(pattern: str, at: int) -> tuple[Sign, int] | None:
    """One range, or a list of characters, where a `-` and a `^` are nothing special; and where it ends."""
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
    """The patterns of helmfile's values files (bmatcuk/doublestar): `*` and `?` stop at a `/`, `**/` stands for any
    number of folders, one of the patterns in braces matches."""
    terms: list[Term] = []
    at = depth = 0
    tokens = re.compile(
        r"(?P<folders>\*\*/)|(?P<all>\*\*)|\[(?P<not>[!^]?)(?P<class>[^\]]+)\]|\\(?P<escaped>.)|.", re.DOTALL
    )
    while at < len(pattern):
        match = tokens.match(pattern, at)
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
            ranges = [(low[-1], (high or low)[-1]) for low, high in _RANGE.findall(match["class"])]
            terms.append(Sign(tuple(ranges), negated=bool(match["not"])))
        elif sign == "{":
            depth += 1
            terms.append(OPEN)
        elif sign == "," and depth:
            terms.append(NEXT)
        elif sign == "}" and depth:
            depth -= 1
            terms.append(CLOSE)
        else:
            terms.append(match["escaped"] or sign)
    return None if depth else glob_of(terms)


_DOUBLESTAR = re.compile(
    r"""
    (?P<folders> \*\*/ ) | (?P<all> \*\* )
    | \[ (?P<not>[!^]?) (?P<class>[^\]]+) \]
    | \\ (?P<escaped>.) | [^\[]
    """,
    re.DOTALL | re.VERBOSE,
)
