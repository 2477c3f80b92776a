"""Expressions that are compiled when they are first looked for are what `re.compile` makes of them."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from rooms import nodes_of

from quotalint.text.lazy_patterns import lazy_pattern


@pytest.mark.parametrize("expression", [r"a(?P<rest>[bc]*)", rb"a(?P<rest>[bc]*)"])
def test_it_is_used_as_the_compiled_one(expression: Any) -> None:
    text, nothing = ("xABC", "") if isinstance(expression, str) else (b"xABC", b"")
    lazy, compiled = lazy_pattern(expression, re.IGNORECASE), re.compile(expression, re.IGNORECASE)
    for _ in range(2):
        match = lazy.search(text)
        assert match is not None and match["rest"] == text[2:]
        assert (lazy.match(text), lazy.fullmatch(text)) == (None, None)
        assert lazy.sub(nothing, text) == compiled.sub(nothing, text)
        assert lazy.subn(nothing, text) == compiled.subn(nothing, text)
        assert (lazy.split(text), lazy.findall(text)) == (compiled.split(text), compiled.findall(text))
        assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in compiled.finditer(text)]
    assert (lazy.pattern, lazy.flags, lazy.groupindex) == (compiled.pattern, compiled.flags, compiled.groupindex)


def test_nothing_is_compiled_before_it_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, int]] = []
    compile_now = re.compile

    def compile_and_note(expression: str, flags: int) -> re.Pattern[str]:
        compiled.append((expression, flags))
        return compile_now(expression, flags)

    monkeypatch.setattr("re.compile", compile_and_note)
    lazy = lazy_pattern("a+")
    assert compiled == []
    assert lazy.search("baa") and lazy.search("aaa")
    assert compiled == [("a+", 0)]


def test_what_is_wrong_is_said_as_ever() -> None:
    with pytest.raises(re.error):
        lazy_pattern("(").search("")


def test_no_module_compiles_an_expression_when_it_is_imported() -> None:
    in_functions, everywhere = set(), set()
    for path, node in nodes_of(r"\bre\.compile"):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            everywhere.add((path, node.lineno, node.col_offset))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            calls = [call for call in ast.walk(node) if isinstance(call, ast.Call)]
            in_functions |= {(path, call.lineno, call.col_offset) for call in calls}
    assert everywhere - in_functions == set()
    assert len(everywhere) > 3  # of expressions that are put together of what is read
