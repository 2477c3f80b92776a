"""No regular expression of ours repeats what repeats in more than one way: over text of a repository that takes for
ever. They are parsed, wherever they stand."""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from rooms import PACKAGE, TOP, nodes_of, syntax_tree

from quotalint.text.lazy_patterns import _LazyPattern

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import sre_constants
    import sre_parse

FUNCTIONS = ("compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
MANY = 20  # times; what repeats fewer times is no danger
_REPEATS = {
    getattr(sre_constants, name)
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if hasattr(sre_constants, name)
}


def literals() -> Iterator[tuple[str, str | bytes]]:
    """Every expression that is written in one piece, and where."""
    scripts = ((path, node) for path in (TOP / "action").glob("*.py") for node in ast.walk(syntax_tree(path)))
    for path, node in (*nodes_of(r"\bre\."), *scripts):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FUNCTIONS):
            continue
        if ast.unparse(node.func.value) != "re" or not node.args:
            continue
        where = f"{path.relative_to(TOP)}:{node.lineno}"
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, (str, bytes)):
            flags = " ".join(map(ast.unparse, (*node.args[1:], *(keyword.value for keyword in node.keywords))))
            yield where, _with_flags(node.args[0].value, "re.DOTALL" in flags or "re.S" in flags)
    yield from compiled()


