"""Parses substitution expressions (envsubst/parse, parse.go and scan.go)."""

from __future__ import annotations

import re
from typing import Union

from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

MAX_NESTING = 50
"""The largest nesting of expressions in arguments."""


class BadSubstitutionError(Exception):
    """Flux fails the Kustomization, for the reason in the message. Caught inside this package."""


class VariableCall(NamedTuple):
    """An expression between braces."""

    name: str
    operator: str
    arguments: tuple[Part, ...]
    raw: str
    """The source text, from `${` to `}`."""


Part = Union[str, VariableCall]  # noqa: UP007 - `|` between a name and a forward reference fails at run time
"""Literal text, or an expression."""

LENGTH = "length"
"""Our name for the operator of `${#NAME}`; its sign is also used by another operator."""

DEFAULTS = frozenset({":-", ":=", ":?", ":+", "="})
"""The operators whose argument is the default for an unset variable."""


def parse_text(text: str) -> list[Part]:
    """The parts of a text. `$$` is an escaped `$` everywhere; `$NAME` without braces is not an expression.

    Raises `BadSubstitutionError` with Go's message if Go refuses the text.
    """
    text = text.partition("\0")[0]  # the scanner stops at NUL
    parts: list[Part] = []
    at = 0
    while match := _DOLLARS.search(text, at):
        parts.append(text[at : match.start()])
        if match[0] == "$$":
            parts.append("$")
            at = match.end()
            continue
        try:
            call, at = _parse_call(text, match.start(), 1)
        except BadSubstitutionError as bad:
            raise BadSubstitutionError(f"{bad}: {shortened_text(text[match.start() :])}") from None
        parts.append(call)
    parts.append(text[at:])
    return parts


def shortened_text(text: str) -> str:
    """The beginning of a text, for messages."""
    line = text[:100].partition("\n")[0]
    return line if len(line) <= 40 else line[:37] + "..."


def _parse_call(text: str, begin: int, depth: int) -> tuple[VariableCall, int]:
    """The expression that starts with `${` at `begin`, and its end."""
    if depth > MAX_NESTING:
        raise BadSubstitutionError("expressions are nested too deeply")
    opening = _OPENING.match(text, begin)
    if not opening:
        measuring = text.startswith("#", begin + 2)
        raise BadSubstitutionError("bad substitution" if measuring else "unable to parse variable name")
    operator, at = (LENGTH, opening.end()) if opening["length"] else _parse_operator(text, opening.end())
    if operator[:1] == ":" and operator not in DEFAULTS and text[at : at + 1] > "\x7f":
        raise BadSubstitutionError("bad substitution")  # the scanner steps back by the width of the next character
    arguments, at = _parse_arguments(text, at, operator, depth)
    if not text.startswith("}", at):
        raise BadSubstitutionError("bad substitution" if operator else "missing closing brace")
    return VariableCall(opening["name"], operator, tuple(arguments), text[begin : at + 1]), at + 1


def _parse_operator(text: str, at: int) -> tuple[str, int]:
    match = _OPERATOR.match(text, at)
    return (match[0], match.end()) if match else ("", at)


def _parse_arguments(text: str, at: int, operator: str, depth: int) -> tuple[list[Part], int]:
    """The arguments after the operator, and their end."""
    arguments: list[Part] = []
    if operator in DEFAULTS:
        while not text.startswith("}", at):
            argument, at = _parse_argument(text, at, _TO_BRACE, depth)
            arguments.append(argument)
        return arguments, at
    sign = operator[:1]
    if sign not in _FIRST:
        return arguments, at
    argument, at = _parse_argument(text, at, _FIRST[sign], depth)
    arguments.append(argument)
    if sign in "#%" or (sign == ":" and text.startswith("}", at)):
        return arguments, at
    if not text.startswith(sign, at):
        raise BadSubstitutionError("bad substitution")
    while text.startswith(sign, at):  # the scanner accepts repeated signs
        at += 1
    if sign == ":" or not text.startswith("}", at):
        argument, at = _parse_argument(text, at, _SECOND[sign], depth)
        arguments.append(argument)
    return arguments, at


def _parse_argument(text: str, at: int, ends: re.Pattern[str], depth: int) -> tuple[Part, int]:
    """One expression, or the text up to the next expression or end."""
    if text.startswith("${", at):
        return _parse_call(text, at, depth + 1)
    pieces = []
    while True:
        match = ends.search(text, at)
        pieces.append(text[at : match.start() if match else len(text)])
        if not match or match[0] not in _ESCAPES:
            break
        pieces.append(match[0][1])
        at = match.end()
    word = "".join(pieces)
    if not word:
        raise BadSubstitutionError("unable to parse substitution within function")
    return word, match.start() if match else len(text)


_DOLLARS = lazy_pattern(r"\$\{|\$\$")
_OPENING = lazy_pattern(r"\$\{(?P<length>#?)(?P<name>\w+)")
_OPERATOR = lazy_pattern(r":[-=?+]|=|:|[,^]{1,2}|/[/#%]?|\#{1,2}|%{1,2}")
_ESCAPES = ("$$", "\\/", "\\\\")
_TO_BRACE = lazy_pattern(r"\}|\$\{")
_FIRST = {
    ":": lazy_pattern(r"[:}]|\$\{"),
    "/": lazy_pattern(r"/|\$\{|\$\$|\\[/\\]"),
    "#": _TO_BRACE,
    "%": _TO_BRACE,
}
"""By the operator's first character: the end of the first argument, or an escape in it."""
_SECOND = {":": _TO_BRACE, "/": lazy_pattern(r"\}|\$\{|\$\$|\\[/\\]")}
