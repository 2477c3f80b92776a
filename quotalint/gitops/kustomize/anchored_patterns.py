"""Regular expressions of selectors, of fields and of images, as Kustomize takes them."""

from __future__ import annotations

from functools import lru_cache

from quotalint.gitops.kustomize.selector_text import SelectorError, UntriedError
from quotalint.text.expression_syntax import ExpressionError, UnreadExpressionError
from quotalint.text.expressions import Expression, TooExpensiveError


@lru_cache(maxsize=4096)
def matches_whole(written: str, text: str) -> bool:
    """Whether an expression matches the whole text. Raises SelectorError."""
    try:
        return _parse_expression(written).covers(text)
    except TooExpensiveError:
        raise _untried_error(written, text) from None


@lru_cache(maxsize=4096)
def occurs_within(written: str, text: str) -> bool:
    """Whether an expression matches some part of the text. Raises SelectorError."""
    try:
        return _parse_expression(written).occurs(text)
    except TooExpensiveError:
        raise _untried_error(written, text) from None


def is_image(written: str, text: str) -> bool:
    """Whether an image is one of a name, which is an expression, with whatever tag and digest (image.IsImageMatched).
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
