"""What the API server takes for a whole number: it reckons in 64 bits, and big amounts overflow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.quantity import is_whole

# As Kubernetes 1.36 answered for `pods`.
ANSWERS = {
    "1": True,
    "1500m": False,
    "1.0": True,
    "0.5": False,
    "1E": True,
    "9E": True,
    "1Ei": False,
    "9223372036854775807": True,
    "99999999999999999999": False,
    "four": False,
}


@pytest.mark.parametrize("written", ANSWERS)
def test_whole_numbers(written: str) -> None:
    assert is_whole(written) is ANSWERS[written]


@given(st.integers(-(2**53), 2**53))
def test_a_number_that_fits_is_whole(number: int) -> None:
    assert is_whole(number) and is_whole(str(number)) and not is_whole(f"{number}.5")
