"""The configuration reference: every key of `schemas/config.schema.json`, in the words of its descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from prose import escaped, fenced

from quotalint.runtime.data import load_schema

Schema = Mapping[str, Any]

_SAID = frozenset(("$ref", "type", "enum", "anyOf", "oneOf", "properties", "additionalProperties", "items"))
_LEFT_TO_THE_DESCRIPTION = frozenset(
    (
        *("title", "description", "default", "examples", "required", "propertyNames", "pattern", "minimum", "maximum"),
        *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems"),
        *("const", "not"),
    )
)


def configuration() -> str:
    """A section for each key, and one for each kind of value that several keys have."""
    whole: Any = load_schema("config")
    keys = [section for key, value in whole["properties"].items() for section in _key(key, value)]
    words = [
        f'| <a id="{_anchor(name)}"></a>{name} | {_kind(value)} | {escaped(value["description"])} |'
        for name, value in whole["$defs"].items()
        if not _nested(value)
    ]
    rows = "\n".join(["| value | is | |", "|---|---|---|", *words])
    return "\n\n".join([*keys, "## Values that several keys have", rows])


def _key(name: str, value: Schema) -> Iterator[str]:
    yield f"## {name}"
    yield escaped(value["description"])
    default = _default(value)
    yield f"**Value:** {_kind(value)}{default and f'. **Default:** {default}'}"
    inner = list(_rows("", value))
    if inner:
        yield "\n".join(["| inside | is | |", "|---|---|---|", *inner])
    for example in value.get("examples", ()):
        yield fenced(f"{name}: {_written(example)}" if _plain(example) else _written({name: example}), "yaml")


def _rows(way: str, value: Schema) -> Iterator[str]:
    """What is inside of a value, all the way down; one or several of a kind are said once."""
    alone = {choice.get("$ref") for choice in value.get("anyOf", ())} - {None}
    for name, inner in _nested(value):
        if not name and inner.get("$ref") in alone:
            continue
        here = f"{way}.{name}".strip(".") if name else f"{way}[ ]"
        described = inner.get("description") or _meant(inner).get("description")
        if described and (name or "$ref" not in inner):
            default = _default(inner)
            yield f"| `{here}` | {_kind(inner)} | {escaped(described)}{default and f' Default: {default}.'} |"
        yield from _rows(here, inner)


def _nested(value: Schema) -> list[tuple[str, Schema]]:
    """The keys of a mapping (`*`: any), and what its lists hold (the empty name)."""
    value = _meant(value)
    unknown = set(value) - _SAID - _LEFT_TO_THE_DESCRIPTION
    if unknown:
        raise ValueError(f"docs/_site/configuration_page.py does not know how to say {', '.join(sorted(unknown))}")
    nested = list(value.get("properties", {}).items())
    if isinstance(value.get("additionalProperties"), dict):
        nested.append(("*", value["additionalProperties"]))
    if "items" in value:
        nested.append(("", value["items"]))
    for choice in (*value.get("anyOf", ()), *value.get("oneOf", ())):
        nested += _nested(choice)
    return nested


def _meant(value: Schema) -> Schema:
    if "$ref" not in value:
        return value
    whole: Any = load_schema("config")
    meant: Schema = whole["$defs"][_name(value)]
    return meant


def _name(value: Schema) -> str:
    return str(value["$ref"]).rpartition("/")[2]


def _anchor(name: str) -> str:
    return f"value-{name.lower()}"


def _kind(value: Schema) -> str:
    """What may be written, in words; that nothing may be written goes without saying."""
    if "$ref" in value:
        return _name(value) if _nested(value) else f"[{_name(value)}](#{_anchor(_name(value))})"
    choices = [*value.get("anyOf", ()), *value.get("oneOf", ())]
    if choices:
        return ", or ".join(dict.fromkeys(kind for kind in map(_kind, choices) if kind))
    if "enum" in value:
        return _alternatives([f"`{item}`" for item in value["enum"] if item not in (None, False)])
    types = value.get("type", "object")
    return _alternatives(
        [_type(item, value) for item in ([types] if isinstance(types, str) else types) if item != "null"]
    )


def _type(name: str, value: Schema) -> str:
    if name == "array":
        return f"list of {_kind(value['items'])}" if "items" in value else "list"
    if name == "object":
        each = value.get("additionalProperties")
        return f"mapping to {_kind(each)}" if isinstance(each, dict) and not _nested(each) else "mapping"
    if name in ("integer", "number"):
        least, most = value.get("minimum"), value.get("maximum")
        between = f", {least} to {most}" if most is not None else f", {least} or more" if least is not None else ""
        return ("whole number" if name == "integer" else "number") + between
    return {"string": "text", "boolean": "`true` or `false`"}[name]


def _alternatives(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def _plain(value: object) -> bool:
    return not isinstance(value, (dict, list))


def _default(value: Schema) -> str:
    """Nothing where there is none, or it is empty."""
    default = value.get("default")
    return "" if default in (None, [], {}) else f"`{_written(default)}`"


def _written(value: object) -> str:
    text = yaml.safe_dump(value, sort_keys=False, default_flow_style=None, width=100).removesuffix("...\n").strip()
    return text if '"' in text else text.replace("'", '"')
