"""Folders that come or go with all that there is of a namespace, its quotas too → what that does to slices.

Such a folder is applied where another one beside it is, by what both are called. Nothing else says anything of its
namespace, so that nothing but what is made of the folder depends on it: neither which roots are applied together, nor
which folder is the home of which namespace.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from quotalint.deployed import KUSTOMIZATION_NAMES, RootObject, RootObjects, is_deployer, tells_clusters_apart
from quotalint.kube.discovery import is_cluster_scoped
from quotalint.kube.fields import mapping, text
from quotalint.kube.kinds import is_built_in, limits_namespace
from quotalint.kube.names import label_name_errors
from quotalint.kube.objects import Object, objects
from quotalint.kube.rbac import GROUP as RBAC
from quotalint.kube.rbac import roles
from quotalint.named_tuples import NamedTuple
from quotalint.slices.edits import Edits
from quotalint.slices.kept import Homes, Slice, Slices, pack_slice, unpack_surroundings
from quotalint.slices.local_kinds import is_local_coming
from quotalint.slices.movements import is_marked
from quotalint.slices.namespace_surroundings import NO_SUMS
from quotalint.slices.neighbours import Neighbour, SliceAt, neighbour, neighbour_of, plain_roots
from quotalint.slices.remaking import is_unfinished
from quotalint.slices.slice_changes import SliceChanges, change_of
from quotalint.slices.slice_facts import discovery_around
from quotalint.slices.tree_notes import FOUNDING, TreeNote
from quotalint.text.place import Place

_PATTERN = 2  # folders that are called as their namespaces, before that is the way they are called (QL601)


class WholeNamespaces(NamedTuple):
    """What comes and goes with such folders."""

    slices: Slices
    """With those of the new namespaces, in which nothing is yet."""
    edits: Edits
    """What else comes and goes."""
    came: tuple[RootObjects, ...] = ()
    """What of the new folders decides which others they conflict with."""
    went: frozenset[str] = frozenset()
    """The folders that are no more."""


class _MovingFolder(NamedTuple):
    """A folder that comes or goes with a namespace."""

    folder: str
    namespace: str
    objects: tuple[Object, ...]
    homes: tuple[Homes, ...] = ()
    """Where each of them was, of a folder that goes."""

    @property
    def limits(self) -> tuple[Object, ...]:
        """Its quotas and LimitRanges."""
        return tuple(filter(limits_namespace, self.objects))


def take_whole_namespaces(
    slices: Slices,
    edits: Edits,
    note: TreeNote,
    is_read: Callable[[str], bool],
    slice_at: SliceAt,
    changes: SliceChanges,
) -> WholeNamespaces | None:
    """What comes and goes with folders whose files are applied as they are, and that hold all of a namespace, which is
    added to the changes; None where more than that may depend on them. Folders of which kustomizations read anything
    are left to others."""
    came, went = _came_folders(edits, is_read), _went_folders(slices, edits, is_read, slice_at)
    moving = frozenset(own.folder for own in (*came, *went))
    if not moving:
        return WholeNamespaces(slices, edits)
    plain = plain_roots(slices, note)
    # A quota that moves to another namespace is told otherwise than one that goes and one that comes.
    if plain is None or (came and went) or note.namespaces.strays:
        return None
    if slices.settings.environments or slices.settings.namespaces:
        return None
    added = list(slices.slices)
    for own in (*came, *went):
        beside = neighbour_of(own.folder, plain, moving, slice_at, limits=bool(own.limits))
        if beside is None or not (_stands_alone(own, beside, slices) and _protects_quotas(own, slices)):
            return None
        if own.limits and not _leaves_homes(own, beside, slice_at):
            return None
        if own.homes:
            root = plain.by_folder.get(own.folder)
            placed = neighbour(root, plain, slice_at) if root is not None else None
            if placed is None or not (placed.label == beside.label and placed.unseen.keys() == beside.unseen.keys()):
                return None
            if note.namespaces.is_shared(own.namespace) or not _is_all(own, slice_at):
                return None
            for number, at in (home for homes in own.homes for home in homes):
                change_of(changes, number).went.add(at)
        elif note.namespaces.knows(own.namespace):
            return None
        else:
            added += _new_slices(own, beside, len(added), slice_at, changes)
    names = slices.files.names
    left = edits._replace(
        came={name: file for name, file in edits.came.items() if posixpath.dirname(name) not in moving},
        went=frozenset(at for at in edits.went if posixpath.dirname(names[at]) not in moving),
    )
    roots = tuple(map(_root_objects, came))
    return WholeNamespaces(slices._replace(slices=added), left, roots, frozenset(own.folder for own in went))


def _came_folders(edits: Edits, is_read: Callable[[str], bool]) -> list[_MovingFolder]:
    by_folder: dict[str, list[str]] = {}
    for name in edits.came:
        by_folder.setdefault(posixpath.dirname(name), []).append(name)
    return [
        _moving_folder(folder, _written_objects(edits, names))
        for folder, names in by_folder.items()
        if folder in edits.folders and not any(_is_kustomized(name, is_read) for name in names)
    ]


def _written_objects(edits: Edits, names: Iterable[str]) -> Iterator[Object]:
    for name in names:
        for document in edits.came[name].reading.documents:
            yield from objects(document.value, Place(name, document.index))


def _went_folders(
    slices: Slices, edits: Edits, is_read: Callable[[str], bool], slice_at: SliceAt
) -> list[_MovingFolder]:
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
            folders.append(_moving_folder(folder, first, tuple(homes)))
    return folders


def _is_kustomized(name: str, is_read: Callable[[str], bool]) -> bool:
    return is_read(name) or posixpath.basename(name) in KUSTOMIZATION_NAMES


def _moving_folder(folder: str, written: Iterable[Object], homes: tuple[Homes, ...] = ()) -> _MovingFolder:
    all_objects = tuple(written)
    declared = [obj.name for obj in all_objects if (obj.group, obj.kind) == ("", "Namespace")]
    return _MovingFolder(folder, declared[0] if len(declared) == 1 else "", all_objects, homes)


def _stands_alone(own: _MovingFolder, beside: Neighbour, slices: Slices) -> bool:
    """Whether nothing outside of the namespace that a folder declares depends on what is in the folder, and all of it
    is of that namespace."""
    namespace = own.namespace
    if label_name_errors(namespace) or is_built_in(namespace) or namespace in own.folder.split("/")[:-1]:
        return False
    if len({obj.ref for obj in own.objects}) < len(own.objects):
        return False
    return all(_is_of_namespace(obj, namespace, beside, slices) for obj in own.objects)


def _is_of_namespace(obj: Object, namespace: str, beside: Neighbour, slices: Slices) -> bool:
    if is_unfinished(obj, deploys=slices.deploys) or is_deployer(obj) or is_marked(obj) or not obj.name:
        return False
    if (obj.group, obj.kind) == ("", "Namespace"):
        return not obj.metadata.get("namespace")
    is_known = (obj.body.get("apiVersion"), obj.body.get("kind")) in FOUNDING  # and declares no other namespace
    if not (is_known or is_local_coming(obj.body, deploys=slices.deploys)):
        return False
    if text(obj.metadata.get("namespace")) != namespace:
        return False
    around = (unpack_surroundings(slices.surroundings[number]) for number in beside.unseen)
    return not any(is_cluster_scoped(discovery_around(own, slices.settings), obj.group, obj.kind) for own in around)


def _protects_quotas(own: _MovingFolder, slices: Slices) -> bool:
    """Whether nobody is allowed to write the quotas of a namespace (QL504)."""
    declared = roles((obj for obj in own.objects if (obj.group, obj.kind) == (RBAC, "Role")), ())
    for binding in (obj for obj in own.objects if (obj.group, obj.kind) == (RBAC, "RoleBinding")):
        is_own = mapping(binding.body.get("roleRef")).get("kind") == "Role"
        if not (is_own or is_local_coming(binding.body, deploys=slices.deploys)):
            return False
        if is_own and any(rule.writes_any_quota for rule in declared.rules(binding)):
            return False
    return True


def _leaves_homes(own: _MovingFolder, beside: Neighbour, slice_at: SliceAt) -> bool:
    """Whether no quota or LimitRange of a folder beside it is taken for one that strayed, or no longer, by what the
    folders there are called (QL601)."""
    parent, name = posixpath.split(own.folder)
    named: dict[str, set[str]] = {}
    for number in beside.limits.values():
        for obj in filter(limits_namespace, slice_at(number).objects):
            folder = posixpath.dirname(obj.at("metadata", "namespace").real.source)
            if folder != own.folder and posixpath.dirname(folder) == parent:
                named.setdefault(folder, set()).add(obj.namespace)
    is_called_alike = all(names == {posixpath.basename(folder)} for folder, names in named.items())
    return is_called_alike or (name == own.namespace and len(named) > _PATTERN)


def _is_all(own: _MovingFolder, slice_at: SliceAt) -> bool:
    """Whether nothing else is in the slices of a namespace that goes."""
    of_namespace = {number for homes in own.homes for number, _ in homes if slice_at(number).namespace}
    return all(
        slice_at(number).namespace == own.namespace and len(slice_at(number).objects) == len(own.objects)
        for number in of_namespace
    )


def _new_slices(
    own: _MovingFolder, beside: Neighbour, number: int, slice_at: SliceAt, changes: SliceChanges
) -> Iterator[bytes]:
    """The slices of a new namespace, which begin at a number; what comes to them is added to the changes."""
    for surroundings, unseen in beside.unseen.items():
        yield pack_slice(Slice(surroundings, own.namespace, (), unseen, NO_SUMS))
        change_of(changes, number).came.extend((0, obj) for obj in own.objects)
        number += 1
        if own.limits:
            compared = beside.limits[surroundings]
            last = len(slice_at(compared).objects)
            change_of(changes, compared).came.extend((last, obj) for obj in own.limits)


def _root_objects(own: _MovingFolder) -> RootObjects:
    keys: list[tuple[str, ...]] = [("", *obj.ref) for obj in own.objects if tells_clusters_apart(obj)]
    declared = frozenset((own.namespace,))
    return RootObjects(own.folder, False, dict.fromkeys(keys, RootObject(own.folder, None)), declared)
