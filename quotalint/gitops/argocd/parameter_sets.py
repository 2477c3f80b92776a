"""Parameter sets: flat or nested, merged, and filtered by selectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.gitops.argocd.set_templates import Parameters, UnexpandableError, UnfollowedError
from quotalint.gitops.go.values import MAX_DEPTH, GoError, StringMap, as_decoded, go_text
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.names import qualified_errors

MAX_FLAT = 100_000
"""The largest number of flat parameters in one set."""


class StringList(list[str]):
    """A Go []string, such as path segments; flattening keeps it whole."""


def decode_value(value: object) -> object:
    """A parsed value as Go decodes it. Raises UnexpandableError."""
    try:
        return as_decoded(value)
    except GoError as error:
        raise UnexpandableError(str(error)) from None


def flatten_parameters(parameters: Parameters) -> dict[str, str]:
    """The parameters as strings, one per leaf, with keys such as `a.b.0` (github.com/jeremywohl/flatten, DotStyle)."""
    result: dict[str, str] = {}
    try:
        _flatten_into(parameters, "", result, 0)
    except GoError as error:
        raise UnexpandableError(str(error)) from None
    return result


def _flatten_into(value: object, path: str, result: dict[str, str], depth: int) -> None:
    if depth > MAX_DEPTH or len(result) > MAX_FLAT:
        raise GoError("one set of parameters is too large")
    if isinstance(value, Mapping):
        for key, below in value.items():
            _flatten_into(below, f"{path}.{key}" if depth else key, result, depth + 1)
    elif isinstance(value, list) and not isinstance(value, StringList):
        for index, below in enumerate(value):
            _flatten_into(below, f"{path}.{index}" if depth else str(index), result, depth + 1)
    else:
        result[path] = go_text(value)


def merge_nested(base: Parameters, over: Parameters) -> dict[str, object]:
    """Nested parameters merged; `over` wins except where both have a map (dario.cat/mergo, `WithOverride`)."""
    return _merge_maps(base, over, 0)


def _merge_maps(base: Mapping[str, object], over: Mapping[str, object], depth: int) -> dict[str, object]:
    if depth > MAX_DEPTH:
        raise UnfollowedError("parameters are nested too deeply")
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        if isinstance(below, StringMap) and isinstance(value, StringMap):
            result[key] = StringMap({**below, **value})
        elif isinstance(below, dict) and isinstance(value, dict):
            result[key] = _merge_maps(below, value, depth + 1)
        else:
            result[key] = value
    return result


def combine_flat(first: Parameters, second: Parameters) -> dict[str, object]:
    """The flat parameters of both generators of a matrix; equal keys must have equal values (utils/map.go,
    `CombineStringMaps`)."""
    result = _parameter_texts(first)
    for key, value in _parameter_texts(second).items():
        if result.setdefault(key, value) != value:
            raise UnexpandableError(f"a matrix's generators give {key} two values: {result[key]} and {value}")
    return dict(result)


def _parameter_texts(parameters: Parameters) -> dict[str, str]:
    try:
        return {key: go_text(value) for key, value in parameters.items()}
    except GoError as error:
        raise UnexpandableError(str(error)) from None


def label_selector(written: Body) -> Callable[[Mapping[str, str]], bool]:
    """A predicate: whether labels or flat parameters match a label selector. Raises UnexpandableError."""
    wanted = [(key, "In", [text(value)]) for key, value in mapping(written.get("matchLabels")).items()]
    for match_expression in map(mapping, sequence(written.get("matchExpressions"))):
        values = [text(value) for value in sequence(match_expression.get("values"))]
        wanted.append((text(match_expression.get("key")), text(match_expression.get("operator")), values))
    for key, operator, values in wanted:
        if operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            raise UnexpandableError(f"a selector's operator is {operator!r}")
        if bool(values) != (operator in ("In", "NotIn")):
            raise UnexpandableError(f"a selector has {'no ' if not values else ''}values for {operator}")
        if qualified_errors(key):
            raise UnexpandableError(f"a selector's key is {key!r}: {qualified_errors(key)[0]}")
    return lambda labels: all(_label_matches(labels.get(key), operator, values) for key, operator, values in wanted)


def _label_matches(label: str | None, operator: str, values: list[str]) -> bool:
    if operator in ("In", "Exists"):
        return label is not None and (operator == "Exists" or label in values)
    return label is None or (operator == "NotIn" and label not in values)
