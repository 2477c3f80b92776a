"""The objects of a file that a kustomization names (api/resource/factory.go, `SliceFromBytes`)."""

from __future__ import annotations

from quotalint.gitops.kustomize.built import Built
from quotalint.gitops.kustomize.keys import find_misread_key
from quotalint.gitops.kustomize.kustomize_resource import resource_of
from quotalint.gitops.kustomize.kustomize_yaml import is_common, is_folded, read_objects
from quotalint.gitops.kustomize.problems import MISSING, REFUSED, TEXT, Problem
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.tree import Tree
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import objects
from quotalint.text.place import Place

_FOLDED = "a folded string (`>`) with indented lines: Kustomize adds line breaks to it"


def resources_of(tree: Tree, name: str) -> Built:
    """The objects of a file, and what Kustomize would refuse about it."""
    reading = read_objects(tree, name)
    is_alike = is_common(tree, name)
    problems = [Problem(Place(name), _FOLDED, TEXT)] if not is_alike and is_folded(tree, name) else []
    if reading is not None and reading.failures:
        first = reading.failures[0]
        problems.append(Problem(Place(name), f"{name} cannot be read: {first.message}", MISSING))
    key = "" if is_alike else find_misread_key(tree.data(name) or b"")
    if key:
        problems.append(Problem(Place(name), f"{name} has the key `{key}`, which is not a string; quote it", REFUSED))
    resources = []
    for document in reading.documents if reading is not None else ():
        place = Place(name, document.index)
        for again in document.duplicates:
            reason = f"{name} gives the key `{again.key}` twice (line {again.line})"
            problems.append(Problem(place, reason, REFUSED))
        here = [resource_of(Traced(obj.body, obj.place)) for obj in objects(document.value, place)]
        if not here and _is_versionless(document.value):
            here = [resource_of(Traced(document.value, place))]
        problems += [
            Problem(candidate.traced.place, f"{name} holds a {candidate.id.kind.kind} without a name", REFUSED)
            for candidate in here
            if not candidate.id.name and not candidate.id.kind.kind.endswith("List")
        ]
        if not here and not _is_list(document.value):
            problems.append(Problem(place, f"{name} holds something that is not an object", REFUSED))
        resources += here
    return Built(tuple(resources), tuple(problems), frozenset({name}))


def _is_versionless(value: object) -> bool:
    """Whether it has a kind and a name and no apiVersion: Kustomize takes it along, the API server does not."""
    body = mapping(value)
    named = text(body.get("kind")) and text(mapping(body.get("metadata")).get("name"))
    return bool(named) and not body.get("apiVersion")


def _is_list(value: object) -> bool:
    return text(mapping(value).get("kind")).endswith("List")
