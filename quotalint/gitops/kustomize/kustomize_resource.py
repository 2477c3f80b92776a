"""A resource during a build: the object, its former ids, and the selectors of patches and replacements
(api/types/selector.go, resWrangler.Select)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import starmap

from quotalint.gitops.kustomize.selector_text import labels_match, matches_whole
from quotalint.gitops.kustomize.traced import Traced
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_table
from quotalint.text.place import Place

_NO_NAMESPACE = "\0"  # namespace of kinds known to be cluster-scoped


class GroupVersionKind(NamedTuple):
    """A kind of object. In a selector an empty part matches anything."""

    group: str
    version: str
    kind: str

    def is_selected(self, by: GroupVersionKind) -> bool:
        group, version, kind = by
        return (
            (not kind or kind == self.kind)
            and (not group or group == self.group)
            and (not version or version == self.version)
        )


class Id(NamedTuple):
    """The identity by which Kustomize distinguishes resources (kyaml/resid)."""

    kind: GroupVersionKind
    name: str
    namespace: str
    """As written in the manifest."""

    @property
    def effective_namespace(self) -> str:
        """The namespace used in comparisons: `default` if none is written, a reserved value for cluster-scoped
        kinds."""
        return _NO_NAMESPACE if is_cluster_scoped(self.kind) else self.namespace or "default"

    @property
    def distinction(self) -> tuple[GroupVersionKind, str, str]:
        """A lookup key: equal for two ids if and only if `is_same` is true."""
        return self.kind, self.name, self.effective_namespace

    def is_same(self, other: Id) -> bool:
        return (
            self.kind == other.kind
            and self.name == other.name
            and self.effective_namespace == other.effective_namespace
        )


def decides_amounts(identity: Id) -> bool:
    """Whether the content of an object may decide how much of a quota it uses."""
    return (identity.kind.group, identity.kind.kind) not in _COUNTED_ONLY


_COUNTED_ONLY = frozenset(
    (
        *(("", kind) for kind in ("ConfigMap", "Namespace", "Secret", "ServiceAccount")),
        *(
            ("rbac.authorization.k8s.io", f"{kind}{part}")
            for kind in ("", "Cluster")
            for part in ("Role", "RoleBinding")
        ),
        *(("networking.k8s.io", kind) for kind in ("Ingress", "NetworkPolicy")),
        ("policy", "PodDisruptionBudget"),
    )
)
"""Kinds whose content does not matter to a quota, which can only count their objects."""


class Resource(NamedTuple):
    """An object and its build history."""

    traced: Traced
    id: Id
    previous: tuple[Id, ...] = ()
    """Former ids, oldest first."""
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    behavior: str = ""
    """Of a generated resource: create, merge or replace."""
    hashed: bool = False
    """Whether its name gets a content hash."""
    via: tuple[Place, ...] = ()
    """The kustomization entries that brought it in, outermost first."""
    patches: tuple[Place, ...] = ()
    """The places of the patches that changed it, in order."""
    variables: tuple[str, ...] = ()
    """The names of the `vars` that read a field of it."""

    @property
    def original_id(self) -> Id:
        return self.previous[0] if self.previous else self.id

    @property
    def all_ids(self) -> tuple[Id, ...]:
        """All ids, oldest first."""
        return (*self.previous, self.id)

    @property
    def metadata(self) -> Body:
        return mapping(mapping(self.traced.value).get("metadata"))

    def with_id_remembered(self) -> Resource:
        """The resource with its current id added to its former ids (StorePreviousId)."""
        return self._replace(previous=(*self.previous, self.id._replace(namespace=_former_namespace(self.id))))

    def with_body(self, traced: Traced) -> Resource:
        """The resource with a new body; its id is read from that body."""
        if traced is self.traced:
            return self
        new = id_of(traced)
        # Former ids take the current group and version (utils.PrevIds reads them from the object).
        group, version, _ = new.kind
        previous = self.previous
        if (group, version) != self.id.kind[:2]:
            previous = tuple(
                identity._replace(kind=GroupVersionKind(group, version, identity.kind.kind)) for identity in previous
            )
        return self._replace(traced=traced, id=new, previous=previous)


def _former_namespace(identity: Id) -> str:
    return identity.namespace if is_cluster_scoped(identity.kind) else identity.effective_namespace


def id_of(traced: Traced) -> Id:
    """The id read from an object."""
    body = mapping(traced.value)
    group, _, version = text(body.get("apiVersion")).rpartition("/")
    metadata = mapping(body.get("metadata"))
    kind = GroupVersionKind(group, version, text(body.get("kind")))
    return Id(kind, text(metadata.get("name")), text(metadata.get("namespace")))


FORMER = tuple(f"internal.config.kubernetes.io/previous{part}" for part in ("Kinds", "Names", "Namespaces"))
"""The annotations in which Kustomize stores former ids (Resource.StorePreviousId)."""


def resource_of(traced: Traced) -> Resource:
    """The resource of an object read from a manifest."""
    present = id_of(traced)
    return Resource(traced, present, _noted_ids(traced, present))


def _noted_ids(traced: Traced, present: Id) -> tuple[Id, ...]:
    """The former ids that an earlier build left in an object's annotations (utils.PrevIds)."""
    annotations = mapping(mapping(mapping(traced.value).get("metadata")).get("annotations"))
    if FORMER[1] not in annotations:  # true of nearly all objects
        return ()
    kinds, names, namespaces = (text(annotations.get(name)).split(",") for name in FORMER)
    if not len(kinds) == len(names) == len(namespaces):
        return ()
    of_version = partial(GroupVersionKind, present.kind.group, present.kind.version)
    return tuple(starmap(Id, zip(map(of_version, kinds), names, namespaces, strict=True)))


