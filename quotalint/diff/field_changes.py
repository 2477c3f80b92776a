"""Two versions of an object → the fields that differ, down to single values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quotalint.kube.amounts import amount
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

_NAMES = ("name", "type", "scopeName", "mountPath", "containerPort")
"""The fields that identify the items of a list; the first one that all items have counts."""
_MAX_DEPTH = 60


class FieldChange(NamedTuple):
    """A changed field."""

    path: Path
    """The path in the head, or in the base if the field is gone."""
    old: object
    """None if there was none."""
    new: object
    """None if there is none any more."""
    init_container: str = ""
    """The name of its init container, if it is in one."""


def field_changes(old: object, new: object, path: Path = ()) -> Iterator[FieldChange]:
    """The differences, in the order of the head. Equal amounts may be written differently."""
    if isinstance(old, Mapping) and isinstance(new, Mapping) and len(path) < _MAX_DEPTH:
        for key in (*new, *(key for key in old if key not in new)):
            yield from field_changes(old.get(key), new.get(key), (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(path) < _MAX_DEPTH:
        for at, was, now in _paired_items(old, new):
            yield from field_changes(was, now, (*path, at))
    elif old != new and not _same_amount(old, new):
        if isinstance(new, Mapping) and new and old is None:
            for key, value in new.items():
                yield from field_changes(None, value, (*path, key))
        elif isinstance(old, Mapping) and old and new is None:
            for key, value in old.items():
                yield from field_changes(value, None, (*path, key))
        elif (old is None and _has_mappings(new)) or (new is None and _has_mappings(old)):
            yield from field_changes(old or [], new or [], path)
        else:
            yield FieldChange(path, old, new)


def _has_mappings(value: object) -> bool:
    """Whether it is a list of mappings, such as containers."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _paired_items(old: Sequence[object], new: Sequence[object]) -> Iterator[tuple[int, object, object]]:
    """The matching items of two lists, with the index in the head, or in the base for a removed item."""
    name = next((key for key in _NAMES if _tells_apart(key, old) and _tells_apart(key, new)), None)
    if name is None:
        for at in range(max(len(old), len(new))):
            yield at, old[at] if at < len(old) else None, new[at] if at < len(new) else None
        return
    olds = {item[name]: item for item in old if isinstance(item, Mapping)}
    for at, item in enumerate(new):
        if isinstance(item, Mapping):
            yield at, olds.pop(item[name], None), item
    yield from ((at, item, None) for at, item in enumerate(old) if isinstance(item, Mapping) and item[name] in olds)


def _tells_apart(name: str, items: Sequence[object]) -> bool:
    key_values = [item.get(name) if isinstance(item, Mapping) else None for item in items]
    return all(isinstance(value, str | int) for value in key_values) and len(set(key_values)) == len(key_values)


def _same_amount(old: object, new: object) -> bool:
    """Whether both are the same amount, such as 0.5 and 500m."""
    if not isinstance(old, str | int | float) or not isinstance(new, str | int | float):
        return False
    was, now = amount(old), amount(new)
    return isinstance(was, Quantity) and isinstance(now, Quantity) and was.nano == now.nano
