"""What each of many values comes to is found again, whatever comes, goes or moves among them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quotalint.runtime.recall import Memory, recalled_each, recalling, same_as_before

POOL = [[number] for number in range(200)]
"""Values that are told apart by their identity."""


@given(st.lists(st.lists(st.integers(0, 199), unique=True), min_size=1, max_size=6))
def test_each_is_what_it_would_be_without_a_memory(looks: list[list[int]]) -> None:
    with recalling(Memory()):
        for numbers in looks:
            items = tuple(POOL[number] for number in numbers)
            assert list(recalled_each("sums", items, (), sum)) == numbers


def test_only_new_ones_are_made() -> None:
    made: list[int] = []

    def make(item: list[int]) -> int:
        made.append(item[0])
        return item[0]

    with recalling(Memory()):
        recalled_each("values", tuple(POOL[:100]), (), make)
        del made[:]
        recalled_each("values", (*POOL[:50], POOL[150], *POOL[51:100]), (), make)  # one in place of another
        assert made == [150]
        recalled_each("values", (*POOL[:20], *POOL[21:100], POOL[160]), (), make)  # one went, another came
        assert made == [150, 50, 160]


def test_what_is_made_with_other_parts_is_made_anew() -> None:
    with recalling(Memory()):
        for added in (POOL[1], POOL[2], POOL[1]):
            results = recalled_each("more", tuple(POOL[:9]), (added,), lambda item, added=added: item[0] + added[0])  # type: ignore[misc]
            assert results == [number + added[0] for number in range(9)]


def test_values_of_one_name_do_not_take_each_others_place() -> None:
    with recalling(Memory()):
        first, second = same_as_before("plugins", [1]), same_as_before("plugins", [2])
        assert same_as_before("plugins", [1]) is first
        assert same_as_before("plugins", [2]) is second
