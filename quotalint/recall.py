"""What was made of what in a process that looks at a repository again and again: an editor's server, `--watch`, the two
sides of a difference.

The arrows of the pipeline are pure functions of immutable values, so that what is made of the very same values is what
was made of them before. Values that come from files that have not changed are the very same ones, since what is made of
a file is looked up here as well. Nothing is kept unless a memory is in use.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

_Result = TypeVar("_Result")


class _Kept:
    """A value, what it was made of, and when it was asked for last."""

    __slots__ = ("inner", "parts", "used", "value")

    def __init__(self, parts: tuple[object, ...], value: object, inner: list[_Kept], used: int) -> None:
        self.parts = parts
        """As long as they are here, nothing else has their identities."""
        self.value = value
        self.inner = inner
        """What was asked for on the way to it, and is as much in use as long as it is."""
        self.used = used

    def use(self, look: int) -> None:
        """It is asked for in a look."""
        if self.used != look:
            self.used = look
            for entry in self.inner:
                entry.use(look)


class Memory:
    """What was made in earlier looks. A class because it grows."""

    def __init__(self, *, looks_often: bool = True) -> None:
        """`looks_often` says that it pays to note what each check asks for: that costs more than two looks."""
        self.looks_often = looks_often
        self._made: dict[tuple[Hashable, ...], _Kept] = {}
        self._equal: dict[Hashable, object] = {}
        self._lasting: dict[str, object] = {}
        self._asking: list[list[_Kept]] = []
        """What was asked for on the way to each of the values that are being made."""
        self._look = 0

    def made(self, what: str, parts: tuple[object, ...], plain: Hashable, make: Callable[[], _Result]) -> _Result:
        """What `make` returned for the very same parts and equal plain values; what it raises is not kept."""
        key = (what, plain, *map(id, parts))
        entry = self._made.get(key)
        if entry is None:
            inner: list[_Kept] = []
            self._asking.append(inner)
            try:
                value = make()
            finally:
                self._asking.pop()
            entry = self._made[key] = _Kept(parts, value, inner, self._look)
        entry.use(self._look)
        if self._asking:
            self._asking[-1].append(entry)
        return cast("_Result", entry.value)

    def same(self, what: Hashable, value: _Result) -> _Result:
        """The value of that name, and the very same one as long as it stays equal."""
        before = cast("_Result | None", self._equal.get(what))
        if before is not None and before == value:
            return before
        self._equal[what] = value
        return value

    def same_items(self, what: Hashable, items: tuple[_Result, ...]) -> tuple[_Result, ...]:
        """The items of that name, and the very same tuple as long as they stay the very same."""
        before = cast("tuple[_Result, ...] | None", self._equal.get(what))
        if before is not None and len(before) == len(items) and all(map(operator.is_, before, items)):
            return before
        self._equal[what] = items
        return items

    def lasting(self, what: str, make: Callable[[], _Result]) -> _Result:
        """Something that keeps its own account of what has changed."""
        if what not in self._lasting:
            self._lasting[what] = make()
        return cast("_Result", self._lasting[what])

    def keep(self, *whats: str) -> None:
        """Nobody asked for things of these names in this look, since what was made of them is as it was."""
        for key, entry in self._made.items():
            if key[0] in whats:
                entry.use(self._look)

    def forget_unused(self) -> None:
        """A look is over: what it did not ask for goes, so that no more is here than one look makes."""
        self._made = {key: entry for key, entry in self._made.items() if entry.used == self._look}
        self._look += 1


_now: Memory | None = None


@contextmanager
def recalling(memory: Memory) -> Iterator[None]:
    """While this lasts, what was made before is not made again."""
    global _now
    outer, _now = _now, memory
    try:
        yield
    finally:
        _now = outer


def memory_in_use() -> Memory | None:
    """The memory, where there is one."""
    return _now


def recalled(what: str, parts: tuple[object, ...], plain: Hashable, make: Callable[[], _Result]) -> _Result:
    """What is made of these parts, by their identity, and of plain values."""
    return make() if _now is None else _now.made(what, parts, plain, make)


def same_as_before(what: Hashable, value: _Result) -> _Result:
    """An equal value of the look before, so that what is made of it is found."""
    return value if _now is None else _now.same(what, value)


def same_items_as_before(what: Hashable, items: tuple[_Result, ...]) -> tuple[_Result, ...]:
    """The very same tuple as in the look before, where it holds the very same items."""
    return items if _now is None else _now.same_items(what, items)
