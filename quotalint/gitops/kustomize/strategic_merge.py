"""Strategic merge patches, as Kustomize applies them (kyaml/yaml/merge2 and kyaml/yaml/walk, release 5.8).

Of lists that tell their items apart by keys the items are merged step by step as there (associative_sequence.go;
kyaml/yaml/fns.go, ElementSetter), because what Kustomize does with items that give only some of the keys is what a
cluster is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from quotalint.gitops.kustomize.merge_types import ListRule, MergeTypes
from quotalint.gitops.kustomize.repeated_keys import repeated_key
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child, with_children
from quotalint.kube.fields import mapping, text
from quotalint.named_tuples import NamedTuple

_DIRECTIVE = "$patch"
_DEPTH = 200  # deeper than any object; a patch of a patch cannot grow beyond its parts


class MergeError(Exception):
    """The patch cannot be applied; Kustomize refuses to build."""


def merge_strategically(dest: Traced, patch: Traced, types: MergeTypes) -> Traced | None:
    """The object after the patch; None where the patch deletes it. Raises MergeError."""
    kind = types.type_of(mapping(dest.value)) or types.type_of(mapping(patch.value))
    return _merge_value(dest, patch, ListRule(None, kind), types.types, 0)


_Types = Mapping[str, Mapping[str, ListRule]]


def _merge_value(dest: Traced | None, patch: Traced | None, rule: ListRule, types: _Types, depth: int) -> Traced | None:
    if depth > _DEPTH:
        raise MergeError("it is nested too deeply")
    mine, theirs = dest.value if dest is not None else None, patch.value if patch is not None else None
    if mine is not None and theirs is not None and _shape_of(mine) is not _shape_of(theirs):
        raise MergeError(f"it has {_shape_words(patch)} where the object has {_shape_words(dest)}")
    value = theirs if mine is None else mine
    if isinstance(value, dict) or value is None:
        return _merge_mapping(dest, patch, rule.type, types, depth)
    if isinstance(value, list) and rule.keys is not None:
        return _merge_associative_list(dest, patch, rule, types, depth)
    return _as_written(patch) if patch is not None else dest


def _as_written(patch: Traced) -> Traced:
    """What the object has not, or not any more."""
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
        _as_written(written)
        if _is_settled(patch.value, ListRule(None, kind), types, depth):
            return patch
        dest = patch
    elif (patch is not None and patch.value is None) or directive == "delete":
        return None
    elif directive == "replace" and written is not None:
        _as_written(written)
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
            # Where nothing is patched, this was asked of all that lies around it.
            if not _to_settle(value, rule) or (patched and _is_settled(value, rule, types, depth + 1)):
                continue
        elif patch is not None and depth < _DEPTH and _is_plain(value) and _is_plain(patched[key]):
            changes[key] = child(patch, key)
            continue
        mine, theirs = child(dest, key), child(patch, key) if patch is not None else None
        new = _merge_value(mine, theirs, rule, types, depth + 1)
        if new is not mine:
            changes[key] = None if new is not None and new.value is None else new
    for key in patched:
        if key in own:
            continue
        theirs = child(patch, key) if patch is not None else None
        new = _merge_value(None, theirs, fields.get(key, _UNRULED), types, depth + 1)
        if new is not None and new.value is not None:
            changes[key] = new
    return with_children(dest, changes) if changes else dest


_UNRULED = ListRule(None, "")


def _to_settle(value: object, rule: ListRule) -> bool:
    """Whether walking a value alone may change it: nulls go, and lists that merge lose what they hold twice."""
    return value is None or isinstance(value, dict) or (isinstance(value, list) and rule.keys is not None)


def _is_settled(value: object, rule: ListRule, types: _Types, depth: int) -> bool:
    """Whether walking a value alone surely changes nothing in it, and fails nowhere."""
    if not isinstance(value, dict):
        return not _to_settle(value, rule)
    fields = types.get(rule.type, {})
    for key, item in value.items():
        if not _is_plain(item) and not _is_settled(item, fields.get(key, _UNRULED), types, depth + 1):
            return False
    return depth <= _DEPTH


def _is_plain(value: object) -> bool:
    return value is not None and not isinstance(value, (dict, list))


def _split_directive(patch: Traced | None) -> tuple[str, Traced | None]:
    """What `$patch` asks for, and the patch without it (merge2.determineSmpDirective)."""
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
        dest = _as_written(patch)
    elif patch is not None and patch.value is None:
        return None
    else:
        directive, patch = _split_directive(patch)
        if directive == "delete":
            return None
        if directive == "replace" and patch is not None:
            dest = _as_written(patch)
    walk: Callable[[Traced | None, Traced | None], Traced | None]
    if rule.keys:
        item_rule = ListRule(None, rule.type)
        walk = lambda mine, theirs: _merge_value(mine, theirs, item_rule, types, depth + 1)  # noqa: E731
    else:
        walk = lambda mine, theirs: theirs if theirs is not None else mine  # noqa: E731
    items = Elements(keys, walk).merge_items(elements(dest), elements(patch) if patch is not None else [])
    return list_of(dest.place, items)


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
            # What has not the one key takes all away that has it: upstream looks for it with an empty value, finds it
            # nowhere, and removes what matches that (ElementSetter).
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
