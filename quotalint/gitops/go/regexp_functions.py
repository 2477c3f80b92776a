"""sprig's functions on regular expressions (github.com/Masterminds/sprig 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from quotalint.gitops.go.values import MAX_TEXT, GoError, Implementation
from quotalint.text.expression_syntax import ExpressionError
from quotalint.text.expressions import Expression, Match, TooExpensiveError


def regexp_matches(written: str, text: str) -> Iterator[Match]:
    """All matches of an expression in a text. Raises GoError where Go refuses it, or we do."""
    try:
        yield from _expression(written).matches(text)
    except TooExpensiveError:
        raise GoError(f"the regular expression {written[:100]!r} could take too long on so long a text") from None


def expand_match(match: Match, template: str) -> str:
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


def _regex_all(pattern: str, value: str, count: int) -> list[str]:
    texts = [match.whole for match in regexp_matches(pattern, value)]
    return texts[:count] if count >= 0 else texts


def _regex_replaced(pattern: str, value: str, new: str, *, literal: bool = False) -> str:
    parts: list[str] = []
    at = size = 0
    for match in regexp_matches(pattern, value):
        parts += (value[at : match.start], new if literal else expand_match(match, new))
        at = match.end
        size += len(parts[-1])
        if size > MAX_TEXT:
            raise GoError(f"a string grows longer than {MAX_TEXT:,} characters")
    return "".join([*parts, value[at:]])


def _regex_split(pattern: str, value: str, count: int) -> list[str]:
    if count == 0:
        return []
    if pattern and not value:
        return [""]
    parts: list[str] = []
    begin = end = 0
    for match in regexp_matches(pattern, value):
        if count > 0 and len(parts) == count - 1:
            break
        end = match.start
        if match.end != 0:
            parts.append(value[begin:end])
        begin = match.end
    return [*parts, value[begin:]] if end != len(value) else parts


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "regexMatch": ("ss", lambda pattern, value: any(True for _ in regexp_matches(pattern, value))),
    "regexFind": ("ss", lambda pattern, value: next((match.whole for match in regexp_matches(pattern, value)), "")),
    "regexFindAll": ("ssi", _regex_all),
    "regexReplaceAll": ("sss", _regex_replaced),
    "regexReplaceAllLiteral": ("sss", lambda pattern, value, new: _regex_replaced(pattern, value, new, literal=True)),
    "regexSplit": ("ssi", _regex_split),
    "regexQuoteMeta": ("s", lambda value: re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", value)),
}
