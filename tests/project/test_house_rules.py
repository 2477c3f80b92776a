"""What is asked of every module, and of every test."""

from __future__ import annotations

import ast
from pathlib import Path

from rooms import PACKAGE, TOP

MAX_LINES = 350
TESTS = TOP / "tests"
STATEMENTS = frozenset({"raises", "warns", "fail"})
"""Functions of pytest by which a test fails."""


def test_no_module_is_too_long_to_hold_one_idea() -> None:
    modules = [*PACKAGE.rglob("*.py"), *TESTS.rglob("*.py")]
    lengths = {str(path.relative_to(TOP)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


def test_every_test_states_something() -> None:
    """It asserts, or calls what does: a function of its own file, or of what tests share."""
    functions = [(path, function) for path in sorted(TESTS.rglob("*.py")) for function in _functions(path)]
    stating = set(STATEMENTS)
    while more := {function.name for _, function in functions if _states(function, stating)} - stating:
        stating |= more
    tests = [(path, function) for path, function in functions if function.name.startswith("test_")]
    silent = [f"{path.relative_to(TESTS)}: {test.name}" for path, test in tests if test.name not in stating]
    assert (silent, len(tests) > 1) == ([], True)


def test_a_test_that_states_nothing_is_seen() -> None:
    (silent, stating) = ast.parse("def test_a():\n    f()\ndef test_b():\n    g()").body
    assert [_states(test, {"g"}) for test in (silent, stating)] == [False, True]


def _functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _states(function: ast.AST, stating: set[str]) -> bool:
    """Whether an assertion stands in a function, or a call of something that makes one."""
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and _called(node.func) in stating)
        for node in ast.walk(function)
    )


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
