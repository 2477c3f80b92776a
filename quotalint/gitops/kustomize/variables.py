"""`vars`: replaces `$(NAME)` by fields of other objects (api/filters/refvar)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from quotalint.gitops.kustomize.field_paths import FieldPathError, fields_at, split_path
from quotalint.gitops.kustomize.field_specs import FieldSpec, spec_applies, update_field
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind, Id, Resource, is_cluster_scoped
from quotalint.gitops.kustomize.selector_text import SelectorError
from quotalint.gitops.kustomize.traced import Traced, child, elements, list_of, with_child
from quotalint.kube.fields import mapping, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place


class VariableError(Exception):
    """Kustomize refuses a use of variables."""


class KustomizeVariable(NamedTuple):
    """A variable name, and the object field whose value it takes."""

    name: str
    target: Id
    field: str
    place: Place


def read_variable(entry: Traced) -> KustomizeVariable:
    """The variable of one entry of `vars`."""
    body = mapping(entry.value)
    target = mapping(body.get("objref"))
    kind = GroupVersionKind(*(text(target.get(part)) for part in ("group", "version", "kind")))
    versions = text(target.get("apiVersion")).split("/")
    if len(versions) == 2:
        kind = GroupVersionKind(versions[0], versions[1], kind.kind)
    elif versions != [""]:
        kind = kind._replace(version=versions[0])
    wanted = Id(kind, text(target.get("name")), text(target.get("namespace")))
    field = text(mapping(body.get("fieldref")).get("fieldPath")) or "metadata.name"
    return KustomizeVariable(text(body.get("name")), wanted, field, entry.place)


def with_noted(resources: Sequence[Resource], variable: KustomizeVariable) -> list[Resource]:
    """The resources, with the variable's name noted on the resource it reads. Raises VariableError."""
    strictly = bool(variable.target.namespace) or is_cluster_scoped(variable.target.kind)
    meant = [
        resource
        for resource in resources
        if any(_is_meant(variable.target, other, strictly=strictly) for other in resource.all_ids)
    ]
    if len(meant) > 1:
        raise VariableError(f"the variable {variable.name} could refer to {len(meant)} objects")
    return [
        resource._replace(variables=(*resource.variables, variable.name)) if resource in meant else resource
        for resource in resources
    ]


def _is_meant(wanted: Id, other: Id, *, strictly: bool) -> bool:
    return wanted.is_same(other) if strictly else (wanted.kind, wanted.name) == (other.kind, other.name)


def join_variables(
    some: tuple[KustomizeVariable, ...], more: tuple[KustomizeVariable, ...]
) -> tuple[KustomizeVariable, ...]:
    """The variables of both. Raises VariableError if a name is repeated."""
    if not more:
        return some
    names = {variable.name for variable in some}
    for variable in more:
        if variable.name in names:
            raise VariableError(f"the variable {variable.name} is given twice")
        names.add(variable.name)
    return (*some, *more)


def value_of(resources: Sequence[Resource], variable: KustomizeVariable) -> Traced:
    """The value of a variable. Raises VariableError."""
    source = next((resource for resource in resources if variable.name in resource.variables), None)
    if source is None:
        raise VariableError(f"the variable {variable.name} refers to an object that does not exist")
    path = tuple(part for step in split_path(variable.field) for part in _split_index(step))
    try:
        fields = fields_at(source.traced, path)
    except (FieldPathError, SelectorError):
        fields = []
    if not fields:
        raise VariableError(
            f"{source.id.kind.kind} {source.id.name} has no {variable.field}, which the variable refers to"
        )
    return fields[0]


def _split_index(part: str) -> tuple[str, ...]:
    """A path part with an index, split: `ports[0]` gives `ports` and `0`."""
    match = re.fullmatch(r"(.*)\[([0-9]+)\]", part, re.DOTALL)
    return tuple(filter(None, match.groups())) if match else (part,)


def substitute_variables(resource: Resource, values: Mapping[str, Traced], specs: Sequence[FieldSpec]) -> Resource:
    """A resource with variables replaced in the given fields. Raises VariableError."""
    traced = resource.traced
    for spec in specs:
        if spec_applies(spec, resource.id.kind):
            traced = update_field(traced, spec, lambda field: _resolve_field(field, values), make=False)
    return resource.with_body(traced)


def _resolve_field(field: Traced, values: Mapping[str, Traced]) -> Traced:
    if isinstance(field.value, dict):
        for key in mapping(field.value):
            below = child(field, key)
            if below is not None and isinstance(below.value, str):
                new = _replace_names(below, values)
                field = field if new is below else with_child(field, key, new)
        return field
    if isinstance(field.value, list):
        items = elements(field)
        if not all(isinstance(item.value, str) for item in items):
            raise VariableError("a list that may name variables holds something that is not a string")
        new_items = [_replace_names(item, values) for item in items]
        return field if all(map(_is_same, items, new_items)) else list_of(field.place, new_items)
    return _replace_names(field, values) if isinstance(field.value, str) else field


def _is_same(traced: Traced, other: Traced) -> bool:
    return traced is other


_REFERENCE = lazy_pattern(r"\$(?:\$|\(([^)]*)\))")


def _replace_names(field: Traced, values: Mapping[str, Traced]) -> Traced:
    """A string with `$(NAME)` replaced. A string that is one variable takes its value's type; `$$` is a dollar sign."""
    written = str(field.value)
    if "$" not in written:
        return field
    whole = values.get(written[2:-1]) if written.startswith("$(") and written.find(")") == len(written) - 1 else None
    if whole is not None and _is_primitive(whole.value):
        return Traced(whole.value, whole.origin)

    def value(match: re.Match[str]) -> str:
        if match[1] is None:
            return "$"
        variable_value = values.get(match[1])
        return (
            text(variable_value.value)
            if variable_value is not None and _is_primitive(variable_value.value)
            else match[0]
        )

    parts: list[str] = []
    at = 0
    for match in _REFERENCE.finditer(written):
        parts += (written[at : match.start()], value(match))
        budget.spend(len(parts[-1]) / budget.VALUES / 20, "variables make a string that is too long")
        at = match.end()
    new = "".join((*parts, written[at:]))
    return field if new == written else Traced(new, field.origin)


def _is_primitive(value: object) -> bool:
    return value is not None and not isinstance(value, (dict, list))
