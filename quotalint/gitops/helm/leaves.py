"""The single values among values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.text.place import Path


def leaves_of(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    """The scalars in a value, and the ways to them, which begin with `path`."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves_of(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves_of(inner, (*path, number))
    elif path:
        yield path, value


def written_as(value: object) -> str:
    """A scalar as a template prints it; empty where there is nothing to go by."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)
