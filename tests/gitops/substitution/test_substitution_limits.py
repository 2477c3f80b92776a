"""What would take too much to substitute is refused."""

from __future__ import annotations

import pytest

from quotalint.gitops.substitution import envsubst, substitute_in_object

DEEP = "${B:-" * 49 + "${A}" + "}" * 49


def nested(depth: int, value: object) -> object:
    for _ in range(depth):
        value = [value]
    return value


def itself() -> object:
    value: list[object] = []
    value.append(value)
    return value


def doubled() -> object:
    value: object = ["${A}"]
    for _ in range(60):
        value = [value, value]
    return value


TOO_LARGE = "variables would make the object larger than 4 MiB"


TOO_DEEP = "the object is more than 100 levels deep"


TOO_NESTED = "expressions are nested too deeply: ${A:-${A:-${A:-${A:-${A:-${A:-${A:-${..."


@pytest.mark.parametrize(
    ("value", "variable", "error"),
    [
        pytest.param("${A}" * 1000, "x" * 10_000, TOO_LARGE, id="long values"),
        pytest.param("${A//x/" + "y" * 1000 + "}", "x" * 10_000, TOO_LARGE, id="long replacements"),
        pytest.param("${A##" + "?" * 1_000_000 + "}", "x", TOO_LARGE, id="long pattern"),
        pytest.param("${A##" + "*x" * 1000 + "y}", "x" * 5000, TOO_LARGE, id="pattern with many stars"),
        pytest.param("${A:-" * 10_000, "", TOO_NESTED, id="nested expressions"),
        pytest.param(nested(10_000, "${A}"), "x", TOO_DEEP, id="nested values"),
        pytest.param(itself(), "x", TOO_DEEP, id="contains itself"),
    ],
)
def test_what_would_take_too_much_is_refused(value: object, variable: str, error: str) -> None:
    assert substitute_in_object(value, {"A": variable}).error == error


def test_an_alias_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envsubst, "MAX_WORK", 1024 * 1024)
    error = substitute_in_object(
        doubled(), {"A": "x"}
    ).error  # a name of its own, since pytest would write the bomb out
    assert error == TOO_LARGE.replace("4", "1")


@pytest.mark.parametrize(
    ("value", "variable", "expected"),
    [
        pytest.param(nested(100, DEEP), "x", str(nested(100, "x")), id="deep expressions in deep values"),
        pytest.param("$" * 20_000, "x", "$" * 10_000, id="many escapes"),
        pytest.param("${A##" + "*x" * 500 + "y}", "x" * 2000, "x" * 2000, id="stars that match in many ways"),
    ],
)
def test_what_is_large_but_takes_little_is_replaced(value: object, variable: str, expected: str) -> None:
    assert str(substitute_in_object(value, {"A": variable}).value) == expected
