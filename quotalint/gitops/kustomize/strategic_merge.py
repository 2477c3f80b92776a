"""Strategic merge patches, as Kustomize applies them (kyaml/yaml/merge2 and kyaml/yaml/walk, release 5.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from quotalint.data import load_table
from quotalint.gitops.kustomize.merge_elements import Elements
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple

_DIRECTIVE = "$patch"
_DEPTH = 200  # deeper than any object; a patch of a patch cannot grow beyond its parts


class MergeError(Exception):
    """The patch cannot be applied; Kustomize refuses to build."""


class ListRule(NamedTuple):
    """How the lists below a field merge."""

    keys: tuple[str, ...] | None
    """What tells items apart; empty for plain values, None where a list of the patch replaces the whole."""
    type: str


class MergeTypes(NamedTuple):
    """Which lists of which kinds merge."""

    kinds: Mapping[str, str]
    """`apiVersion kind` → type."""
    types: Mapping[str, Mapping[str, ListRule]]

    def type_of(self, body: Body) -> str:
        """The type of an object; empty where it is not known, so that its lists are replaced."""
        return self.kinds.get(f"{text(body.get('apiVersion'))} {text(body.get('kind'))}", "")


@cache
def builtin_types() -> MergeTypes:
    """The kinds of Kubernetes itself, as Kustomize knows them."""
    list_table = load_table("kustomize-lists")
    types = {
        name: {field: _list_rule(mapping(rule)) for field, rule in mapping(fields).items()}
        for name, fields in mapping(list_table["types"]).items()
    }
    return MergeTypes({kind: text(name) for kind, name in mapping(list_table["kinds"]).items()}, types)


def _list_rule(rule: Body) -> ListRule:
    keys = tuple(map(text, sequence(rule["merge"]))) if "merge" in rule else None
    return ListRule(keys, text(rule.get("type")))


def merge_strategically(dest: Traced, patch: Traced, types: MergeTypes) -> Traced | None:
    """The object after the patch; None where the patch deletes it. Raises MergeError."""
    kind = types.type_of(mapping(dest.value)) or types.type_of(mapping(patch.value))
    return _merge_value(dest, patch, ListRule(None, kind), types.types, 0)


_Types = Mapping[str, Mapping[str, ListRule]]


def _merge_value(dest: Traced | None, patch: Traced | None, rule: ListRule, types: _Types, depth: int) -> Traced | None:
    if depth > _DEPTH:
        raise MergeError("it is nested too deeply")
    here = dest if dest is not None and dest.value is not None else patch
    value = here.value if here is not None else None
    for side in (dest, patch):
        if side is not None and side.value is not None and _shape_of(side.value) is not _shape_of(value):
            raise MergeError(f"it has {_shape_words(patch)} where the object has {_shape_words(dest)}")
    if isinstance(value, dict) or value is None:
        return _merge_mapping(dest, patch, rule.type, types, depth)
    if isinstance(value, list) and rule.keys is not None:
        return _merge_associative_list(dest, patch, rule, types, depth)
    return patch if patch is not None else dest


def _shape_of(value: object) -> type:
    return type(value) if isinstance(value, (dict, list)) else object


def _shape_words(traced: Traced | None) -> str:
    shape = _shape_of(traced.value if traced else None)
    return "a mapping" if shape is dict else "a list" if shape is list else "a plain value"


def _merge_mapping(dest: Traced | None, patch: Traced | None, kind: str, types: _Types, depth: int) -> Traced | None:
    directive, patch = _split_directive(patch)
    if dest is None or dest.value is None:
        if directive == "delete" or patch is None:
            return None
        dest = patch
    elif (patch is not None and patch.value is None) or directive == "delete":
        return None
    elif directive == "replace":
        dest = patch or dest
    if not isinstance(dest.value, dict):
        return None
    return _merge_fields(dest, patch if patch is not None and patch is not dest else None, kind, types, depth)


def _merge_fields(dest: Traced, patch: Traced | None, kind: str, types: _Types, depth: int) -> Traced:
    fields = types.get(kind, {})
    unruled = ListRule(None, "")
    result = dest
    for key in mapping(dest.value):
        mine, theirs = child(dest, key), child(patch, key) if patch is not None else None
        rule = fields.get(key, unruled)
        if theirs is None and mine is not None and not _to_settle(mine.value, rule):
            continue
        new = _merge_value(mine, theirs, rule, types, depth + 1)
        new = None if new is not None and new.value is None else new
        if new is not mine:
            result = with_child(result, key, new)
    added = [key for key in mapping(patch.value) if key not in mapping(dest.value)] if patch is not None else []
    for key in added:
        theirs = child(patch, key) if patch is not None else None
        new = _merge_value(None, theirs, fields.get(key, unruled), types, depth + 1)
        if new is not None and new.value is not None:
            result = with_child(result, key, new)
    return result


def _to_settle(value: object, rule: ListRule) -> bool:
    """Whether walking a value alone may change it: nulls go, and lists that merge lose what they hold twice."""
    return value is None or isinstance(value, dict) or (isinstance(value, list) and rule.keys is not None)


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
        dest = patch
        if dest is None:
            return None
    elif patch is not None and patch.value is None:
        return None
    else:
        directive, patch = _split_directive(patch)
        if directive == "delete":
            return None
        if directive == "replace" and patch is not None:
            dest = patch
    walk: Callable[[Traced | None, Traced | None], Traced | None]
    if rule.keys:
        item_rule = ListRule(None, rule.type)
        walk = lambda mine, theirs: _merge_value(mine, theirs, item_rule, types, depth + 1)  # noqa: E731
    else:
        walk = lambda mine, theirs: theirs if theirs is not None else mine  # noqa: E731
    items = Elements(keys, walk).merge_items(elements(dest), elements(patch) if patch is not None else [])
    return list_of(dest.place, items)
