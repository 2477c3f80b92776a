"""The functions and types for expressions: in `policies` our own, in `kubernetes` those of the API server, as far as
the engine supports them. Imported only in the child process.

Each profile has two environments. In the first, which only checks types, an amount is its own type. In the second,
which evaluates checked expressions, it is a map that the engine can store.

Source: Kubernetes 1.36, apiserver/pkg/cel/environment/base.go; google/cel-spec, doc/langdef.md (standard definitions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from quotalint.cel import quantities
from quotalint.named_tuples import NamedTuple

POLICIES, KUBERNETES = "policies", "kubernetes"
Implementation = Callable[..., object]


class Profile(NamedTuple):
    """The two environments of a profile."""

    checking: Any
    evaluating: Any


class _Overload(NamedTuple):
    """One signature of a function; types are names, including `quantity`."""

    result: str
    parameters: tuple[str, ...]
    run: Implementation | None
    """None: the engine's own implementation."""
    member: bool = False


def profile(name: str, variables: Mapping[str, str]) -> Profile:
    """The environments of a profile; `variables` has the types of its variables."""
    from cel_expr_python import cel

    extensions = [
        getattr(import_module(f"cel_expr_python.ext.ext_{extension}"), f"Ext{extension.title()}")()
        for extension in ("strings", "optional", "math", "encoders", "bindings")
        if _exists(f"cel_expr_python.ext.ext_{extension}")
    ]
    functions: dict[str, list[_Overload]] = {}
    for function, overload in (*_LIBRARY, *(_POLICY_FUNCTIONS if name == POLICIES else ())):
        functions.setdefault(function, []).append(overload)
    operators = _OPERATORS if name == POLICIES else _COMPARISONS
    for function, overloads in operators.items():
        functions[function] = list(overloads)
    excluded = "".join(f'  - name: "{operator}"\n' for operator in operators)
    config = f"name: quotalint\nstdlib:\n  exclude_functions:\n{excluded}"

    def make_environment(amount: Any, *, runs: bool) -> Any:
        types = _types(cel, amount)
        return cel.NewEnv(
            config=cel.NewEnvConfigFromYaml(config),
            variables={variable: types[kind] for variable, kind in variables.items()},
            extensions=extensions,
            functions=[
                cel.FunctionDecl(
                    function, [_declare_overload(cel, function, overload, types, runs=runs) for overload in overloads]
                )
                for function, overloads in functions.items()
            ],
        )

    parsed = make_environment(cel.Type.AbstractType("kubernetes.Quantity"), runs=False)
    return Profile(parsed, make_environment(cel.Type.MAP, runs=True))


