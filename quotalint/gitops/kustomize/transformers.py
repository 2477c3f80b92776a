"""Transformers that each write one kind of field: namespace, names, labels, annotations, replicas, images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from quotalint.gitops.kustomize.field_specs import FieldSpec, spec_applies, update_field
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind, Id, Resource, is_cluster_scoped
from quotalint.gitops.kustomize.selector_text import is_image
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow_keys, list_of, set_at, with_child
from quotalint.kube.fields import Body, mapping, text
from quotalint.runtime.recall import recalled
from quotalint.text.place import Place

_UNNAMED = (
    GroupVersionKind("", "", "CustomResourceDefinition"),
    GroupVersionKind("apiregistration.k8s.io", "", "APIService"),
    GroupVersionKind("", "", "Namespace"),
)


_BINDINGS = ("RoleBinding", "ClusterRoleBinding")
_CONTAINERS = frozenset(("containers", "initContainers"))


def with_namespace(
    resources: Sequence[Resource],
    namespace: Traced,
    specs: Sequence[FieldSpec],
    subjects: str = "",
    *,
    unset_only: bool = False,
) -> list[Resource]:
    """The resources in one namespace (NamespaceTransformer). `subjects` selects the subjects of bindings to change;
    `unset_only` keeps namespaces already set."""
    return [
        resource.with_id_remembered().with_body(
            _put_namespace(resource, namespace, specs, subjects, unset_only=unset_only)
        )
        for resource in resources
    ]


def _put_namespace(
    resource: Resource, namespace: Traced, specs: Sequence[FieldSpec], subjects: str, *, unset_only: bool
) -> Traced:
    def change(field: Traced) -> Traced:
        return field if unset_only and field.value not in (None, "") else namespace

    traced = resource.traced
    kind = resource.id.kind
    if not is_cluster_scoped(kind):
        old = follow_keys(traced, "metadata", "namespace")
        traced = set_at(traced, ("metadata", "namespace"), change(old or Traced(None, namespace.origin)))
    if kind.kind in _BINDINGS:
        traced = _change_subjects(traced, subjects, change)
    for spec in specs:
        if spec.path == ("metadata", "namespace"):
            continue
        if spec.path == ("subjects", "namespace") and spec.kind.kind in _BINDINGS:
            continue
        if spec.path == ("metadata", "name") and (kind.group, kind.version) != ("", "v1"):
            continue
        if spec_applies(spec, kind):
            traced = update_field(traced, spec, change, "")
    return traced


def _change_subjects(binding: Traced, which: str, change: Callable[[Traced], Traced]) -> Traced:
    """A binding with the namespaces of its subjects changed: those called `default`, unless `which` says otherwise."""
    subjects = child(binding, "subjects")
    if subjects is None or not isinstance(subjects.value, list) or which == "none":
        return binding

    def change_subject(item: Traced) -> Traced:
        is_any_account = which == "allServiceAccounts"
        body = mapping(item.value)
        if body.get("kind") != "ServiceAccount" if is_any_account else body.get("name") != "default":
            return item
        return with_child(item, "namespace", change(child(item, "namespace") or Traced(None, item.origin)))

    return with_child(binding, "subjects", list_of(subjects.place, map(change_subject, elements(subjects))))


def with_affix(
    resources: Sequence[Resource], affix: Traced, specs: Sequence[FieldSpec], *, before: bool
) -> list[Resource]:
    """The resources with a prefix or suffix in their names, except for kinds whose names are fixed
    (PrefixTransformer)."""
    return [_affix_name(resource, affix, before=before, specs=specs) for resource in resources]


def _affix_name(resource: Resource, affix: Traced, specs: Sequence[FieldSpec], *, before: bool) -> Resource:
    if any(resource.original_id.kind.is_selected(kind) for kind in _UNNAMED):
        return resource
    written = text(affix.value)

    def change(field: Traced) -> Traced:
        if isinstance(field.value, (dict, list)):
            return field
        new = written + text(field.value) if before else text(field.value) + written
        return Traced(new, field.origin if field.value is not None else affix.origin)

    selected = [spec for spec in specs if resource.original_id.kind.is_selected(spec.kind)]
    for spec in selected:
        if spec.path == ("metadata", "name"):
            if before:
                resource = resource._replace(prefixes=(*resource.prefixes, written))
            else:
                resource = resource._replace(suffixes=(*resource.suffixes, written))
            resource = resource.with_id_remembered() if written else resource
        resource = (
            resource.with_body(update_field(resource.traced, spec, change))
            if spec_applies(spec, resource.id.kind)
            else resource
        )
    return resource


def with_pairs(resources: Sequence[Resource], pairs: Traced, specs: Sequence[FieldSpec]) -> list[Resource]:
    """The resources with labels or annotations written to mapping fields."""
    wanted = [
        (key, pair_value) for key in sorted(mapping(pairs.value)) if (pair_value := child(pairs, key)) is not None
    ]

    def change(field: Traced) -> Traced:
        for key, value in wanted:
            field = with_child(field, key, Traced(text(value.value), value.origin))
        return field

    def change_resource(resource: Resource) -> Resource:
        traced = resource.traced
        for spec in specs:
            if spec_applies(spec, resource.id.kind):
                traced = update_field(traced, spec, change, {})
        return resource.with_body(traced)

    return [change_resource(resource) for resource in resources] if wanted else list(resources)


def with_replicas(
    resources: Sequence[Resource], name: str, number: Traced, specs: Sequence[FieldSpec]
) -> list[Resource] | None:
    """The resources with new `replicas` in the workloads of a name; None if there are none."""
    has_match = False
    result = []
    for resource in resources:
        traced = resource.traced
        for spec in specs:
            if any(other.name == name and spec_applies(spec, other.kind) for other in resource.all_ids):
                has_match = True
                traced = (
                    update_field(traced, spec, lambda _: number, 0) if spec_applies(spec, resource.id.kind) else traced
                )
        changed = traced is not resource.traced
        result.append(
            resource.with_body(traced)._replace(patches=(*resource.patches, number.place)) if changed else resource
        )
    return result if has_match else None


def with_image(resources: Sequence[Resource], image: Body, place: Place, specs: Sequence[FieldSpec]) -> list[Resource]:
    """The resources with a new name, tag or digest in images whose name matches a regular expression
    (ImageTagTransformer). Raises SelectorError."""
    name = text(image.get("name"))

    def change(field: Traced) -> Traced:
        if not isinstance(field.value, str) or not is_image(name, field.value):
            return field
        return Traced(_change_reference(field.value, image), place)

    def change_images(resource: Resource) -> Resource:
        if resource.id.kind.kind == "CustomResourceDefinition":
            return resource
        of_kind = tuple(spec for spec in specs if spec_applies(spec, resource.id.kind))
        make = partial(_with_changed_images, resource.traced, of_kind, change)
        return resource.with_body(recalled("images", (resource.traced, image), (place, of_kind), make))

    return [change_images(resource) for resource in resources]


def _with_changed_images(traced: Traced, specs: Sequence[FieldSpec], change: Callable[[Traced], Traced]) -> Traced:
    if _holds_containers(traced.value):
        traced = _in_containers(traced, change)
    for spec in specs:
        traced = update_field(traced, spec, change, make=False)
    return traced


def _holds_containers(value: object) -> bool:
    if isinstance(value, dict):
        return not _CONTAINERS.isdisjoint(value) or any(map(_holds_containers, value.values()))
    return isinstance(value, list) and any(map(_holds_containers, value))


def _in_containers(value: Traced, change: Callable[[Traced], Traced]) -> Traced:
    """The value with `change` applied to the image of each item of `containers` and `initContainers`, at any depth
    (imagetag.LegacyFilter)."""
    if isinstance(value.value, list):
        items = elements(value)
        new = [_in_containers(item, change) if isinstance(item.value, (dict, list)) else item for item in items]
        same = all(new_item is item for new_item, item in zip(new, items, strict=True))
        return value if same else list_of(value.place, new)
    for key, below in mapping(value.value).items():
        if not isinstance(below, (dict, list)):
            continue
        old_child = child(value, key) or value
        changed = _in_containers(old_child, change)
        if key in _CONTAINERS and isinstance(below, list):
            changed = _with_images(changed, change)
        if changed is not old_child:
            value = with_child(value, key, changed)
    return value


def _with_images(containers: Traced, change: Callable[[Traced], Traced]) -> Traced:
    items = elements(containers)
    new = []
    for item in items:
        image = child(item, "image")
        changed = change(image) if image is not None else None
        new.append(item if changed is None or changed is image else with_child(item, "image", changed))
    same = all(new_item is item for new_item, item in zip(new, items, strict=True))
    return containers if same else list_of(containers.place, new)


def _change_reference(value: str, image: Body) -> str:
    name, tag, digest = _image_parts(value)
    name = text(image.get("newName")) or name
    new_tag, new_digest, suffix = (text(image.get(key)) for key in ("newTag", "digest", "tagSuffix"))
    if new_tag or new_digest:
        tag, digest = new_tag, new_digest
    elif suffix:
        tag, digest = tag + suffix, ""
    return name + (f":{tag}" if tag else "") + (f"@{digest}" if digest else "")


def _image_parts(value: str) -> tuple[str, str, str]:
    """Name, tag and digest of an image reference (api/internal/image.Split)."""
    slash = max(value.find("/"), 0)
    colon, at = value.find(":", slash), value.find("@", slash)
    if colon < 0 and at < 0:
        return value, "", ""
    if at >= 0 and (at < colon or colon < 0):
        return value[:at], "", value[at + 1 :]
    if at >= 0:
        return value[:colon], value[colon + 1 : at], value[at + 1 :]
    return value[:colon], value[colon + 1 :], ""


def without_conflicts(resources: Iterable[Resource]) -> tuple[list[Resource], list[Id]]:
    """The first resource of each id, and the ids of the repeated ones."""
    seen_ids: set[tuple[GroupVersionKind, str, str]] = set()
    first_resources, conflicting = [], []
    for resource in resources:
        key = resource.id.distinction
        if key in seen_ids and resource.id.name:
            conflicting.append(resource.id)
        else:
            first_resources.append(resource)
        seen_ids.add(key)
    return first_resources, conflicting
