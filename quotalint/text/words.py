"""Lists of items in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def join_with_and(items: Sequence[str]) -> str:
    """All items: `a, b and c`."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def list_some(items: Sequence[str], most: int) -> str:
    """The first items, and the number of the others: `a, b and 3 more`."""
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")
