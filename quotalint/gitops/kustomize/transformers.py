"""The transformers that write one kind of field: namespace, names, labels, annotations, replicas, images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from quotalint.gitops.kustomize.field_specs import FieldSpec, applies, updated
from quotalint.gitops.kustomize.patterns import is_image
from quotalint.gitops.kustomize.resources import Id, Kind, Resource, is_cluster_scoped
from quotalint.gitops.kustomize.traced import Traced, child, elements, follow, list_of, set_at, with_child
from quotalint.kube.fields import Body, mapping, text
from quotalint.text.place import Place

_UNNAMED = (
    Kind("", "", "CustomResourceDefinition"),
    Kind("apiregistration.k8s.io", "", "APIService"),
    Kind("", "", "Namespace"),
)


_BINDINGS = ("RoleBinding", "ClusterRoleBinding")


def with_namespace(
    resources: Sequence[Resource],
    namespace: Traced,
    specs: Sequence[FieldSpec],
    subjects: str = "",
    unset_only: bool = False,
) -> list[Resource]:
    """Everything in one namespace (NamespaceTransformer). `subjects` says which subjects of bindings, `unset_only`
    leaves what has a namespace."""
    return [one.remembered().changed(_namespaced(one, namespace, specs, subjects, unset_only)) for one in resources]


def _namespaced(
    one: Resource, namespace: Traced, specs: Sequence[FieldSpec], subjects: str, unset_only: bool
) -> Traced:
    def change(field: Traced) -> Traced:
        return field if unset_only and field.value not in (None, "") else namespace

    traced = one.traced
    kind = one.id.kind
    if not is_cluster_scoped(kind):
        old = follow(traced, "metadata", "namespace")
        traced = set_at(traced, ("metadata", "namespace"), change(old or Traced(None, namespace.origin)))
    if kind.kind in _BINDINGS:
        traced = _bound(traced, subjects, change)
    for spec in specs:
        if spec.path == ("metadata", "namespace"):
            continue
        if spec.path == ("subjects", "namespace") and spec.kind.kind in _BINDINGS:
            continue
        if spec.path == ("metadata", "name") and (kind.group, kind.version) != ("", "v1"):
            continue
        if applies(spec, kind):
            traced = updated(traced, spec, change, "")
    return traced


def _bound(binding: Traced, which: str, change: Callable[[Traced], Traced]) -> Traced:
    """A RoleBinding with other namespaces of its subjects: those called `default`, unless `which` says otherwise."""
    subjects = child(binding, "subjects")
    if subjects is None or not isinstance(subjects.value, list) or which == "none":
        return binding

    def bound(item: Traced) -> Traced:
        every = which == "allServiceAccounts"
        body = mapping(item.value)
        if body.get("kind") != "ServiceAccount" if every else body.get("name") != "default":
            return item
        return with_child(item, "namespace", change(child(item, "namespace") or Traced(None, item.origin)))

    return with_child(binding, "subjects", list_of(subjects.place, map(bound, elements(subjects))))


def with_affix(
    resources: Sequence[Resource], affix: Traced, before: bool, specs: Sequence[FieldSpec]
) -> list[Resource]:
    """Every name with a prefix or suffix, but for those that other systems choose (PrefixTransformer)."""
    return [_affixed(one, affix, before, specs) for one in resources]


def _affixed(one: Resource, affix: Traced, before: bool, specs: Sequence[FieldSpec]) -> Resource:
    if any(one.original.kind.is_selected(kind) for kind in _UNNAMED):
        return one
    written = text(affix.value)

    def change(field: Traced) -> Traced:
        if isinstance(field.value, (dict, list)):
            return field
        new = written + text(field.value) if before else text(field.value) + written
        return Traced(new, field.origin if field.value is not None else affix.origin)

    selected = [spec for spec in specs if one.original.kind.is_selected(spec.kind)]
    for spec in selected:
        if spec.path == ("metadata", "name"):
            if before:
                one = one._replace(prefixes=(*one.prefixes, written))
            else:
                one = one._replace(suffixes=(*one.suffixes, written))
            one = one.remembered() if written else one
        one = one.changed(updated(one.traced, spec, change)) if applies(spec, one.id.kind) else one
    return one


def with_pairs(resources: Sequence[Resource], pairs: Traced, specs: Sequence[FieldSpec]) -> list[Resource]:
    """Labels or annotations written to fields that are mappings."""
    wanted = [(key, found) for key in sorted(mapping(pairs.value)) if (found := child(pairs, key)) is not None]

    def change(field: Traced) -> Traced:
        for key, value in wanted:
            field = with_child(field, key, Traced(text(value.value), value.origin))
        return field

    def changed(one: Resource) -> Resource:
        traced = one.traced
        for spec in specs:
            if applies(spec, one.id.kind):
                traced = updated(traced, spec, change, {})
        return one.changed(traced)

    return [changed(one) for one in resources] if wanted else list(resources)


def with_replicas(
    resources: Sequence[Resource], name: str, number: Traced, specs: Sequence[FieldSpec]
) -> list[Resource] | None:
    """The workloads of a name with another number of replicas; None where there is none of it."""
    found = False
    result = []
    for one in resources:
        traced = one.traced
        for spec in specs:
            if any(other.name == name and applies(spec, other.kind) for other in one.ids):
                found = True
                traced = updated(traced, spec, lambda _: number, 0) if applies(spec, one.id.kind) else traced
        changed = traced is not one.traced
        result.append(one.changed(traced)._replace(patches=(*one.patches, number.place)) if changed else one)
    return result if found else None


def with_image(resources: Sequence[Resource], image: Body, place: Place, specs: Sequence[FieldSpec]) -> list[Resource]:
    """Another name, tag or digest for the images of a name, which is a regular expression (ImageTagTransformer). Raises
    SelectorError."""
    name = text(image.get("name"))

    def change(field: Traced) -> Traced:
        if not isinstance(field.value, str) or not is_image(name, field.value):
            return field
        return Traced(_imaged(field.value, image), place)

    def changed(one: Resource) -> Resource:
        if one.id.kind.kind == "CustomResourceDefinition":
            return one
        traced = one.traced
        traced = _in_containers(traced, change)
        for spec in specs:
            if applies(spec, one.id.kind):
                traced = updated(traced, spec, change, make=False)
        return one.changed(traced)

    return [changed(one) for one in resources]


def _in_containers(value: Traced, change: Callable[[Traced], Traced]) -> Traced:
    """The images of all lists that are called containers or initContainers, however deep (imagetag.LegacyFilter)."""
    if isinstance(value.value, list):
        items = elements(value)
        new = [_in_containers(item, change) if isinstance(item.value, (dict, list)) else item for item in items]
        same = all(one is other for one, other in zip(new, items, strict=True))
        return value if same else list_of(value.place, new)
    for key, below in mapping(value.value).items():
        if not isinstance(below, (dict, list)):
            continue
        found = child(value, key) or value
        changed = _in_containers(found, change)
        if key in ("containers", "initContainers") and isinstance(below, list):
            changed = _with_images(changed, change)
        if changed is not found:
            value = with_child(value, key, changed)
    return value


def _with_images(containers: Traced, change: Callable[[Traced], Traced]) -> Traced:
    items = elements(containers)
    new = []
    for item in items:
        image = child(item, "image")
        changed = change(image) if image is not None else None
        new.append(item if changed is None or changed is image else with_child(item, "image", changed))
    same = all(one is other for one, other in zip(new, items, strict=True))
    return containers if same else list_of(containers.place, new)


def _imaged(value: str, image: Body) -> str:
    name, tag, digest = _parts(value)
    name = text(image.get("newName")) or name
    new_tag, new_digest, suffix = (text(image.get(key)) for key in ("newTag", "digest", "tagSuffix"))
    if new_tag or new_digest:
        tag, digest = new_tag, new_digest
    elif suffix:
        tag, digest = tag + suffix, ""
    return name + (f":{tag}" if tag else "") + (f"@{digest}" if digest else "")


def _parts(value: str) -> tuple[str, str, str]:
    """Name, tag and digest (api/internal/image.Split)."""
    slash = max(value.find("/"), 0)
    colon, at = value.find(":", slash), value.find("@", slash)
    if colon < 0 and at < 0:
        return value, "", ""
    if at >= 0 and (at < colon or colon < 0):
        return value[:at], "", value[at + 1 :]
    if at >= 0:
        return value[:colon], value[colon + 1 : at], value[at + 1 :]
    return value[:colon], value[colon + 1 :], ""


def conflicts(resources: Iterable[Resource]) -> list[Id]:
    """Ids that several resources have."""
    seen: set[tuple[Kind, str, str]] = set()
    found = []
    for one in resources:
        key = (one.id.kind, one.id.name, one.id.effective)
        if key in seen and one.id.name:
            found.append(one.id)
        seen.add(key)
    return found
