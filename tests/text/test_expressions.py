"""Go's regular expressions: what they match, and that Python's say the same where both mean the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.text.expression_syntax import ExpressionError, UnreadExpressionError
from quotalint.text.expressions import Expression, TooExpensiveError

ATOM = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\w", "\\b", "^", "$", "a?", "b*", "a+?", "b{1,2}", "(?:a|b)"])
PATTERN = st.recursive(
    ATOM,
    lambda part: (
        st.lists(part, min_size=1, max_size=3).map("".join)
        | st.tuples(part, part).map(lambda pair: f"(?:{pair[0]}|{pair[1]})")
        | part.map(lambda case: f"({case})")
    ),
    max_leaves=6,
)


@given(PATTERN, st.text("ab-", max_size=8))
def test_python_says_the_same(pattern: str, text: str) -> None:
    portable = re.sub(r"\$", r"\\Z", pattern)
    expected = re.search(portable, text, re.ASCII)
    match = next(Expression(pattern).matches(text), None)
    assert (match and (match.start, match.end)) == (expected and expected.span())
    if match and expected:
        groups = [match.group(str(number)) for number in range(1, len(match.names))]
        assert groups == list(expected.groups(""))


@given(PATTERN, st.text("ab-", max_size=8))
def test_python_covers_the_same(pattern: str, text: str) -> None:
    portable = re.sub(r"\$", r"\\Z", pattern)
    assert Expression(pattern).covers(text) is (re.fullmatch(portable, text, re.ASCII) is not None)


@pytest.mark.parametrize(
    ("pattern", "text", "whole"),
    [
        ("a|ab", "ab", "a"),
        ("a*?b", "aab", "aab"),
        ("(?i)STRASSE|k", "\u212a", "\u212a"),
        ("(?i)[a-c]+", "xABC", "ABC"),
        ("(?i)[^a]", "Ab", "b"),
        ("(?m)^b$", "a\nb\nc", "b"),
        ("(?s)a.b", "a\nb", "a\nb"),
        ("a.b", "a\nb", None),
        ("(?U)a+", "aaa", "a"),
        ("(?i:A)B", "aB", "aB"),
        ("[[:upper:]_]+", "xAB_", "AB_"),
        ("[[:^digit:]]", "1a", "a"),
        ("[\\D]", "1a", "a"),
        ("[a-]+", "-a-", "-a-"),
        ("[]a]+", "]a", "]a"),
        ("a{,2}", "a{,2}", "a{,2}"),
        ("x{2}", "xxx", "xx"),
        ("(?P<n>a)(?<m>b)", "ab", "ab"),
        ("(a|b)*?$", "abab", "abab"),
        ("(a*)*", "aa", "aa"),
        ("\\x", "x", ExpressionError),
        ("[b-a]", "a", ExpressionError),
        ("[[:nothing:]]", "a", ExpressionError),
        ("(?z)a", "a", ExpressionError),
        ("a{2}{3}", "a", ExpressionError),
        ("(?=a)", "a", ExpressionError),
        ("\\pL", "a", UnreadExpressionError),
        ("\\Qa", "a", UnreadExpressionError),
    ],
)
def test_the_first_match(pattern: str, text: str, whole: str | type[ExpressionError] | None) -> None:
    if isinstance(whole, type):
        with pytest.raises(whole):
            Expression(pattern)
        return
    assert next((match.whole for match in Expression(pattern).matches(text)), None) == whole


@pytest.mark.parametrize("pattern", ["^a", "(^a)b?", "^(?:a|c)$"])
def test_what_begins_a_text_is_looked_for_there_alone(pattern: str) -> None:
    """A text of any length takes as little as one that begins alike."""
    assert Expression(pattern).occurs("a")
    assert not Expression(pattern).occurs("b" * 5_000_000 + "a")


@pytest.mark.parametrize("pattern", ["(?m)^a", "^b|a", "(?:^b)?a", "(^b)*a"])
def test_what_may_begin_a_text_is_looked_for_everywhere(pattern: str) -> None:
    assert Expression(pattern).occurs("b\na")


def test_many_matches_share_one_allowance() -> None:
    with pytest.raises(TooExpensiveError):
        list(Expression("a(.*b)?").matches("a" * 5_000))
