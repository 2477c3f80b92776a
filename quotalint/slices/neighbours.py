"""Folders that are applied as they are → where another one beside them would be applied."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping

from quotalint.deployed import Unseen, are_applied_alike, conflicting_groups, is_deployer
from quotalint.kube.names import label_name_errors
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import Homes, SliceAt, Slices
from quotalint.slices.moving_namespaces import Vicinity
from quotalint.slices.namespace_surroundings import home_of
from quotalint.slices.tree_notes import AppliedRoot, TreeNote


class PlainRoots(NamedTuple):
    """The folders that are applied as they are, each by itself, and that conflict with no other root."""

    by_folder: Mapping[str, AppliedRoot]
    telling: frozenset[str]
    """Names of folders that may set others apart."""
    homes: Mapping[str, tuple[Homes, ...]]
    """By file that is applied as it is: where each of its documents is."""


class Neighbour(NamedTuple):
    """A folder beside another one, which would be applied to the same environments."""

    label: tuple[str, ...]
    """What its path says of these."""
    vicinity: Vicinity


def plain_roots(slices: Slices, note: TreeNote) -> PlainRoots | None:
    """Those of a repository; None where it is not surely known what sets its roots apart."""
    objects = [root.objects for root in note.roots if root.objects is not None]
    if len(objects) < len(note.roots) or any(root.label is None for root in note.roots):
        return None
    conflicting = {number for group in conflicting_groups(objects) for number in group.labels}
    by_folder = {
        own.folder: root
        for number, (own, root) in enumerate(zip(objects, note.roots, strict=True))
        if number not in conflicting and not own.is_kustomization and _is_of_files(root)
    }
    telling = {name for root in note.roots for name in root.label or ()}
    telling.update(part.destination for root in note.roots for part in root.parts)
    homes = dict(zip(slices.files.names, slices.files.written, strict=True))
    return PlainRoots(by_folder, frozenset(telling), homes)


def neighbour_of(
    folder: str, plain: PlainRoots, moving: Collection[str], slice_at: SliceAt, *, limits: bool
) -> Neighbour | None:
    """One that lies beside a folder, and is none of those that come or go; None where none shows where the folder would
    be applied, and what is compared there if it `limits` any namespace."""
    for own, root in plain.by_folder.items():
        if own in moving or not are_applied_alike(folder, own, root.label or (), plain.telling):
            continue
        shown = neighbour(root, plain, slice_at)
        if shown is not None and not (limits and shown.vicinity.limits.keys() < shown.vicinity.unseen.keys()):
            return shown
    return None


def neighbour(root: AppliedRoot, plain: PlainRoots, slice_at: SliceAt) -> Neighbour | None:
    """What a root shows; None where it is not surely applied as any other would be in its place."""
    # A folder above that is called like an environment is none where what lies below is of that namespace.
    above = posixpath.dirname(root.parts[0].folder).split("/")
    of_documents = [homes for name in root.parts[0].sources for homes in plain.homes.get(name, ((),))]
    unseen: dict[int, tuple[Unseen, ...]] = {}
    limits: dict[int, int] = {}
    for homes in of_documents:
        for number, at in homes:
            of = slice_at(number)
            obj, namespace = of.objects[at], home_of(of.objects[at])
            if obj.homeless or obj.guesses or is_deployer(obj) or label_name_errors(namespace) or namespace in above:
                return None
            if not of.namespace:
                limits[of.surroundings] = number
            else:
                unseen[of.surroundings] = tuple(gap for gap in of.unseen if not gap.namespace)
    everywhere = [{slice_at(number).surroundings for number, _ in homes} for homes in of_documents]
    is_known = unseen and all(own == unseen.keys() for own in everywhere)
    return Neighbour(root.label or (), Vicinity(unseen, limits)) if is_known else None


def _is_of_files(root: AppliedRoot) -> bool:
    """Whether nothing is applied with a root but what is written in its own files."""
    return len(root.parts) == 1 and not (root.parts[0].destination or root.parts[0].units)
