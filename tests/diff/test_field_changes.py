"""Two states of an object → the fields that differ."""

from __future__ import annotations

import pytest

from quotalint.diff.field_changes import FieldChange, field_changes


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param({"cpu": "0.5"}, {"cpu": "500m"}, [], id="one amount, written in two ways"),
        pytest.param({"cpu": 1}, {"cpu": "1"}, [], id="a number and its text"),
        pytest.param({"cpu": "1"}, {"cpu": "1001m"}, [(("cpu",), "1", "1001m")], id="a little more"),
        pytest.param({}, {"cpu": "0"}, [(("cpu",), None, "0")], id="nothing that is written now"),
        pytest.param({"cpu": "0"}, {}, [(("cpu",), "0", None)], id="nothing that was written"),
        pytest.param({"on": True}, {"on": "1"}, [(("on",), True, "1")], id="a boolean is no amount"),
        pytest.param({"a": {}}, {"a": "1"}, [(("a",), {}, "1")], id="a map and a text"),
        pytest.param({"a": {"b": 1}}, {"a": "1"}, [(("a",), {"b": 1}, "1")], id="a map that becomes a text"),
        pytest.param(None, [{"name": "a", "n": 1}], [((0, "name"), None, "a"), ((0, "n"), None, 1)], id="a list comes"),
        pytest.param([{"name": "a", "n": 1}], None, [((0, "name"), "a", None), ((0, "n"), 1, None)], id="a list goes"),
        pytest.param(None, ["a"], [((), None, ["a"])], id="a list of texts comes as a whole"),
        pytest.param({"a": "1"}, {"a": ["1"]}, [(("a",), "1", ["1"])], id="a text and a list"),
        pytest.param(None, {"a": {"b": 1}}, [(("a", "b"), None, 1)], id="down to each value of what comes"),
        pytest.param({"a": {"b": 1}}, None, [(("a", "b"), 1, None)], id="down to each value of what goes"),
        pytest.param(
            [{"name": "a", "n": 1}, {"name": "b", "n": 2}],
            [{"name": "b", "n": 3}, {"name": "a", "n": 1}],
            [((0, "n"), 2, 3)],
            id="items by their names",
        ),
        pytest.param(["a", "b"], ["a"], [((1,), "b", None)], id="items without names by their places"),
    ],
)
def test_what_differs(old: object, new: object, expected: list[tuple[object, ...]]) -> None:
    assert list(field_changes(old, new)) == [FieldChange(*each) for each in expected]  # type: ignore[arg-type]
