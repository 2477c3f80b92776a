"""The quick looks for words and keys that two parsers read differently: where they see nothing, there is nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quotalint.gitops.kustomize.kustomize_yaml import (
    _MISREAD_KEY,
    _misread_word,
    find_misread_key,
    may_hold_misread_word,
    plain_scalars,
    quote_words,
)

PIECES = [
    *("a", "key", "yes", "on", "No", "n", "y", "true", "False", "1", "-1", "1.5", "1e-5", "0x1f", ".inf", ".nan", "+1"),
    *("2020-01-01", "2020-01-01T10:00:00Z", "6902", "'yes'", '"1"', "&a", "*a", "!!str", "!t", "# on", "|", ">"),
    *(" ", "  ", "\t", "\n", "\n  ", "\r\n", ":", ": ", " : ", "- ", "? ", ", ", ",", "{", "}", "[", "]", "\n: ", "é"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(TEXTS)
@example("a: &a yes\n")
@example("a: !!bool\n")
@example("? yes\n: a\n")
@example('{"a":yes}')
@example("yes")
@example(" yes")
@example("- - on\n")
@example("a: text that goes\n  on\n  on: x\n")
@example("a: [b, no\n  ]\n")
@example("a: !!seq [b, no\n  ]\n")
@example("a: &é [b, 2020-01-01]\n")
@example("a: x\u0085[b, no]")
@example("\ufeff[b, no]")
def test_no_word_is_overlooked(text: str) -> None:
    data = text.encode()
    if any(_misread_word(scalar) is not None for scalar in plain_scalars(data)):
        assert may_hold_misread_word(data)


@given(TEXTS)
@example("1: a\n")
@example("a: {1e-5: b}\n")
@example("- ? true\n  : a\n")
@example("2020-01-01 : a\n")
@example("-.inf: a")
@example("1:\r\n  a: b\r\n")
def test_an_odd_key_is_found_wherever_the_parser_sees_one(text: str) -> None:
    data = text.encode()
    keys = [
        plain_scalar.text
        for plain_scalar in plain_scalars(data)
        if plain_scalar.is_key and _MISREAD_KEY.fullmatch(plain_scalar.text)
    ]
    # Behind an anchor or inside of `[`, or with a comment between it and its colon, none was ever looked for.
    if keys and not any(sign in text for sign in "&!#[*?é"):
        assert find_misread_key(data) == keys[0]


@pytest.mark.parametrize(
    "text",
    ["a: depends on\n  it\n", "text: |\n  whether it is on, or no:\n", "# since 2020-01-01\na: b\n", "a: 'it is on'\n"],
)
def test_words_behind_words_are_text(text: str) -> None:
    assert not may_hold_misread_word(text.encode()) or quote_words(text.encode()) == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "a: depends on\n  it\n",
        "# since 2020-01-01\na: b\n",
        "a: {}\nb: a map of {key,value} pairs, as in[no]. If unset or false, no\n  processes end, no\n",
    ],
)
def test_a_word_inside_of_text_has_nothing_parsed_again(text: str) -> None:
    assert not may_hold_misread_word(text.encode())
