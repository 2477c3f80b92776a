"""Amounts that a repair names are those that people write, and never too small."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.amounts import rounded_down, rounded_up
from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, Quantity, parse, show

CASES = [
    # what is needed, what people write, and what they write where it may not be more
    ("limits.memory", "34560Mi", "34Gi", "33Gi"),
    ("limits.memory", "28Gi", "28Gi", "28Gi"),
    ("limits.memory", "325Mi", "325Mi", "325Mi"),
    ("requests.memory", "1500Mi", "1500Mi", "1500Mi"),
    ("requests.memory", "1.5Gi", "1536Mi", "1536Mi"),
    ("requests.memory", "1229Mi", "1280Mi", "1200Mi"),
    ("requests.memory", "9000Mi", "9000Mi", "9000Mi"),
    ("requests.memory", "1234567890", "1200Mi", "1152Mi"),
    ("requests.storage", "34560M", "35G", "34G"),
    ("requests.cpu", "9500m", "9500m", "9500m"),
    ("requests.cpu", "9333m", "9350m", "9300m"),
    ("limits.cpu", "333m", "333m", "333m"),
    ("limits.cpu", "33750m", "34", "33500m"),
    ("cpu", "1125m", "1125m", "1125m"),
    ("limits.cpu", "101250m", "102", "101"),
    ("pods", "1013", "1013", "1013"),
    ("count/jobs.batch", "2500m", "3", "2"),
    ("requests.nvidia.com/gpu", "17", "17", "17"),
    ("gold.storageclass.storage.k8s.io/requests.storage", "10.25Gi", "11Gi", "10Gi"),
]


@pytest.mark.parametrize(("resource", "needed", "up", "down"), CASES)
def test_amounts_are_those_that_people_write(resource: str, needed: str, up: str, down: str) -> None:
    amount = parse(needed)
    assert isinstance(amount, Quantity)
    assert show(rounded_up(resource, amount)) == up
    assert show(rounded_down(resource, amount)) == down


@given(
    st.sampled_from(["limits.memory", "requests.storage", "requests.cpu", "pods"]),
    st.integers(min_value=1, max_value=2**80),
    st.sampled_from([BINARY_SI, DECIMAL_SI]),
)
def test_what_is_rounded_is_enough_and_hardly_more(resource: str, nano: int, spelling: str) -> None:
    amount = Quantity(nano, spelling)
    up, down = rounded_up(resource, amount), rounded_down(resource, amount)
    assert down.nano <= nano <= up.nano
    whole = 10**9 if resource in ("pods", "limits.memory", "requests.storage") else 10**6
    assert up.nano - nano <= max(nano // 8, whole)


@given(st.sampled_from(["limits.memory", "requests.cpu", "pods"]), st.integers(min_value=10**9, max_value=2**70))
def test_what_people_write_stays(resource: str, nano: int) -> None:
    written = rounded_up(resource, Quantity(nano, BINARY_SI))
    assert rounded_up(resource, written).nano == written.nano
    assert rounded_down(resource, written).nano == written.nano
