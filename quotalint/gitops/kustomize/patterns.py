"""Regular expressions of selectors: what Go (regexp/syntax) and Python read alike, and what costs little to try.

Python tries one way after the other, so a hostile expression may take for ever. What repeats something that repeats or
branches is therefore not tried at all, nor is what is too long.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from quotalint.gitops.kustomize.label_selectors import SelectorError, UntriedError

_MOST_WAYS = 6**3  # a repetition counts for 6, what may be left out or comes in two forms for 2
_LONGEST_TEXT = 253  # a name; three repetitions may cost the cube of it
_MOST_TIMES = 1000  # regexp/syntax, maxRepeat
_IGNORE_CASE = "(?i)"
_TOKEN = re.compile(
    r"""
    (?P<open>\((?:\?:|\?P<\w+>)?(?!\?))
  | (?P<close>\))
  | (?P<branch>\|)
  | (?P<edge>[$^]|\\[AzbB])
  | (?P<repeat>(?:[*+]|\{\d+(?:,\d*)?\})\??(?![*+?{]))
  | (?P<optional>\?\??(?![*+?{]))
  | (?P<atom>
        [^\\.\[\](){}*+?|^$]                                    # a letter
      | \\[^A-Za-z0-9_]                                         # a sign
      | \\[dDwWsS]
      | \.
      | \[\^?(?:[^\[\]\\^-]|\\[^A-Za-z0-9_]|\\[dDwWsS]|-)+\]     # one of several letters
    )
    """,
    re.VERBOSE | re.ASCII,
)


def matches(written: str, text: str) -> bool:
    """Whether an expression matches the whole text. Raises SelectorError."""
    return _compiled(written).fullmatch(_short(written, text)) is not None


def occurs(written: str, text: str) -> bool:
    """Whether an expression matches some part of the text. Raises SelectorError."""
    return _compiled(written).search(_short(written, text)) is not None


def is_image(written: str, text: str) -> bool:
    """Whether an image is one of a name, which is an expression, with whatever tag and digest (image.IsImageMatched).
    Raises SelectorError."""
    return _compiled_image(written).match(_short(written, text)) is not None


_TAGGED = r"(:[a-zA-Z0-9_.{}-]*)?(@[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?\Z"


@cache
def _compiled_image(written: str) -> re.Pattern[str]:
    _compiled(written)
    return re.compile("^" + written.removeprefix(_IGNORE_CASE).replace(r"\z", r"\Z") + _TAGGED, re.ASCII)


def _short(written: str, text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        raise UntriedError(f"the pattern `{written}` is not tried on a text of {len(text)} letters")
    return text


@cache
def _compiled(written: str) -> re.Pattern[str]:
    _check(written)
    flags = re.ASCII | (re.IGNORECASE if written.startswith(_IGNORE_CASE) else 0)
    portable = written.removeprefix(_IGNORE_CASE).replace(r"\z", r"\Z")
    try:
        return re.compile(portable, flags)
    except (re.error, OverflowError, RecursionError):
        raise SelectorError(f"`{written}` is not a regular expression") from None


class _Group(NamedTuple):
    """What an open group holds so far."""

    branches: bool = False
    repeats: bool = False


def _check(written: str) -> None:
    """Raise SelectorError unless the expression is read alike by Go and Python, and cheap."""
    at = len(_IGNORE_CASE) if written.startswith(_IGNORE_CASE) else 0
    open_groups = [_Group()]
    before: _Group | None = None  # what could be repeated
    ways = 1
    while at < len(written):
        match = _TOKEN.match(written, at)
        if match is None:
            raise UntriedError(f"the pattern `{written}` is not understood")
        at = match.end()
        kind, atom = match.lastgroup, before
        before = None
        if kind == "open":
            open_groups.append(_Group())
        elif kind == "close" and len(open_groups) > 1:
            before = open_groups.pop()
            top = open_groups[-1]
            open_groups[-1] = _Group(top.branches or before.branches, top.repeats or before.repeats)
        elif kind == "atom":
            before = _Group()
        elif kind == "branch":
            open_groups[-1] = open_groups[-1]._replace(branches=True)
            ways *= 2 if len(open_groups) > 1 else 1
        elif kind in ("repeat", "optional"):
            if atom is None:
                raise SelectorError(f"`{written}` is not a regular expression")
            ways *= 6 if kind == "repeat" else 2
            if kind == "repeat" and (atom.branches or atom.repeats):
                ways = _MOST_WAYS + 1
            if any(int(times) > _MOST_TIMES for times in re.findall(r"\d{1,9}", match[0])):
                raise SelectorError(f"`{written}` is not a regular expression")
            open_groups[-1] = open_groups[-1]._replace(repeats=True)
        elif kind == "close":
            raise SelectorError(f"`{written}` is not a regular expression")
    if ways > _MOST_WAYS:
        raise UntriedError(f"the pattern `{written}` is too expensive to try")
    if len(open_groups) > 1:
        raise SelectorError(f"`{written}` is not a regular expression")
