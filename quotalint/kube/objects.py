"""Documents → the objects that a cluster would be given, and which release or application each belongs to: what the
tools that apply it write on it.

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

_MAX_NAME = 1000  # none may be longer than 253, and reports say each many times over
_MAX_LISTS = 16  # a List in a List in a List …: deeper than anyone writes


class Ref(NamedTuple):
    """Which object: what the API server tells objects apart by."""

    group: str
    kind: str
    namespace: str
    name: str


ObjectId = NewType("ObjectId", int)
"""Which value an object is, whatever else is equal to it: as long as that is there, and nowhere else."""


class Object(NamedTuple):
    """One Kubernetes object and where it is written."""

    group: str
    version: str
    kind: str
    namespace: str
    """Where it lives; empty when it is cluster-scoped or nothing has decided yet."""
    name: str
    body: Body
    place: Place
    guesses: tuple[Guess, ...] = ()
    """What is not written anywhere about where it goes, and was guessed."""
    homeless: bool = False
    """Nothing tells the namespace, so it is `default`; someone else may choose another when the object is applied."""

    foreign: bool = False
    """It is not of the repository: a snapshot of the cluster shows it."""

    @property
    def has_assumed_namespace(self) -> bool:
        """The namespace is not written anywhere: it is the one that the neighbours in its directory name."""
        return bool(self.guesses) and any(guess.about == NAMESPACE for guess in self.guesses)

    @property
    def identity(self) -> ObjectId:
        """By which what is known of it is found: of one name there may be several, and its body cannot be hashed."""
        return ObjectId(id(self))

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

    def may_live_apart(self, other: Object) -> bool:
        """Whether the two are in one namespace only because neither folder tells which."""
        return (self.homeless or other.homeless) and self.folder != other.folder

    def at(self, *path: str | int) -> Place:
        """The place of a field of this object."""
        return self.place.at(*path)


def objects(value: object, place: Place, api_version: str = "", kind: str = "", depth: int = 0) -> Iterator[Object]:
    """The objects of one document: itself, or the items of a List. What has no apiVersion and kind is none. What
    stands in Lists, `depth` of them, is lent a version and a kind by the innermost."""
    if not isinstance(value, dict):
        return
    api_version = _string_or_empty(value.get("apiVersion")) or api_version
    kind = _string_or_empty(value.get("kind")) or kind
    if not api_version or not kind:
        return
    items = value.get("items")
    if kind.endswith("List") and isinstance(items, list):
        # A typed list lends its items its version and kind (unstructured.UnstructuredList, decodeToList).
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
"""Kind, namespace and name. An Application is told by its name alone."""

HELM = "Helm release"
_FLUX = (
    ("HelmRelease", "helm.toolkit.fluxcd.io/"),
    ("Kustomization", "kustomize.toolkit.fluxcd.io/"),
    ("ResourceSet", "resourceset.fluxcd.controlplane.io/"),
)
_ARGO, _INSTANCE = "argocd.argoproj.io/tracking-id", "app.kubernetes.io/instance"


def owners_of(objects: Iterable[Object]) -> frozenset[Owner]:
    """What the objects of a cluster belong to."""
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
        # An Application in another namespace than Argo CD's is called by both: `namespace_name`.
        yield "Application", "", tracked
        yield "Application", "", tracked.rpartition("_")[2]
