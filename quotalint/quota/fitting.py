"""How many more objects fit into an entry.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest): an object is refused
if used plus requested exceeds hard.
"""

from __future__ import annotations

from collections.abc import Callable


def objects_that_fit(hard: int, used: int, each: int) -> int:
    """How many more objects of `each` an entry has room for, all in 10^-9 units; negative if `used` exceeds `hard`.
    `each` is above zero."""
    return (hard - used) // each


def largest_that_fits(fits: Callable[[int], bool], least: int, most: int, tries: int) -> int | None:
    """The largest number from `most` down to `least` that fits; None if none of `tries` numbers fits. Each is tried,
    because replica percentages are rounded: a rollout of fewer pods may need more at once."""
    numbers = range(most, max(least - 1, most - tries), -1)
    return next((number for number in numbers if fits(number)), None)


def largest_while_growing(fits: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that fits. 0 must fit, and a larger number must never need less."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least
