"""JSON patches (RFC 6902), as the library that Kustomize uses applies them (evanphx/json-patch)."""

from __future__ import annotations

from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import mapping, text
from quotalint.text.place import Place


class JsonPatchError(Exception):
    """An operation that cannot be carried out; Kustomize refuses to build."""


def patched(value: Traced, operations: Traced) -> Traced:
    """The object after the operations. Raises JsonPatchError."""
    for operation in elements(operations):
        value = _operated(value, operation)
    return value


def _operated(value: Traced, operation: Traced) -> Traced:
    body = mapping(operation.value)
    name = text(body.get("op"))
    path = _pointer(text(body.get("path")))
    if name == "remove":
        return _edited(value, path, name, None)
    if name in ("add", "replace", "test"):
        new = child(operation, "value") or Traced(None, operation.origin)
        if name == "test":
            if _found(value, path).value != new.value:
                raise JsonPatchError(f"the test of {text(body.get('path'))} fails")
            return value
        return _edited(value, path, name, new)
    if name in ("move", "copy"):
        source = _pointer(text(body.get("from")))
        moved = _found(value, source)
        if name == "move":
            value = _edited(value, source, "remove", None)
        return _edited(value, path, "add", moved)
    raise JsonPatchError(f"`{name}` is no operation")


def _pointer(path: str) -> tuple[str, ...]:
    # What stands before the first slash is not looked at, by the library.
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:])


def _found(value: Traced, path: tuple[str, ...]) -> Traced:
    for part in path:
        if isinstance(value.value, list):
            items = elements(value)
            value = items[_number(part, len(items) - 1)]
            continue
        found = child(value, part)
        if found is None:
            raise JsonPatchError(f"there is no /{'/'.join(path)}")
        value = found
    return value


def _edited(value: Traced, path: tuple[str, ...], name: str, new: Traced | None) -> Traced:
    if not path:
        if new is None:
            raise JsonPatchError("the whole object cannot be removed")
        return new
    part, rest = path[0], path[1:]
    if isinstance(value.value, list):
        return _edited_list(value, part, rest, name, new)
    if not isinstance(value.value, dict):
        raise JsonPatchError(f"there is nothing that could hold `{part}`")
    found = child(value, part)
    if rest:
        if found is None:
            raise JsonPatchError(f"there is no `{part}` on the way")
        return with_child(value, part, _edited(found, rest, name, new))
    if found is None and name == "remove":  # `replace` sets what is not there (v4 of the library, partialDoc.get)
        raise JsonPatchError(f"there is no `{part}` to remove")
    return with_child(value, part, new)


def _edited_list(value: Traced, part: str, rest: tuple[str, ...], name: str, new: Traced | None) -> Traced:
    items = elements(value)
    place: Place = value.place
    if rest:
        number = _number(part, len(items) - 1)
        return list_of(place, [*items[:number], _edited(items[number], rest, name, new), *items[number + 1 :]])
    if name == "add" and new is not None:
        number = len(items) if part == "-" else _number(part, len(items))
        return list_of(place, [*items[:number], new, *items[number:]])
    number = _number(part, len(items) - 1)
    return list_of(place, [*items[:number], *([new] if new is not None else []), *items[number + 1 :]])


def _number(part: str, last: int) -> int:
    try:
        number = int(part)
    except ValueError:
        raise JsonPatchError(f"`{part}` is no index of a list") from None
    if number < 0:
        number += last + 1
    if not 0 <= number <= last:
        raise JsonPatchError(f"the list has no item {part}")
    return number
