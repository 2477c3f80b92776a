"""Reads fields of manifests that may hold anything: a value of a wrong type is treated as absent.

The API server refuses such an object when it decodes it; checks that report it read the raw value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

Body = Mapping[str, object]

EMPTY: Body = MappingProxyType({})


def mapping(value: object) -> Body:
    """The value as a mapping; anything else is an empty one."""
    return value if isinstance(value, dict) else EMPTY


def sequence(value: object) -> Sequence[object]:
    """The value as a list; anything else is an empty one."""
    return value if isinstance(value, list) else ()


def strings(value: object) -> tuple[str, ...]:
    """The strings in a list; other items are skipped."""
    return tuple(item for item in sequence(value) if isinstance(item, str))


def texts_below(value: object, key: object = "") -> Iterator[tuple[object, str]]:
    """Every string in a value, however deep, with the nearest key above it."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, below in value.items():
            yield from texts_below(below, name)
    elif isinstance(value, list):
        for below in value:
            yield from texts_below(below, key)


def text(value: object) -> str:
    """The value as a string; numbers and booleans as they are written in JSON, anything else is empty."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    return ""


def integer(value: object) -> int | None:
    """The value as a whole number; None when it is absent or not one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return None


def lacks(value: object, path: Sequence[str]) -> bool:
    """Whether a value has nothing at these keys. Anything may be at them if a placeholder stands for a mapping."""
    for key in path:
        if not isinstance(value, dict):
            return False
        value = value.get(key)
        if value is None:
            return True
    return False


def dig(value: object, *path: str | int) -> object:
    """The value below another at these keys and list indexes; None if there is none."""
    for key in path:
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
            value = value[key]
        else:
            return None
    return value
