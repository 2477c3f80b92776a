"""Kubernetes' library of quantities in expressions, and the operators of policies: the facts of Kubernetes 1.36,
apiserver/pkg/cel/library/quantity.go, in cases of our own."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")

from quotalint.cel.cel_environments import KUBERNETES, POLICIES
from quotalint.cel.engine import Failed, Issue, Unknown, Value, engine
from quotalint.cel.quantities import amount, is_below

BOTH = pytest.mark.parametrize("profile", [POLICIES, KUBERNETES])


@BOTH
@pytest.mark.parametrize(
    "expression",
    [
        'quantity("1Gi") == quantity("1024Mi")',
        'quantity("1500m") == quantity("1.5")',
        'quantity("1G") != quantity("1Gi")',
        'isQuantity("3") && isQuantity("3M") && isQuantity("3Mi") && isQuantity("1e3")',
        '!isQuantity("3Mo") && !isQuantity("3Mm") && !isQuantity("") && !isQuantity("three")',
        'quantity("7M").isLessThan(quantity("7Mi")) && !quantity("7Mi").isLessThan(quantity("7M"))',
        'quantity("7Mi").isGreaterThan(quantity("7M")) && !quantity("7M").isGreaterThan(quantity("7M"))',
        'quantity("300M").compareTo(quantity("0.3G")) == 0',
        'quantity("7M").compareTo(quantity("7Mi")) == -1 && quantity("7Mi").compareTo(quantity("7M")) == 1',
        'quantity("9k").add(quantity("10")) == quantity("9.01k") && quantity("9k").add(10) == quantity("9010")',
        'quantity("9k").sub(quantity("10")) == quantity("8.99k") && quantity("9k").sub(10) == quantity("8990")',
        'quantity("1k").sub(2000).asInteger() == -1000 && quantity("1k").sub(2000).add(2000).asInteger() == 1000',
        'quantity("9k").asInteger() == 9000 && quantity("9k").isInteger()',
        '!quantity("8888888888888888888888888888888888888G").isInteger()',
        '!quantity("1500m").isInteger()',
        'quantity("12.345k").asApproximateFloat() == 12345.0',
        'quantity("-3").sign() == -1 && quantity("0").sign() == 0 && quantity("3m").sign() == 1',
        '[quantity("8888888888888888888888888888888")].all(x, x.add(1).compareTo(x.add(2)) == -1)',
        '[quantity("1"), quantity("2")].exists(x, x.isGreaterThan(quantity("1")))',
    ],
)
def test_an_expression_about_quantities_holds(profile: str, expression: str) -> None:
    assert engine().evaluate(profile, expression, {}, {}) == Value(True)


@BOTH
@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ('quantity("3Mo") == quantity("1")', "quantities must match the regular expression"),
        ('quantity("3Mm") == quantity("1")', "unable to parse quantity's suffix"),
        ('quantity("8888888888888888888888888888888888888G").asInteger() == 1', "cannot convert value to integer"),
        ('quantity("1500m").asInteger() == 1', "cannot convert value to integer"),
    ],
)
def test_an_expression_about_quantities_fails_with_its_reason(profile: str, expression: str, reason: str) -> None:
    outcome = engine().evaluate(profile, expression, {}, {})
    assert isinstance(outcome, Failed)
    assert reason in outcome.reason


@BOTH
@pytest.mark.parametrize("expression", ["isQuantity([1, 2])", "quantity(1)", 'quantity("1").add("1")'])
def test_what_is_no_overload(profile: str, expression: str) -> None:
    outcome = engine().evaluate(profile, expression, {}, {})
    assert isinstance(outcome, Issue)
    assert outcome.message.startswith("found no matching overload for")


@BOTH
def test_whether_a_milli_amount_is_an_integer_depends_on_its_spelling(profile: str) -> None:
    assert isinstance(engine().evaluate(profile, 'quantity("1000m").isInteger()', {}, {}), Unknown)


@pytest.mark.parametrize(
    "expression", ['quantity("1") < quantity("2")', 'quantity("1") + quantity("2") == quantity("3")']
)
def test_kubernetes_has_no_operators_for_quantities(expression: str) -> None:
    assert isinstance(engine().evaluate(KUBERNETES, expression, {}, {}), Issue)


@pytest.mark.parametrize(
    "expression",
    [
        'quantity("8") <= quantity("10") * 0.8',
        'quantity("1m") * 3 == quantity("3m")',
        '3 * quantity("1Gi") == quantity("3Gi") && 0.1 * quantity("1") == quantity("100m")',
        'quantity("3Gi") / quantity("1Gi") == quantity("3") && quantity("1") / 3 * 3 == quantity("1")',
        'quantity("1") < 2 && 2 > quantity("1") && quantity("1.5") >= 1.5 && 1.5 <= quantity("1500m")',
        '-quantity("1") < 0',
        '[quantity("1Gi"), quantity("1Mi")].sum() == quantity("1025Mi") && [].sum() == quantity("0")',
        '1 + 2 == 3 && 1.5 < 2 && "a" + "b" == "ab" && [1] + [2] == [1, 2] && 2u * 3u == 6u && -(-1) == 1',
        'duration("1h") + duration("1m") > duration("1h")',
        'timestamp("2026-01-01T00:00:00Z") < timestamp("2027-01-01T00:00:00Z")',
    ],
)
def test_operators_of_policies(expression: str) -> None:
    assert engine().evaluate(POLICIES, expression, {}, {}) == Value(True)


AMOUNTS = st.fractions(min_value=-(10**30), max_value=10**30, max_denominator=10**9)


@given(AMOUNTS, AMOUNTS)
def test_comparisons_are_those_of_fractions(fraction: Fraction, other: Fraction) -> None:
    left, right = amount(fraction), amount(other)
    assert (is_below(left, right, strictly=True), is_below(left, right, strictly=False)) == (
        fraction < other,
        fraction <= other,
    )
    assert (left == right) == (fraction == other)


@given(AMOUNTS, AMOUNTS, AMOUNTS, st.booleans())
def test_what_a_lower_bound_decides_is_true_of_every_higher_amount(
    bound: Fraction, more: Fraction, other: Fraction, strictly: bool
) -> None:
    for item, two, exact in (
        (amount(bound, least=True), amount(other), (amount(bound + abs(more)), amount(other))),
        (amount(other), amount(bound, least=True), (amount(other), amount(bound + abs(more)))),
    ):
        try:
            decided = is_below(item, two, strictly=strictly)
        except ValueError:
            continue
        assert decided == is_below(*exact, strictly=strictly)
