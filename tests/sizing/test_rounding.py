"""Amounts are rounded up to what people write, and to no more."""

from __future__ import annotations

import pytest
from amounts import amount
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.sizing.entries import Margin, rounded_up

NAMES = ("requests.cpu", "limits.memory", "pods", "requests.storage", "requests.nvidia.com/gpu", "count/jobs.batch")


@pytest.mark.parametrize(
    ("name", "needed", "rounded"),
    [
        ("requests.cpu", "0", "0"),
        ("requests.cpu", "1m", "10m"),
        ("requests.cpu", "210m", "250m"),
        ("requests.cpu", "501m", "600m"),
        ("limits.cpu", "1100m", "1500m"),
        ("limits.cpu", "5300m", "6"),
        ("limits.cpu", "21", "25"),
        ("limits.cpu", "1234", "1300"),
        ("requests.memory", "1", "1Mi"),
        ("requests.memory", "100Mi", "112Mi"),
        ("requests.memory", "1100Mi", "1280Mi"),
        ("limits.memory", "3Gi", "3Gi"),
        ("limits.memory", "3073Mi", "3584Mi"),
        ("limits.memory", "9Gi", "9Gi"),
        ("limits.memory", "21Gi", "25Gi"),
        ("requests.storage", "501Gi", "510Gi"),
        ("requests.storage", "40G", "40Gi"),
        ("pods", "7", "7"),
        ("pods", "21", "25"),
        ("pods", "101", "110"),
        ("requests.nvidia.com/gpu", "33", "33"),
    ],
)
def test_amounts_as_people_write_them(name: str, needed: str, rounded: str) -> None:
    assert quantity.show(rounded_up(name, amount(needed))) == rounded


def test_a_quota_in_powers_of_ten_stays_one() -> None:
    assert quantity.show(rounded_up("limits.memory", amount("12345M"), amount("10G"))) == "13G"


@given(st.sampled_from(NAMES), st.integers(0, 10**24))
def test_enough_and_no_more_than_a_step_or_half_as_much_again(name: str, nano: int) -> None:
    step = {"requests.cpu": 10**7, "limits.memory": 2**20 * 10**9, "requests.storage": 2**20 * 10**9}.get(name, 10**9)
    quantity = rounded_up(name, Quantity(nano, "DecimalSI"))
    assert nano <= quantity.nano < max(nano * 3 // 2 + 1, nano + step)
    assert rounded_up(name, quantity).nano == quantity.nano


@given(st.sampled_from(NAMES), st.integers(0, 10**24), st.integers(0, 10**12))
def test_who_needs_more_gets_no_less(name: str, nano: int, more: int) -> None:
    first, other = (rounded_up(name, Quantity(each, "DecimalSI")) for each in (nano, nano + more))
    assert first.nano <= other.nano


@given(st.integers(0, 10**20), st.integers(0, 10**5), st.integers(0, 3))
def test_the_headroom_is_exact(nano: int, share: int, digits: int) -> None:
    result = Margin(share, 10**digits).above(Quantity(nano, "DecimalSI")).nano
    whole = nano * (100 * 10**digits + share)
    assert result * 100 * 10**digits >= whole > (result - 1) * 100 * 10**digits
