"""Updates references when an object's name has changed (api/filters/nameref)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial

from quotalint.gitops.kustomize.field_specs import FieldSpec, NameReference, name_references, spec_applies, update_field
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind, Resource, is_cluster_scoped
from quotalint.gitops.kustomize.traced import Traced, elements, follow_keys, list_of, with_child
from quotalint.kube.fields import mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import memory_in_use, recalled, same_as_before


def with_references(
    resources: Sequence[Resource], added: tuple[NameReference, ...], note: Callable[[Resource, str], None]
) -> list[Resource]:
    """The resources with updated references to renamed objects. An ambiguous reference is kept and passed to `note`.
    `added` holds configured reference fields, in addition to the built-in ones."""
    by_name: dict[str, list[Resource]] = {}
    for resource in resources:
        for name in {other.name for other in resource.previous}:
            by_name.setdefault(name, []).append(resource)
    memory = memory_in_use()
    history = _history(resources) if memory is not None else None
    targets = _named_targets(frozenset(other.kind for resource in resources for other in resource.previous), added)
    result = []
    for resource in resources:
        if memory is None:
            traced, notes = _follow_names(resource, by_name, added, targets)
        else:
            make = partial(_follow_names, resource, by_name, added, targets)
            plain = resource.id, resource.previous, resource.prefixes, resource.suffixes, added
            traced, notes = recalled("references", (resource.traced, history), plain, make)
        for what in notes:
            note(resource, what)
        result.append(resource.with_body(traced))
    return result


def _history(resources: Sequence[Resource]) -> object:
    """Everything that decides name references. Equal histories are the same object, so it can be a cache key."""
    renamed = (resource for resource in resources if resource.previous)
    return same_as_before(
        ("names", len(resources), *(resource.traced.place for resource in resources[:1])),
        tuple(
            (
                resource.id,
                resource.previous,
                resource.prefixes,
                resource.suffixes,
                tuple((field.value, field.origin) for field in _naming_fields(resource)),
            )
            for resource in renamed
        ),
    )


def _naming_fields(resource: Resource) -> Iterator[Traced]:
    """The traced name and namespace of a resource, which references copy."""
    for field in ("name", "namespace"):
        named = follow_keys(resource.traced, "metadata", field)
        if named is not None:
            yield named


def _follow_names(
    resource: Resource,
    by_name: dict[str, list[Resource]],
    added: tuple[NameReference, ...],
    targets: frozenset[GroupVersionKind],
) -> tuple[Traced, tuple[str, ...]]:
    """A resource with updated references, and the descriptions of ambiguous ones."""
    notes: list[str] = []
    if _has_blank_subject(resource):
        notes.append("a ServiceAccount in a namespace that is null")
    traced = resource.traced
    for target, spec in _fields_of(resource.original_id.kind, added):
        if target in targets:
            traced = update_field(
                traced, spec, _ReferenceSearch(resource, by_name, notes, target, spec).replace_references
            )
    return traced, tuple(notes)


@lru_cache(maxsize=1024)
def _named_targets(
    renamed: frozenset[GroupVersionKind], added: tuple[NameReference, ...]
) -> frozenset[GroupVersionKind]:
    """The kinds to which references may need a change: some object of the kind was renamed or moved. A path with `[]`
    always counts, because following it creates the list."""
    return frozenset(
        reference.target
        for reference in (*name_references(), *added)
        if any(kind.is_selected(reference.target) for kind in renamed)
        or any(part.endswith("[]") for spec in reference.referrers for part in spec.path)
    )


def _has_blank_subject(resource: Resource) -> bool:
    subjects = mapping(resource.traced.value).get("subjects") if resource.id.kind.kind == "RoleBinding" else None
    return any(
        subject.get("kind") == "ServiceAccount" and not isinstance(subject.get("namespace", ""), str)
        for subject in map(mapping, sequence(subjects))
    )


@cache
def _fields_of(
    kind: GroupVersionKind, added: tuple[NameReference, ...]
) -> tuple[tuple[GroupVersionKind, FieldSpec], ...]:
    """The reference fields of a kind, each with the kind it refers to."""
    return tuple(
        (reference.target, spec)
        for reference in (*name_references(), *added)
        for spec in reference.referrers
        if spec_applies(spec, kind)
    )


class _ReferenceSearch(NamedTuple):
    """Finds the referent of one reference field of one resource."""

    referrer: Resource
    by_name: dict[str, list[Resource]]
    notes: list[str]
    """Collects descriptions of ambiguous names."""
    target: GroupVersionKind
    spec: FieldSpec

    def replace_references(self, field: Traced) -> Traced:
        if isinstance(field.value, dict):
            return self._replace_in_mapping(field)
        if isinstance(field.value, list):
            items = elements(field)
            new = [self.replace_references(item) for item in items]
            same = all(a is b for a, b in zip(new, items, strict=True))
            return field if same else list_of(field.place, new)
        referent = self._find_referent(text(field.value), None, with_namespace=False)
        if referent is None or referent.id.name == field.value:
            return field
        return _name_of(referent)

    def _replace_in_mapping(self, field: Traced) -> Traced:
        value = mapping(field.value)
        if not isinstance(value.get("name"), str):
            return field
        namespace = text(value["namespace"]) if "namespace" in value else None
        referent = self._find_referent(text(value["name"]), namespace, with_namespace=True)
        if referent is None:
            return field
        if referent.id.name != value["name"]:
            field = with_child(field, "name", _name_of(referent))
        place = follow_keys(referent.traced, "metadata", "namespace")
        if referent.id.namespace and place is not None and referent.id.namespace != value.get("namespace"):
            field = with_child(field, "namespace", place)
        return field

    def _find_referent(self, name: str, namespace: str | None, *, with_namespace: bool) -> Resource | None:
        referrer = self.referrer
        candidates = [
            other
            for other in self.by_name.get(name, ())
            if any(before.name == name for before in other.previous)
            and any(before.kind.is_selected(self.target) for before in other.previous)
            and self._within_reach(other)
        ]
        if namespace is not None:
            candidates = [other for other in candidates if other.original_id.effective_namespace == namespace] or [
                other for other in candidates if other.id.effective_namespace == namespace
            ]
        candidates = [other for other in candidates if self._is_referred_role(other) and self._same_namespace(other)]
        if len(candidates) == 1:
            return candidates[0]
        candidates = [other for other in candidates if _affixed_alike(referrer, other, empty=True)]
        if len(candidates) > 1:
            candidates = [other for other in candidates if _affixed_alike(referrer, other, empty=False)]
        names = {(other.id.name, other.id.namespace if with_namespace else "") for other in candidates}
        if len(names) > 1:
            self.notes.append(f"{name}, which could be several objects")
        return candidates[0] if len(names) == 1 else None

    def _within_reach(self, other: Resource) -> bool:
        """Whether the referrer may refer to it (SubsetThatCouldBeReferencedByResource)."""
        referrer = self.referrer
        if is_cluster_scoped(referrer.id.kind) or is_cluster_scoped(other.id.kind):
            return True
        if referrer.id.effective_namespace == other.id.effective_namespace:
            return True
        if referrer.id.kind.kind != "RoleBinding":
            return False
        subjects = map(mapping, sequence(mapping(referrer.traced.value).get("subjects")))
        return other.id.namespace in {
            text(subject["namespace"])
            for subject in subjects
            if "namespace" in subject and subject.get("kind") == "ServiceAccount"
        }

    def _is_referred_role(self, other: Resource) -> bool:
        if self.spec.path[-2:] != ("roleRef", "name"):
            return True
        role = mapping(mapping(self.referrer.traced.value).get("roleRef"))
        wanted = GroupVersionKind(text(role.get("apiGroup")), "", text(role.get("kind")))
        return any(before.kind.is_selected(wanted) for before in other.previous)

    def _same_namespace(self, other: Resource) -> bool:
        referrer = self.referrer
        if is_cluster_scoped(referrer.id.kind) or is_cluster_scoped(other.id.kind):
            return True
        return other.id.kind.kind == "ServiceAccount" or referrer.id.effective_namespace == other.id.effective_namespace


def _name_of(resource: Resource) -> Traced:
    return follow_keys(resource.traced, "metadata", "name") or Traced(resource.id.name, resource.traced.origin)


def _affixed_alike(resource: Resource, other: Resource, *, empty: bool) -> bool:
    """Whether both resources have the same prefixes and suffixes (PrefixesSuffixesEquals)."""
    return all(
        (empty and (not own_affixes or not other_affixes)) or _same_ending(own_affixes, other_affixes)
        for own_affixes, other_affixes in ((resource.prefixes, other.prefixes), (resource.suffixes, other.suffixes))
    )


def _same_ending(suffixes: tuple[str, ...], other: tuple[str, ...]) -> bool:
    shorter = min(len(suffixes), len(other))
    if not shorter:
        return not suffixes and not other
    return suffixes[len(suffixes) - shorter :] == other[len(other) - shorter :]
