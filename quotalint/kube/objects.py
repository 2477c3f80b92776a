"""Reads documents into Kubernetes objects, and finds the release or application that each object belongs to, from its
labels and annotations.

Sources: Helm 3, pkg/action/validate.go; fluxcd helm-controller and kustomize-controller (owner labels); argo-cd 3.x,
util/argo/resource_tracking.go; Flux Operator, internal/controller (resource set labels).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import NewType

from quotalint.kube.fields import EMPTY, Body, mapping, text
from quotalint.kube.guess import NAMESPACE, Guess
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Place

_MAX_NAME = 1000  # valid names have at most 253 characters, and reports repeat them
_MAX_LISTS = 16  # nested Lists: deeper than any real manifest


class Ref(NamedTuple):
    """The identity of an object in a cluster."""

    group: str
    kind: str
    namespace: str
    name: str


ObjectId = NewType("ObjectId", int)
"""The identity of an object value, unique while the value exists in this process."""


class Object(NamedTuple):
    """One Kubernetes object and its place."""

    group: str
    version: str
    kind: str
    namespace: str
    """The namespace; empty if it is cluster-scoped, or not decided yet."""
    name: str
    body: Body
    place: Place
    guesses: tuple[Guess, ...] = ()
    """The guesses about its namespace, cluster or content."""
    homeless: bool = False
    """Its namespace is unknown, so `default` is assumed; the user who applies it may choose another."""

    foreign: bool = False
    """It comes from a snapshot of the cluster, not from the repository."""

    @property
    def has_assumed_namespace(self) -> bool:
        """The namespace is assumed from the other objects in its folder."""
        return bool(self.guesses) and any(guess.about == NAMESPACE for guess in self.guesses)

    @property
    def identity(self) -> ObjectId:
        """The key for facts about it: several objects may have one name, and its body is not hashable."""
        return ObjectId(id(self))

    @property
    def title(self) -> str:
        """The name, or the beginning that the API server completes (`generateName`): `train-…`."""
        generated = "" if self.name else self.metadata.get("generateName")
        return f"{generated}…" if isinstance(generated, str) and generated else self.name

    @property
    def ref(self) -> Ref:
        return Ref(self.group, self.kind, self.namespace, self.name)

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return posixpath.dirname(self.place.source)

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def spec(self) -> Body:
        value = self.body.get("spec")
        return value if isinstance(value, dict) else EMPTY

    @property
    def metadata(self) -> Body:
        value = self.body.get("metadata")
        return value if isinstance(value, dict) else EMPTY

    def may_be_in_other_namespaces(self, other: Object) -> bool:
        """Whether the two may be in different namespaces: one has an unknown namespace, and they are in different
        folders."""
        return (self.homeless or other.homeless) and self.folder != other.folder

    def at(self, *path: str | int) -> Place:
        """The place of a field of this object."""
        return self.place.at(*path)


def objects(value: object, place: Place, api_version: str = "", kind: str = "", depth: int = 0) -> Iterator[Object]:
    """The objects of one document: itself, or the items of a List. A document without apiVersion and kind has none.
    Items of nested Lists (`depth`) take a missing version and kind from the innermost List."""
    if not isinstance(value, dict):
        return
    api_version = _string_or_empty(value.get("apiVersion")) or api_version
    kind = _string_or_empty(value.get("kind")) or kind
    if not api_version or not kind:
        return
    items = value.get("items")
    if kind.endswith("List") and isinstance(items, list):
        # A typed list gives its items its version and kind (unstructured.UnstructuredList, decodeToList).
        item_kind = kind[: -len("List")]
        for index, item in enumerate(items if depth < _MAX_LISTS else ()):
            yield from objects(item, place.at("items", index), api_version if item_kind else "", item_kind, depth + 1)
        return
    group, _, version = api_version.rpartition("/")
    metadata = mapping(value.get("metadata"))
    namespace, name = text(metadata.get("namespace"))[:_MAX_NAME], text(metadata.get("name"))[:_MAX_NAME]
    yield Object(group, version, kind, namespace, name, value, place)


def _string_or_empty(value: object) -> str:
    return value if isinstance(value, str) else ""


Owner = tuple[str, str, str]
"""Kind, namespace and name. For an Application only the name is known."""

HELM = "Helm release"
_FLUX = (
    ("HelmRelease", "helm.toolkit.fluxcd.io/"),
    ("Kustomization", "kustomize.toolkit.fluxcd.io/"),
    ("ResourceSet", "resourceset.fluxcd.controlplane.io/"),
)
_ARGO, _INSTANCE = "argocd.argoproj.io/tracking-id", "app.kubernetes.io/instance"


def owners_of(objects: Iterable[Object]) -> frozenset[Owner]:
    """The releases and applications that own the objects of a cluster."""
    return frozenset(owner for obj in objects for owner in _owners_of(obj))


def _owners_of(obj: Object) -> Iterator[Owner]:
    labels, annotations = mapping(obj.metadata.get("labels")), mapping(obj.metadata.get("annotations"))
    for kind, prefix in _FLUX:
        if text(labels.get(f"{prefix}name")):
            yield kind, text(labels.get(f"{prefix}namespace")), text(labels[f"{prefix}name"])
    release = text(annotations.get("meta.helm.sh/release-name"))
    if release:
        yield HELM, text(annotations.get("meta.helm.sh/release-namespace")) or obj.namespace, release
    tracked = text(annotations.get(_ARGO)).partition(":")[0] or text(labels.get(_INSTANCE))
    if tracked:
        # An Application outside Argo CD's namespace is named `namespace_name`, so both names are returned.
        yield "Application", "", tracked
        yield "Application", "", tracked.rpartition("_")[2]
