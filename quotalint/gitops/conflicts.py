"""Finds roots that render the same objects, so that they belong to different clusters, and labels the difference in
their paths."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from quotalint.gitops.deployers import deployed_folder
from quotalint.gitops.labels import ROOT_FOLDER
from quotalint.gitops.nodes import Root
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.tree import is_within

_KINDS = frozenset(
    (
        *("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"),
        *("LimitRange", "PersistentVolumeClaim", "ResourceQuota", "Service"),
        *("Application", "ApplicationSet", "HelmRelease", "Kustomization"),
    )
)
"""Kinds that must be unique per cluster. Namespaces, roles and the like are often rendered by several roots of one
cluster."""
_MOST = 32  # the largest number of roots per object that are compared with each other

Key = tuple[str, ...]


class RootObject(NamedTuple):
    """An object of a root."""

    folder: str
    """The folder that renders it."""
    deploys: str | None
    """The path that it deploys; None if it deploys none, or names no namespace."""


class RootObjects(NamedTuple):
    """The properties of a root that decide its conflicts."""

    folder: str
    is_kustomization: bool
    by_key: Mapping[Key, RootObject]
    """Objects that must be unique per cluster."""
    declared: frozenset[str]
    """Names of its Namespace objects."""


class ConflictGroup(NamedTuple):
    """Roots that cannot be applied to the same cluster."""

    labels: Mapping[int, str]
    """By root number, the label that distinguishes its path."""
    namespaces: tuple[str, ...]
    """The namespaces of their objects."""


def conflicting_groups(roots: Sequence[RootObjects]) -> tuple[ConflictGroup, ...]:
    """The groups of roots that conflict. Two roots conflict if most objects of the smaller are also in the other, or if
    an object deploys different paths.

    A single common object counts as a mistake, with three exceptions. Most sibling folders share an object, their
    parent folders repeat each other, or one is an overlay inside the other.
    """
    root_objects = [root.by_key for root in roots]
    shared: dict[tuple[int, int], list[Key]] = {}
    apart: set[tuple[int, int]] = set()
    holders: dict[Key, list[int]] = {}
    for number, keys in enumerate(root_objects):
        for key, (_, deploys) in keys.items():
            before = holders.setdefault(key, [])
            for other in before:
                shared.setdefault((other, number), []).append(key)
            if deploys is not None:
                apart.update(
                    (other, number) for other in before if root_objects[other][key].deploys not in (None, deploys)
                )
            if len(before) < _MOST:
                before.append(number)
    leader = list(range(len(roots)))
    pairs: list[tuple[int, int]] = []
    patterns = _repeated_folder_names(roots, shared)
    repeating = _repeating_folders(roots, root_objects, shared)
    for pair, common in shared.items():
        earlier, later = pair
        if pair in apart or (
            2 * len(common) > min(len(root_objects[earlier]), len(root_objects[later]))
            and (
                len(common) > 1
                or (
                    _parent_folder(roots[earlier]) in patterns
                    and _parent_folder(roots[earlier]) == _parent_folder(roots[later])
                )
                or _forking_folders(roots[earlier].folder, roots[later].folder) in repeating
                or _is_overlaid(roots[earlier], roots[later])
            )
            and not _is_copied(roots[earlier], roots[later], common)
        ):
            leader[_leader_of(leader, later)] = _leader_of(leader, earlier)
            pairs.append(pair)
    members: dict[int, list[int]] = {}
    for number in range(len(roots)):
        members.setdefault(_leader_of(leader, number), []).append(number)
    pairs_of: dict[int, list[tuple[int, int]]] = {}
    for pair in pairs:
        pairs_of.setdefault(_leader_of(leader, pair[0]), []).append(pair)
    return tuple(
        _group_of(numbers, roots, root_objects, pairs_of[first], repeating)
        for first, numbers in members.items()
        if len(numbers) > 1
    )


def _parent_folder(root: RootObjects) -> str:
    return posixpath.dirname(root.folder)


def _repeated_folder_names(
    roots: Sequence[RootObjects], shared: Mapping[tuple[int, int], Sequence[Key]]
) -> frozenset[str]:
    """The folders most of whose children share an object with a sibling."""
    children: Counter[str] = Counter(map(_parent_folder, roots))
    repeating: dict[str, set[int]] = {}
    for earlier, later in shared:
        if _parent_folder(roots[earlier]) == _parent_folder(roots[later]):
            repeating.setdefault(_parent_folder(roots[earlier]), set()).update((earlier, later))
    return frozenset(folder for folder, numbers in repeating.items() if 2 * len(numbers) > children[folder])


def _repeating_folders(
    roots: Sequence[RootObjects],
    root_objects: Sequence[Mapping[Key, RootObject]],
    shared: Mapping[tuple[int, int], Sequence[Key]],
) -> frozenset[tuple[str, ...]]:
    """Pairs of sibling folders that share more than one object, and most objects of the smaller one: everything in
    `east/` and in `west/`."""
    sizes: Counter[str] = Counter()
    for root, own in zip(roots, root_objects, strict=True):
        segments = root.folder.split("/")
        for depth in range(len(segments)):
            sizes["/".join(segments[: depth + 1])] += len(own)
    common: dict[tuple[str, ...], set[Key]] = {}
    for (earlier, later), keys in shared.items():
        common.setdefault(_forking_folders(roots[earlier].folder, roots[later].folder), set()).update(keys)
    return frozenset(
        fork
        for fork, common_keys in common.items()
        if fork and len(common_keys) > 1 and 2 * len(common_keys) > min(sizes[folder] for folder in fork)
    )


def _forking_folders(path: str, other: str) -> tuple[str, ...]:
    """The sibling folders at which two paths diverge; empty if one contains the other."""
    split = [path.split("/"), other.split("/")]
    depth = len(posixpath.commonprefix(split)) + 1
    if min(map(len, split)) < depth:
        return ()
    return tuple(sorted("/".join(segments[:depth]) for segments in split))


def _is_overlaid(root: RootObjects, other: RootObjects) -> bool:
    """Whether both are kustomizations and one contains the other: `production/eu` replaces `production`."""
    both = root.is_kustomization and other.is_kustomization
    return both and (is_within(root.folder, other.folder) or is_within(other.folder, root.folder))


def _is_copied(root: RootObjects, other: RootObjects, common: Sequence[Key]) -> bool:
    """Whether all common objects are in the namespace of one folder: a copy whose namespace was not changed. A folder
    has a namespace if it alone is named after it, or declares it while the other declares another."""
    namespaces = {key[3] for key in common}
    if len(namespaces) != 1:
        return False
    names = {posixpath.basename(root.folder), posixpath.basename(other.folder)}
    if len(names) == 2 and namespaces <= names:
        return True
    if root.declared and other.declared:
        return len(namespaces & root.declared) + len(namespaces & other.declared) == 1
    if is_within(root.folder, other.folder) or is_within(other.folder, root.folder):
        return False
    words = f"-{min(namespaces)}-"
    return sum(f"-{name}-" in words for name in names if name) == 1


def root_objects_of(root: Root) -> RootObjects:
    """The properties of a root that decide its conflicts."""
    objects = (obj for node in root.nodes for obj in node.rendering.objects)
    declared = frozenset(obj.name for obj in objects if (obj.group, obj.kind) == ("", "Namespace"))
    return RootObjects(root.folder, root.is_kustomization, objects_by_key(root), declared)


def objects_by_key(root: Root) -> dict[Key, RootObject]:
    """The objects of a root that must be unique per cluster."""
    return {
        (node.destination, *obj.ref): RootObject(node.rendering.folder, None if obj.homeless else deployed_folder(obj))
        for node in root.nodes
        for obj in node.rendering.objects
        if is_unique_per_cluster(obj)
    }


def is_unique_per_cluster(obj: Object) -> bool:
    """Whether an object must be unique per cluster."""
    return obj.kind in _KINDS and bool(obj.name)


def _leader_of(leader: list[int], number: int) -> int:
    while leader[number] != number:
        leader[number] = leader[leader[number]]
        number = leader[number]
    return number


def _group_of(
    numbers: Sequence[int],
    roots: Sequence[RootObjects],
    root_objects: Sequence[Mapping[Key, RootObject]],
    pairs: Sequence[tuple[int, int]],
    repeating: Set[tuple[str, ...]],
) -> ConflictGroup:
    labels = dict(
        zip(numbers, _distinguishing_labels(_distinguishing_paths(numbers, roots, root_objects)), strict=True)
    )
    pieces = _pieces_of_one_copy(numbers, roots, pairs)
    if pieces:
        labels |= dict.fromkeys(pieces, _joined_names([posixpath.basename(roots[number].folder) for number in pieces]))
    else:
        labels |= _names_of_copies(numbers, roots, pairs, repeating)
    namespaces = {key[3] for number in numbers for key in root_objects[number] if key[3]}
    return ConflictGroup(labels, tuple(sorted(namespaces)))


def _names_of_copies(
    numbers: Sequence[int],
    roots: Sequence[RootObjects],
    pairs: Sequence[tuple[int, int]],
    repeating: Set[tuple[str, ...]],
) -> Mapping[int, str]:
    """Labels for plain folders inside two folders that repeat each other: `old` and `new`."""
    if any(roots[number].is_kustomization for number in numbers):
        return {}
    forks = {_forking_folders(*(roots[number].folder for number in pair)) for pair in pairs}
    fork = forks.pop()
    if forks or fork not in repeating:
        return {}
    copies = {number: folder for number in numbers for folder in fork if is_within(roots[number].folder, folder)}
    return {number: posixpath.basename(folder) for number, folder in copies.items()}


def _pieces_of_one_copy(
    numbers: Sequence[int], roots: Sequence[RootObjects], pairs: Sequence[tuple[int, int]]
) -> Sequence[int]:
    """The sibling plain folders that conflict only with one folder elsewhere: `backend/` and `web/` together replace
    `all-in-one/`."""
    whole = set(pairs[0]).intersection(*pairs)
    pieces = [number for number in numbers if number not in whole]
    parents = {_parent_folder(roots[number]) for number in pieces}
    is_plain = not any(roots[number].is_kustomization for number in numbers)
    are_of_one_copy = is_plain and len(whole) == len(parents) == 1 and _parent_folder(roots[min(whole)]) not in parents
    return pieces if are_of_one_copy and len(pieces) > 1 else ()


def _joined_names(names: Sequence[str]) -> str:
    more = len(names) - _JOINED
    return "+".join(names if more < 2 else [*names[:_JOINED], f"{more}-more"])


_JOINED = 3  # the most folder names in one label


def _distinguishing_paths(
    numbers: Sequence[int], roots: Sequence[RootObjects], root_objects: Sequence[Mapping[Key, RootObject]]
) -> Sequence[str]:
    """For each root, a path that tells it from the others: the folder that renders the objects they share. If these
    folders are not all different, the root's own folder."""
    holders = Counter(
        (key, root_object.folder) for number in numbers for key, root_object in root_objects[number].items()
    )
    common = Counter(key for number in numbers for key in root_objects[number])
    paths = []
    for number in numbers:
        own = (
            root_object.folder
            for key, root_object in root_objects[number].items()
            if holders[key, root_object.folder] == 1 < common[key]
        )
        paths.append(next(own, None))
    known_paths = [path for path in paths if path is not None]
    return known_paths if len(set(known_paths)) == len(numbers) else [roots[number].folder for number in numbers]


def _distinguishing_labels(paths: Sequence[str]) -> Sequence[str]:
    """The segments in which the paths differ."""
    split = [path.split("/") for path in paths]
    before = len(posixpath.commonprefix(split))
    after = len(posixpath.commonprefix([segments[before:][::-1] for segments in split]))
    labels = ["/".join(segments[before : len(segments) - after]) or segments[-1] or ROOT_FOLDER for segments in split]
    return labels if len(set(labels)) == len(set(paths)) else paths
