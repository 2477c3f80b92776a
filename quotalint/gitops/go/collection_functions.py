"""sprig's list and map functions (github.com/Masterminds/sprig 3.3, list.go and dict.go)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.gitops.go.hidden import HiddenValue, TemplateMap
from quotalint.gitops.go.number_functions import integer_of
from quotalint.gitops.go.values import MAX_DEPTH, GoError, Implementation, StringMap, go_text, is_true, type_name, walk


def deeply_equal(first: object, second: object, depth: int = 0) -> bool:
    """reflect.DeepEqual: numbers of different types are not equal."""
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(1)
    if isinstance(first, dict) and isinstance(second, dict):
        if isinstance(first, StringMap) != isinstance(second, StringMap) or first.keys() != second.keys():
            return False
        return all(deeply_equal(value, second[key], depth + 1) for key, value in first.items())
    if isinstance(first, list) and isinstance(second, list):
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(deeply_equal(left, right, depth + 1) for left, right in pairs)
    return type_name(first) == type_name(second) and first == second


def _list_argument(value: object) -> list[object]:
    if not isinstance(value, list):
        raise GoError(f"expected a list, not {type_name(value)}")
    return value


def _on_list(implementation: Callable[[list[object]], object]) -> Implementation:
    return lambda value: implementation(_list_argument(value))


def _unique_items(value: list[object]) -> list[object]:
    result: list[object] = []
    for item in value:
        if len(result) > 2000:
            raise GoError("a list grows too long")
        if not any(deeply_equal(item, other) for other in result):
            result.append(item)
    return result


def _slice_items(value: object, *indices: object) -> object:
    """sprig's `slice`, which replaces Go's."""
    items = _list_argument(value)
    if not items:
        return None
    begin = integer_of(indices[0]) if indices else 0
    end = integer_of(indices[1]) if len(indices) > 1 else len(items)
    if not 0 <= begin <= end <= len(items):
        raise GoError(f"there are no items {begin} to {end} in a list of {len(items)}")
    return items[begin:end]


def _chunks_of(size: int, value: object) -> list[object]:
    items = _list_argument(value)
    if size <= 0:
        raise GoError(f"there are no chunks of {size}")
    walk(len(items) // size)
    return [items[at : at + size] for at in range(0, len(items), size)]


def _concatenate_lists(*lists: object) -> list[object]:
    result = [item for items in lists for item in _list_argument(items)]
    if len(result) > 100_000:
        raise GoError("a list grows too long")
    return result


def _make_map(*pairs: object) -> TemplateMap:
    keys = [go_text(key) for key in pairs[::2]]
    values = [*pairs[1::2], *([""] if len(pairs) % 2 else [])]
    return TemplateMap(zip(keys, values, strict=True))


def _require_changeable(value: Mapping[str, object]) -> TemplateMap:
    if not isinstance(value, TemplateMap):
        raise GoError("a template that changes its parameters is not supported here")
    return value


def _set_key(value: Mapping[str, object], key: str, new: object) -> object:
    target = _require_changeable(value)
    if _holds_target(new, target, 0):
        raise GoError("a map that contains itself is not supported here")
    target[key] = new
    return target


def _holds_target(value: object, target: TemplateMap, depth: int) -> bool:
    if value is target or depth > MAX_DEPTH:
        return True
    walk(1)
    below = value.values() if isinstance(value, TemplateMap) else value if isinstance(value, list) else ()
    return any(_holds_target(other, target, depth + 1) for other in below)


def _unset_key(value: Mapping[str, object], key: str) -> object:
    _require_changeable(value).pop(key, None)
    return value


def _merge_function(*, wins: bool) -> Implementation:
    """A function that merges maps into the first one, nested maps included; `wins`: later maps override earlier
    ones."""

    def merge(first: Mapping[str, object], *others: Mapping[str, object]) -> object:
        target = _require_changeable(first)
        for other in others:
            merged = _merge_maps(target, other, wins=wins, depth=0)
            target.clear()
            target.update(merged)
            target.hidden_as = merged.hidden_as
        return target

    return merge


def _merge_maps(base: Mapping[str, object], over: Mapping[str, object], depth: int, *, wins: bool) -> TemplateMap:
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(1 + len(base) + len(over))
    result = TemplateMap(base)
    result.hidden_as = getattr(base, "hidden_as", "") or getattr(over, "hidden_as", "")
    for key, value in over.items():
        below = result.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            result[key] = _merge_maps(below, value, wins=wins, depth=depth + 1)
        elif wins or not is_true(below):
            result[key] = value
    return result


def _deep_copy(value: object) -> object:
    if value is None:
        raise GoError("there is nothing to copy")
    return _copy_deeply(value)


def _copy_deeply(value: object, depth: int = 0) -> object:
    if depth > MAX_DEPTH:
        raise GoError("a value is nested too deeply")
    walk(8)
    if isinstance(value, StringMap):
        return StringMap(value)
    if isinstance(value, dict):
        return TemplateMap({key: _copy_deeply(below, depth + 1) for key, below in value.items()})
    return [_copy_deeply(below, depth + 1) for below in value] if isinstance(value, list) else value


def _dig_value(*arguments: object) -> object:
    if len(arguments) < 3:
        raise GoError("dig needs at least three arguments")
    *keys, default, reached = arguments
    for key in keys:
        if not isinstance(reached, dict) or isinstance(reached, StringMap):
            raise GoError(f"dig finds {type_name(reached)} where it needs a map")
        if not isinstance(key, str):
            raise GoError("dig needs strings as keys")
        if key not in reached:
            return default
        reached = reached[key]
    return reached


def _has_key(value: Mapping[str, object], key: str) -> object:
    """Whether a map has a key. If part of the map is not in view, the answer is hidden, probably false."""
    hidden_as = getattr(value, "hidden_as", "")
    return (
        HiddenValue(f"{hidden_as}.{key}", likely=False, expected=True)
        if hidden_as and key not in value
        else key in value
    )


def _value_or_default(default: object, *values: object) -> object:
    return values[0] if values and is_true(values[0]) else default


def _kind_name(value: object) -> str:
    if value is None:
        return "invalid"
    name = type_name(value)
    return "map" if name.startswith("map") else "slice" if name.startswith("[]") else name


_FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "default": ("aa*", _value_or_default),
    "coalesce": ("a*", lambda *all_: next((argument for argument in all_ if is_true(argument)), None)),
    "all": ("a*", lambda *all_: all(map(is_true, all_))),
    "any": ("a*", lambda *all_: any(map(is_true, all_))),
    "list": ("a*", lambda *all_: list(all_)),
    "tuple": ("a*", lambda *all_: list(all_)),
    "first": ("a", _on_list(lambda items: items[0] if items else None)),
    "last": ("a", _on_list(lambda items: items[-1] if items else None)),
    "rest": ("a", _on_list(lambda items: items[1:])),
    "initial": ("a", _on_list(lambda items: items[:-1])),
    "reverse": ("a", _on_list(lambda items: items[::-1])),
    "uniq": ("a", _on_list(_unique_items)),
    "compact": ("a", _on_list(lambda items: [item for item in items if is_true(item)])),
    "append": ("aa", lambda items, item: [*_list_argument(items), item]),
    "push": ("aa", lambda items, item: [*_list_argument(items), item]),
    "prepend": ("aa", lambda items, item: [item, *_list_argument(items)]),
    "without": (
        "aa*",
        lambda items, *no: [
            item for item in _list_argument(items) if not any(deeply_equal(item, other) for other in no)
        ],
    ),
    "has": (
        "aa",
        lambda item, items: items is not None and any(deeply_equal(item, other) for other in _list_argument(items)),
    ),
    "slice": ("aa*", _slice_items),
    "chunk": ("ia", _chunks_of),
    "concat": ("a*", _concatenate_lists),
    "dict": ("a*", _make_map),
    "get": ("ms", lambda value, key: value.get(key, "")),
    "set": ("msa", _set_key),
    "unset": ("ms", _unset_key),
    "hasKey": ("ms", _has_key),
    "pluck": ("sm*", lambda key, *maps: [dictionary[key] for dictionary in maps if key in dictionary]),
    "keys": ("m*", lambda *maps: [key for dictionary in maps for key in sorted(dictionary)]),
    "values": ("m", lambda value: [value[key] for key in sorted(value)]),
    "pick": ("ms*", lambda value, *keys: TemplateMap({key: value[key] for key in keys if key in value})),
    "omit": ("ms*", lambda value, *keys: TemplateMap({key: below for key, below in value.items() if key not in keys})),
    "merge": ("mm*", _merge_function(wins=False)),
    "mergeOverwrite": ("mm*", _merge_function(wins=True)),
    "deepCopy": ("a", _deep_copy),
    "dig": ("a*", _dig_value),
    "deepEqual": ("aa", deeply_equal),
    "kindOf": ("a", _kind_name),
    "kindIs": ("sa", lambda kind, value: _kind_name(value) == kind),
    "typeOf": ("a", type_name),
    "typeIs": ("sa", lambda name, value: type_name(value) == name),
}

_MUST = ("first", "last", "rest", "initial", "reverse", "uniq", "compact", "append", "push", "prepend", "without")
_MUST_TOO = ("has", "slice", "chunk", "merge", "mergeOverwrite", "deepCopy")

FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    **_FUNCTIONS,
    **{f"must{name[0].upper()}{name[1:]}": _FUNCTIONS[name] for name in (*_MUST, *_MUST_TOO)},
}
