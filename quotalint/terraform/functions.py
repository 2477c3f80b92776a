"""The functions of Terraform that are evaluated; all others are unknown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from quotalint.runtime import budget
from quotalint.terraform.values import (
    TOO_MUCH,
    RefusedError,
    Unknown,
    as_number,
    as_text,
    causes_in,
    item_of,
    plain_value,
    with_unknowns,
)
from quotalint.text.documents import read
from quotalint.text.dumping import dump_yaml

Function = Callable[..., object]


def call_function(name: str, arguments: Sequence[object], source: str) -> object:
    """The result of a function; `source` is the expression of the call."""
    function = STRUCTURAL.get(name) or PLAIN.get(name)
    if name in ("jsondecode", "yamldecode") and arguments and isinstance(arguments[0], Unknown):
        text, causes = arguments[0]
        return Unknown(f"${{{source}}}", causes) if text.startswith("${") else with_unknowns(decode_yaml(text), causes)
    if function is None:
        return Unknown(f"${{{source}}}", (f"the function {name}",))
    hidden = arguments if name in PLAIN else [value for value in arguments if isinstance(value, Unknown)]
    causes = causes_in(list(hidden))
    if causes:
        return Unknown(f"${{{source}}}", causes)
    try:
        return function(*arguments)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise RefusedError(f"{name} cannot be called with these values") from None


def _listed(value: object) -> list[object]:
    if isinstance(value, list):
        budget.spend(len(value) / budget.VALUES, TOO_MUCH)
        return value
    raise RefusedError("it is no list")


def _mapped(value: object) -> dict[str, object]:
    if isinstance(value, dict):
        budget.spend(len(value) / budget.VALUES, TOO_MUCH)
        return value
    raise RefusedError("it is no map")


def _merge(*maps: object) -> object:
    merged: dict[str, object] = {}
    for each in maps:
        merged |= {} if each is None else _mapped(each)
    return merged


def _lookup(table: object, key: object, *default: object) -> object:
    return default[0] if default and as_text(key) not in _mapped(table) else item_of(table, key)


def _flatten(value: object) -> Iterator[object]:
    for item in _listed(value):
        if isinstance(item, list):
            yield from _flatten(item)
        else:
            yield item


def _distinct(items: object) -> list[object]:
    return list({json.dumps(plain_value(item), sort_keys=True): item for item in _listed(items)}.values())


def _to_set(items: object) -> list[object]:
    return sorted(_distinct(items), key=lambda item: as_text(plain_value(item)))


def _coalesce(*values: object) -> object:
    for value in values:
        if value not in (None, ""):
            return value
    raise RefusedError("coalesce has no value")


def _format(template: str, *values: object) -> str:
    if template.count("%") != template.count("%s") + template.count("%d"):
        raise RefusedError("format has other verbs than %s and %d")
    return template.replace("%d", "%s") % tuple(map(as_text, values))


def _encoded(dump: Callable[[object], str]) -> Function:
    def encode(value: object) -> object:
        causes, text = causes_in(value), dump(plain_value(value))
        return Unknown(text, causes) if causes else text

    return encode


def _yaml(value: object) -> str:
    return dump_yaml([value]) if isinstance(value, dict) else json.dumps(value)


def decode_yaml(text: str) -> object:
    """The value of one YAML document."""
    reading = read(text.encode("utf-8", "surrogatepass"))
    if reading.failures or len(reading.documents) > 1:
        raise RefusedError("it is not one YAML document")
    return reading.documents[0].value if reading.documents else None


def _slice(items: list[object], start: object, end: object) -> object:
    return items[int(as_number(start)) : int(as_number(end))]


STRUCTURAL: dict[str, Function] = {
    "coalesce": _coalesce,
    "concat": lambda *lists: [item for each in lists for item in _listed(each)],
    "distinct": _distinct,
    "element": lambda items, index: items[int(as_number(index)) % len(_listed(items))],
    "flatten": lambda items: list(_flatten(items)),
    "jsonencode": _encoded(lambda value: json.dumps(value, separators=(",", ":"))),
    "keys": lambda table: sorted(_mapped(table)),
    "length": len,
    "lookup": _lookup,
    "merge": _merge,
    "nonsensitive": lambda value: value,
    "one": lambda items: items[0] if len(_listed(items)) == 1 else None,
    "sensitive": lambda value: value,
    "slice": _slice,
    "tolist": _listed,
    "tomap": _mapped,
    "toset": _to_set,
    "tostring": lambda value: None if value is None else as_text(value),
    "values": lambda table: [_mapped(table)[key] for key in sorted(table)],
    "yamlencode": _encoded(_yaml),
    "zipmap": lambda names, items: dict(zip(map(as_text, _listed(names)), _listed(items), strict=True)),
}
"""Functions that take values with unknown parts, if no argument is unknown as a whole."""
PLAIN: dict[str, Function] = {
    "contains": lambda items, item: item in _listed(items),
    "format": _format,
    "join": lambda between, items: between.join(map(as_text, _listed(items))),
    "jsondecode": lambda text: json.loads(text),
    "lower": lambda text: as_text(text).lower(),
    "max": lambda *numbers: max(map(as_number, numbers)),
    "min": lambda *numbers: min(map(as_number, numbers)),
    "range": lambda *numbers: _listed(list(_range(*map(as_number, numbers)))),
    "replace": lambda text, old, new: _replaced(as_text(text), old, new),
    "sort": lambda items: sorted(map(as_text, _listed(items))),
    "split": lambda between, text: as_text(text).split(between),
    "tonumber": lambda value: None if value is None else as_number(value),
    "trimprefix": lambda text, start: as_text(text).removeprefix(start),
    "trimspace": lambda text: as_text(text).strip(),
    "upper": lambda text: as_text(text).upper(),
    "yamldecode": lambda text: decode_yaml(as_text(text)),
}
"""Functions whose result is unknown if any part of an argument is."""


def _range(*numbers: int | float) -> range:
    result = range(*map(int, numbers))
    budget.spend(len(result) / budget.VALUES, TOO_MUCH)
    return result


def _replaced(text: str, old: str, new: str) -> str:
    if len(old) > 1 and old[0] == old[-1] == "/":
        raise RefusedError("replace has a pattern")  # foreign patterns may be slow
    budget.spend(text.count(old) * len(new) / budget.VALUES, TOO_MUCH)
    return text.replace(old, new)
