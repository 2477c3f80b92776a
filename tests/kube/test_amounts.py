"""Resource lists as they are written, and as the API server stores them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube import quantity
from quotalint.kube.amounts import UnknownAmount, amount, amounts, is_placeholder
from quotalint.kube.quantity import BadQuantity, Quantity

STORED: dict[str, tuple[object, str]] = {
    "text": ("500m", "500m"),
    "a number": (2, "2"),
    "a fraction": (0.5, "500m"),
    "spaces around it": (" 2Gi ", "2Gi"),
    "nothing is zero": (None, "0"),
    "an exponent": ("1e3", "1e3"),
    "rounded up to thousandths": ("0.0001", "1m"),
    "nano": ("1n", "1m"),
    "below zero away from it": ("-0.0001", "-1m"),
    "a binary fraction": ("0.7Gi", "751619276800m"),
    "two decimals": ("1.23", "1230m"),
}


@pytest.mark.parametrize("case", STORED)
def test_an_amount_is_stored_as(case: str) -> None:
    written, shown = STORED[case]
    read_amount = amount(written)
    assert isinstance(read_amount, Quantity)
    assert quantity.show(read_amount) == shown


@pytest.mark.parametrize(
    "written", ["4Gb", "4GI", "4K", "", "one", "1 Gi", "${CPU}", True, False, [], {}, [1], {"a": 1}, float("nan")]
)
def test_what_is_no_amount_is_refused(written: object) -> None:
    assert isinstance(amount(written), BadQuantity)


def test_numbers_and_booleans_that_python_takes_for_equal_are_not() -> None:
    # 1, 1.0 and True are the same key to a cache.
    assert [isinstance(amount(value), Quantity) for value in (1, True, 1.0, False, 0, 0.0)] == [
        True,
        False,
        True,
        False,
        True,
        True,
    ]


PLACEHOLDERS = [
    "${CPU}",
    "${CPU:=1}",
    "a-${CPU}-b",
    "$(cpu_request)",
    "$CPU",
    "{{ .Values.cpu }}",
    "{{cpu}}Gi",
    "<% cpu %>",
    "@CPU@",
    "__CPU__",
    "team-__SLUG__",
    "team-@ENV@-a",
    "<cpu>",
]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_placeholder_is_known_as_one(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "value",
    ["1", "500m", "2Gi", "$1", "4$", "a<b", "a@b@c", "__", "__a__b", "{a}", "", None, 3, ["${CPU}"], {"a": "${CPU}"}],
)
def test_what_only_looks_like_a_placeholder_is_none(value: object) -> None:
    assert not is_placeholder(value)


WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
LISTS: dict[str, tuple[Any, dict[str, str], list[UnknownAmount]]] = {
    "good": ({"cpu": "1", "memory": "1Gi"}, {"cpu": "1", "memory": "1Gi"}, []),
    "absent": (None, {}, []),
    "empty": ({}, {}, []),
    "an entry without a value is zero": ({"cpu": None}, {"cpu": "0"}, []),
    "a placeholder": (
        {"cpu": "${CPU}", "memory": "1Gi"},
        {"memory": "1Gi"},
        [UnknownAmount(("spec", "cpu"), "is the placeholder '${CPU}'")],
    ),
    "not an amount": ({"cpu": "4Gb"}, {}, [UnknownAmount(("spec", "cpu"), "is not a quantity: '4Gb'", WRONG)]),
    "a mapping for an amount": (
        {"cpu": {"a": 1}},
        {},
        [UnknownAmount(("spec", "cpu"), "is not a quantity: \"{'a': 1}\"", WRONG)],
    ),
    "a list of amounts": (["cpu"], {}, [UnknownAmount(("spec",), "is not a mapping of resource names to quantities")]),
    "a number for the list": (3, {}, [UnknownAmount(("spec",), "is not a mapping of resource names to quantities")]),
}


@pytest.mark.parametrize("case", LISTS)
def test_what_is_no_amount_is_noted(case: str) -> None:
    written, shown, noted = LISTS[case]
    quantities, unknowns = amounts(written, ("spec",))
    assert ({name: quantity.show(value) for name, value in quantities.items()}, list(unknowns)) == (shown, noted)


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(json)
def test_every_entry_is_an_amount_or_noted(value: Any) -> None:
    read_amounts, unknowns = amounts(value, ())
    names = {*read_amounts, *(unknown.path[-1] for unknown in unknowns if unknown.path)}
    assert names == (set(value) if isinstance(value, dict) else set())
