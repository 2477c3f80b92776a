"""What of a file or an object decides more than its own namespace: all of it, but for the bodies of kinds that reach no
further."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any

from quotalint.deployed import KUSTOMIZATION_NAMES, only_lists
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.slices.api_groups import is_local_mark, is_unread_annotation
from quotalint.slices.kept import Deploying
from quotalint.slices.local_kinds import OF_CHARTS, is_local_coming, is_local_kind
from quotalint.text.reading import File
from quotalint.transcript import UNKNOWN, digest

_OTHER_TOOLS = frozenset(
    (
        *(".circleci", ".drone.yml", ".github", ".gitlab", ".gitlab-ci.yml", ".markdownlint.yaml", ".mergify.yml"),
        *(".pre-commit-config.yaml", ".prow.yaml", ".travis.yml", ".yamllint.yaml", ".yamllint.yml"),
    )
)
"""Folders and files of theirs: the only hidden ones that are known to decide nothing."""
DECIDING_NAMES = ("chart.", "fleet.", "helmfile", "quotalint.")
"""How files are called that decide more than what is written in them, in small letters."""
_DECIDING = frozenset(("apiVersion", "defaultNamespace", "helm", "helmfiles", "kind", "releases"))
"""Fields of objects, and of what deploys some without being one: a helmfile, a `fleet.yaml`."""
_Unread = Mapping[Any, "Mapping[Any, Any] | None"]
"""By field: None where nothing rests on what it says, else the same for what is in it."""
_OF_RELEASE: _Unread = {"values": None, "chart": {"spec": dict.fromkeys(("interval", "version"))}}
_OF_SOURCE: _Unread = {"targetRevision": None, "helm": dict.fromkeys(("parameters", "values", "valuesObject"))}
_OF_FOLDER: _Unread = {"helm": dict.fromkeys(("parameters", "valuesObject"))}
"""The same of one that names a folder, which is no chart, or none of this repository; text there may be unreadable."""
_LEFT_TO_ARGO = frozenset(("ignoreDifferences", "info", "revisionHistoryLimit"))
"""What an Application says of how Argo CD goes about it, of which nothing is deployed."""
_SYNC = "syncPolicy"
_LEFT_OF_SYNC = frozenset(("automated", "retry"))
"""The same of what is in that field."""
_LEFT_TO_FLUX = frozenset(("interval", "maxHistory", "timeout"))
"""The same of a HelmRelease."""
_ABOUT = ("apiVersion", "kind")
_TUNED = frozenset(("images", "replicas"))
"""Fields of a kustomization of which only what it makes of objects depends."""
_LISTED = frozenset(("bases", "components", "resources"))
"""Those by which it is told how folders build on each other."""
_MAKING = frozenset(
    (
        *("patches", "patchesJson6902", "patchesStrategicMerge"),
        *("configMapGenerator", "generatorOptions", "secretGenerator"),
    )
)
"""The others by which files are read, or objects are made."""
_LISTS = _LISTED | _MAKING


def is_plain(file: File) -> bool:
    """Whether a file is nothing but mappings that ask for nothing to be left out."""
    reading = file.reading
    if reading.failures or reading.dropped or file.marked or file.source.explicit:
        return False
    return all(
        isinstance(document.value, dict) and not document.duplicates and "items" not in document.value
        for document in reading.documents
    )


def file_outline(file: File, *, deploys: Deploying, is_built: bool = False) -> bytes:
    """What stands for that of a file, in a repository that holds something that `deploys` others or not; UNKNOWN where
    any other file may rest on any change of this one. Of a file of which folders are built, and that nobody applies as
    it is, its objects of local kinds decide no more than what these come to (`file_listing`)."""
    if not is_plain(file):
        return UNKNOWN
    outline: list[Any] = [file.limiting]
    if holds_no_object(file):
        return _digest_of([*outline, *(document.index for document in file.reading.documents)])
    if is_built and _is_of_builds(file):
        bodies = (mapping(document.value) for document in file.reading.documents)
        others = (body for body in bodies if not is_local_coming(body, deploys=deploys))
        return _digest_of(["built", *outline, *(_plain_outline(body, deploys=deploys) for body in others)])
    for document in file.reading.documents:
        body = document.value
        assert isinstance(body, dict)
        if is_kustomization(file):
            fields = ((key, None if key in _LISTED else value) for key, value in body.items())
            own = [(key, value) for key, value in fields if key not in _TUNED and key not in _MAKING]
            outline += (own, only_lists(body))
        else:
            outline.append((document.index, _plain_outline(body, deploys=deploys)))
    return _digest_of(outline)


def file_listing(file: File, *, deploys: Deploying, is_built: bool = False) -> bytes:
    """What stands for which others a file names to be read, if it is a kustomization, and for which objects of local
    kinds are in it, if folders are built of it; UNKNOWN of others."""
    bodies = (mapping(document.value) for document in file.reading.documents)
    if is_kustomization(file):
        return _digest_of([[(key, value) for key, value in body.items() if key in _LISTS] for body in bodies])
    if not (is_built and _is_of_builds(file)):
        return UNKNOWN
    local = (body for body in bodies if is_local_coming(body, deploys=deploys))
    return _digest_of([_plain_outline(body, deploys=deploys) for body in local])


def _is_of_builds(file: File) -> bool:
    """Whether only what is built of a file depends on which objects of local kinds are in it: where quotas are written,
    folders say something of namespaces."""
    return not (file.limiting or is_kustomization(file))


def holds_no_object(file: File) -> bool:
    """Whether a file holds no object and nothing that makes any, and no quota inside something else: it is for another
    tool, or values of a chart."""
    *_, name = names = file.source.name.split("/")
    is_hidden = any(part.startswith(".") and part not in _OTHER_TOOLS for part in names)
    if is_hidden or file.limiting or is_kustomization(file) or name.lower().startswith(DECIDING_NAMES):
        return False
    bodies = [mapping(document.value) for document in file.reading.documents]
    lists_files = any(isinstance(body.get(field), list) for body in bodies for field in _LISTS)
    return not lists_files and all(map(_DECIDING.isdisjoint, bodies))


def is_tuned(file: File, *, deploys: Deploying) -> bool:
    """Whether there is anything in a file that its outline leaves out."""
    bodies = (document.value for document in file.reading.documents)
    return is_kustomization(file) or any(_leaves_out(mapping(body), deploys=deploys) for body in bodies)


def is_kustomization(file: File) -> bool:
    """Whether a file is called as a kustomization is."""
    return file.source.name.rpartition("/")[2] in KUSTOMIZATION_NAMES


def inflates_charts(file: File) -> bool:
    """Whether a kustomization asks for charts."""
    from quotalint.deployed import CHARTS

    return not all(CHARTS.isdisjoint(mapping(document.value)) for document in file.reading.documents)


class ObjectDigests:
    """What stands for objects. A class because it remembers the values that several of them share: as long as all of
    these objects are here, nothing else has their identities."""

    def __init__(self, *, deploys: Deploying) -> None:
        self._deploys = deploys
        self._known: dict[int, bytes] = {}

    def outlines(self, objects: Sequence[Object]) -> bytes:
        """A digest for each of these: of which object it is, and of what decides more than its namespace."""
        outline_of = partial(_outline_of, pairs=self._with_digests, deploys=self._deploys)
        return b"".join(_digest_of([*obj[:5], outline_of(obj.body)]) for obj in objects)

    def contents(self, objects: Sequence[Object]) -> bytes:
        """A digest for each of these: of all that it says, where the outline has not all of it."""
        return b"".join(
            _digest_of([*obj[:5], self._with_digests(obj.body)])
            if _leaves_out(obj.body, deploys=self._deploys)
            else UNKNOWN
            for obj in objects
        )

    def _with_digests(self, body: Body) -> list[tuple[str, object]]:
        return [(key, self._digest(value) if isinstance(value, (dict, list)) else value) for key, value in body.items()]

    def _digest(self, value: Any) -> bytes:
        known_digest = self._known.get(id(value))
        if known_digest is None:
            known_digest = self._known[id(value)] = digest(marshal.dumps(value, 2))
        return known_digest


def file_content(file: File) -> bytes:
    """What stands for all that a file says, however it is written; UNKNOWN where comments may count."""
    if not is_plain(file):
        return UNKNOWN
    return _digest_of([file.limiting, *((document.index, document.value) for document in file.reading.documents)])


def _digest_of(plain: list[Any]) -> bytes:
    # The second version of the format tells equal values from each other by nothing but what they are.
    return digest(marshal.dumps(plain, 2))


def _is_namespace(body: Body) -> bool:
    return body.get("apiVersion") == "v1" and body.get("kind") == "Namespace"


def _leaves_out(body: Body, *, deploys: Deploying) -> bool:
    """Whether an outline has not all that an object says."""
    return is_local_kind(body, deploys=deploys) or _is_namespace(body)


def _plain_outline(body: Body, *, deploys: Deploying) -> object:
    return _outline_of(body, lambda fields: [*fields.items()], deploys=deploys)


def _outline_of(body: Body, pairs: Callable[[Body], object], *, deploys: Deploying) -> object:
    """What decides more than the namespace of an object, as what `pairs` makes of its fields."""
    if is_local_kind(body, deploys=deploys):
        return [*body], pairs(_outline_fields(body))
    if _is_namespace(body):
        # By labels nothing chooses namespaces where quotas are of one namespace each, and no policies are bound.
        fields = _metadata_fields(body, ("annotations", "labels"), is_local_mark)
        return pairs({**body, "metadata": None, **dict(fields)})
    return pairs(body)


def _outline_fields(body: Body) -> dict[str, object]:
    """What of an object of a local kind decides more than its namespace."""
    fields: dict[str, object] = {key: body.get(key) for key in _ABOUT}
    fields.update(_metadata_fields(body))
    if body.get("kind") in OF_CHARTS:
        spec = {key: value for key, value in mapping(body.get("spec")).items() if key not in _left_out(body)}
        if body.get("kind") == "Application" and isinstance(spec.get(_SYNC), dict):
            sync = mapping(spec.pop(_SYNC))
            fields.update((f"spec.{_SYNC}.{key}", sync[key]) for key in sync if key not in _LEFT_OF_SYNC)
        fields.update(_fields_but(_unread_fields(body), spec, "spec"))
    return fields


def _metadata_fields(
    body: Body,
    marking: Collection[str] = ("annotations",),
    is_unread: Callable[[object], bool] = is_unread_annotation,
) -> Iterator[tuple[str, object]]:
    """The metadata without those annotations, or what else is in these fields, that nobody reads elsewhere. What is
    yielded is a value of the object itself, or plain."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        yield "metadata", metadata
        return
    for key, value in metadata.items():
        if key not in marking or not isinstance(value, dict):
            yield f"metadata.{key}", value
        elif read := tuple(item for item in value.items() if not is_unread(item[0])):
            yield f"metadata.{key}", read