def _exists(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def _types(cel: Any, amount: Any) -> dict[str, Any]:
    plain = ("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "uint")
    types = {name: getattr(cel.Type, name.upper()) for name in plain}
    types["quantity"] = amount
    types["texts"] = cel.Type.Map(cel.Type.STRING, cel.Type.STRING)
    types["amounts"] = cel.Type.Map(cel.Type.STRING, amount)
    types["strings"] = cel.Type.List(cel.Type.STRING)
    types["objects"] = cel.Type.List(cel.Type.Map(cel.Type.STRING, cel.Type.DYN))
    types["list"] = cel.Type.List(cel.Type.DYN)
    return types


def _declare_overload(cel: Any, function: str, overload: _Overload, types: Mapping[str, Any], *, runs: bool) -> Any:
    name = "_".join((function, *overload.parameters, "member" if overload.member else "global"))
    implementation = {"impl": overload.run} if runs and overload.run is not None else {}
    parameters = [types[kind] for kind in overload.parameters]
    return cel.Overload(name, types[overload.result], parameters, is_member=overload.member, **implementation)


def _at(texts: Mapping[str, str], key: str) -> str:
    return texts.get(key, "")


def _lists() -> Iterable[tuple[str, _Overload]]:
    for function, run in (("contains", _contains), ("equivalent", _equivalent), ("intersects", _intersects)):
        yield f"sets.{function}", _Overload("bool", ("list", "list"), run)


def _contains(whole: list[object], part: list[object]) -> bool:
    return all(any(_same(item, other) for other in whole) for item in part)


def _equivalent(left: list[object], right: list[object]) -> bool:
    return _contains(left, right) and _contains(right, left)


def _intersects(left: list[object], right: list[object]) -> bool:
    return any(_same(a, b) for a in left for b in right)


def _same(left: object, right: object) -> bool:
    """CEL's equality; in Python, True equals 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


_LIBRARY: tuple[tuple[str, _Overload], ...] = (
    ("quantity", _Overload("quantity", ("string",), quantities.read_quantity)),
    ("isQuantity", _Overload("bool", ("string",), quantities.is_quantity)),
    ("sign", _Overload("int", ("quantity",), quantities.sign, member=True)),
    ("isInteger", _Overload("bool", ("quantity",), quantities.is_integer, member=True)),
    ("asInteger", _Overload("int", ("quantity",), quantities.as_integer, member=True)),
    ("asApproximateFloat", _Overload("double", ("quantity",), quantities.as_double, member=True)),
    (
        "isGreaterThan",
        _Overload("bool", ("quantity", "quantity"), lambda a, b: quantities.is_below(b, a, strictly=True), member=True),
    ),
    (
        "isLessThan",
        _Overload("bool", ("quantity", "quantity"), lambda a, b: quantities.is_below(a, b, strictly=True), member=True),
    ),
    ("compareTo", _Overload("int", ("quantity", "quantity"), quantities.compare, member=True)),
    ("add", _Overload("quantity", ("quantity", "quantity"), quantities.add_amounts, member=True)),
    ("add", _Overload("quantity", ("quantity", "int"), quantities.add_amounts, member=True)),
    ("sub", _Overload("quantity", ("quantity", "quantity"), quantities.subtract_amounts, member=True)),
    ("sub", _Overload("quantity", ("quantity", "int"), quantities.subtract_amounts, member=True)),
    *_lists(),
)
_POLICY_FUNCTIONS: tuple[tuple[str, _Overload], ...] = (
    ("at", _Overload("string", ("texts", "string"), _at, member=True)),
    ("sum", _Overload("quantity", ("list",), quantities.total, member=True)),
)


def _comparison(*, strictly: bool, turned: bool) -> Implementation:
    if turned:
        return lambda a, b: quantities.is_below(b, a, strictly=strictly)
    return lambda a, b: quantities.is_below(a, b, strictly=strictly)


def _pairwise(result: str, run: Implementation, *pairs: tuple[str, str]) -> tuple[_Overload, ...]:
    return tuple(_Overload(result, pair, run) for pair in pairs)


def _standard(*signatures: str) -> tuple[_Overload, ...]:
    """The engine's own signatures, as `int int int`: parameters, then the result."""
    return tuple(_Overload(kinds[-1], tuple(kinds[:-1]), None) for kinds in map(str.split, signatures))


_ORDERED = ("bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration")
_COMPARED = tuple(f"{kind} {kind} bool" for kind in _ORDERED)
_NUMBERS = ("int uint", "int double", "uint int", "uint double", "double int", "double uint")
_ACROSS = tuple(f"{kinds} bool" for kinds in _NUMBERS)
_WITH = (
    ("quantity", "quantity"),
    ("quantity", "int"),
    ("quantity", "double"),
    ("int", "quantity"),
    ("double", "quantity"),
)
_ARITHMETIC = ("int int int", "uint uint uint", "double double double")
_COMPARISONS: Mapping[str, tuple[_Overload, ...]] = {
    operator: _standard(*_COMPARED, *_ACROSS) for operator in ("_<_", "_<=_", "_>_", "_>=_")
}
"""The comparisons of Kubernetes, including numbers of different types (base.go, CrossTypeNumericComparisons)."""
_OPERATORS: Mapping[str, tuple[_Overload, ...]] = {
    "_<_": (
        *_standard(*_COMPARED, *_ACROSS),
        *_pairwise("bool", _comparison(strictly=True, turned=False), *_WITH),
    ),
    "_<=_": (
        *_standard(*_COMPARED, *_ACROSS),
        *_pairwise("bool", _comparison(strictly=False, turned=False), *_WITH),
    ),
    "_>_": (
        *_standard(*_COMPARED, *_ACROSS),
        *_pairwise("bool", _comparison(strictly=True, turned=True), *_WITH),
    ),
    "_>=_": (
        *_standard(*_COMPARED, *_ACROSS),
        *_pairwise("bool", _comparison(strictly=False, turned=True), *_WITH),
    ),
    "_+_": (
        *_standard(
            *_ARITHMETIC,
            "string string string",
            "bytes bytes bytes",
            "list list list",
            "timestamp duration timestamp",
            "duration timestamp timestamp",
            "duration duration duration",
        ),
        *_pairwise("quantity", quantities.add_amounts, *_WITH),
    ),
    "_-_": (
        *_standard(
            *_ARITHMETIC,
            "timestamp timestamp duration",
            "timestamp duration timestamp",
            "duration duration duration",
        ),
        *_pairwise("quantity", quantities.subtract_amounts, *_WITH),
    ),
    "_*_": (*_standard(*_ARITHMETIC), *_pairwise("quantity", quantities.multiply_amounts, *_WITH)),
    "_/_": (*_standard(*_ARITHMETIC), *_pairwise("quantity", quantities.divide_amounts, *_WITH)),
    "-_": (*_standard("int int", "double double"), _Overload("quantity", ("quantity",), quantities.negate_amount)),
}
