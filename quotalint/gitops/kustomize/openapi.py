"""`openapi` of a kustomization: merge rules for lists of custom kinds (kyaml/openapi)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quotalint.gitops.kustomize.kustomization import is_remote
from quotalint.gitops.kustomize.merge_types import ListRule, MergeTypes, builtin_types
from quotalint.gitops.kustomize.traced import child
from quotalint.gitops.kustomize.work import Work
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.tree import join_path

_BUILTIN = "v1.21.2"
_DEEPEST = 30


def merge_types(work: Work, *, is_top: bool) -> MergeTypes | None:
    """The types of the schema that a kustomization names; None if it names none. In the kustomization that is built
    they replace the built-in types; in a base they extend them."""
    openapi_field = work.kustomization.field("openapi")
    if openapi_field is None:
        return None
    version, path = text(mapping(openapi_field.value).get("version")), text(mapping(openapi_field.value).get("path"))
    if version and (path or version != _BUILTIN):
        reason = "both a file and a version" if path else f"the version {version}, which Kustomize does not have"
        work.note_problem(openapi_field.place, f"`openapi` names {reason}")
        return None
    if not path:
        return builtin_types() if version else None
    entry = child(openapi_field, "path") or openapi_field
    target = work.tree.canonical_name(join_path(work.folder, path))
    work.used.add(target)
    reading = work.tree.reading(target) if work.tree.is_file(target) else None
    if reading is None:
        reason = f"the schema {path} is remote" if is_remote(path) else f"there is no {path}"
        work.note_problem(entry.place, reason)
        return None
    document = reading.documents[0].value if reading.documents and not reading.failures else None
    if not isinstance(document, dict):
        work.note_problem(entry.place, f"{path} is not an OpenAPI schema")
        return None
    known_types = MergeTypes({}, {}) if is_top else builtin_types()
    return _extend_types(known_types, mapping(document.get("definitions")))


def _extend_types(known_types: MergeTypes, definitions: Body) -> MergeTypes:
    def type_name(reference: str) -> str:
        return f"custom:{reference}" if reference in definitions else _known_name(reference, known_types)

    kinds: dict[str, str] = {}
    types: dict[str, dict[str, ListRule]] = {}
    for name, definition in definitions.items():
        for group, version, kind in _kinds_of_definition(mapping(definition)):
            kinds[f"{group}/{version} {kind}" if group else f"{version} {kind}"] = type_name(name)
        types.update(
            (type_.name, type_.fields) for type_ in _types_of_schema(type_name(name), mapping(definition), type_name, 0)
        )
    return MergeTypes({**known_types.kinds, **kinds}, {**known_types.types, **types})


def _kinds_of_definition(definition: Body) -> Iterator[tuple[str, str, str]]:
    for known_kind in map(mapping, sequence(definition.get("x-kubernetes-group-version-kind"))):
        yield text(known_kind.get("group")), text(known_kind.get("version")), text(known_kind.get("kind"))


class _Type(NamedTuple):
    name: str
    fields: dict[str, ListRule]


def _known_name(reference: str, known_types: MergeTypes) -> str:
    """The type name used here for a Kubernetes definition such as io.k8s.api.core.v1.PodSpec."""
    parts = reference.split(".")
    return next((name for name in (parts[-1], ".".join(parts[-2:])) if name in known_types.types), reference)


def _types_of_schema(name: str, schema: Body, called: Callable[[str], str], depth: int) -> Iterator[_Type]:
    """The type of a schema, and the types of its nested fields."""
    if depth > _DEEPEST:
        return
    fields: dict[str, ListRule] = {}
    for field, described in mapping(schema.get("properties")).items():
        below = mapping(described)
        inner = mapping(below.get("items")) if "items" in below else below
        refers_to = text(inner.get("$ref")).rpartition("/")[2]
        inner_name = called(refers_to) if refers_to else f"{name}.{field}"
        fields[field] = ListRule(_merge_keys(below), inner_name)
        if not refers_to:
            yield from _types_of_schema(inner_name, inner, called, depth + 1)
    yield _Type(name, fields)


def _merge_keys(schema: Body) -> tuple[str, ...] | None:
    """The merge keys of a list; None if a patch replaces the whole list."""
    if "merge" not in text(schema.get("x-kubernetes-patch-strategy")).split(","):
        return None
    keys = tuple(map(text, sequence(schema.get("x-kubernetes-list-map-keys"))))
    key = text(schema.get("x-kubernetes-patch-merge-key"))
    return keys or ((key,) if key else ())