def _unread_fields(body: Body) -> _Unread:
    """What an object gives a chart, and of which version that is."""
    if body.get("kind") == "HelmRelease":
        return _OF_RELEASE
    spec = mapping(body.get("spec"))
    sources = dict(enumerate(map(_unread_of_source, sequence(spec.get("sources")))))
    return {"source": _unread_of_source(spec.get("source")), "sources": sources}


def _unread_of_source(source: object) -> _Unread:
    # An empty chart is none: then the revision is that of a folder.
    return _OF_SOURCE if text(mapping(source).get("chart")) else _OF_FOLDER


def _left_out(body: Body) -> AbstractSet[str]:
    return _LEFT_TO_ARGO if body.get("kind") == "Application" else _LEFT_TO_FLUX


def _fields_but(unread: _Unread, of: Mapping[Any, object], path: str) -> Iterator[tuple[str, object]]:
    """All fields, of the `unread` ones whether they say anything. What is yielded is a value of the object itself, or
    plain: an identity stands for the others."""
    for key, value in of.items():
        name, below = f"{path}.{key}", unread.get(key, {})
        if below is None:
            yield name, bool(value)
        elif below and isinstance(value, (dict, list)):
            yield name, len(value)
            yield from _fields_but(below, value if isinstance(value, dict) else dict(enumerate(value)), name)
        else:
            yield name, value
