"""The size of a value with every YAML alias expanded: aliases share memory, but code that walks the value visits them
each time."""

from __future__ import annotations

from collections.abc import Iterable


def expanded_size(value: object, sizes_by_id: dict[int, int] | None = None) -> int:
    """How many values it has, with aliases expanded. It must not contain itself; `sizes_by_id` has the collections that
    were counted."""
    sizes_by_id = {} if sizes_by_id is None else sizes_by_id
    if not isinstance(value, (dict, list)):
        return 1
    stack = [value]
    while stack:
        collection = stack[-1]
        inner = [
            child
            for child in (collection.values() if isinstance(collection, dict) else collection)
            if isinstance(child, (dict, list))
        ]
        new = [child for child in inner if id(child) not in sizes_by_id]
        if new:
            stack += new
            continue
        sizes_by_id[id(collection)] = 1 + len(collection) - len(inner) + sum(sizes_by_id[id(child)] for child in inner)
        stack.pop()
    return sizes_by_id[id(value)]


def aliased_share(values: Iterable[object]) -> int:
    """How many values exist only because aliases repeat others."""
    sizes_by_id: dict[int, int] = {}
    whole = 0
    seen_ids: set[int] = set()
    stack = list(values)
    for value in stack:
        whole += expanded_size(value, sizes_by_id)
    written = 0
    while stack:
        item = stack.pop()
        if isinstance(item, (dict, list)) and id(item) not in seen_ids:
            seen_ids.add(id(item))
            written += 1
            inner = item.values() if isinstance(item, dict) else item
            nested = [child for child in inner if isinstance(child, (dict, list))]
            written += len(item) - len(nested)
            stack += nested
    return max(0, whole - written)
