"""Regular expressions in the templates of charts: Go's, and what `$1` means in what replaces their matches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from quotalint.gitops.go.values import GoError
from quotalint.text.expression_syntax import ExpressionError
from quotalint.text.expressions import Expression, Match, TooExpensiveError


def regexp_matches(written: str, text: str) -> Iterator[Match]:
    """All matches of an expression in a text. Raises GoError where Go refuses it, or we do."""
    try:
        yield from _expression(written).matches(text)
    except TooExpensiveError:
        raise GoError(f"the regular expression {written[:100]!r} could take too long on so long a text") from None


def expanded(match: Match, template: str) -> str:
    """What takes the place of a match: `$1`, `${name}` and `$$` mean something in it (regexp.Regexp.Expand)."""
    parts: list[str] = []
    at = 0
    while (dollar := template.find("$", at)) >= 0:
        parts.append(template[at:dollar])
        at = dollar + 1
        if template.startswith("$", at):
            parts.append("$")
            at += 1
            continue
        braced = template.startswith("{", at)
        end = begin = at + braced
        while end < len(template) and (template[end] == "_" or template[end].isalnum()):
            end += 1
        if end == begin or (braced and not template.startswith("}", end)):
            parts.append("$")
            continue
        parts.append(match.group(template[begin:end]))
        at = end + braced
    return "".join([*parts, template[at:]])


@lru_cache(maxsize=256)
def _expression(written: str) -> Expression:
    try:
        return Expression(written)
    except ExpressionError as wrong:
        raise GoError(str(wrong)) from None
