"""Where a module can be changed by one expression or statement, and what the change is.

Only bodies of functions are changed: a process can take the new code of a function without being started anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
METHODS = {"startswith": "endswith", "endswith": "startswith"}
CHANGED_WITHIN = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)


class Unit(NamedTuple):
    """A function of a module or of a class in it, as its code names it."""

    name: str
    line: int  # the first, with decorators


class Mutation(NamedTuple):
    """One change of one expression or statement: bytes of the file, and what stands there instead."""

    file: str
    unit: Unit
    line: int
    start: int
    end: int
    before: str
    after: str


def mutations(file: str, source: bytes) -> Iterator[Mutation]:
    """All of a file, from its beginning to its end."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    for unit, function in _units(ast.parse(source), ""):
        for statement in function.body:
            for node in _walk(statement):
                for place, after in _changes(node):
                    at = starts[place.lineno - 1] + place.col_offset
                    end = starts[(place.end_lineno or 0) - 1] + (place.end_col_offset or 0)
                    yield Mutation(file, unit, place.lineno, at, end, source[at:end].decode(), after)


def mutated_code(mutation: Mutation, source: bytes, path: str) -> CodeType | None:
    """The code of the function with its change; None where there is none (what the change comes to is no Python)."""
    after = source[: mutation.start] + mutation.after.encode() + source[mutation.end :]
    try:
        return next((code for unit, code in codes(compile(after, path, "exec")) if unit == mutation.unit), None)
    except (SyntaxError, ValueError):
        return None


def codes(code: CodeType) -> Iterator[tuple[Unit, CodeType]]:
    """The code of all functions in the code of a module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield Unit(constant.co_qualname, constant.co_firstlineno), constant
            yield from codes(constant)


def _units(node: ast.AST, prefix: str) -> Iterator[tuple[Unit, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Unit(prefix + child.name, min([child.lineno, *(each.lineno for each in child.decorator_list)])), child
        elif isinstance(child, ast.ClassDef):
            yield from _units(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.If | ast.Try):
            yield from _units(child, prefix)


def _walk(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Nodes that something can be made of; no text, and nothing that only says of what type something is."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "format_spec"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child)


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What is replaced, by what."""
    match node:
        case ast.Compare(left, [operator], [right]):
            yield node, _expression(ast.Compare(left, [COMPARISONS[type(operator)]()], [right]))
        case ast.BoolOp(operator, values):
            for rest in _each_dropped(values):
                yield node, _expression(ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0])
        case ast.UnaryOp(ast.Not(), operand):
            yield node, _expression(operand)
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            yield node, _expression(ast.BinOp(left, OPERATORS[type(operator)](), right))
        case ast.AugAssign(target, operator, value) if type(operator) in OPERATORS:
            yield node, ast.unparse(ast.AugAssign(target, OPERATORS[type(operator)](), value))
        case ast.IfExp(_, body, orelse):
            yield from ((node, _expression(branch)) for branch in (body, orelse))
        case ast.If(test) if not isinstance(test, CHANGED_WITHIN):
            yield test, f"(not {_expression(test)})"
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() as number):
            yield node, str(number + 1)
        case ast.Call(ast.Name(name), arguments, keywords) if name in FUNCTIONS:
            keywords = [] if name == "sorted" else keywords
            yield node, ast.unparse(ast.Call(ast.Name(FUNCTIONS[name]), arguments, keywords))
        case ast.Call(ast.Attribute(value, name), arguments, keywords) if name in METHODS:
            yield node, ast.unparse(ast.Call(ast.Attribute(value, METHODS[name]), arguments, keywords))
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from ((node, changed) for changed in _without_conditions(node))
        case ast.Expr(ast.Yield() | ast.YieldFrom()):
            yield node, "yield from ()"
        case ast.Expr(ast.Call()) | ast.Continue():
            yield node, "pass"


def _expression(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def _each_dropped(values: list[ast.expr]) -> list[list[ast.expr]]:
    return [values[:at] + values[at + 1 :] for at in range(len(values))]


def _without_conditions(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[str]:
    """The comprehension without one of its conditions, for each of them."""
    for generator in node.generators:
        conditions = generator.ifs
        for rest in _each_dropped(conditions):
            generator.ifs = rest
            yield ast.unparse(node)
        generator.ifs = conditions
