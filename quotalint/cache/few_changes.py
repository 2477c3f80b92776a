"""Which files an answer rests on hold something else than they held, where those are few."""

from __future__ import annotations

import os

from quotalint.cache.census import WIDTH, Census, content_digest
from quotalint.transcript import DIGEST, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 8
"""Files that may hold something else."""


def changed_contents(before: Census, digests: bytes, now: Census) -> dict[str, tuple[int, bytes]] | None:
    """The paths of the files that hold something else than when the first census was taken, each with its number and
    its digest now; None where they are many, or where something differs that is no content."""
    changed: dict[str, tuple[int, bytes]] = {}
    numbers = list(_differing(before, now))
    if not numbers:
        return changed
    for number, path in _paths(now, numbers):
        at = number * WIDTH
        then, there = before.numbers[at : at + WIDTH], now.numbers[at : at + WIDTH]
        known, digest = digests[number * DIGEST : (number + 1) * DIGEST], content_digest(path)
        if then[0] != there[0] or UNKNOWN in (known, digest):
            return None
        if digest != known:
            changed[path] = number, digest
            if len(changed) > MOST:
                return None
    return changed


def _differing(before: Census, now: Census) -> Iterator[int]:
    """The numbers of the entries of which anything differs."""
    old, new = memoryview(before.numbers), memoryview(now.numbers)
    waiting = [(0, len(now.numbers) // WIDTH)]
    while waiting:
        first, end = waiting.pop()
        if old[first * WIDTH : end * WIDTH].tobytes() == new[first * WIDTH : end * WIDTH].tobytes():
            continue
        if end - first == 1:
            yield first
        else:
            middle = (first + end) // 2
            waiting += ((middle, end), (first, middle))


def _paths(of: Census, numbers: list[int]) -> Iterator[tuple[int, str]]:
    """The paths of the entries with these numbers, which are in order."""
    folder, number, wanted = "", -1, iter(numbers)
    next_number = next(wanted)
    for name in of.names:
        if os.sep in name:
            folder = name
            continue
        number += 1
        if number == next_number:
            yield number, os.path.join(folder, name)
            next_number = next(wanted, -1)
            if next_number < 0:
                return
