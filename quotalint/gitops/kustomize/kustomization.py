"""Reads a kustomization file, with old field names replaced by current ones."""

from __future__ import annotations

import re

from quotalint.gitops.kustomize.kustomization_fields import respell_fields
from quotalint.gitops.kustomize.traced import Traced, child, elements
from quotalint.kube.fields import Body, mapping, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place
from quotalint.text.tree import Tree

GROUP = "kustomize.config.k8s.io"
COMPONENT = "Component"
_VERSIONS = {"": "v1beta1", "Kustomization": "v1beta1", COMPONENT: "v1alpha1"}
_REMOTE = lazy_pattern(
    r"^(?:[a-z][a-z0-9+.-]*://|git@|git::|(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org)[/:])", re.I
)


_TEXTS = frozenset(("apiVersion", "kind"))
_LISTS = frozenset(("resources", "bases"))
_LISTING = _TEXTS | _LISTS | {"metadata"}


class Kustomization(NamedTuple):
    """A parsed kustomization file: a Kustomization, a Component, or one without a kind."""

    name: str
    """The path of its file."""
    traced: Traced

    @property
    def body(self) -> Body:
        return mapping(self.traced.value)

    @property
    def is_component(self) -> bool:
        return self.body.get("kind") == COMPONENT

    @property
    def place(self) -> Place:
        return self.traced.place

    @property
    def only_lists(self) -> bool:
        """Whether it only lists resources, as half of all kustomizations do, so nothing is generated or transformed."""
        return self.body.keys() <= _LISTING

    @property
    def lists_paths(self) -> bool:
        """Whether it only lists resources, and each field has the type that Kustomize expects."""
        return _lists_paths(self.body)

    def field(self, name: str) -> Traced | None:
        """The value of a field; None if it is absent or empty."""
        return child(self.traced, name) if self.body.get(name) not in (None, "", [], {}) else None

    def entries(self, *names: str) -> list[Traced]:
        """The items of these list fields, in this order."""
        if self.body.keys().isdisjoint(names):
            return []
        return [entry for name in names if (field := self.field(name)) is not None for entry in elements(field)]

    @property
    def legacy_patches(self) -> bool:
        """Whether `patches` lists files, as before release 2.1; all of them are strategic merge patches."""
        return any(isinstance(entry.value, str) for entry in self.entries("patches"))


class LoadProblem(NamedTuple):
    """An error in a kustomization, or the reason why it cannot be loaded."""

    place: Place
    reason: str
    is_empty: bool = False


def _lists_paths(body: Body) -> bool:
    return all(
        isinstance(value, str) if field in _TEXTS else field in _LISTS and _is_list_of_texts(value)
        for field, value in body.items()
    )


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def calls_itself_component(tree: Tree, folder: str) -> bool:
    """Whether the kustomization of a folder declares `kind: Component`. The folder must have a kustomization."""
    reading = tree.reading(tree.kustomizations(folder)[0])
    value = reading.documents[0].value if reading is not None and reading.documents else None
    if isinstance(value, dict) and value.get("kind") == "Kustomization":
        return False
    own_kustomization, _ = kustomization(tree, folder)
    return own_kustomization is not None and own_kustomization.is_component


def kustomization(tree: Tree, folder: str) -> tuple[Kustomization | None, tuple[LoadProblem, ...]]:
    """The kustomization of a folder and its errors. It is None if it cannot be loaded; the errors say why."""
    names = tree.kustomizations(folder)
    if not names:
        return None, (LoadProblem(Place(folder), "there is no kustomization in the folder"),)
    wrong: list[LoadProblem] = []
    if len(names) > 1:
        wrong.append(LoadProblem(Place(names[0]), f"the folder has several kustomizations: {', '.join(names)}"))
    name = names[0]
    reading = tree.reading(name)
    documents = reading.documents if reading is not None else ()
    if reading is None or reading.failures:
        failures = reading.failures if reading is not None else ()
        reason = failures[0].message if failures else "it cannot be read"
        wrong.append(LoadProblem(Place(name), f"the kustomization cannot be read: {reason}"))
        if not documents:
            return None, tuple(wrong)
    if not documents:
        return None, (*wrong, LoadProblem(Place(name), "the kustomization is empty", is_empty=True))
    value = documents[0].value
    place = Place(name, documents[0].index)
    if not isinstance(value, dict):
        return None, (*wrong, LoadProblem(place, "the kustomization is not a mapping"))
    version, kind = text(value.get("apiVersion")), text(value.get("kind"))
    if version and version.partition("/")[0] != GROUP:
        return None, (*wrong, LoadProblem(place, f"apiVersion {version} is not one of Kustomize ({GROUP})"))
    if kind not in ("", "Kustomization", COMPONENT):
        return None, (*wrong, LoadProblem(place.at("kind"), f"kind {kind} is not Kustomization or Component"))
    if not set(value) - {"apiVersion", "kind", "metadata"}:
        wrong.append(LoadProblem(place, "the kustomization is empty", is_empty=True))
    right = f"{GROUP}/{_VERSIONS[kind]}"
    if version and version != right:
        wrong.append(LoadProblem(place.at("apiVersion"), f"apiVersion of a {kind or 'Kustomization'} is {right}"))
    traced = Traced(value, place)
    if not _lists_paths(value):
        traced = recalled("kustomization", (value,), place, lambda: respell_fields(traced))
    return Kustomization(name, traced), tuple(wrong)


def is_remote(path: str) -> bool:
    """Whether a resource path refers to a remote repository."""
    return bool(_REMOTE.match(path)) or "?ref=" in path or ".git//" in path or path.endswith(".git")
