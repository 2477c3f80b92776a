"""What decides which files may come or go with nothing but the objects that are written in them: what was looked for
by its name, what is applied together, and which objects there are."""

from __future__ import annotations

import marshal
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain
from typing import Any

from quotalint.cache.packing import frame_values, join_texts, parts, split_bytes, split_texts
from quotalint.deployed import (
    KUSTOMIZATION_NAMES,
    LANGUAGES,
    NotedBuilds,
    NotedRoot,
    RootObject,
    RootObjects,
    View,
    gives_folders,
    join_path,
    named_paths,
)
from quotalint.facts import Facts
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object, Ref, objects
from quotalint.kube.rbac import GROUP as RBAC
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import Deploying
from quotalint.slices.local_kinds import is_local_coming
from quotalint.slices.namespace_notes import SHORT, NamespaceNote, namespace_note, noted_namespaces, short_digest
from quotalint.slices.namespace_surroundings import home_of
from quotalint.slices.object_homes import Sources
from quotalint.text.place import Place
from quotalint.text.reading import File

_IGNORE_FILE = ".sourceignore"
_LISTED = "*"
_PROJECT = "AppProject"
_KIND_LISTS = tuple(
    f"{scope}Resource{colour}list" for scope in ("namespace", "cluster") for colour in ("Black", "White")
)
_SOURCES_OF_FLUX = ("Bucket", "GitRepository", "OCIRepository")


class NotedPart(NamedTuple):
    """What of a root goes to one cluster."""

    destination: str
    folder: str
    sources: frozenset[str]
    """The files of which objects are applied as they are written."""
    units: frozenset[int]
    """The numbers of those that others are made in."""


class AppliedRoot(NamedTuple):
    """What is applied together."""

    objects: RootObjects | None
    """What decides which others it conflicts with; None where there are no others."""
    parts: tuple[NotedPart, ...]
    label: tuple[str, ...] | None = None
    """What sets its path apart; None where that is not surely known."""


class NotedProject(NamedTuple):
    """An AppProject."""

    lists: Body
    """What it says of the kinds that it allows."""
    is_extended: bool
    """A global project may allow more."""
    namespaces: tuple[str, ...]
    """The patterns of those that it allows."""


class TreeNote(NamedTuple):
    """What is known of which files there are."""

    asked: frozenset[str]
    """What was looked for, or a link leads to, and the folders that were listed."""
    taken: frozenset[str]
    """The same of where all manifests are taken, whatever they are called."""
    searched: frozenset[str]
    """The same of where nothing counts but which folders there are."""
    unread: frozenset[str]
    """Folders (`folder_of`) of files that cannot be read: what they are may depend on what lies beside them."""
    limiting: Mapping[str, str]
    """Those of files in which there may be quotas or LimitRanges that name their namespaces, each with the one that all
    which is written in it is of; empty where there are several."""
    telling: frozenset[str]
    """Templates that nobody renders, and that write quotas, LimitRanges or workloads; files of such names that are read
    for what they are."""
    extreme: frozenset[str]
    """Files with amounts that are extreme by themselves, which are compared with all others of their file."""
    founding: frozenset[str]
    """Files of which more may look for nothing but the namespaces that they declare, and who may do what there."""
    refs: frozenset[bytes]
    """What stands for the objects there are."""
    roots: tuple[AppliedRoot, ...]
    projects: tuple[NotedProject, ...]
    namespaces: NamespaceNote


_NAMESPACE = ("v1", "Namespace")
FOUNDING = (_NAMESPACE, (f"{RBAC}/v1", "Role"), (f"{RBAC}/v1", "RoleBinding"))
"""Kinds that say which namespaces there are, and who may do what there."""


def folder_of(name: str) -> str:
    """The folder that a file is in, with a `/` at its end."""
    return f"{posixpath.dirname(name)}/"


def ref_digest(ref: Ref) -> bytes:
    """What stands for an object."""
    return short_digest("\0".join(ref))


