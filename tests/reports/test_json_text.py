"""JSON as the reports print it is what the standard library makes of it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from quotalint.reports.json_text import Repeated, json_text

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(_VALUES)
def test_it_is_what_the_standard_library_writes(value: object) -> None:
    assert json_text(value) == json.dumps(value, indent=2, ensure_ascii=False)


@given(st.lists(_VALUES, max_size=4), st.integers(1, 4))
def test_what_is_repeated_is_written_each_time(items: list[object], times: int) -> None:
    shared = Repeated(items)
    report = {"first": [{"inner": shared, "number": number} for number in range(times)]}
    assert json_text(report) == json.dumps(report, indent=2, ensure_ascii=False)
