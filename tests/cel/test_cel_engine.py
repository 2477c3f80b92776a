"""Expressions are evaluated exactly, and no expression hangs, crashes or fills the memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from quotalint.cel.cel_environments import KUBERNETES, POLICIES
from quotalint.cel.cel_tokens import tokens_of
from quotalint.cel.engine import Engine, Failed, Issue, Unknown, Value, engine
from quotalint.cel.quantities import amount
from quotalint.cel.shorthand import spell_out

ITEMS = {"items": "list", "x": "int", "y": "quantity"}


def outcome(expression: str, **values: object) -> Value | Unknown | Failed | Issue:
    return engine().evaluate(POLICIES, expression, ITEMS, values)


@pytest.mark.parametrize(
    "expression",
    [
        "items.all(a, items.all(b, items.all(c, true)))",
        "items.all(a, items.exists(b, a == b))",
    ],
)
def test_nested_comprehensions_over_ten_thousand_items_end(expression: str) -> None:
    issue = outcome(expression, items=list(range(10_000)))
    assert issue == Unknown("it takes more than 10,000 steps, so it is stopped")


def test_a_list_that_grows_ends() -> None:
    assert isinstance(outcome("items.map(a, items.map(b, a)).size() > 0", items=list(range(10_000))), Unknown)


def test_a_text_that_grows_ends() -> None:
    grown = f'["{"a" * 30_000}"]'
    inner = "size(e) > 0"
    for name, before in (("e", "d"), ("d", "c"), ("c", "b"), ("b", "a")):
        inner = f"[{'+'.join([before] * 12)}].all({name}, {inner})"
    assert outcome(f"{grown}.all(a, {inner})") == Unknown("it takes too much memory, so it is stopped")


@pytest.mark.parametrize("expression", ["(" * 5000 + "1" + ")" * 5000, "-" * 100_000 + "1", "[" * 400, "", "\0", "`"])
def test_what_is_no_expression_is_an_issue(expression: str) -> None:
    assert isinstance(outcome(expression), Issue)


def test_a_worker_that_takes_too_long_is_replaced() -> None:
    slow = Engine(timeout=1)
    regex = f'items.exists(a, "{"a" * 20_000}".matches("(a?){{500}}b"))'
    issue = slow.evaluate(POLICIES, regex, ITEMS, {"items": [1] * 9000})
    assert isinstance(issue, Unknown)
    assert slow.evaluate(POLICIES, "1 < 2", {}, {}) == Value(True)


@pytest.mark.parametrize(
    "expression",
    ["9223372036854775807 + x > 0", "18446744073709551615u + 1u > 0u", "1u - 2u == 0u", "-9223372036854775808 - x < 0"],
)
def test_integers_do_not_wrap_around(expression: str) -> None:
    assert isinstance(outcome(expression, x=1), Failed)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x == 1", Unknown("x is not known", "x")),
        ("x == 1 || true", Value(True)),
        ("false && x == 1", Value(False)),
        ("[1, 2].exists(a, a == x || a == 2)", Value(True)),
        ("1 / 0 > x", Failed("division by zero")),
    ],
)
def test_what_depends_on_a_variable_without_a_value_is_unknown(expression: str, expected: object) -> None:
    issue = outcome(expression)
    assert issue == expected or (isinstance(expected, Failed) and isinstance(issue, (Failed, Unknown)))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("y <= quantity('4')", False),
        ("y >= quantity('5')", True),
        ("y * 2 > quantity('9')", True),
        ("y <= quantity('6')", None),
    ],
)
def test_a_lower_bound_decides_what_it_can(expression: str, expected: bool | None) -> None:
    issue = outcome(expression, y=amount(5, least=True))
    assert issue == Value(expected) if expected is not None else isinstance(issue, Unknown)


@pytest.mark.parametrize(
    ("expression", "offset"),
    [("1 + 'a'", 2), ("true &&\n  nosuch", 10), ("1 <", 3), ("x.foo == 1", 1)],
)
def test_an_issue_says_where(expression: str, offset: int) -> None:
    findings = engine().check(POLICIES, expression, ITEMS)
    assert not isinstance(findings, str)
    assert findings[0].offset == offset


def test_functions_that_the_engine_lacks_are_an_issue() -> None:
    for expression in (
        'ip("10.0.0.1").family() == 4',
        'url("https://a").getHost() == "a"',
        'semver("1.0.0").major() == 1',
    ):
        assert isinstance(engine().check(KUBERNETES, expression, {}), tuple)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('namespace.labels.tier == "prod"', '_amespace.labels.at("tier") == "prod"'),
        ('has(quota["limits.memory"])', "has(quota.`limits.memory` )"),
        ("has(namespace.labels.tier)", "has(_amespace.labels.tier)"),
        ('has(namespace.labels["a/b"])', "has(_amespace.labels.`a/b` )"),
        ('x.labels["a/b"] == "c"', 'x.labels.at("a/b") == "c"'),
        ("x.labels.exists(k, true)", "x.labels.exists(k, true)"),
        ('"namespace.labels.tier"', '"namespace.labels.tier"'),
        ("x.namespace == 1 // namespace.labels.tier", "x.namespace == 1 // namespace.labels.tier"),
        ("quota['limits.memory']", "quota['limits.memory']"),
    ],
)
def test_what_policies_may_write(written: str, meant: str) -> None:
    assert spell_out(written).text == meant


def test_a_place_in_the_meaning_is_one_in_the_expression() -> None:
    written = 'namespace.labels.tier == "prod" && nosuch'
    means = spell_out(written)
    assert means.origin(means.text.index("nosuch")) == written.index("nosuch")


@given(st.text(alphabet="abhs_.()[]{}\"'`\\ \n/=&|<>?:0129namespacelabels", max_size=60))
def test_any_text_has_words_and_a_meaning(text: str) -> None:
    assert all(text[token.start : token.end] == token.text for token in tokens_of(text))
    means = spell_out(text)
    assert all(0 <= means.origin(offset) <= len(text) for offset in range(len(means.text) + 1))


@settings(max_examples=40)
@given(st.text(max_size=40))
def test_any_text_has_an_outcome(text: str) -> None:
    assert outcome(text) is not None
