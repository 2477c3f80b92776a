"""What the API server cannot decode in a ResourceQuota or LimitRange: unknown fields, values of a wrong type.

The API server refuses both in strict decoding, which kubectl requests by default (sigs.k8s.io/json,
DisallowUnknownFields; Kubernetes 1.27, server-side field validation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeGuard

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_schema
from quotalint.text.place import Path

Schema = Mapping[str, Any]


class SchemaError(NamedTuple):
    """One violation of the schema."""

    path: Path
    """The path of the wrong value or unknown field."""
    message: str


def errors(kind: str, body: object) -> tuple[SchemaError, ...]:
    """The violations in written order. `kind` is "ResourceQuota" or "LimitRange"."""
    root = load_schema(_SCHEMAS[kind])
    return tuple(_errors_in(root, body, root))


def decodes(obj: Object) -> bool:
    """Whether all values in the `spec` of a ResourceQuota or LimitRange have the right type; amounts have their own
    rules. Unknown fields are ignored without strict decoding, and placeholders may get valid values."""
    schema = "" if obj.group else _SCHEMAS.get(obj.kind, "")
    if not schema:
        return True
    root: Schema = load_schema(schema)
    return _decodes(root["properties"]["spec"], obj.body.get("spec"), root)


_SCHEMAS = {"ResourceQuota": "resource-quota", "LimitRange": "limit-range"}


def _decodes(part: Schema | bool, value: object, root: Schema) -> bool:
    if isinstance(part, bool):
        return True
    while "$ref" in part:
        part = _reference_target(part, root)
    if part is root["$defs"]["quantity"]:
        return True
    if not _has_type(part, value):
        return is_placeholder(value)
    if isinstance(value, dict):
        properties, others = part.get("properties", {}), part.get("additionalProperties", True)
        return all(_decodes(properties.get(key, others), item, root) for key, item in value.items())
    return not isinstance(value, list) or all(_decodes(part.get("items", True), item, root) for item in value)


def _has_type(part: Schema, value: object) -> bool:
    types = part.get("type", ())
    return not types or (_IS[types](value) if isinstance(types, str) else any(_IS[name](value) for name in types))


_IS: Mapping[str, Callable[[object], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": lambda value: _is_number(value),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _reference_target(part: Schema, root: Schema) -> Schema:
    target: Schema = root["$defs"][part["$ref"].removeprefix("#/$defs/")]
    return target


def _errors_in(part: Schema, value: object, root: Schema, path: Path = ()) -> Iterator[SchemaError]:
    """The violations in a value, in written order: every unknown field, every value of a wrong type.

    It reads a small part of JSON Schema: `type`, `properties`, `additionalProperties`, `items`, and `$ref` into `$defs`
    without any of these beside it.
    """
    while "$ref" in part:
        part = _reference_target(part, root)
    if not _has_type(part, value):
        yield SchemaError(path, _wrong_type(root, part, path, value))
    elif isinstance(value, dict):
        properties, others = part.get("properties", {}), part.get("additionalProperties", True)
        for key, item in value.items():
            child = properties.get(key, others)
            if child is False:
                yield SchemaError((*path, key), _unknown_field(root, part, path, key))
            elif child is not True:
                yield from _errors_in(child, item, root, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _errors_in(part.get("items", {}), item, root, (*path, index))


def _unknown_field(root: Schema, part: Schema, path: Path, field: str) -> str:
    """The message for an unknown field: its right spelling, its right place, or the allowed fields."""
    from difflib import get_close_matches

    start = f'unknown field "{field}"'
    fields = {name.lower(): name for name in part["properties"]}
    if place := _place_of_field(root, field):
        return f"{start}; it belongs {place}"
    if near := get_close_matches(field.lower(), fields, n=1, cutoff=0.7):
        return f'{start}; did you mean "{fields[near[0]]}"?'
    where = _written_path(root, path) or f"a {root['title']}"
    return f"{start}; {where} has {_list_words(fields.values())}" if len(fields) <= 8 else f"{start} in {where}"


def _place_of_field(root: Schema, field: str) -> str:
    """The uppermost mapping with this field, except where only the server writes; empty if there is none."""
    level: list[tuple[str, Schema]] = [("", root)]
    while level:
        for path, part in level:
            if field in part.get("properties", {}):
                return f"in {path}" if path else "at the top level"
        level = [
            below
            for path, part in level
            for name, child in part.get("properties", {}).items()
            if not child.get("readOnly")
            for below in _parts_below(root, f"{path}.{name}" if path else name, child)
        ]
    return ""


def _parts_below(root: Schema, path: str, part: Schema) -> Iterator[tuple[str, Schema]]:
    part = _reference_target(part, root) if "$ref" in part else part
    if "items" in part:
        yield from _parts_below(root, f"{path}[]", part["items"])
    elif "properties" in part:
        yield path, part


def _wrong_type(root: Schema, part: Schema, path: Path, value: object) -> str:
    expected, fields = part["title"], part.get("properties", ())
    if fields:
        expected = "mapping" if len(fields) > 6 else f"mapping with {_list_words(fields)}"
    hint = ""
    if part["title"] == "string" and isinstance(value, (bool, int, float)):
        hint = "; write it in quotes"
    elif part["title"] in ("whole number", "boolean") and isinstance(value, str):
        hint = "; write it without quotes"
    where = _written_path(root, path) or f"a {root['title']}"
    return f"{where} must be a {expected}, found {_describe_value(value)}{hint}"


def _describe_value(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, str):
        return f'the string "{value}"' if len(value) <= 40 else "a string"
    return "null" if value is None else f"the number {value}"


def _written_path(root: Schema, path: Path) -> str:
    """The path in the API server's format: fields after dots, map keys and indexes in brackets."""
    text, part = "", root
    for step in path:
        part = _reference_target(part, root) if "$ref" in part else part
        field = step in part.get("properties", {})
        text += f".{step}" if field else f"[{step}]"
        part = part["properties"][step] if field else part.get("items", part.get("additionalProperties", {}))
    return text.removeprefix(".")


def _list_words(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
