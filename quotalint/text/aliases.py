"""How much a value is, each part as often as it is named: what aliases and copies stand for is shared in memory, and is
walked through as often as it is named."""

from __future__ import annotations

from collections.abc import Iterable


def expanded(value: object, known: dict[int, int] | None = None) -> int:
    """How many values it consists of. It must not hold itself; `known` are the collections that were counted."""
    known = {} if known is None else known
    if not isinstance(value, (dict, list)):
        return 1
    stack = [value]
    while stack:
        one = stack[-1]
        inner = [child for child in (one.values() if isinstance(one, dict) else one) if isinstance(child, (dict, list))]
        new = [child for child in inner if id(child) not in known]
        if new:
            stack += new
            continue
        known[id(one)] = 1 + len(one) - len(inner) + sum(known[id(child)] for child in inner)
        stack.pop()
    return known[id(value)]


def aliased(values: Iterable[object]) -> int:
    """How many values there are only because others are named again."""
    known: dict[int, int] = {}
    whole = 0
    seen: set[int] = set()
    stack = list(values)
    for value in stack:
        whole += expanded(value, known)
    written = 0
    while stack:
        one = stack.pop()
        if isinstance(one, (dict, list)) and id(one) not in seen:
            seen.add(id(one))
            written += 1
            inner = one.values() if isinstance(one, dict) else one
            nested = [child for child in inner if isinstance(child, (dict, list))]
            written += len(one) - len(nested)
            stack += nested
    return max(0, whole - written)
