"""Facts that record which of their values a check reads, so that its hits can be reused while these are unchanged.

A check does not declare what it reads. It gets a `Watched` object instead of the facts and reads it in the same way.
Each value that it reads is recorded as a path from the facts to the value. If the values at the ends of all paths are
the same objects later, the check has the same hits for the same subjects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any

Way = tuple[object, ...]
"""A path: the names of fields, beginning at the facts. The last step may be a key of a mapping, as a tuple of one."""

_ABSENT = object()
_DEEP = frozenset({("cluster",), ("repository",)})
"""Paths to values whose fields are recorded one by one. Every other value is recorded as a whole."""


class Watched:
    """A proxy for facts, or for a part of them."""

    __slots__ = ("_of", "_seen", "_way")

    def __init__(self, of: Any, ways: set[Way], way: Way = ()) -> None:
        self._of = of
        self._seen = ways
        self._way = way

    def __getattr__(self, name: str) -> Any:
        kind = type(self._of)
        if name not in kind._fields:
            member = getattr(kind, name)
            if isinstance(member, FunctionType):  # a method, which reads the proxy too
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
    """A proxy for a mapping in the facts."""

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
    """The value at the end of a path that begins at `value`."""
    for step in way:
        value = value.get(step[0], _ABSENT) if isinstance(step, tuple) else getattr(value, str(step))
    return value


def start_of(way: Way) -> int:
    """The number of first steps that lead to a part of the facts which many paths share."""
    return 2 if way[:1] in _DEEP and len(way) > 1 else 1


def is_same(before: object, now: object) -> bool:
    """Whether a value is the same object as before, or a collection of the same objects, or an equal text."""
    if before is now:
        return True
    if isinstance(before, tuple):
        return type(before) is type(now) and len(before) == len(now) and all(map(_is, before, now))
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return before.keys() == now.keys() and all(value is now[key] for key, value in before.items())
    return isinstance(before, (str, frozenset)) and before == now


def _is(first: object, second: object) -> bool:
    return first is second
