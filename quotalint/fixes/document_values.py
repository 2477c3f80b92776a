"""What a document says at a path, and the document that says something else there."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.text.place import Path


def value_at(value: object, path: Path) -> object:
    """What stands in a document at a path; raises LookupError where nothing does."""
    for step in path:
        below = value.get(step, _NOTHING) if isinstance(value, dict) else _NOTHING
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            below = value[step]
        if below is _NOTHING:
            raise LookupError(step)
        value = below
    return value


_NOTHING = object()


def with_value(value: object, path: Path, change: Callable[[object], object]) -> object:
    """A document with another value at a path; what it shares with the old one is not copied."""
    if not path:
        return change(value)
    step, below = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: with_value(value[step], below, change)}
    if isinstance(value, list) and isinstance(step, int):
        return [*value[:step], with_value(value[step], below, change), *value[step + 1 :]]
    raise LookupError(step)
