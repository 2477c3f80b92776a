"""Facts that remember what was asked of them, so that an answer can be given again while all of that is the same.

What a check does with facts is not declared anywhere: it is seen. A check gets these in place of the facts, and reads
them as it would read those; what it reads is noted as a way, a few steps from the facts to a value. Where the values at
the end of all ways are the very same ones later, so is all that the check says of the very same subjects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any

Way = tuple[object, ...]
"""The names of fields from the facts on; at its end a key of a mapping may stand, in a tuple of its own."""

_ABSENT = object()
_DEEP = frozenset({("cluster",), ("repository",)})
"""Paths to values whose fields are recorded one by one. Every other value is recorded as a whole."""


class Watched:
    """Stands in for facts, or for a part of them. A class because it is one thing that looks like another."""

    __slots__ = ("_of", "_seen", "_way")

    def __init__(self, of: Any, ways: set[Way], way: Way = ()) -> None:
        self._of = of
        self._seen = ways
        self._way = way

    def __getattr__(self, name: str) -> Any:
        kind = type(self._of)
        if name not in kind._fields:
            member = getattr(kind, name)
            if isinstance(member, FunctionType):  # a method, which asks in its turn
                return MethodType(member, self)
            return member.fget(self)
        value = getattr(self._of, name)
        way = (*self._way, name)
        if way in _DEEP:
            return Watched(value, self._seen, way)
        if isinstance(value, Mapping):
            return WatchedMapping(value, self._seen, way)
        self._seen.add(way)
        return value


class WatchedMapping(Mapping[Any, Any]):
    """Stands in for a mapping of facts."""

    __slots__ = ("_of", "_seen", "_way")

    def __init__(self, of: Mapping[Any, Any], ways: set[Way], way: Way) -> None:
        self._of = of
        self._seen = ways
        self._way = way

    def __getitem__(self, key: Any) -> Any:
        self._seen.add((*self._way, (key,)))
        return self._of[key]

    def __iter__(self) -> Iterator[Any]:
        self._seen.add(self._way)
        return iter(self._of)

    def __len__(self) -> int:
        self._seen.add(self._way)
        return len(self._of)


def value_at(value: Any, way: Way) -> object:
    """What stands at the end of a way from facts, or from what its first steps led to."""
    for step in way:
        value = value.get(step[0], _ABSENT) if isinstance(step, tuple) else getattr(value, str(step))
    return value


def start_of(way: Way) -> int:
    """How many steps of a way lead to something that all ways share which begin so."""
    return 2 if way[:1] in _DEEP and len(way) > 1 else 1


def is_same(before: object, now: object) -> bool:
    """Whether a value is the very one that it was, or made of the very same ones; a plain one, equal."""
    if before is now:
        return True
    if isinstance(before, tuple):
        return type(before) is type(now) and len(before) == len(now) and all(map(_is, before, now))
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return before.keys() == now.keys() and all(value is now[key] for key, value in before.items())
    return isinstance(before, (str, frozenset)) and before == now


def _is(first: object, second: object) -> bool:
    return first is second
