"""How many more fit: the computation that all who say so share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quotalint.quota.fitting import largest_that_fits, largest_while_growing, objects_that_fit

amounts = st.integers(0, 10**12)


@given(amounts, amounts, st.integers(1, 10**12))
def test_as_many_fit_as_the_server_admits_one_by_one(hard: int, used: int, each: int) -> None:
    number = objects_that_fit(hard, used, each)
    assert used + number * each <= hard < used + (number + 1) * each


@given(st.sets(st.integers(0, 30)), st.integers(0, 30), st.integers(0, 30), st.integers(0, 40))
def test_the_largest_of_those_tried_is_found(good: set[int], least: int, most: int, tries: int) -> None:
    tried = list(range(most, least - 1, -1))[:tries]
    actual_largest = largest_that_fits(good.__contains__, least, most, tries)
    assert actual_largest == max(good.intersection(tried), default=None)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_what_grows_is_found_by_halving(limit: int, most: int) -> None:
    assert largest_while_growing(lambda number: number <= limit, most) == min(limit, most)
