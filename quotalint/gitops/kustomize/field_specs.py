"""The fields, by kind, that a transformer writes to (api/filters/fieldspec, api/types/fieldspec.go)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_table


class FieldSpec(NamedTuple):
    """A field path, and the kinds of objects to which it applies."""

    path: tuple[str, ...]
    kind: GroupVersionKind
    create: bool
    """Whether to create the field if it is missing."""


class NameReference(NamedTuple):
    """The fields that hold the name of an object of one kind."""

    target: GroupVersionKind
    referrers: tuple[FieldSpec, ...]


@cache
def field_specs(transformer: str) -> tuple[FieldSpec, ...]:
    """The built-in fields of a transformer such as `commonLabels`."""
    rows = (sequence(row) for row in sequence(load_table("kustomize-fields")[transformer]))
    return tuple(FieldSpec(split_path(text(path)), _kind_of(text(kind)), create is True) for path, kind, create in rows)


@cache
def name_references() -> tuple[NameReference, ...]:
    """The built-in fields that refer to other objects by name."""
    configured_specs = []
    for target, paths in map(sequence, sequence(load_table("kustomize-fields")["nameReference"])):
        rows = (sequence(row) for row in sequence(paths))
        specs = (
            FieldSpec(split_path(text(path)), _kind_of(text(kind)), create=False)
            for path, kinds in rows
            for kind in sequence(kinds)
        )
        configured_specs.append(NameReference(_kind_of(text(target)), tuple(specs)))
    return tuple(configured_specs)


def split_path(path: str) -> tuple[str, ...]:
    r"""The parts of a path; `\/` is a slash inside a part (utils.PathSplitter)."""
    return tuple(part.replace("\0", "/") for part in path.replace("\\/", "\0").strip("/").split("/"))


def update_field(
    value: Traced, spec: FieldSpec, change: Callable[[Traced], Traced], missing: object = None, *, make: bool = True
) -> Traced:
    """The object with `change` applied to each field that the spec selects. If the spec creates fields, a missing one
    starts as `missing`. Lists are traversed without a path part."""
    create = spec.create and make
    if not create and not _may_change(value.value, spec.path):
        return value
    return _update_below(value, spec.path, change, missing, create=create)


def _may_change(value: object, path: tuple[str, ...]) -> bool:
    """Whether a path may lead to a field, null included. This check is cheap; tracing every step is not, and most
    objects lack most fields."""
    for number, part in enumerate(path):
        if isinstance(value, list):
            return any(_may_change(item, path[number:]) for item in value)
        if not isinstance(value, dict):
            return value is None
        key = part.removesuffix("[]")
        if key not in value:
            return False
        value = value[key]
    return True


def _update_below(
    value: Traced, path: tuple[str, ...], change: Callable[[Traced], Traced], missing: object, *, create: bool
) -> Traced:
    if not path:
        return change(value)
    if isinstance(value.value, list):
        items = elements(value)
        new = [_update_below(item, path, change, missing, create=create) for item in items]
        same = all(new_item is item for new_item, item in zip(new, items, strict=True))
        return value if same else list_of(value.place, new)
    if not isinstance(value.value, dict):
        return value
    name = path[0].removesuffix("[]")
    is_list = name != path[0]
    inner = child(value, name)
    if inner is not None and inner.value is None and is_list:
        return with_child(value, name, Traced([], inner.origin))
    if inner is None or (inner.value is None and create and not is_list):
        if not create or is_list:
            return value
        inner = Traced(missing if len(path) == 1 else {}, value.place)
    if inner.value is None:
        return value if len(path) > 1 else with_child(value, name, change(inner))
    new_child = _update_below(inner, path[1:], change, missing, create=create)
    return value if new_child is inner else with_child(value, name, new_child)


def _kind_of(written: str) -> GroupVersionKind:
    group, version, kind = written.split("/")
    return GroupVersionKind(group, version, kind)


def spec_applies(spec: FieldSpec, kind: GroupVersionKind) -> bool:
    """Whether a spec applies to objects of a kind."""
    return kind.is_selected(spec.kind)
