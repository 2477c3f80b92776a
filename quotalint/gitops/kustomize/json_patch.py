"""JSON patches (RFC 6902), applied as Kustomize's library evanphx/json-patch does."""

from __future__ import annotations

from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import Body, mapping, text
from quotalint.runtime import budget
from quotalint.text.aliases import expanded_size
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place

_INDEX = lazy_pattern(r"[-+]?[0-9]{1,9}")


class JsonPatchError(Exception):
    """Kustomize refuses to build because an operation cannot be applied."""


def apply_operations(value: Traced, operations: Traced) -> Traced:
    """The object after all operations. Raises JsonPatchError."""
    for operation in elements(operations):
        value = _apply_operation(value, operation)
    return value


def _apply_operation(value: Traced, operation: Traced) -> Traced:
    body = mapping(operation.value)
    name = text(body.get("op"))
    if name not in ("add", "remove", "replace", "move", "copy", "test"):
        raise JsonPatchError(f"`{name}` is not an operation")
    path = _pointer_parts(body, "path")
    if not path and name != "replace":
        raise JsonPatchError("an operation has no path")
    if name == "remove":
        return _edit_value(value, path, name, None)
    if name in ("add", "replace", "test"):
        new = child(operation, "value") or Traced(None, operation.origin)
        if name == "test":
            if not _equal_as_json(_value_at(value, path, absent=True).value, new.value):
                raise JsonPatchError(f"the test of {text(body.get('path'))} fails")
            return value
        return _edit_value(value, path, name, new)
    source = _pointer_parts(body, "from")
    moved = _value_at(value, source, absent=name == "copy")
    if name == "copy":
        budget.spend(expanded_size(moved.value) / budget.VALUES, "a JSON patch copies too much")
    if name == "move":
        value = _edit_value(value, source, "remove", None)
    return _edit_value(value, path, "add", moved)


def _equal_as_json(own: object, other: object) -> bool:
    """JSON equality: unlike in Python, `true` is not 1."""
    if isinstance(own, dict) and isinstance(other, dict):
        return own.keys() == other.keys() and all(_equal_as_json(value, other[key]) for key, value in own.items())
    if isinstance(own, list) and isinstance(other, list):
        return len(own) == len(other) and all(map(_equal_as_json, own, other))
    return isinstance(own, bool) == isinstance(other, bool) and own == other


def _pointer_parts(body: Body, field: str) -> tuple[str, ...]:
    path = body.get(field)
    if not isinstance(path, str):
        raise JsonPatchError(f"an operation has no {field}")
    # The library ignores anything before the first slash.
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:])


def _value_at(value: Traced, path: tuple[str, ...], *, absent: bool) -> Traced:
    """The value at a path. With `absent`, a missing last part counts as null."""
    for number, part in enumerate(path, 1):
        if isinstance(value.value, list):
            items = elements(value)
            value = items[_list_index(part, len(items) - 1)]
            continue
        inner = child(value, part)
        if inner is None and absent and number == len(path) and isinstance(value.value, dict):
            return Traced(None, value.origin)
        if inner is None:
            raise JsonPatchError(f"there is no /{'/'.join(path)}")
        value = inner
    return value


def _edit_value(value: Traced, path: tuple[str, ...], name: str, new: Traced | None) -> Traced:
    if not path:
        if new is None:
            raise JsonPatchError("the whole object cannot be removed")
        return new
    part, path_below = path[0], path[1:]
    if isinstance(value.value, list):
        return _edited_list(value, part, path_below, name, new)
    if not isinstance(value.value, dict):
        raise JsonPatchError(f"there is nothing that could hold `{part}`")
    inner = child(value, part)
    if path_below:
        if inner is None:
            raise JsonPatchError(f"there is no `{part}` on the way")
        return with_child(value, part, _edit_value(inner, path_below, name, new))
    if inner is None and name == "remove":  # `replace` also adds a missing field (v4 of the library, partialDoc.get)
        raise JsonPatchError(f"there is no `{part}` to remove")
    return with_child(value, part, new)


def _edited_list(value: Traced, part: str, path_below: tuple[str, ...], name: str, new: Traced | None) -> Traced:
    items = elements(value)
    place: Place = value.place
    if path_below:
        number = _list_index(part, len(items) - 1)
        return list_of(
            place, [*items[:number], _edit_value(items[number], path_below, name, new), *items[number + 1 :]]
        )
    if name == "add" and new is not None:
        number = len(items) if part == "-" else _list_index(part, len(items))
        return list_of(place, [*items[:number], new, *items[number:]])
    number = _list_index(part, len(items) - 1)
    return list_of(place, [*items[:number], *([new] if new is not None else []), *items[number + 1 :]])


def _list_index(part: str, last: int) -> int:
    if not _INDEX.fullmatch(part):
        raise JsonPatchError(f"`{part}` is not a list index")
    number = int(part)
    if number < 0:
        number += last + 1
    if not 0 <= number <= last:
        raise JsonPatchError(f"the list has no item {part}")
    return number
