"""Units that come to new namespaces with all that is in these → what that does to slices."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from types import MappingProxyType

from quotalint.deployed import KUSTOMIZATION_NAMES
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.edits import Edits
from quotalint.slices.kept import SliceAt, Slices
from quotalint.slices.movements import Movement, is_allowed
from quotalint.slices.moving_namespaces import (
    NewSlices,
    may_found,
    moving_namespace,
    stands_alone,
)
from quotalint.slices.namespace_surroundings import home_of, is_namespace
from quotalint.slices.remaking import RemadeUnit
from quotalint.slices.told_lines import line_sources
from quotalint.slices.tree_notes import TreeNote
from quotalint.slices.unit_places import companions_in, vicinity_of


class BuiltNamespaces(NamedTuple):
    """The new namespaces that a unit comes to."""

    numbers: frozenset[int] = frozenset()
    """Those of the objects in them."""
    movements: tuple[Movement, ...] = ()
    """What of them decides which roots conflict."""
    declared_in: Mapping[str, str] = MappingProxyType({})
    """By file: the only namespace that is declared in it."""


def take_built_namespaces(
    number: int, remade: RemadeUnit, edits: Edits, slices: Slices, note: TreeNote, slice_at: SliceAt, new: NewSlices
) -> BuiltNamespaces | None:
    """The new namespaces of a unit, which are added to `new` slices: all that is in them comes with it, is written in
    new folders or is given its namespace by kustomizations, and is applied where the rest of the unit is. None where
    more than that may depend on them."""
    by_namespace: dict[str, list[int]] = {}
    for at, obj in enumerate(remade.rendering.objects):
        if remade.alignment.numbers[at] is None and home_of(obj) and not note.namespaces.knows(home_of(obj)):
            by_namespace.setdefault(home_of(obj), []).append(at)
    if not by_namespace:
        return BuiltNamespaces()
    near = vicinity_of(remade, slice_at)
    if near is None or not may_found(slices, note):
        return None
    companions = companions_in(remade)
    movements: list[Movement] = []
    declared_in: dict[str, str] = {}
    for namespace, numbers in by_namespace.items():
        own = moving_namespace("", (remade.rendering.objects[at] for at in numbers))
        if own.name != namespace or not stands_alone(own, near, slices):
            return None
        if not all(_is_at_home(obj, edits, note) and is_allowed(obj, companions, note) for obj in own.objects):
            return None
        if _is_in_path(namespace, number, note) or not new.add(own, near):
            return None
        files = {source for obj in own.objects for source in line_sources(obj)}
        movements += (Movement(obj, (), (), frozenset(files), is_new=True, unit=number) for obj in own.objects)
        declared_in |= {obj.place.real.source: namespace for obj in own.objects if is_namespace(obj)}
    numbers_taken = frozenset(at for numbers in by_namespace.values() for at in numbers)
    return BuiltNamespaces(numbers_taken, tuple(movements), declared_in)


def _is_at_home(obj: Object, edits: Edits, note: TreeNote) -> bool:
    """Whether no folder that was there before says anything else of namespaces than it did (QL601), and no amount in a
    file is held against those of an object."""
    if not note.extreme.isdisjoint(line_sources(obj)):
        return False
    if is_namespace(obj):
        return posixpath.dirname(obj.place.real.source) in edits.folders and obj.place.real.source in edits.came
    source = obj.at("metadata", "namespace").real.source
    return posixpath.basename(source) in KUSTOMIZATION_NAMES


def _is_in_path(namespace: str, unit: int, note: TreeNote) -> bool:
    """Whether a folder is called like a namespace, above where a unit is applied: it may be called like an environment,
    and be none of what is of that namespace."""
    parts = (part for root in note.roots for part in root.parts)
    folders = (root.objects.folder for root in note.roots if root.objects is not None)
    return any(
        namespace in folder.split("/") for folder in (*folders, *(part.folder for part in parts if unit in part.units))
    )
