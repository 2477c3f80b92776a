"""The transformer configuration in `configurations` and `crds`: additional fields to write, and fields that refer to
other objects (api/internal/plugins/builtinconfig)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.gitops.kustomize.field_specs import FieldSpec, NameReference, field_specs, split_path
from quotalint.gitops.kustomize.kustomization_fields import TRANSFORMERS
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple


class FieldConflictError(Exception):
    """A field has `create: true` in one place and not in another; Kustomize refuses it."""


class TransformerConfig(NamedTuple):
    """The fields that transformers write to, and additional reference fields."""

    lists: tuple[tuple[str, tuple[FieldSpec, ...]], ...] = ()
    """Per transformer, its fields where they differ from the built-in ones."""
    references: tuple[NameReference, ...] = ()
    is_blank: bool = False
    """Whether the built-in fields are excluded."""

    def specs_of(self, transformer: str) -> tuple[FieldSpec, ...]:
        """All fields that a transformer writes to."""
        own = dict(self.lists).get(transformer) if self.lists else None
        if own is not None:
            return own
        return () if self.is_blank else field_specs(transformer)

    def merge_config(self, other: TransformerConfig) -> TransformerConfig:
        """The union of two configurations. Raises FieldConflictError."""
        if not (self.lists or self.references or other.lists or other.references):
            return BLANK if self.is_blank and other.is_blank else KNOWN
        names = dict.fromkeys(name for name, _ in (*self.lists, *other.lists))
        lists = tuple((name, _join_specs(self.specs_of(name), other.specs_of(name))) for name in names)
        references = tuple(dict.fromkeys((*self.references, *other.references)))
        return TransformerConfig(lists, references, self.is_blank and other.is_blank)


BLANK = TransformerConfig(is_blank=True)
KNOWN = TransformerConfig()


def _join_specs(present: Sequence[FieldSpec], incoming: Sequence[FieldSpec]) -> tuple[FieldSpec, ...]:
    """The union of both lists. A spec is dropped if an earlier spec with the same path covers its kind (FsSlice)."""
    result = list(present)
    for spec in incoming:
        if not _is_known(spec, result):
            result.append(spec)
    return tuple(sorted(result, key=_sort_rank))


def _sort_rank(spec: FieldSpec) -> tuple[bool, str, str, str]:
    """The sort key of a spec: specs without a kind come last, except for the kinds Kustomize sorts at the very end
    (resid.Gvk.IsLessThan)."""
    group, version, kind = spec.kind
    is_last = kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
    return is_last, group or "~G", version or "~V", kind or "~K"


def _is_known(spec: FieldSpec, present: Iterable[FieldSpec]) -> bool:
    for other in present:
        if other.path == spec.path and other.kind.is_selected(spec.kind):
            if other.create != spec.create:
                raise FieldConflictError(f"the field {'/'.join(spec.path)} is given with `create` and without")
            return True
    return False


def field_spec(written: object) -> FieldSpec:
    """The field spec of one entry of `fieldSpecs`."""
    body = mapping(written)
    return FieldSpec(split_path(text(body.get("path"))), _kind_of(body), body.get("create") is True)


def config_of(body: Body) -> TransformerConfig:
    """The configuration in a `configurations` file. Raises FieldConflictError."""
    lists = tuple((name, tuple(map(field_spec, sequence(body[name])))) for name in TRANSFORMERS if body.get(name))
    references = tuple(
        NameReference(
            _kind_of(mapping(reference)), tuple(map(field_spec, sequence(mapping(reference).get("fieldSpecs"))))
        )
        for reference in sequence(body.get("nameReference"))
    )
    return BLANK.merge_config(TransformerConfig(lists, references, is_blank=True))


def _kind_of(body: Body) -> GroupVersionKind:
    return GroupVersionKind(*(text(body.get(part)) for part in ("group", "version", "kind")))


_EXTENSIONS = {
    "x-kubernetes-annotation": "commonAnnotations",
    "x-kubernetes-label-selector": "commonLabels",
    "x-kubernetes-identity": "namePrefix",
}
_REFERENCE = "x-kubernetes-object-ref-"


def config_of_definitions(definitions: Body) -> TransformerConfig:
    """The configuration in a `crds` file: OpenAPI definitions by name
    (api/internal/accumulator/loadconfigfromcrds.go)."""
    lists: dict[str, tuple[FieldSpec, ...]] = {}
    references: list[NameReference] = []
    for name, definition in definitions.items():
        if {"kind", "apiVersion", "metadata"} <= _schema_properties(definition).keys():
            kind = GroupVersionKind("", "", name.rpartition(".")[2])
            for path, extensions in _annotated_fields(definitions, name, ()):
                for extension, transformer in _EXTENSIONS.items():
                    if isinstance(extensions.get(extension), str):
                        lists[transformer] = (*lists.get(transformer, ()), FieldSpec(path, kind, create=False))
                references += _reference_of(extensions, path, kind)
    return BLANK.merge_config(TransformerConfig(tuple(lists.items()), tuple(references), is_blank=True))


def _reference_of(extensions: Body, path: tuple[str, ...], kind: GroupVersionKind) -> Iterator[NameReference]:
    version, named = (extensions.get(_REFERENCE + part) for part in ("api-version", "kind"))
    if isinstance(version, str) and isinstance(named, str):
        key = extensions.get(_REFERENCE + "name-key", "name")
        yield NameReference(GroupVersionKind("", version, named), (FieldSpec((*path, text(key)), kind, create=False),))


def _annotated_fields(
    definitions: Body, name: str, path: tuple[str, ...], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Body]]:
    """The fields of a definition and of the definitions it refers to, with their paths."""
    if name in above or len(above) > _DEEPEST:
        return
    for field, described in _schema_properties(definitions.get(name)).items():
        yield (*path, field), mapping(described)
        refers_to = mapping(described).get("$ref")
        if isinstance(refers_to, str):
            yield from _annotated_fields(definitions, refers_to, (*path, field), (*above, name))


_DEEPEST = 20


def _schema_properties(definition: object) -> Body:
    described = mapping(definition)
    return mapping(mapping(described.get("Schema", described.get("schema"))).get("properties"))
