"""Values copied from one object into others (api/filters/replacement)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from quotalint.gitops.kustomize.label_selectors import labels_match
from quotalint.gitops.kustomize.patterns import matches, occurs
from quotalint.gitops.kustomize.resources import Id, Resource
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.text.scalars import UnreadableError, plain


class ReplacementError(Exception):
    """A replacement that Kustomize refuses, or that is not done here."""


def replaced(resources: Sequence[Resource], replacement: Traced) -> list[Resource]:
    """The resources after one entry of `replacements`. Raises ReplacementError and SelectorError."""
    body = mapping(replacement.value)
    targets = sequence(body.get("targets"))
    if not targets:
        raise ReplacementError("the replacement has no targets")
    value = _value(resources, replacement)
    result = list(resources)
    for target in map(mapping, targets):
        select = mapping(target.get("select"))
        if "select" not in target:
            raise ReplacementError("a target has no select")
        rejects = [mapping(reject) for reject in sequence(target.get("reject"))]
        for number, one in enumerate(result):
            if _chosen(one, select, rejects):
                result[number] = _written(one, target, value)
    return result


def _value(resources: Sequence[Resource], replacement: Traced) -> Traced:
    written = child(replacement, "sourceValue")
    if written is not None:
        return Traced(text(written.value), written.origin)
    source = mapping(mapping(replacement.value).get("source"))
    if not source:
        raise ReplacementError("the replacement has no source")
    found = [one for one in resources if any(_is_source(other, source) for other in one.ids)]
    name = f"{text(source.get('kind')) or 'object'} {text(source.get('name'))}".strip()
    if len(found) != 1:
        raise ReplacementError(f"its source, {name}, {'is not there' if not found else 'could be several objects'}")
    path = text(source.get("fieldPath")) or "metadata.name"
    values = _at(found[0].traced, _split(path))
    if not values or values[0].value in (None, "", {}, []):
        raise ReplacementError(f"its source, {name}, has no {path}")
    options = mapping(source.get("options"))
    delimiter = text(options.get("delimiter"))
    if not delimiter:
        return values[0]
    parts = text(values[0].value).split(delimiter)
    number = _index(options)
    if not 0 <= number < len(parts):
        raise ReplacementError(f"its source has no part {number}")
    return Traced(parts[number], values[0].origin)


def _is_source(one: Id, source: Body) -> bool:
    wanted = (text(source.get(field)) for field in ("group", "version", "kind"))
    namespace = text(source.get("namespace"))
    return (
        all(not value or value == have for value, have in zip(wanted, one.kind, strict=True))
        and text(source.get("name")) in ("", one.name)
        and (not namespace or namespace == one.effective)
    )


def _chosen(one: Resource, select: Body, rejects: Sequence[Body]) -> bool:
    if not _labelled(one, select):
        return False
    for reject in rejects:
        if (reject.get("labelSelector") or reject.get("annotationSelector")) and _labelled(one, reject):
            return False
        if any(reject.get(field) for field in _ID) and any(_matches(other, reject) for other in one.ids):
            return False
    return any(_matches(other, select) for other in one.ids)


_ID = ("group", "version", "kind", "name", "namespace")


def _labelled(one: Resource, select: Body) -> bool:
    return labels_match(text(select.get("labelSelector")), mapping(one.metadata.get("labels"))) and labels_match(
        text(select.get("annotationSelector")), mapping(one.metadata.get("annotations"))
    )


def _matches(one: Id, select: Body) -> bool:
    have = (*one.kind, one.name, one.namespace)
    wanted = (text(select.get(field)) for field in _ID)
    return all(not written or matches(written, value) for written, value in zip(wanted, have, strict=True))


def _written(one: Resource, target: Body, value: Traced) -> Resource:
    options = mapping(target.get("options"))
    traced = one.traced
    for path in [text(item) for item in sequence(target.get("fieldPaths"))] or ["metadata.name"]:
        found = 0

        def put(field: Traced) -> Traced:
            nonlocal found
            found += 1
            return _put(field, value, options)

        traced = _updated(traced, _split(path), put, options.get("create") is True, value)
        if not found:
            raise ReplacementError(f"{one.id.kind.kind} {one.id.name} has no field {path}")
    return one.changed(traced)._replace(patches=(*one.patches, value.place))


def _put(field: Traced, value: Traced, options: Body) -> Traced:
    new = value.value
    delimiter = text(options.get("delimiter"))
    if delimiter:
        if isinstance(field.value, (dict, list)):
            raise ReplacementError("a delimiter is for plain values only")
        parts = text(field.value).split(delimiter)
        number = _index(options)
        if number < 0:
            parts.insert(0, text(new))
        elif number >= len(parts):
            parts.append(text(new))
        else:
            parts[number] = text(new)
        new = delimiter.join(parts)
    if isinstance(field.value, str) and not isinstance(new, (dict, list)):
        new = text(new)  # a string stays one, whatever is put into it
    elif not isinstance(field.value, (dict, list)) and isinstance(new, str):
        new = _resolved(new)
    return Traced(new, value.origin)


def _resolved(written: str) -> object:
    try:
        return plain[written]
    except UnreadableError:
        return written


def _index(options: Body) -> int:
    number = options.get("index", 0)
    return number if isinstance(number, int) else 0


def _split(path: str) -> tuple[str, ...]:
    r"""`spec.containers.[name=a.b].image` in parts; `\.` is a dot, and so is one in brackets (SmarterPathSplitter)."""
    parts: list[str] = []
    for part in re.split(r"(?<!\\)\.", path.removeprefix(".")):
        if parts and parts[-1].startswith("[") and not parts[-1].endswith("]"):
            parts[-1] += "." + part
        else:
            parts.append(part)
    parts = [part.replace("\\.", ".") for part in parts]
    return tuple(part.strip("[]") if part.startswith("[") and "=" not in part else part for part in parts)


def _at(value: Traced, path: tuple[str, ...]) -> list[Traced]:
    found: list[Traced] = []

    def note(field: Traced) -> Traced:
        found.append(field)
        return field

    _updated(value, path, note, False, value)
    return found


def _updated(
    value: Traced, path: tuple[str, ...], put: Callable[[Traced], Traced], create: bool, new: Traced
) -> Traced:
    """The object with every field at the path replaced (kyaml/yaml/match.go, PathMatcher)."""
    if not path:
        return put(value)
    part, rest = path[0], path[1:]
    if isinstance(value.value, list):
        return _updated_list(value, part, rest, put, create, new)
    if not isinstance(value.value, dict):
        if value.value is not None:
            raise ReplacementError("the path leads into text, which is not looked into here")
        return value
    found = child(value, part)
    if found is None:
        if not create:
            return value
        found = _made(rest, new)
    changed = _updated(found, rest, put, create, new)
    return with_child(value, part, changed)


def _made(rest: tuple[str, ...], new: Traced) -> Traced:
    if not rest:
        return Traced([] if isinstance(new.value, list) else {} if isinstance(new.value, dict) else None, new.origin)
    return Traced([] if rest[0].startswith("[") or rest[0].isdecimal() else {}, new.place)


def _updated_list(
    value: Traced, part: str, rest: tuple[str, ...], put: Callable[[Traced], Traced], create: bool, new: Traced
) -> Traced:
    items = elements(value)
    if part.isdecimal():
        number = int(part)
        if number == len(items) and create:
            items.append(_made(rest, new))
        if number >= len(items):
            raise ReplacementError(f"the list has no item {number}")
        items[number] = _updated(items[number], rest, put, create, new)
        return list_of(value.place, items)
    if part == "*":
        return list_of(value.place, [_updated(item, rest, put, create, new) for item in items])
    field, equals, wanted = part.strip("[]").partition("=")
    if not equals:
        raise ReplacementError(f"`{part}` does not say which item of the list")
    matching = {number for number, item in enumerate(items) if _is_item(item, field, wanted)}
    if not matching and create:
        items.append(Traced({field: wanted} if field else wanted, new.place))
        matching = {len(items) - 1}
    changed = [_updated(one, rest, put, create, new) if i in matching else one for i, one in enumerate(items)]
    return list_of(value.place, changed)


def _is_item(item: Traced, field: str, wanted: str) -> bool:
    have = item.value if not field else mapping(item.value).get(field)
    if have is None or isinstance(have, (dict, list)):
        return False
    return occurs(wanted, text(have))
