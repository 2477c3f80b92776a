"""What is asked of every module, and of every test."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

import pytest
from rooms import PACKAGE, TOP

MAX_LINES = 600
TESTS = TOP / "tests"
ASSERTING = frozenset({"raises", "warns", "fail", "check_schema"})
"""Functions of libraries that raise where what is stated does not hold."""


class FunctionOfTests(NamedTuple):
    """A function of the tests."""

    name: str
    asserts: bool
    calls: frozenset[str]


def test_no_module_is_too_long_to_hold_one_idea() -> None:
    modules = [*PACKAGE.rglob("*.py"), *TESTS.rglob("*.py")]
    lengths = {str(path.relative_to(TOP)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


@pytest.mark.slow
def test_every_test_states_something() -> None:
    """It asserts, or calls what does: a function of its own file, or of what tests share."""
    files = {path: _functions(path.read_text(encoding="utf-8")) for path in sorted(TESTS.rglob("*.py"))}
    stating = _stating([function for functions in files.values() for function in functions])
    silent = [
        f"{path.relative_to(TESTS)}: {function.name}"
        for path, functions in files.items()
        for function in functions
        if function.name.startswith("test_") and function.name not in stating
    ]
    assert silent == []


def test_a_test_that_states_nothing_is_seen() -> None:
    functions = _functions("def test_a(): f()\ndef test_b(): g()\ndef g(): h()\ndef h(): assert 1\ndef f(): test_a()")
    assert _stating(functions) - ASSERTING == {"test_b", "g", "h"}


def _functions(text: str) -> list[FunctionOfTests]:
    functions = []
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = list(ast.walk(function))
            calls = frozenset(_called(node.func) for node in inside if isinstance(node, ast.Call))
            functions.append(
                FunctionOfTests(function.name, any(isinstance(node, ast.Assert) for node in inside), calls)
            )
    return functions


def _stating(functions: Iterable[FunctionOfTests]) -> set[str]:
    """The names of functions that assert, or that call one of these."""
    stating = set(ASSERTING)
    while more := {function.name for function in functions if function.asserts or function.calls & stating} - stating:
        stating |= more
    return stating


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
