"""What holds of every text, object and pattern that is substituted."""

from __future__ import annotations

import copy
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from quotalint.gitops.substitution import Substituted, substitute_in_object, substitute_text

SIGNS = [
    "${",
    "}",
    "$",
    "$$",
    "{",
    "A",
    "B",
    ":",
    "=",
    ":-",
    "/",
    "#",
    "%",
    "^",
    ",",
    "*",
    "[",
    "]",
    "\\",
    "\n",
    "'",
    '"',
]


TEXTS = st.one_of(st.lists(st.sampled_from([*SIGNS, "${A}", " ", "é", "1"]), max_size=12).map("".join), st.text())


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS)


def objects_of(scalars: st.SearchStrategy[Any], keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=8)


VARIABLES = st.dictionaries(st.sampled_from(["A", "B", "C", "a-b"]), TEXTS, max_size=3)


@given(objects_of(SCALARS, TEXTS), VARIABLES, st.booleans())
def test_anything_is_replaced_or_refused_and_always_alike(value: object, variables: dict[str, str], keep: bool) -> None:
    before = repr(value)
    once = substitute_in_object(value, variables, keep_missing=keep)
    again = substitute_in_object(copy.deepcopy(value), dict(reversed(variables.items())), keep_missing=keep)
    assert repr((once.value, once.changed, once.missing)) == repr((again.value, again.changed, again.missing))
    assert bool(once.error) == bool(again.error)
    assert repr(value) == before
    assert once.changed or once.value is value


PLAIN = st.text(st.characters(exclude_characters="$", exclude_categories=["Cs"]))


@given(objects_of(st.one_of(SCALARS, PLAIN).filter(lambda scalar: "$" not in str(scalar)), PLAIN), st.booleans())
def test_an_object_without_a_dollar_is_the_same_object(value: object, keep: bool) -> None:
    result = substitute_in_object(value, {"A": "x"}, keep_missing=keep)
    assert result == Substituted(value)
    assert result.value is value


@given(st.text(), st.booleans())
def test_a_text_is_replaced_or_refused(text: str, keep: bool) -> None:
    result = substitute_text("${" + text, {"A": "x"}, keep_missing=keep)
    assert isinstance(result.value, str)


@given(st.lists(st.sampled_from(["${A}", "${B}", "${B:1}", "${C:=c}", "text", " ", "é"])).map("".join))
def test_what_is_kept_may_be_replaced_later(text: str) -> None:
    variables, hidden = {"A": "a"}, {"B": "bcd"}
    kept = substitute_text(text, variables, keep_missing=True)
    assert isinstance(kept.value, str)
    assert kept.missing == (("B",) if "${B" in text else ())
    assert substitute_text(kept.value, hidden).value == substitute_text(text, {**variables, **hidden}).value


@given(st.text("ab*?", min_size=1, max_size=6), st.text("abc", max_size=8))
def test_patterns_match_like_regular_expressions(pattern: str, value: str) -> None:
    expression = re.compile("".join({"*": ".*", "?": "."}.get(sign, sign) for sign in pattern))
    ends = [end for end in range(1, len(value) + 1) if expression.fullmatch(value[:end])]
    begins = [begin for begin in range(len(value)) if expression.fullmatch(value[begin:])]
    expected = {
        "#": value[ends[0] :] if ends else value,
        "##": value[ends[-1] :] if ends else value,
        "%": value[: begins[-1]] if begins else value,
        "%%": value[: begins[0]] if begins else value,
    }
    trimmed = {sign: substitute_text("${A" + sign + pattern + "}", {"A": value}).value for sign in expected}
    assert trimmed == expected
