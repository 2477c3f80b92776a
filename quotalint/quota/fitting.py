"""How many more objects fit: what sums, refusals, headroom, repairs and trials of fewer replicas have in common.

Source: Kubernetes 1.36, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest): an object is refused
where used and requested together are more than hard.
"""

from __future__ import annotations

from collections.abc import Callable


def objects_that_fit(hard: int, used: int, each: int) -> int:
    """How many more objects of `each` an entry has room for, all in 10^-9 units; below zero where `used` counts some
    that do not fit themselves. `each` is above zero."""
    return (hard - used) // each


def largest_that_fits(fits: Callable[[int], bool], least: int, most: int, tries: int) -> int | None:
    """The largest number from `most` down to `least` that fits; None where none of so many does. Each is tried, since a
    rollout of fewer pods may need more at once: shares of replicas are rounded."""
    numbers = range(most, max(least - 1, most - tries), -1)
    return next((number for number in numbers if fits(number)), None)


def largest_while_growing(fits: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that fits, where every further one needs no less and 0 fits."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least
