"""Quotas and LimitRanges inside other objects: policies that create them, templates, manifests for other clusters.

They are checked for rules that apply anywhere, and never counted, because an operator decides their namespaces.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object, Ref, objects
from quotalint.runtime.recall import recalled_each
from quotalint.snapshots.snapshot_header import is_snapshot
from quotalint.text.documents import read
from quotalint.text.inner import mask_actions, show_masked, show_operator_actions
from quotalint.text.place import Place, document_number, inner_document
from quotalint.text.reading import File

_KINDS = ("ResourceQuota", "LimitRange", "ClusterResourceQuota")
_VERSIONS = dict.fromkeys(_KINDS, "v1") | {"ClusterResourceQuota": "quota.openshift.io/v1"}
_DEPTH = 32
# Fields with patterns, schemas or copies of objects, which contain no real quotas.
_PATTERNS = frozenset(
    {
        *("pattern", "anyPattern", "match", "exclude", "mutate", "validate", "deny", "preconditions", "annotations"),
        *("openAPIV3Schema", "openAPIV2Schema", "status", "assert", "error", "cleanup"),
    }
)
_NO_HOSTS = frozenset({"CustomResourceDefinition", "ClusterServiceVersion", "ConfigMap", "Secret", *_KINDS})
_TESTS = frozenset({"Test", "TestStep", "TestSuite", "TestAssert"})


def embedded_limits(
    files: Sequence[File], data: Iterable[str], holds_manifests: Callable[[str], bool], *, processes_templates: bool
) -> tuple[Object, ...]:
    """The quotas and LimitRanges inside objects of these files. `data` are files passed by kustomizations to plugins
    and generators.

    `processes_templates`: contents of OpenShift Templates are applied and checked elsewhere. `holds_manifests`: whether
    ConfigMaps of a file contain manifests.
    """
    limiting = [file for file in files if file.limiting and not is_snapshot(file.reading)]
    embedded_objects: list[Object] = []
    wrapped = frozenset(data) if limiting else frozenset()
    wrapped = wrapped & frozenset(_policy_generator_files(files)) if wrapped else wrapped
    for file in limiting:
        for document in file.reading.documents:
            place = Place(file.source.name, document.index)
            if file.source.name in wrapped:
                embedded_objects += (obj for obj in objects(document.value, place) if obj.kind in _KINDS)
            for value, at in _listed_documents(document.value, place):
                embedded_objects += _hosted_objects(
                    value,
                    at,
                    processes_templates=processes_templates,
                    holds_manifests=holds_manifests(file.source.name),
                )
    return tuple(embedded_objects)


def _listed_documents(value: object, place: Place) -> Iterator[tuple[object, Place]]:
    """A document, or the items of a List, which are applied individually."""
    items = mapping(value).get("items")
    if mapping(value).get("kind") == "List" and isinstance(items, list):
        yield from ((item, place.at("items", index)) for index, item in enumerate(items))
    else:
        yield value, place


def _hosted_objects(
    value: object, place: Place, *, processes_templates: bool, holds_manifests: bool
) -> Iterator[Object]:
    kind = text(mapping(value).get("kind"))
    in_data = kind == "ConfigMap" and holds_manifests
    if (kind in _NO_HOSTS and not in_data) or kind in _TESTS or (kind == "Template" and processes_templates):
        return
    group = text(mapping(value).get("apiVersion")).rpartition("/")[0]
    if kind:
        value = show_operator_actions(value) if kind == "ResourceSet" else value
        host = f"<{kind} {text(dig(value, 'metadata', 'name'))}>"
        takes_text = in_data or "." in group
        yield from (
            _with_name(obj, host) for obj in _limiting_inside(value, place, takes_text=takes_text, depth=_DEPTH)
        )


def without_rendered(embedded_objects: Sequence[Object], applied: Iterable[Object]) -> tuple[Object, ...]:
    """The embedded objects without those that an operator's rendering in view has created; these are judged as
    objects."""
    if not embedded_objects:
        return ()
    rendered = {obj.place.real for obj in applied if obj.kind in _KINDS}
    return tuple(obj for obj in embedded_objects if _field_of(obj.place.real) not in rendered)


def _field_of(place: Place) -> Place:
    """The field that contains an embedded object or its text."""
    is_in_text = bool(place.path) and document_number(place.path[-1]) is not None
    return place._replace(path=place.path[:-1]) if is_in_text else place


def rounds_of_creation(embedded_objects: Iterable[Object]) -> list[tuple[Object, ...]]:
    """The objects in as few lists as possible, each without two of one name: they belong to different policies."""
    lists: list[list[Object]] = []
    rounds_by_ref: dict[Ref, int] = {}
    for obj in embedded_objects:
        number = rounds_by_ref.get(obj.ref, 0)
        rounds_by_ref[obj.ref] = number + 1
        if number == len(lists):
            lists.append([])
        lists[number].append(obj)
    return [tuple(round_objects) for round_objects in lists]


def _limiting_inside(value: object, place: Place, depth: int, *, takes_text: bool) -> Iterator[Object]:
    if isinstance(value, dict):
        is_limiting = text(value.get("kind")) in _KINDS
        obj = _limiting_object(value, place) or _generated_by_kyverno(value, place) if is_limiting else None
        if obj is not None:
            yield obj
            return
        if text(value.get("complianceType")).lower() == "mustnothave":
            return
        for key, inner in value.items() if depth else ():
            if key not in _PATTERNS:
                yield from _limiting_inside(inner, place.at(key), takes_text=takes_text, depth=depth - 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value if depth else ()):
            yield from _limiting_inside(inner, place.at(index), takes_text=takes_text, depth=depth - 1)
    elif isinstance(value, str) and takes_text and "\n" in value and any(kind in value for kind in _KINDS):
        reading = read(mask_actions(value))
        for document in reading.documents if depth and not reading.failures else ():
            yield from _limiting_inside(
                show_masked(document.value),
                place.at(inner_document(document.index)),
                takes_text=takes_text,
                depth=depth - 1,
            )


def _limiting_object(value: Mapping[str, object], place: Place) -> Object | None:
    if value.get("apiVersion") != _VERSIONS[text(value.get("kind"))] or not isinstance(value.get("spec"), dict):
        return None
    return next(objects(value, place), None)


def _generated_by_kyverno(value: Mapping[str, object], place: Place) -> Object | None:
    """The object that a Kyverno rule generates; its identity is beside `data`, its content inside."""
    data = value.get("data")
    if value.get("apiVersion") != "v1" or not isinstance(data, dict):
        return None
    metadata = {
        **mapping(data.get("metadata")),
        "name": text(value.get("name")),
        "namespace": text(value.get("namespace")),
    }
    body = {**data, "apiVersion": "v1", "kind": value["kind"], "metadata": metadata}
    return next(objects(body, place.at("data")), None)


def _with_name(obj: Object, host: str) -> Object:
    """The object, named after its host if it has no name."""
    return obj if obj.name else obj._replace(name=host)


def _policy_generator_files(files: Sequence[File]) -> Iterator[str]:
    """The files that PolicyGenerators of Advanced Cluster Management wrap into policies."""
    limiting_names = [file.source.name for file in files if file.limiting]
    for file in filter(None, recalled_each("policy generators", files, (), _if_policy_generator)):
        for document in file.reading.documents:
            body = mapping(document.value)
            for policy in sequence(body.get("policies")) if body.get("kind") == "PolicyGenerator" else ():
                for manifest in sequence(mapping(policy).get("manifests")):
                    path = text(mapping(manifest).get("path"))
                    named = posixpath.normpath(posixpath.join(posixpath.dirname(file.source.name), path))
                    yield from (
                        file_name
                        for file_name in limiting_names
                        if file_name == named or file_name.startswith(f"{named}/")
                    )


def _if_policy_generator(file: File) -> File | None:
    """The file if it contains a PolicyGenerator."""
    bodies = (mapping(document.value) for document in file.reading.documents)
    return file if any(body.get("kind") == "PolicyGenerator" for body in bodies) else None
