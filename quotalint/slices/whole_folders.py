"""Folders that come or go with all that there is of a namespace, its quotas too → what that does to slices.

Such a folder is applied where another one beside it is, by what both are called. Nothing else says anything of its
namespace, so that nothing but what is made of the folder depends on it: neither which roots are applied together, nor
which folder is the home of which namespace.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from quotalint.deployed import KUSTOMIZATION_NAMES, RootObject, RootObjects, tells_clusters_apart
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.slices.edits import Edits
from quotalint.slices.kept import SliceAt, Slices
from quotalint.slices.moving_namespaces import MovingNamespace, NewSlices, may_found, moving_namespace, stands_alone
from quotalint.slices.neighbours import Neighbour, PlainRoots, neighbour, neighbour_of, plain_roots
from quotalint.slices.slice_changes import SliceChanges, change_of
from quotalint.slices.tree_notes import TreeNote
from quotalint.text.place import Place

_PATTERN = 2  # folders that are called as their namespaces, before that is the way they are called (QL601)


class WholeFolders(NamedTuple):
    """What comes and goes with such folders."""

    edits: Edits
    """What else comes and goes."""
    came: tuple[RootObjects, ...] = ()
    """What of the new folders decides which others they conflict with."""
    went: frozenset[str] = frozenset()
    """The folders that are no more."""


def take_whole_folders(
    slices: Slices,
    edits: Edits,
    note: TreeNote,
    is_read: Callable[[str], bool],
    slice_at: SliceAt,
    changes: SliceChanges,
    new: NewSlices,
) -> WholeFolders | None:
    """What comes and goes with folders whose files are applied as they are, and that hold all of a namespace, which is
    added to the changes, and to `new` slices; None where more than that may depend on them. Folders of which
    kustomizations read anything are left to others."""
    came, went = _came_folders(edits, is_read), _went_folders(slices, edits, is_read, slice_at)
    moving = frozenset(own.folder for own in (*came, *went))
    if not moving:
        return WholeFolders(edits)
    plain = plain_roots(slices, note)
    # A quota that moves to another namespace is told otherwise than one that goes and one that comes.
    if plain is None or (came and went) or not may_found(slices, note):
        return None
    for own in (*came, *went):
        beside = neighbour_of(own.folder, plain, moving, slice_at, limits=bool(own.limits))
        if beside is None or not stands_alone(own, beside.vicinity, slices):
            return None
        if own.name in own.folder.split("/")[:-1]:
            return None  # a folder above may be called like an environment, and be none of what is of that namespace
        if own.limits and not _leaves_homes(own, beside, slice_at):
            return None
        if own.homes:
            if note.namespaces.is_shared(own.name) or not _is_all(own, beside, plain, slice_at):
                return None
            for number, at in (home for homes in own.homes for home in homes):
                change_of(changes, number).went.add(at)
        elif note.namespaces.knows(own.name) or not new.add(own, beside.vicinity):
            return None
    names = slices.files.names
    left = edits._replace(
        came={name: file for name, file in edits.came.items() if posixpath.dirname(name) not in moving},
        went=frozenset(at for at in edits.went if posixpath.dirname(names[at]) not in moving),
    )
    return WholeFolders(left, tuple(map(_root_objects, came)), frozenset(own.folder for own in went))


def _came_folders(edits: Edits, is_read: Callable[[str], bool]) -> list[MovingNamespace]:
    by_folder: dict[str, list[str]] = {}
    for name in edits.came:
        by_folder.setdefault(posixpath.dirname(name), []).append(name)
    return [
        moving_namespace(folder, _written_objects(edits, names))
        for folder, names in by_folder.items()
        if folder in edits.folders and not any(_is_kustomized(name, is_read) for name in names)
    ]


def _written_objects(edits: Edits, names: Iterable[str]) -> Iterator[Object]:
    for name in names:
        for document in edits.came[name].reading.documents:
            yield from objects(document.value, Place(name, document.index))


def _went_folders(
    slices: Slices, edits: Edits, is_read: Callable[[str], bool], slice_at: SliceAt
) -> list[MovingNamespace]:
    by_folder: dict[str, list[int]] = {}
    for number in sorted(edits.went):
        by_folder.setdefault(posixpath.dirname(slices.files.names[number]), []).append(number)
    folders = []
    for folder, numbers in by_folder.items():
        homes = [own for number in numbers for own in slices.files.written[number]]
        names = (slices.files.names[number] for number in numbers)
        is_whole = folder in edits.folders and not any(_is_kustomized(name, is_read) for name in names)
        if is_whole and homes and all(homes):
            first = (slice_at(own[0][0]).objects[own[0][1]] for own in homes)
            folders.append(moving_namespace(folder, first, tuple(homes)))
    return folders


def _is_kustomized(name: str, is_read: Callable[[str], bool]) -> bool:
    return is_read(name) or posixpath.basename(name) in KUSTOMIZATION_NAMES


def _leaves_homes(own: MovingNamespace, beside: Neighbour, slice_at: SliceAt) -> bool:
    """Whether no quota or LimitRange of a folder beside it is taken for one that strayed, or no longer, by what the
    folders there are called (QL601)."""
    parent, name = posixpath.split(own.folder)
    named: dict[str, set[str]] = {}
    saying: set[str] = set()  # those in which that is written itself: of others nothing follows for their neighbours
    for number in beside.vicinity.limits.values():
        for obj in filter(limits_namespace, slice_at(number).objects):
            folder = posixpath.dirname(obj.at("metadata", "namespace").real.source)
            if folder != own.folder and posixpath.dirname(folder) == parent:
                named.setdefault(folder, set()).add(obj.namespace)
                if obj.place.made is None and obj.metadata.get("namespace") == obj.namespace:
                    saying.add(folder)
    is_called_alike = all(names == {posixpath.basename(folder)} for folder, names in named.items())
    return is_called_alike or (name == own.name and len(saying) > _PATTERN)


def _is_all(own: MovingNamespace, beside: Neighbour, plain: PlainRoots, slice_at: SliceAt) -> bool:
    """Whether a folder that goes is applied where its neighbour is, and nothing else is in the slices of its
    namespace."""
    root = plain.by_folder.get(own.folder)
    shown = neighbour(root, plain, slice_at) if root is not None else None
    if shown is None or shown.label != beside.label or shown.vicinity.unseen.keys() != beside.vicinity.unseen.keys():
        return False
    of_namespace = {number for homes in own.homes for number, _ in homes if slice_at(number).namespace}
    return all(
        slice_at(number).namespace == own.name and len(slice_at(number).objects) == len(own.objects)
        for number in of_namespace
    )


def _root_objects(own: MovingNamespace) -> RootObjects:
    keys: list[tuple[str, ...]] = [("", *obj.ref) for obj in own.objects if tells_clusters_apart(obj)]
    declared = frozenset((own.name,))
    return RootObjects(own.folder, False, dict.fromkeys(keys, RootObject(own.folder, None)), declared)
