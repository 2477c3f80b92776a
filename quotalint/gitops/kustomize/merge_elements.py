"""Merging the items of two lists that tell their items apart by keys.

Follows kyaml/yaml/walk/associative_sequence.go and ElementSetter of kyaml/yaml/fns.go step by step, because what they
do with items that give only some of the keys is what a cluster is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from quotalint.gitops.kustomize.traced import Traced, with_child
from quotalint.kube.fields import text
from quotalint.named_tuples import NamedTuple

_Values = tuple[str, ...]
_PLAIN = ("",)  # the key of a list of plain values: the value itself


class Elements(NamedTuple):
    """How the items of one list merge."""

    keys: tuple[str, ...]
    walk: Callable[[Traced | None, Traced | None], Traced | None]
    """An item of the object and its counterpart in the patch → the merged item; None: it is deleted."""

    def merge_items(self, dest: Sequence[Traced], patch: Sequence[Traced]) -> list[Traced]:
        """The items of the patch first, in its order, then the others (MergeOptionsListPrepend)."""
        if len(self.keys) == 1:
            dest_by_text, patch_by_text = _by_text(dest, self.keys[0]), _by_text(patch, self.keys[0])
            if dest_by_text is not None and patch_by_text is not None:
                return list(self._merge_distinct_items(dest_by_text, patch_by_text))
        return self._merge_any_items(dest, patch)

    def _merge_distinct_items(self, dest: Mapping[str, Traced], patch: Mapping[str, Traced]) -> Iterator[Traced]:
        """What upstream's way comes to where one key tells the items of each list apart, as it nearly always does: in
        time that grows with the lists, not with their product."""
        for text_of_key in {**patch, **dest}:
            mine, theirs = dest.get(text_of_key), patch.get(text_of_key)
            item = self.walk(mine, theirs)
            if item is None or item.value in (None, {}):
                continue
            if mine is not None and (not isinstance(mine.value, dict) or (theirs and _replaces_item(theirs))):
                item = mine
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
            mine, theirs = _first_with_values(elements_left, valid, chosen), _first_with_values(patch, valid, chosen)
            item = self.walk(mine, theirs)
            if item is None or item.value in (None, {}):
                elements_left = _set_items(elements_left, valid, chosen, None)
                continue
            for key, value in zip(valid, chosen, strict=True):
                if value and isinstance(item.value, dict) and key not in item.value:
                    item = with_child(item, key, Traced(value, item.origin))
            if mine is not None and isinstance(mine.value, dict) and not (theirs and _replaces_item(theirs)):
                elements_left = [item if element is mine else element for element in elements_left]
            new = _set_items(new, valid, chosen, item)
        return self._append_elements(new, elements_left, valid) if wanted else elements_left

    def _key_values(self, items: Sequence[Traced]) -> Iterator[_Values]:
        for item in items:
            values = tuple(_field_text(item, key) or "" for key in self.keys)
            if self.keys == _PLAIN or any(values):
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
    """The items by what tells them apart; None where something of them is empty or given twice."""
    items_by_text = {text_of_key: item for item in items if (text_of_key := _field_text(item, key))}
    return items_by_text if len(items_by_text) == len(items) else None


def _field_text(item: Traced, key: str) -> str | None:
    """The text of a field; None where there is none. The empty key is the item itself."""
    if not key:
        return None if isinstance(item.value, (dict, list)) else text(item.value)
    if isinstance(item.value, dict) and item.value.get(key) is not None:
        return text(item.value[key])
    return None


def _join_agreeing(wanted: list[_Values]) -> list[_Values]:
    """Values that agree where both say something are the same item (mergeValues)."""
    wanted = list(wanted)
    for first, values in enumerate(wanted):
        for second, other_values in enumerate(wanted):
            pairs = list(zip(values, other_values, strict=True))
            if any(a == b for a, b in pairs) and all(a == b or not a or not b for a, b in pairs):
                wanted[first] = wanted[second] = tuple(a or b for a, b in pairs)
                values = wanted[first]
    return wanted


def _first_with_values(items: Sequence[Traced], keys: tuple[str, ...], values: _Values) -> Traced | None:
    """The first item with these values, of which empty ones do not matter (ElementList)."""
    wanted = [(key, value) for key, value in zip(keys, values, strict=True) if value] or [(keys[0], values[0])]
    for item in items:
        if all(_field_text(item, key) == value for key, value in wanted):
            return item
    return None


def _set_items(items: Sequence[Traced], keys: tuple[str, ...], values: _Values, new: Traced | None) -> list[Traced]:
    """Every item with these values replaced, or removed; appended where there is none (ElementSetter)."""
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
    # With fewer values than keys the remaining keys are not looked at, as upstream.
    for key, value in zip(keys, values, strict=False):
        have = _field_text(item, key)
        if have is None or (value and have != value):
            return False
    return bool(values)


def _replaces_item(patch: Traced) -> bool:
    """An item that a patch replaces as a whole: upstream puts the old one back (appendListNode)."""
    return isinstance(patch.value, dict) and patch.value.get("$patch") == "replace"
