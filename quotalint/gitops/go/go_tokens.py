"""Splits a Go template into tokens (Go 1.24, text/template/parse/lex.go)."""

from __future__ import annotations

import re

from quotalint.gitops.go.values import GoError
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern


class TemplateToken(NamedTuple):
    """A token of a template."""

    kind: str
    """text, begin, end, or a group name of `_TOKEN`."""
    text: str


_TOKEN = lazy_pattern(
    r"""
    (?P<space> [ \t\r\n]+ )
    | (?P<string> "(?:[^"\\\n]|\\.)*" | `[^`]*` )
    | (?P<character> '(?:[^'\\\n]|\\[^\n][0-9A-Fa-f]*)' )
    | (?P<field> \.[^\W\d]\w* )
    | (?P<number> [+-]?\.?[0-9][0-9A-Za-z_.]* (?:(?<=[eEpP])[+-]\d+)? )
    | (?P<dot> \. )
    | (?P<variable> \$\w* )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> := | [=|,()] )
    """,
    re.VERBOSE,
)
_COMMENT = lazy_pattern(r"(?:-[ \t\r\n]+)?/\*")
_SPACES = " \t\r\n"
_FOLLOWING = frozenset(" \t\r\n.,|:)(}")


def tokens_of(text: str) -> list[TemplateToken]:
    tokens: list[TemplateToken] = []
    at = 0
    trim = False
    while True:
        begin = text.find("{{", at)
        plain = text[at : begin if begin >= 0 else len(text)]
        if trim:
            plain = plain.lstrip(_SPACES)
        inside = begin + 2
        trims_left = begin >= 0 and text[inside : inside + 1] == "-" and text[inside + 1 : inside + 2] in tuple(_SPACES)
        if trims_left:
            plain = plain.rstrip(_SPACES)
        if plain:
            tokens.append(TemplateToken("text", plain))
        if begin < 0:
            return tokens
        comment = _COMMENT.match(text, inside)
        if comment:
            end = text.find("*/", comment.end())
            close = _CLOSE.match(text, end + 2) if end >= 0 else None
            if close is None:
                raise GoError("a comment does not end, or not before its braces do")
            at, trim = close.end(), close[0] != "}}"
            continue
        at, trim = _tokens_inside(text, inside + 1 if trims_left else inside, tokens)


_CLOSE = lazy_pattern(r"(?:[ \t\r\n]+-)?\}\}")


def _tokens_inside(text: str, at: int, tokens: list[TemplateToken]) -> tuple[int, bool]:
    """Append the tokens of an action; returns its end, and whether it trims the text after it."""
    tokens.append(TemplateToken("begin", ""))
    while True:
        close = _CLOSE.match(text, at)
        if close:
            tokens.append(TemplateToken("end", ""))
            return close.end(), close[0] != "}}"
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise GoError(_senseless_token(text[at : at + 20]))
        at = match.end()
        if match.lastgroup in _WORDS and text[at : at + 1] not in _FOLLOWING:
            raise GoError(_senseless_token(text[match.start() : at + 1] if at < len(text) else ""))
        tokens.append(TemplateToken(match.lastgroup, match[0]))


_WORDS = frozenset(("field", "variable", "word", "number"))


def _senseless_token(what: str) -> str:
    return f"{what!r} makes no sense inside braces" if what else "braces are not closed"