def noted_tree(
    environments: Sequence[Facts],
    view: View,
    sources: Sources,
    extreme: AbstractSet[str],
    closed: AbstractSet[str],
    *,
    deploys: Deploying,
) -> bytes:
    """What is known of which files there are, some with `extreme` amounts, and some that are `closed`, since anything
    may be made of them; empty where more may depend on that."""
    noted = view.noted
    if noted is None or noted.roots is None or _chooses_files(environments, view):
        return b""
    tree, files = noted.tree, environments[0].repository.outline
    in_units = (name for build in noted.made for name in tree.but_manifests(build.names))
    heard = frozenset().union(*(build.names for build in noted.made))
    unbuilt = (file for file in view.layout.kustomizations.values() if file.name not in heard)
    named = (join_path(posixpath.dirname(file.name), at.path) for file in unbuilt for at in named_paths(file.body))
    objects = {id(obj): obj for facts in environments for obj in (*facts.cluster.objects, *facts.cluster.replaced)}
    refs = {ref_digest(obj.ref) for obj in objects.values()}
    roots = [_plain_root(root, sources) for root in noted.roots]
    projects = [tuple(own) for own in _projects(environments, files, noted)]
    with tree.listening():
        read = {
            (name, tree.canonical_name(name))
            for name in (*(file.source.name for file in files), *heard, *tree.read_by_others)
        }
    linked = {own for name, own in read if own != name}
    read_templates = {own for _, own in read if own.endswith(LANGUAGES)}
    known_elsewhere = {file.source.name: file for file in files if is_known_elsewhere(file, deploys=deploys)}
    founding = {name for name, file in known_elsewhere.items() if _only_founds(file, deploys=deploys)}
    by_others = closed | tree.asked_by_others | tree.read_by_others
    asked = {*(known_elsewhere.keys() - founding), *by_others, *in_units, *named, *linked}
    return frame_values(
        (
            *(join_texts(sorted(names)) for names in (asked, tree.taken_whole, tree.searched_for_folders)),
            join_texts(sorted({folder_of(file.source.name) for file in files if file.reading.failures})),
            join_texts(sorted(environments[0].repository.telling_templates.union(read_templates))),
            join_texts(sorted(extreme)),
            join_texts(sorted(founding)),
            b"".join(sorted(refs)),
            noted_namespaces(environments, files, view),
            marshal.dumps((_namespaces_of_limiting(files, objects.values()), roots, projects)),
        )
    )


@lru_cache(maxsize=1)  # what is said alike is looked for first, and then what is said otherwise, of the same note
def tree_note(data: bytes) -> TreeNote:
    """What was noted. Raises ValueError, TypeError or EOFError where it has not this form."""
    *names, refs, namespaces, others = parts(data)
    asked, taken, searched, unread, telling, extreme, founding = (frozenset(split_texts(own)) for own in names)
    limiting, roots, projects = marshal.loads(others)
    known_refs = frozenset(split_bytes(refs, SHORT))
    of_names = asked, taken, searched, unread, limiting, telling, extreme, founding
    of_roots = tuple(map(_root_of, roots)), tuple(NotedProject(*own) for own in projects)
    return TreeNote(*of_names, known_refs, *of_roots, namespace_note(namespaces))


def are_unasked(
    names: Iterable[str], folders: Iterable[str], note: TreeNote, *, in_taken: bool = True, founding: bool = False
) -> bool:
    """Whether nobody asked whether there are these files and folders, nor what there is in the folders that they are
    in, unless it takes whatever manifests these have; nor for what they declare, unless that is asked otherwise."""
    listed = note.asked if in_taken else note.asked | note.taken
    for name in names:
        if name in note.asked or name in note.taken or _listing_name(posixpath.dirname(name)) in listed:
            return False
        if name in note.founding and not founding:
            return False
    for folder in folders:
        above = _listing_name(posixpath.dirname(folder))
        if any(folder in asked or above in asked for asked in (note.asked, note.taken, note.searched)):
            return False
    return True


def is_known_elsewhere(file: File, *, deploys: Deploying, but: str = "") -> bool:
    """Whether more may look for what is written in a file than who reads it: for the names of classes, for namespaces
    that are declared `but` one, or that something deploys to."""
    return any(
        not but
        or (body["apiVersion"], body["kind"]) != _NAMESPACE
        or text(mapping(body.get("metadata")).get("name")) != but
        for body in _known_elsewhere(file, deploys=deploys)
    )


def _known_elsewhere(file: File, *, deploys: Deploying) -> Iterator[Body]:
    """The objects in a file for which more may look."""
    bodies = (mapping(document.value) for document in file.reading.documents)
    if posixpath.basename(file.source.name) not in KUSTOMIZATION_NAMES:
        for body in bodies:
            if "apiVersion" in body and "kind" in body and not is_local_coming(body, deploys=deploys):
                yield body


def _only_founds(file: File, *, deploys: Deploying) -> bool:
    return all((body["apiVersion"], body["kind"]) in FOUNDING for body in _known_elsewhere(file, deploys=deploys))


