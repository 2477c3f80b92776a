"""Strategic merge patches, as Kustomize applies them (kyaml/yaml/merge2 and kyaml/yaml/walk, release 5.8).

Lists with merge keys follow Kustomize step by step (associative_sequence.go; kyaml/yaml/fns.go, ElementSetter). Its
results for items that lack some keys are what the cluster receives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from quotalint.gitops.kustomize.merge_types import ListRule, MergeTypes
from quotalint.gitops.kustomize.repeated_keys import repeated_key
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child, with_children
from quotalint.kube.fields import mapping, text
from quotalint.named_tuples import NamedTuple

_DIRECTIVE = "$patch"
_DEPTH = 200  # deeper than any object; merging cannot nest deeper than its inputs


class MergeError(Exception):
    """Kustomize refuses to build because the patch cannot be applied."""


def merge_strategically(dest: Traced, patch: Traced, types: MergeTypes) -> Traced | None:
    """The object after a strategic merge patch; None if the patch deletes it. Raises MergeError."""
    kind = types.type_of(mapping(dest.value)) or types.type_of(mapping(patch.value))
    return _merge_value(dest, patch, ListRule(None, kind), types.types, 0)


_Types = Mapping[str, Mapping[str, ListRule]]


def _merge_value(dest: Traced | None, patch: Traced | None, rule: ListRule, types: _Types, depth: int) -> Traced | None:
    if depth > _DEPTH:
        raise MergeError("it is nested too deeply")
    dest_value, patch_value = dest.value if dest is not None else None, patch.value if patch is not None else None
    if dest_value is not None and patch_value is not None and _shape_of(dest_value) is not _shape_of(patch_value):
        raise MergeError(f"it has {_shape_words(patch)} where the object has {_shape_words(dest)}")
    value = patch_value if dest_value is None else dest_value
    if isinstance(value, dict) or value is None:
        return _merge_mapping(dest, patch, rule.type, types, depth)
    if isinstance(value, list) and rule.keys is not None:
        return _merge_associative_list(dest, patch, rule, types, depth)
    return _check_repeated_keys(patch) if patch is not None else dest


def _check_repeated_keys(patch: Traced) -> Traced:
    """The part of a patch that the object lacks or replaces. Raises MergeError for a repeated key."""
    key = repeated_key(patch.value) if isinstance(patch.value, (dict, list)) else ""
    if key:
        raise MergeError(f"it gives the key `{key}` twice, in what the object does not have")
    return patch


def _shape_of(value: object) -> type:
    return dict if isinstance(value, dict) else list if isinstance(value, list) else object


def _shape_words(traced: Traced | None) -> str:
    shape = _shape_of(traced.value if traced else None)
    return "a mapping" if shape is dict else "a list" if shape is list else "a plain value"


def _merge_mapping(dest: Traced | None, patch: Traced | None, kind: str, types: _Types, depth: int) -> Traced | None:
    written = patch
    directive, patch = _split_directive(patch)
    if dest is None or dest.value is None:
        if directive == "delete" or patch is None or written is None:
            return None
        _check_repeated_keys(written)
        if _is_normalized(patch.value, ListRule(None, kind), types, depth):
            return patch
        dest = patch
    elif (patch is not None and patch.value is None) or directive == "delete":
        return None
    elif directive == "replace" and written is not None:
        _check_repeated_keys(written)
        dest = patch or dest
    if not isinstance(dest.value, dict):
        return None
    return _merge_fields(dest, patch if patch is not None and patch is not dest else None, kind, types, depth)


def _merge_fields(dest: Traced, patch: Traced | None, kind: str, types: _Types, depth: int) -> Traced:
    fields = types.get(kind, {})
    own, patched = mapping(dest.value), mapping(patch.value) if patch is not None else {}
    changes: dict[str, Traced | None] = {}
    for key, value in own.items():
        rule = fields.get(key, _UNRULED)
        if key not in patched:
            # If nothing is patched, the enclosing mapping was already checked.
            if not _may_normalize(value, rule) or (patched and _is_normalized(value, rule, types, depth + 1)):
                continue
        elif patch is not None and depth < _DEPTH and _is_plain(value) and _is_plain(patched[key]):
            changes[key] = child(patch, key)
            continue
        dest_child, patch_child = child(dest, key), child(patch, key) if patch is not None else None
        new = _merge_value(dest_child, patch_child, rule, types, depth + 1)
        if new is not dest_child:
            changes[key] = None if new is not None and new.value is None else new
    for key in patched:
        if key in own:
            continue
        patch_child = child(patch, key) if patch is not None else None
        new = _merge_value(None, patch_child, fields.get(key, _UNRULED), types, depth + 1)
        if new is not None and new.value is not None:
            changes[key] = new
    return with_children(dest, changes) if changes else dest


_UNRULED = ListRule(None, "")


def _may_normalize(value: object, rule: ListRule) -> bool:
    """Whether merging a value with nothing may change it: nulls are removed, and merge lists lose repeated items."""
    return value is None or isinstance(value, dict) or (isinstance(value, list) and rule.keys is not None)


def _is_normalized(value: object, rule: ListRule, types: _Types, depth: int) -> bool:
    """Whether merging a value with nothing surely changes nothing and raises no error."""
    if not isinstance(value, dict):
        return not _may_normalize(value, rule)
    fields = types.get(rule.type, {})
    for key, item in value.items():
        if not _is_plain(item) and not _is_normalized(item, fields.get(key, _UNRULED), types, depth + 1):
            return False
    return depth <= _DEPTH


def _is_plain(value: object) -> bool:
    return value is not None and not isinstance(value, (dict, list))


def _split_directive(patch: Traced | None) -> tuple[str, Traced | None]:
    """The `$patch` directive, and the patch without it (merge2.determineSmpDirective)."""
    if patch is None:
        return "merge", None
    if isinstance(patch.value, dict) and _DIRECTIVE in patch.value:
        return _known_directive(text(patch.value[_DIRECTIVE])), with_child(patch, _DIRECTIVE, None)
    if isinstance(patch.value, list):
        for item in patch.value:
            if isinstance(item, dict) and set(item) == {_DIRECTIVE}:
                other_elements = [element for element in elements(patch) if element.value is not item]
                return _known_directive(text(item[_DIRECTIVE])), list_of(patch.place, other_elements)
    return "merge", patch


def _known_directive(directive: str) -> str:
    if directive not in ("merge", "replace", "delete"):
        raise MergeError(f"unknown patch strategy `{directive}`")
    return directive


def _merge_associative_list(
    dest: Traced | None, patch: Traced | None, rule: ListRule, types: _Types, depth: int
) -> Traced | None:
    keys = rule.keys or ("",)
    if dest is None or dest.value is None:
        if patch is None:
            return None
        dest = _check_repeated_keys(patch)
    elif patch is not None and patch.value is None:
        return None
    else:
        directive, patch = _split_directive(patch)
        if directive == "delete":
            return None
        if directive == "replace" and patch is not None:
            dest = _check_repeated_keys(patch)
    walk: Callable[[Traced | None, Traced | None], Traced | None]
    if rule.keys:
        item_rule = ListRule(None, rule.type)
        walk = lambda dest_item, patch_item: _merge_value(dest_item, patch_item, item_rule, types, depth + 1)  # noqa: E731
    else:
        walk = lambda dest_item, patch_item: patch_item if patch_item is not None else dest_item  # noqa: E731
    items = Elements(keys, walk).merge_items(elements(dest), elements(patch) if patch is not None else [])
    return list_of(dest.place, items)


_Values = tuple[str, ...]
_PLAIN = ("",)  # the merge key of a plain value is the value itself


class Elements(NamedTuple):
    """Merges the items of one list."""

    keys: tuple[str, ...]
    walk: Callable[[Traced | None, Traced | None], Traced | None]
    """Takes an item of the object and its counterpart in the patch; returns the merged item, None if it is deleted."""

    def merge_items(self, dest: Sequence[Traced], patch: Sequence[Traced]) -> list[Traced]:
        """The merged items: those of the patch first, in its order, then the others (MergeOptionsListPrepend)."""
        if len(self.keys) == 1:
            dest_by_text, patch_by_text = _by_text(dest, self.keys[0]), _by_text(patch, self.keys[0])
            if dest_by_text is not None and patch_by_text is not None:
                return list(self._merge_distinct_items(dest_by_text, patch_by_text))
        return self._merge_any_items(dest, patch)

    def _merge_distinct_items(self, dest: Mapping[str, Traced], patch: Mapping[str, Traced]) -> Iterator[Traced]:
        """Merge two lists whose items have distinct keys, as nearly all do. Same result as upstream's algorithm, in
        linear time."""
        for text_of_key in {**patch, **dest}:
            dest_item, patch_item = dest.get(text_of_key), patch.get(text_of_key)
            item = self.walk(dest_item, patch_item)
            if item is None or item.value in (None, {}):
                continue
            if dest_item is not None and (
                not isinstance(dest_item.value, dict) or (patch_item and _replaces_item(patch_item))
            ):
                item = dest_item
            yield item

    def _merge_any_items(self, dest: Sequence[Traced], patch: Sequence[Traced]) -> list[Traced]:
        wanted = list(dict.fromkeys((*self._key_values(patch), *self._key_values(dest))))
        if len(self.keys) > 1:
            wanted = _join_agreeing(wanted)
        valid = tuple(key for number, key in enumerate(self.keys) if any(values[number] for values in wanted))
        valid = valid or self.keys
        elements_left = list(dest)
        new: list[Traced] = []
        for values in wanted:
            chosen = tuple(value for key, value in zip(self.keys, values, strict=True) if key in valid)
            dest_item, patch_item = (
                _first_with_values(elements_left, valid, chosen),
                _first_with_values(patch, valid, chosen),
            )
            item = self.walk(dest_item, patch_item)
            if item is None or item.value in (None, {}):
                elements_left = _set_items(elements_left, valid, chosen, None)
                continue
            for key, value in zip(valid, chosen, strict=True):
                if value and isinstance(item.value, dict) and key not in item.value:
                    item = with_child(item, key, Traced(value, item.origin))
            if (
                dest_item is not None
                and isinstance(dest_item.value, dict)
                and not (patch_item and _replaces_item(patch_item))
            ):
                elements_left = [item if element is dest_item else element for element in elements_left]
            new = _set_items(new, valid, chosen, item)
        return self._append_elements(new, elements_left, valid) if wanted else elements_left

    def _key_values(self, items: Sequence[Traced]) -> Iterator[_Values]:
        for item in items:
            values = tuple(_field_text(item, key) or "" for key in self.keys)
            # An item without the single key removes every item that has it. Upstream searches for an empty value, finds
            # nothing, and removes all matches (ElementSetter).
            if self.keys == _PLAIN or any(values) or (len(self.keys) == 1 and isinstance(item.value, dict)):
                yield values

    @staticmethod
    def _append_elements(items: list[Traced], unmatched: Sequence[Traced], keys: tuple[str, ...]) -> list[Traced]:
        for element in unmatched:
            values = []
            for key in keys:
                value = _field_text(element, key)
                if value is None:
                    items = [*items, element]
                else:
                    values.append(value)
            if not values:
                continue
            if len(keys) > 1:
                items = _set_items(items, keys, tuple(values), None)
            items = _set_items(items, keys, tuple(values), element)
        return items


def _by_text(items: Sequence[Traced], key: str) -> dict[str, Traced] | None:
    """The items by merge key; None if a key is empty or repeated."""
    items_by_text = {text_of_key: item for item in items if (text_of_key := _field_text(item, key))}
    return items_by_text if len(items_by_text) == len(items) else None


def _field_text(item: Traced, key: str) -> str | None:
    """A field as text; None if absent. The empty key means the item itself."""
    if not key:
        return None if isinstance(item.value, (dict, list)) else text(item.value)
    if isinstance(item.value, dict) and item.value.get(key) is not None:
        return text(item.value[key])
    return None


def _join_agreeing(wanted: list[_Values]) -> list[_Values]:
    """The key values with entries joined that agree wherever both have a value (mergeValues)."""
    wanted = list(wanted)
    for first, values in enumerate(wanted):
        for second, other_values in enumerate(wanted):
            pairs = list(zip(values, other_values, strict=True))
            if any(a == b for a, b in pairs) and all(a == b or not a or not b for a, b in pairs):
                wanted[first] = wanted[second] = tuple(a or b for a, b in pairs)
                values = wanted[first]
    return wanted


def _first_with_values(items: Sequence[Traced], keys: tuple[str, ...], values: _Values) -> Traced | None:
    """The first item with these key values; empty values are ignored (ElementList)."""
    wanted = [(key, value) for key, value in zip(keys, values, strict=True) if value] or [(keys[0], values[0])]
    for item in items:
        if all(_field_text(item, key) == value for key, value in wanted):
            return item
    return None


def _set_items(items: Sequence[Traced], keys: tuple[str, ...], values: _Values, new: Traced | None) -> list[Traced]:
    """The items with every match replaced by `new`, or removed if it is None; `new` is appended if nothing matches
    (ElementSetter)."""
    result = []
    is_there = False
    for item in items:
        if item.value in (None, {}):
            continue
        if _item_matches(item, keys, values):
            is_there = True
            if new is not None:
                result.append(new)
        else:
            result.append(item)
    if new is not None and not is_there:
        result.append(new)
    return result


def _item_matches(item: Traced, keys: tuple[str, ...], values: _Values) -> bool:
    # As upstream, keys without a value are ignored.
    for key, value in zip(keys, values, strict=False):
        have = _field_text(item, key)
        if have is None or (value and have != value):
            return False
    return bool(values)


def _replaces_item(patch: Traced) -> bool:
    """Whether a patch replaces an item as a whole; upstream restores the old item (appendListNode)."""
    return isinstance(patch.value, dict) and patch.value.get("$patch") == "replace"
