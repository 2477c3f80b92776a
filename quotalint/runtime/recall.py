"""Results that are reused in a process that looks at a repository many times: an editor's server, `--watch`, `diff`.

The steps of the pipeline are pure functions of immutable values, so the same input objects give the same result. A file
that has not changed is the same object in the next look. So is the Kubernetes object in it, its namespace, and the sum
of that namespace. A step that looks for its result here first only computes what a change affects:

- `recalled`: a result of a few values;
- `recalled_each`: the results of many values, if only a few of the values have changed;
- `same_as_before`: an equal earlier value, so that results of it are found;
- `Memory.lasting`: an object that tracks changes by itself.

Nothing is stored unless a memory is in use.
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
_LOOKS = 8  # results that none of so many looks used are dropped


def are_same_items(before: Sequence[object], now: Sequence[object]) -> bool:
    """Whether both have the same objects in the same order."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


class _Kept:
    """A stored result, the values that it was computed from, and the last look that used it."""

    __slots__ = ("inner", "parts", "used", "value")

    def __init__(self, parts: tuple[object, ...], value: object, inner: list[_Kept], used: int) -> None:
        self.parts = parts
        """References to the input values, so that their `id`s are not used again."""
        self.value = value
        self.inner = inner
        """The stored results that it was computed from; they are in use as long as it is."""
        self.used = used

    def use(self, look: int) -> None:
        """Note that a look uses it."""
        if self.used != look:
            self.used = look
            for entry in self.inner:
                entry.use(look)


class _Each:
    """Many values, and the result of each."""

    __slots__ = ("items", "parts", "results")

    def __init__(self, parts: tuple[object, ...], items: Sequence[object], results: list[Any]) -> None:
        self.parts = parts
        """The values that all results were computed with."""
        self.items = items
        self.results = results

    def is_like(self, parts: tuple[object, ...], items: Sequence[object]) -> bool:
        """Whether most of these values probably have a result here, computed with the same parts."""
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
        # Usually a few were added or removed; those before and after them are unchanged.
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
    """The results of earlier looks. A class because it grows."""

    def __init__(self, *, looks_often: bool = True) -> None:
        """`looks_often`: whether to record what each check reads, which only pays after more than two looks."""
        self.looks_often = looks_often
        self._made: dict[tuple[Hashable, ...], _Kept] = {}
        self._each: dict[Hashable, list[_Each]] = {}
        self._equal: dict[Hashable, list[object]] = {}
        """Different values of one name, because environments may differ."""
        self._lasting: dict[str, object] = {}
        self._unasked: set[str] = set()
        self._asking: list[list[_Kept]] = []
        """For each result that is being computed: the stored results that it used."""
        self._look = 0

    def made(self, what: str, parts: tuple[object, ...], plain: Hashable, make: Callable[[], _Result]) -> _Result:
        """The result of `make` for the same parts (by `id`) and equal plain values. Exceptions are not stored."""
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
        """The result of `make` for each item with the same parts. It is only called for new items, and must not use
        this memory."""
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

    def lasting(self, what: str, make: Callable[[], _Result]) -> _Result:
        """The object of that name that tracks changes by itself; made at the first call."""
        if what not in self._lasting:
            self._lasting[what] = make()
        return cast("_Result", self._lasting[what])

    def keep(self, *whats: str) -> None:
        """Keep the results of these names, which this look did not need because it reused results of them."""
        self._unasked.update(whats)

    def forget_unused(self) -> None:
        """End a look. Every few looks, drop the results that none of them used."""
        self._look += 1
        if self._look % _LOOKS == 0:
            oldest, unasked = self._look - _LOOKS, self._unasked
            self._made = {key: memo for key, memo in self._made.items() if memo.used >= oldest or key[0] in unasked}
            self._unasked = set()


_now: Memory | None = None


@contextmanager
def recalling(memory: Memory) -> Iterator[None]:
    """Use this memory within the block."""
    global _now
    outer, _now = _now, memory
    try:
        yield
    finally:
        _now = outer


def memory_in_use() -> Memory | None:
    """The memory in use; None if there is none."""
    return _now


def recalled(what: str, parts: tuple[object, ...], plain: Hashable, make: Callable[[], _Result]) -> _Result:
    """The result of `make` for these parts (by `id`) and equal plain values, from the memory if it is there."""
    return make() if _now is None else _now.made(what, parts, plain, make)


def recalled_each(
    what: Hashable, items: Sequence[_Item], parts: tuple[object, ...], make: Callable[[_Item], _Result]
) -> Sequence[_Result]:
    """The result of `make` for each item, with the same parts for all. `make` must not use the memory."""
    return list(map(make, items)) if _now is None else _now.made_of_each(what, items, parts, make)


def same_as_before(what: Hashable, value: _Result) -> _Result:
    """An equal value of an earlier look, so that results of it are found; else the value itself."""
    return value if _now is None else _now.same(what, value)