def _listing_name(folder: str) -> str:
    return f"{folder}/{_LISTED}" if folder else _LISTED


def _namespaces_of_limiting(files: Sequence[File], objects: Iterable[Object]) -> dict[str, str]:
    """By folder of files in which there may be quotas or LimitRanges the namespace that all in it is of."""
    limiting = [file for file in files if file.limiting and _may_name_limited(file)]
    names: dict[str, set[str]] = {folder_of(file.source.name): set() for file in limiting}
    for obj in objects:
        for folder in {f"{obj.folder}/", folder_of(obj.place.file)} & names.keys():
            names[folder].add(home_of(obj))
    for file in limiting:
        for document in file.reading.documents:
            written = written_namespace(mapping(document.value))
            names[folder_of(file.source.name)] |= {written} if written else set()
    return {folder: "".join(own) if len(own) == 1 else "" for folder, own in names.items()}


def _may_name_limited(file: File) -> bool:
    """Whether a quota or LimitRange in a file may name its namespace itself, so that its folder says something of that
    (QL601)."""
    written = (obj for document in file.reading.documents for obj in objects(document.value, Place("")))
    limiting = [obj for obj in written if limits_namespace(obj)]
    return not limiting or any(obj.metadata.get("namespace") is not None for obj in limiting)


def _projects(environments: Iterable[Facts], files: Iterable[File], noted: NotedBuilds) -> Iterator[NotedProject]:
    """Those that are written, built, or applied otherwise."""
    values = (document.value for file in files for document in file.reading.documents)
    near = (
        value for value in values if isinstance(value, dict) and (value.get("kind") == _PROJECT or "items" in value)
    )
    written = (obj for value in near for obj in objects(value, Place("")))
    built = (obj for build in noted.made for obj in build.rendering.objects)
    applied = (obj for facts in environments for obj in facts.cluster.objects)
    for obj in chain(written, built, applied):
        if obj.kind == _PROJECT:
            lists = {field: obj.spec[field] for field in _KIND_LISTS if field in obj.spec}
            destinations = map(mapping, sequence(obj.spec.get("destinations")))
            namespaces = tuple(text(destination.get("namespace")) for destination in destinations)
            yield NotedProject(lists, bool(mapping(obj.metadata.get("labels"))), namespaces)


def written_namespace(body: Body) -> str:
    """The namespace that an object says it is of, or that it declares."""
    metadata = mapping(body.get("metadata"))
    return text(metadata.get("namespace")) or (text(metadata.get("name")) if body.get("kind") == "Namespace" else "")


def _chooses_files(environments: Iterable[Facts], view: View) -> bool:
    """Whether files are left out by what they are called, or a plugin is given all that lies in a folder."""
    noted = view.noted
    assert noted is not None
    if any(posixpath.basename(name) == _IGNORE_FILE and noted.tree.is_file(name) for name in noted.tree.read_by_others):
        return True
    if any(
        obj.kind in _SOURCES_OF_FLUX and "ignore" in obj.spec for facts in environments for obj in facts.cluster.objects
    ):
        return True
    return gives_folders(view.layout.kustomizations.values(), noted.tree)


def _plain_root(noted: NotedRoot, sources: Sources) -> tuple[Any, ...]:
    own = noted.objects
    objects = own and (
        own.folder,
        own.is_kustomization,
        [(key, tuple(of_root)) for key, of_root in own.by_key.items()],
        tuple(own.declared),
    )
    return objects, [*_plain_parts(noted, sources)], noted.label


def _plain_parts(noted: NotedRoot, sources: Sources) -> Iterator[tuple[Any, ...]]:
    for part in noted.root.parts:
        objects = part.rendering.objects
        makers = {sources.maker_of(obj) for obj in objects if obj.place.made is not None} - {None}
        written = {obj.place.source for obj in objects if obj.place.made is None}
        yield part.destination, part.rendering.folder, tuple(written), tuple(makers)


def _root_of(plain: Any) -> AppliedRoot:
    own, own_parts, label = plain
    objects = None
    if own is not None:
        folder, is_kustomization, by_key, declared = own
        keyed = {tuple(key): RootObject(*of_root) for key, of_root in by_key}
        objects = RootObjects(folder, is_kustomization, keyed, frozenset(declared))
    of_parts = (
        NotedPart(destination, folder, frozenset(written), frozenset(units))
        for destination, folder, written, units in own_parts
    )
    return AppliedRoot(objects, tuple(of_parts), label)
