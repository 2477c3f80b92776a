"""Field paths of replacements, such as `spec.containers.[name=web].image`, and the fields they select
(kyaml/yaml/match.go)."""

from __future__ import annotations

import re
from collections.abc import Callable

from quotalint.gitops.kustomize.selector_text import occurs_within
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import mapping, text
from quotalint.named_tuples import NamedTuple

FieldPath = tuple[str, ...]


class FieldPathError(Exception):
    """A path that Kustomize cannot follow."""


class FieldEdit(NamedTuple):
    """How to edit the fields at a path."""

    put: Callable[[Traced], Traced]
    """Returns the new field for the old one."""
    created: Traced | None = None
    """The value for which missing fields are created; None: they are not created."""
    into_text: Callable[[Traced, FieldPath, bool], Traced] | None = None
    """Edits JSON or YAML inside a string. Arguments: the string, the remaining path, whether each step so far was
    exact."""


def split_path(path: str) -> FieldPath:
    r"""The parts of a path. `\.` is a literal dot; dots inside brackets do not split (SmarterPathSplitter)."""
    parts: list[str] = []
    for part in re.split(r"(?<!\\)\.", path.removeprefix(".")):
        if parts and parts[-1].startswith("[") and not parts[-1].endswith("]"):
            parts[-1] += "." + part
        else:
            parts.append(part)
    parts = [part.replace("\\.", ".") for part in parts]
    return tuple(part.strip("[]") if part.startswith("[") and "=" not in part else part for part in parts)


def fields_at(value: Traced, path: FieldPath) -> list[Traced]:
    """The fields that a path selects. Raises FieldPathError and SelectorError."""
    fields: list[Traced] = []

    def note(field: Traced) -> Traced:
        fields.append(field)
        return field

    edited_at(value, path, FieldEdit(note))
    return fields


def edited_at(value: Traced, path: FieldPath, edit: FieldEdit, *, exact: bool = True) -> Traced:
    """The value after editing every field that a path selects. Raises FieldPathError and SelectorError."""
    if not path:
        return edit.put(value)
    part, path_below = path[0], path[1:]
    if isinstance(value.value, list):
        return _edited_list(value, part, path_below, edit, exact=exact)
    if not isinstance(value.value, dict):
        if value.value is None:
            return value
        if isinstance(value.value, str) and edit.into_text is not None:
            return edit.into_text(value, path, exact)
        raise FieldPathError(f"the path continues at `{part}`, below a plain value")
    field = child(value, part)
    if field is None:
        if edit.created is None:
            return value
        field = _new_container(path_below, edit.created)
    return with_child(value, part, edited_at(field, path_below, edit, exact=exact))


def _new_container(path_below: FieldPath, new: Traced) -> Traced:
    if not path_below:
        return Traced([] if isinstance(new.value, list) else {} if isinstance(new.value, dict) else None, new.origin)
    return Traced([] if path_below[0].startswith("[") or _is_index(path_below[0]) else {}, new.place)


def _is_index(part: str) -> bool:
    return part.isascii() and part.isdecimal()


def _edited_list(value: Traced, part: str, path_below: FieldPath, edit: FieldEdit, *, exact: bool) -> Traced:
    items = elements(value)
    if _is_index(part):
        number = int((part.lstrip("0") or "0")[:10])  # a longer number is beyond any list
        if number == len(items) and edit.created is not None:
            items.append(_new_container(path_below, edit.created))
        if number >= len(items):
            raise FieldPathError(f"the list has no item {number}")
        items[number] = edited_at(items[number], path_below, edit, exact=exact)
        return list_of(value.place, items)
    if part == "*":
        if path_below and any(not isinstance(item.value, (dict, list)) for item in items):
            raise FieldPathError(f"the path continues at `{path_below[0]}`, below a plain value")
        return list_of(value.place, [edited_at(item, path_below, edit, exact=False) for item in items])
    field, equals, wanted = part.strip("[]").partition("=")
    if not equals:
        raise FieldPathError(f"`{part}` does not say which item of the list")
    matching = {number for number, item in enumerate(items) if _is_item(item, field, wanted)}
    if not matching and edit.created is not None:
        items.append(Traced({field: wanted} if field else wanted, edit.created.place))
        matching = {len(items) - 1}
    exact = (
        exact
        and len(matching) == 1
        and all(_is_item(items[number], field, wanted, literally=True) for number in matching)
    )
    new = [edited_at(item, path_below, edit, exact=exact) if i in matching else item for i, item in enumerate(items)]
    return list_of(value.place, new)


def _is_item(item: Traced, field: str, wanted: str, *, literally: bool = False) -> bool:
    have = item.value if not field else mapping(item.value).get(field)
    if have is None or isinstance(have, (dict, list)):
        return False
    return text(have) == wanted if literally else occurs_within(wanted, text(have))
