"""All template functions by name."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.go import (
    builtins,
    collection_functions,
    encodings,
    number_functions,
    text_functions,
)
from quotalint.gitops.go.hidden import HiddenValue
from quotalint.gitops.go.values import MISSING, GoError, Implementation, Int64, StringMap, type_name


# Conversion of template arguments to parameters of functions.
def handling_steps(value: object) -> int:
    """The number of steps charged for handling a value."""
    return 1 + len(value) // 256 if isinstance(value, (str, list, dict)) else 1


def fit_argument(value: object, kind: str, name: str, *, literal: bool) -> object:
    """The argument converted to a parameter kind: v anything or missing, a anything, s string, i int, b bool, m map."""
    if kind == "v" or isinstance(value, HiddenValue):
        return value
    if value is MISSING:
        value = {} if kind == "m" else None
    if kind == "a":
        return value
    if kind == "i" and literal and isinstance(value, float) and value.is_integer():
        return int(value)
    wanted, accepted = _KINDS[kind]
    if not isinstance(value, accepted) or isinstance(value, (StringMap, Int64)):
        raise GoError(f"wrong type for {name}; expected {wanted}; got {type_name(value)}")
    if kind == "i" and isinstance(value, bool):
        raise GoError(f"wrong type for {name}; expected int; got bool")
    return value


_KINDS: Mapping[str, tuple[str, type]] = {
    "s": ("string", str),
    "i": ("int", int),
    "b": ("bool", bool),
    "m": ("map[string]interface {}", dict),
}


Functions = Mapping[str, "tuple[str, Implementation]"]
"""By name: the parameter kinds (see `fit_argument`; `*` repeats the last), and the implementation."""

FUNCTIONS: Functions = {
    **builtins.FUNCTIONS,
    **text_functions.FUNCTIONS,
    **number_functions.FUNCTIONS,
    **encodings.FUNCTIONS,
    **collection_functions.FUNCTIONS,  # sprig's `slice` hides Go's
}
