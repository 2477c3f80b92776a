"""What was made of what in a process that looks at a repository again and again: an editor's server, `--watch`, the two
sides of a difference.

The idea: the arrows of the pipeline are pure functions of immutable values, so whatever is made of the very same values
is what was made of them before. A file that has not changed is the very same value in the next look; so is the object
in it, the namespace of such objects, and the sum of that namespace. Where an arrow asks here before it works, a change
costs what is made of it, and no more. There are four ways to ask:

- `recalled`: a value made of a few others;
- `recalled_each`: the results of many values, if only a few of the values have changed;
- `same_as_before`, `same_items_as_before`: a value that is made anew each time and is mostly equal becomes the very
  same, so that what is made of it is found;
- `Memory.lasting`: something that knows by itself what has changed.

Nothing is kept unless a memory is in use.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import compress, count
from typing import Any, TypeVar, cast

_Result = TypeVar("_Result")
_Item = TypeVar("_Item")
_DIFFERENT = 64  # values of one name
_LISTS = 8  # of one name, of many values each
_FEW = 64  # values that have changed, before they are looked for elsewhere in the list
_LOOKS = 8  # after which is forgotten what none of them asked for


def are_same_items(before: Sequence[object], now: Sequence[object]) -> bool:
    """Whether they are the very same ones, in the same order."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


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
        """Note that a look uses it."""
        if self.used != look:
            self.used = look
            for entry in self.inner:
                entry.use(look)


class _Each:
    """Many values, and what each came to."""

    __slots__ = ("items", "parts", "results")

    def __init__(self, parts: tuple[object, ...], items: Sequence[object], results: list[Any]) -> None:
        self.parts = parts
        """What they were all made with."""
        self.items = items
        self.results = results

    def is_like(self, parts: tuple[object, ...], items: Sequence[object]) -> bool:
        """Whether most of these values are probably here, made with the same."""
        if not (items and self.items and are_same_items(self.parts, parts)):
            return False
        # The first and the last may be the two that have changed.
        before, now = ((each[0], each[len(each) // 2], each[-1]) for each in (self.items, items))
        return any(map(operator.is_, before, now))

    def again(self, items: Sequence[Any], make: Callable[[Any], Any]) -> list[Any]:
        """The results of these items; `make` is called for items that are not here."""
        if self.items is items:
            return self.results
        if len(self.items) == len(items):
            changed = list(compress(count(), map(operator.is_not, self.items, items)))
            if len(changed) <= _FEW:
                results = self.results.copy()
                for at in changed:
                    results[at] = make(items[at])
                return results
        # Mostly a few came or went, and those before and behind them stand as they stood.
        least = min(len(self.items), len(items))
        start = next(compress(count(), map(operator.is_not, self.items, items)), least)
        end = next(compress(count(), map(operator.is_not, reversed(self.items), reversed(items))), least)
        end = min(end, least - start)
        left = slice(start, len(self.items) - end)
        known = {id(item): result for item, result in zip(self.items[left], self.results[left], strict=True)}
        middle = items[start : len(items) - end]
        return [
            *self.results[:start],
            *(known[id(item)] if id(item) in known else make(item) for item in middle),
            *self.results[len(self.results) - end :],
        ]


class Memory:
    """What was made in earlier looks. A class because it grows."""

    def __init__(self, *, looks_often: bool = True) -> None:
        """`looks_often` says that it pays to note what each check asks for: that costs more than two looks."""
        self.looks_often = looks_often
        self._made: dict[tuple[Hashable, ...], _Kept] = {}
        self._each: dict[Hashable, list[_Each]] = {}
        self._same: dict[Hashable, tuple[object, ...]] = {}
        self._equal: dict[Hashable, list[object]] = {}
        """Values of one name that are not equal: environments may differ."""
        self._lasting: dict[str, object] = {}
        self._unasked: set[str] = set()
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

    def made_of_each(
        self, what: Hashable, items: Sequence[_Item], parts: tuple[object, ...], make: Callable[[_Item], _Result]
    ) -> Sequence[_Result]:
        """What `make` returned for each item and the very same parts; it is called for new items, and asks for nothing
        here."""
        earlier = self._each.setdefault(what, [])
        at = next((at for at, each in enumerate(earlier) if each.is_like(parts, items)), None)
        results = list(map(make, items)) if at is None else earlier.pop(at).again(items, make)
        earlier.insert(0, _Each(parts, items, results))
        del earlier[_LISTS:]
        return results

    def same(self, what: Hashable, value: _Result) -> _Result:
        """The value; the same object as before if an equal value was stored under that name."""
        earlier = cast("list[_Result]", self._equal.setdefault(what, []))
        for at, before in enumerate(earlier):
            if before is value or before == value:
                if at:  # the least recently used are dropped first
                    earlier.insert(0, earlier.pop(at))
                return before
        earlier.insert(0, value)
        del earlier[_DIFFERENT:]
        return value

    def same_items(self, what: Hashable, items: tuple[_Result, ...]) -> tuple[_Result, ...]:
        """The items of that name, and the very same tuple as long as they stay the very same."""
        before = cast("tuple[_Result, ...] | None", self._same.get(what))
        if before is not None and are_same_items(before, items):
            return before
        self._same[what] = items
        return items

    def lasting(self, what: str, make: Callable[[], _Result]) -> _Result:
        """Something that keeps its own account of what has changed."""
        if what not in self._lasting:
            self._lasting[what] = make()
        return cast("_Result", self._lasting[what])

    def keep(self, *whats: str) -> None:
        """Nobody asked for things of these names in this look, since what was made of them is as it was."""
        self._unasked.update(whats)

    def forget_unused(self) -> None:
        """A look is over. Now and then, what the last ones did not ask for goes."""
        self._look += 1
        if self._look % _LOOKS == 0:
            oldest, unasked = self._look - _LOOKS, self._unasked
            self._made = {key: memo for key, memo in self._made.items() if memo.used >= oldest or key[0] in unasked}
            self._unasked = set()


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


def recalled_each(
    what: Hashable, items: Sequence[_Item], parts: tuple[object, ...], make: Callable[[_Item], _Result]
) -> Sequence[_Result]:
    """What is made of each of many items, with parts that are the same for all; it asks for nothing else here."""
    return list(map(make, items)) if _now is None else _now.made_of_each(what, items, parts, make)


def same_as_before(what: Hashable, value: _Result) -> _Result:
    """An equal value of the look before, so that what is made of it is found."""
    return value if _now is None else _now.same(what, value)


def same_items_as_before(what: Hashable, items: tuple[_Result, ...]) -> tuple[_Result, ...]:
    """The very same tuple as in the look before, where it holds the very same items."""
    return items if _now is None else _now.same_items(what, items)