def compiled() -> Iterator[tuple[str, str | bytes]]:
    """Those that are put together when a module is imported."""
    import importlib
    import sys

    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("quotalint", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        if not name.endswith(("__main__", "worker")) and "_data" not in name:
            importlib.import_module(name)
    for module, body in sorted(sys.modules.items()):
        if module.startswith("quotalint."):
            for name, value in sorted(vars(body).items()):
                for item in value if isinstance(value, (tuple, list)) else (value,):
                    if isinstance(item, re.Pattern):
                        yield f"{module}.{name}", _with_flags(item.pattern, bool(item.flags & re.DOTALL))
    for item in gc.get_objects():
        if isinstance(item, _LazyPattern):
            yield f"the lazy pattern {item.pattern!r}", _with_flags(item.pattern, bool(item.flags & re.DOTALL))


def nested(parsed: Any, inside: bool = False) -> bool:
    """Whether something that repeats without end stands in something that repeats without end, and both can take the
    same text: the outer one begins anew with what the inner one could have gone on with."""
    for operator, argument in parsed:
        if operator in _REPEATS:
            _, most, body = argument
            endless = most == sre_constants.MAXREPEAT or most > MANY
            if endless and inside:
                return True
            if nested(body, inside or (endless and not _is_separated(body))):
                return True
        elif operator is sre_constants.SUBPATTERN:
            if nested(argument[-1], inside):
                return True
        elif operator is sre_constants.BRANCH:
            if any(nested(item, inside) for item in argument[1]):
                return True
        elif operator in (sre_constants.ASSERT, sre_constants.ASSERT_NOT) and nested(argument[1], inside):
            return True
    return False


def _is_separated(body: Any) -> bool:
    """Whether each turn has a character that nothing repeated beside it can take: then there is one way alone."""
    items = _flat(body)
    if len(items) == 1 and items[0][0] is sre_constants.BRANCH:
        return all(not list(_repeats(_flat(item))) or _is_separated(item) for item in items[0][1][1])
    for number, item in enumerate(items):
        others = items[:number] + items[number + 1 :]
        if not _is_mandatory(item):
            continue
        repeated = [other for other in others if list(_repeats([other]))]
        if not list(_repeats([item])):
            if _characters([item]).isdisjoint(_characters(repeated)):
                return True
        elif any(map(_is_mandatory, others)) and _characters([item]).isdisjoint(_characters(others)):
            return True
    return False


def _is_mandatory(item: tuple[object, Any]) -> bool:
    operator, argument = item
    if operator in _REPEATS:
        return bool(argument[0] > 0)
    return operator in (sre_constants.LITERAL, sre_constants.NOT_LITERAL, sre_constants.IN, sre_constants.BRANCH)


def _repeats(items: list[tuple[object, Any]]) -> Iterator[tuple[int, int, object]]:
    for operator, argument in items:
        if operator in _REPEATS:
            assert isinstance(argument, tuple)
            if argument[1] == sre_constants.MAXREPEAT or argument[1] > MANY:
                yield argument
            yield from _repeats(_flat(argument[2]))
        elif operator is sre_constants.BRANCH:
            for item in argument[1]:
                yield from _repeats(_flat(item))


def _flat(body: Any) -> list[tuple[object, Any]]:
    flat: list[tuple[object, Any]] = []
    for operator, argument in body:
        if operator is sre_constants.SUBPATTERN:
            flat += _flat(argument[-1])
        else:
            flat.append((operator, argument))
    return flat


def _characters(items: list[tuple[object, Any]]) -> set[int]:
    """The characters, up to U+00FF, that may stand in what is parsed."""
    characters: set[int] = set()
    for character in range(256):
        for operator, argument in items:
            if operator in _REPEATS:
                characters |= _characters(_flat(argument[2])) if character == 0 else set()
            elif operator is sre_constants.BRANCH:
                characters |= (
                    {character for branch in argument[1] for character in _characters(_flat(branch))}
                    if character == 0
                    else set()
                )
            elif re.compile("(?s)" + _written(operator, argument)).fullmatch(chr(character)):
                characters.add(character)
    return characters


def _written(operator: object, argument: Any) -> str:
    if operator is sre_constants.LITERAL:
        return re.escape(chr(argument))
    if operator is sre_constants.NOT_LITERAL:
        return f"[^{re.escape(chr(argument))}]"
    if operator is sre_constants.IN:
        parts: list[str] = []
        for kind, what in argument:
            if kind is sre_constants.NEGATE:
                parts.insert(0, "^")
            elif kind is sre_constants.LITERAL:
                parts.append(re.escape(chr(what)))
            elif kind is sre_constants.RANGE:
                parts.append(f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}")
            else:
                parts.append(
                    {
                        "SPACE": r"\s",
                        "NOT_SPACE": r"\S",
                        "DIGIT": r"\d",
                        "NOT_DIGIT": r"\D",
                        "WORD": r"\w",
                        "NOT_WORD": r"\W",
                    }[str(what).removeprefix("CATEGORY_")]
                )
        return f"[{''.join(parts)}]"
    return "." if operator is _DOT_OF_ALL else r"[^\n]" if operator is sre_constants.ANY else r"(?!)"


def _with_flags(pattern: str | bytes, dot_of_all: bool) -> str | bytes:
    """The flag stands in the expression, where the parser sees it."""
    if not dot_of_all:
        return pattern
    return b"(?s)" + pattern if isinstance(pattern, bytes) else f"(?s){pattern}"


_DOT_OF_ALL = "a dot that takes the end of a line too"


def _parsed(pattern: Any) -> Any:
    sub_pattern = sre_parse.parse(pattern)
    return _dotted(sub_pattern) if sub_pattern.state.flags & re.DOTALL else sub_pattern


def _dotted(parsed: Any) -> Any:
    """The same, with dots that take everything."""
    if isinstance(parsed, (list, sre_parse.SubPattern)):
        return [_dotted(item) for item in parsed]  # type: ignore[union-attr]  # by its items
    if isinstance(parsed, tuple) and parsed and parsed[0] is sre_constants.ANY:
        return (_DOT_OF_ALL, None)
    return tuple(map(_dotted, parsed)) if isinstance(parsed, tuple) else parsed


@pytest.mark.slow
def test_none_of_ours_repeats_what_repeats() -> None:
    repeating = [(where, pattern) for where, pattern in literals() if nested(_parsed(pattern))]
    assert repeating == []


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(?:[a-z]*\d*)*x", r"(\w+\s?)*$", r"((a|b)+)*c", r"(?:a*)*", r"(?s)(?:.*\n)*"]
)
def test_those_that_take_for_ever_are_seen(pattern: str) -> None:
    assert nested(_parsed(pattern))


@pytest.mark.parametrize(
    "pattern", [r"a+b+", r"(?:,[^,]+)*", r"(?:\\.|[^\\])*", r"(?:ab){1,5}(?:c+)", r"(?:/[a-z]+)+", r"(?:#.*\n)*"]
)
def test_those_that_do_not_are_left_alone(pattern: str) -> None:
    assert not nested(_parsed(pattern))


def test_there_are_many() -> None:
    assert len(list(literals())) > 150
