"""Selectors: label selectors (apimachinery pkg/labels/selector.go, `Parse`) and regular expressions, as Kustomize reads
them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from quotalint.kube.fields import Body, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.expression_syntax import ExpressionError, UnreadExpressionError
from quotalint.text.expressions import Expression, TooExpensiveError
from quotalint.text.lazy_patterns import lazy_pattern

_NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_KEY = lazy_pattern(rf"(?:[a-z0-9](?:[-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_NAME}")
_VALUE = lazy_pattern(rf"(?:{_NAME})?")
_WORD = r"[^\s=!,()<>]+"
_REQUIREMENT = lazy_pattern(
    rf"""\s*(?:
        !\s*(?P<absent>{_WORD})
      | (?P<key>{_WORD})\s*(?:
            (?P<operator>==|=|!=|<|>)\s*(?P<value>{_WORD})?
          | \s(?P<set>in|notin)\s*\((?P<values>[^()]*)\)
        )?
    )\s*""",
    re.VERBOSE,
)


class SelectorError(Exception):
    """Kustomize refuses a selector."""


class UntriedError(SelectorError):
    """Kustomize may accept the selector, but it is not evaluated here."""


class _Requirement(NamedTuple):
    key: str
    holds: Callable[[str | None], bool]


def labels_match(selector: str, labels: Body) -> bool:
    """Whether labels (or annotations) satisfy a selector such as `app=web,tier in (a, b),!legacy`."""
    if not selector.strip():
        return True
    return all(
        requirement.holds(text(labels[requirement.key]) if requirement.key in labels else None)
        for requirement in _parse_requirements(selector)
    )


@cache
def _parse_requirements(selector: str) -> tuple[_Requirement, ...]:
    return tuple(map(_parse_requirement, _requirement_texts(selector)))


def _requirement_texts(selector: str) -> Iterator[str]:
    """The parts between commas that are in no parentheses."""
    held: list[str] = []
    is_open = False
    for piece in selector.split(","):
        held.append(piece)
        opened, closed = piece.rfind("("), piece.rfind(")")
        is_open = is_open if opened == closed else opened > closed
        if not is_open:
            yield ",".join(held)
            held = []
    if held:
        yield ",".join(held)


def _parse_requirement(written: str) -> _Requirement:
    match = _REQUIREMENT.fullmatch(written)
    wrong = SelectorError(f"`{written.strip()}` is not a label selector")
    if match is None or not _KEY.fullmatch(match["absent"] or match["key"]):
        raise wrong
    if match["absent"]:
        return _Requirement(match["absent"], lambda value: value is None)
    key, operator = match["key"], match["operator"]
    if match["set"]:
        members = frozenset(item.strip() for item in match["values"].split(","))
        if not all(_VALUE.fullmatch(member) for member in members):
            raise wrong
        inside = match["set"] == "in"
        return _Requirement(key, lambda value: (value in members) == inside)
    if not operator:
        return _Requirement(key, lambda value: value is not None)
    wanted = match["value"] or ""
    if operator in "<>":
        bound = _whole_number(wanted)
        if bound is None:
            raise wrong
        return _Requirement(key, lambda value: _is_beyond(value, operator, bound))
    if not _VALUE.fullmatch(wanted):
        raise wrong
    return _Requirement(key, lambda value: (value == wanted) == (operator != "!="))


def _is_beyond(value: str | None, operator: str, bound: int) -> bool:
    number = _whole_number(value or "")
    return number is not None and (number > bound if operator == ">" else number < bound)


def _whole_number(written: str) -> int | None:
    return int(written) if re.fullmatch(r"[-+]?[0-9]{1,18}", written) else None


@lru_cache(maxsize=4096)
def matches_whole(written: str, text: str) -> bool:
    """Whether a regular expression matches the whole text. Raises SelectorError."""
    try:
        return _parse_expression(written).covers(text)
    except TooExpensiveError:
        raise _untried_error(written, text) from None


@lru_cache(maxsize=4096)
def occurs_within(written: str, text: str) -> bool:
    """Whether a regular expression matches part of the text. Raises SelectorError."""
    try:
        return _parse_expression(written).occurs(text)
    except TooExpensiveError:
        raise _untried_error(written, text) from None


def is_image(written: str, text: str) -> bool:
    """Whether an image has a name, given as a regular expression, with any tag and digest (image.IsImageMatched).
    Raises SelectorError."""
    _parse_expression(written)
    return occurs_within(f"^{written}{_TAGGED}", text)


_TAGGED = r"(:[a-zA-Z0-9_.{}-]*)?(@[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$"


def _untried_error(written: str, text: str) -> UntriedError:
    return UntriedError(f"the pattern `{written[:100]}` is too expensive to try on a string of {len(text)} characters")


@lru_cache(maxsize=1024)
def _parse_expression(written: str) -> Expression:
    try:
        return Expression(written)
    except UnreadExpressionError as unread:
        raise UntriedError(str(unread)) from None
    except ExpressionError as wrong:
        raise SelectorError(str(wrong)) from None