def resources_with_id(resources: Sequence[Resource], wanted: Id) -> list[Resource]:
    """The resources that have this id now or had it before."""
    name = wanted.name
    result = []
    for resource in resources:  # compare names first: each patch scans hundreds of resources
        if resource.id.name == name and wanted.is_same(resource.id):
            result.append(resource)
            continue
        for former in resource.previous:
            if former.name == name and wanted.is_same(former):
                result.append(resource)
                break
    return result


def is_cluster_scoped(kind: GroupVersionKind) -> bool:
    """Whether Kustomize knows the kind as cluster-scoped. It treats custom kinds as namespaced."""
    return kind in _cluster_scoped()


@cache
def _cluster_scoped() -> frozenset[GroupVersionKind]:
    kinds = (text(entry).split(" ") for entry in sequence(load_table("kustomize-fields")["clusterScoped"]))
    return frozenset(GroupVersionKind(*_split_api_version(version), kind) for version, kind in kinds)


def _split_api_version(api_version: str) -> tuple[str, str]:
    group, _, version = api_version.rpartition("/")
    return group, version


def selected_resources(resources: Sequence[Resource], target: Body) -> list[Resource]:
    """The resources that a patch `target` selects. Raises SelectorError."""
    return [resource for resource in resources if target_selects(target, resource)]


def target_selects(target: Body, resource: Resource) -> bool:
    """Whether a patch `target` selects a resource by its original or current id. Raises SelectorError."""
    present, original = resource.id, resource.original_id
    kind = present.kind
    return (
        ("namespace" not in target or _matches_any(text(target["namespace"]), _shown_namespaces(original, present)))
        and ("name" not in target or _matches_any(text(target["name"]), {original.name, present.name}))
        and ("group" not in target or _matches_any(text(target["group"]), (kind.group,)))
        and ("version" not in target or _matches_any(text(target["version"]), (kind.version,)))
        and ("kind" not in target or _matches_any(text(target["kind"]), (kind.kind,)))
        and labels_match(text(target.get("labelSelector")), mapping(resource.metadata.get("labels")))
        and labels_match(text(target.get("annotationSelector")), mapping(resource.metadata.get("annotations")))
    )


def _shown_namespaces(*ids: Id) -> set[str]:
    return {_shown_namespace(identity.effective_namespace) for identity in ids}


def _shown_namespace(namespace: str) -> str:
    return "_non_namespaceable_" if namespace == "\0" else namespace


def _matches_any(written: str, values: Iterable[str]) -> bool:
    return not written or any(matches_whole(written, value) for value in values)
