"""Amounts as people read them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from amounts import amount
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, Quantity
from quotalint.reports.diff_cells import in_one_unit


@pytest.mark.parametrize(
    ("resource", "given", "shown"),
    [
        ("limits.memory", ["14Gi", "28Gi", "24Gi"], ["14Gi", "28Gi", "24Gi"]),
        ("requests.memory", ["512Mi", "12Gi", "8Gi"], ["0.5Gi", "12Gi", "8Gi"]),
        ("requests.memory", ["100Mi", "1Gi"], ["100Mi", "1024Mi"]),
        ("requests.memory", ["1G", "2500M"], ["1G", "2.5G"]),
        ("requests.storage", ["1Ti", "512Gi"], ["1Ti", "0.5Ti"]),
        ("requests.cpu", ["1500m", "4"], ["1500m", "4000m"]),
        ("requests.cpu", ["2", "4"], ["2", "4"]),
        ("pods", ["800", "1020", "1k"], ["800", "1020", "1000"]),
        ("pods", ["0", "3"], ["0", "3"]),
        ("count/secrets", ["2k"], ["2000"]),
    ],
)
def test_all_that_is_compared_has_one_unit(resource: str, given: list[str], shown: list[str]) -> None:
    assert in_one_unit(resource, list(map(amount, given))) == shown


def test_what_is_not_there_is_empty() -> None:
    assert in_one_unit("pods", [None, amount("3")]) == ["", "3"]


@given(
    st.lists(st.integers(0, 2**50), min_size=1, max_size=4),
    st.sampled_from(["pods", "limits.memory", "requests.cpu"]),
    st.sampled_from([BINARY_SI, DECIMAL_SI]),
)
def test_nothing_is_rounded(thousandths: list[int], resource: str, form: str) -> None:
    given = [Quantity(thousandths * 10**6, form) for thousandths in thousandths]
    shown = in_one_unit(resource, given)
    assert [amount(quantity).nano for quantity in shown] == [quantity.nano for quantity in given]
    assert len({first.lstrip("0123456789.") for first, of in zip(shown, given, strict=True) if of.nano}) <= 1
    assert all(Fraction(text.rstrip("numkKMGTPEi") or "0") >= 0 for text in shown)
