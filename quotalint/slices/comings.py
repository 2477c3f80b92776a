"""Files that come and go → the objects that come and go with them, by the slices that they are in.

An object that comes is applied where those of its namespace are that are made together with it, or that stand beside it
in a folder of which all manifests are applied. Where that is not all that depends on it, nothing is known.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from quotalint.deployed import KUSTOMIZATION_NAMES
from quotalint.kube.fields import text
from quotalint.kube.kinds import limits_namespace
from quotalint.kube.objects import Object, objects
from quotalint.slices.built_namespaces import take_built_namespaces
from quotalint.slices.edits import Edits
from quotalint.slices.kept import Home, Homes, SliceAt, Slices, unpack_slice, unpack_slice_name
from quotalint.slices.lists_around import leaves_files_applied, leaves_overviews
from quotalint.slices.local_kinds import is_local_coming
from quotalint.slices.movements import Movement, are_alone, keeps_roots_apart
from quotalint.slices.moving_namespaces import NewSlices
from quotalint.slices.remaking import RemadeUnit
from quotalint.slices.slice_changes import SliceChanges, change_of
from quotalint.slices.told_lines import line_sources
from quotalint.slices.tree_notes import TreeNote, are_unasked, folder_of, is_known_elsewhere, tree_note
from quotalint.slices.unit_places import IdleObjects, take_idle_objects
from quotalint.slices.unit_readings import bases_of_others, reads_known_files
from quotalint.slices.whole_folders import take_whole_folders
from quotalint.text.place import Place
from quotalint.text.reading import File

NamespaceAt = Callable[[int], str]
"""The namespace of a slice, by its number, for less than all that is in it."""


def add_comings(slices: Slices, edits: Edits, remade: Mapping[int, RemadeUnit], changes: SliceChanges) -> Slices | None:
    """Add the objects that come and go to what changes in slices: these, with those of new namespaces. None where more
    than that may depend on them."""
    if not slices.tree:
        return None
    note = tree_note(slices.tree)
    names = [*edits.came, *(slices.files.names[number] for number in edits.went)]
    if not (are_unasked(names, edits.folders, note, founding=True) and leaves_overviews(edits, slices, note)):
        return None
    slice_at = cache(lambda number: unpack_slice(slices.slices[number]))
    namespace_at = cache(lambda number: unpack_slice_name(slices.slices[number])[1])
    new = NewSlices(slices, slice_at, changes)
    movements: list[Movement] = []
    founding: list[Movement] = []
    declared_in: dict[str, str] = {}
    read_now = {name for unit in remade.values() for name in unit.read}
    users = dict(zip(slices.files.names, slices.files.users, strict=True))
    read_still = read_now.union(name for name, own in users.items() if not remade.keys() >= set(own))
    applied = {number for root in note.roots for part in root.parts for number in part.units}
    for number, unit in remade.items():
        bases = bases_of_others(unit, applied - {number}, users, remade, slices)
        is_read = reads_known_files(unit, bases, users, read_still, slices, edits)
        if not (is_read and leaves_files_applied(unit, users, read_now)):
            return None
        if number not in applied:
            if not _is_unapplied(unit, slices):
                return None
            continue
        built = take_built_namespaces(number, unit, edits, slices, note, slice_at, new)
        idle = take_idle_objects(unit, slices, note, slice_at, changes, new)
        own = None if built is None else _unit_movements(number, unit, slice_at, namespace_at, idle, built.numbers)
        if built is None or own is None:
            return None
        movements += own
        founding += built.movements
        declared_in |= built.declared_in
    if not are_unasked(read_now.intersection(names), (), note, in_taken=False):
        return None

    def is_built(name: str) -> bool:
        """Whether a kustomization reads a file, before or since."""
        return name in read_now or bool(users.get(name))

    whole = take_whole_folders(slices, edits, note, is_built, slice_at, changes, new)
    if whole is None or not note.founding.isdisjoint(slices.files.names[number] for number in whole.edits.went):
        return None
    came = _came_as_written(slices, whole.edits, note, read_now, slice_at, declared_in)
    went = _went_as_written(slices, whole.edits, read_now, slice_at)
    if came is None or went is None:
        return None
    movements += (*came, *went)
    if not are_alone(movements, slices, note, slice_at):
        return None
    if not keeps_roots_apart([*movements, *founding], note.roots, whole.came, whole.went):
        return None
    return new.with_others() if _are_added(movements, changes) else None


def _are_added(movements: Iterable[Movement], changes: SliceChanges) -> bool:
    """Whether it is clear in which order all of these stand, which are added."""
    brought_by: dict[Home, tuple[int | None, str]] = {}
    for movement in movements:
        for number, at in movement.homes:
            change = change_of(changes, number)
            if not movement.is_new:
                change.went.add(at)
                continue
            by = movement.unit, movement.source
            if brought_by.setdefault((number, at), by) != by:
                return False
            change.came.append((at, movement.obj))
    return True


def _unit_movements(
    number: int,
    remade: RemadeUnit,
    slice_at: SliceAt,
    namespace_at: NamespaceAt,
    idle: IdleObjects,
    founding: Collection[int],
) -> list[Movement] | None:
    """The objects that come and go with what a unit comes to, but for the idle ones, and those of new namespaces."""
    unit, rendering, read, alignment = remade
    files = frozenset(name for name in (*unit.read, *read) if not name.endswith("/"))
    near: dict[str, dict[int, tuple[Home, ...]]] = {}
    """By the namespace that they name, empty of those that what deploys them gives one."""
    for at, (obj, homes) in enumerate(zip(rendering.objects, alignment.homes(unit), strict=True)):
        # What limits a namespace has another home, among those that limit any.
        own = tuple(home for home in homes or () if namespace_at(home[0]))
        if own and obj.namespace in ("", namespace_at(own[0][0])):
            near.setdefault(obj.namespace, {})[at] = own
    namespaces = {named: _only_namespace(siblings.values(), namespace_at) for named, siblings in near.items()}
    companions = [rendering.objects[at] for siblings in near.values() for at in siblings]
    movements: list[Movement] = []
    for at, obj in enumerate(rendering.objects):
        if alignment.numbers[at] is not None or at in founding or at in idle.came:
            continue
        namespace = namespaces.get(obj.namespace, "")
        if not namespace:
            return None
        siblings = near[obj.namespace]
        earlier = [other for other in siblings if other < at]
        beside = siblings[earlier[-1] if earlier else min(siblings)]
        new_homes = tuple((of, own + bool(earlier)) for of, own in beside)
        placed = obj._replace(namespace=namespace)
        files_of = frozenset(_written_in(obj))
        movements.append(Movement(placed, new_homes, beside, files_of, is_new=True, unit=number, companions=companions))
    for old in sorted(alignment.went - idle.went):
        old_homes = unit.homes[old]
        if not old_homes:
            return None
        obj = _object_at(old_homes, slice_at)
        if namespaces.get(_written_namespace(obj), "") != obj.namespace:
            return None
        # One that is named elsewhere, but for kustomizations, has no home (`object_homes.py`).
        named_in = frozenset((obj.place.source, obj.place.real.source))
        movements.append(Movement(obj, old_homes, (), files, is_new=False, unit=number, named_in=named_in))
    return movements


def _only_namespace(siblings: Iterable[Sequence[Home]], namespace_at: NamespaceAt) -> str:
    """The namespace that all of these objects are of; empty where they are in different places, or there are none."""
    homes = {frozenset(number for number, _ in own) for own in siblings}
    namespaces = {namespace_at(number) for own in homes for number in own}
    return "".join(namespaces) if len(homes) == len(namespaces) == 1 else ""


def _is_unapplied(remade: RemadeUnit, slices: Slices) -> bool:
    """Whether what comes with a unit that nobody applies is of kinds of which nothing else knows. Of one of which
    copies are applied nothing is known."""
    numbers = remade.alignment.numbers
    came = [obj for number, obj in zip(numbers, remade.rendering.objects, strict=True) if number is None]
    is_copied = None in remade.unit.homes or not remade.unit.homes
    return _are_quiet(came, slices) and not (is_copied or remade.alignment.went)


def _written_in(obj: Object) -> Iterator[str]:
    """The files in which anything of an object is written, its namespace too."""
    yield from line_sources(obj)
    yield obj.at("metadata", "namespace").real.source


def _object_at(homes: Homes, slice_at: SliceAt) -> Object:
    number, at = homes[0]
    return slice_at(number).objects[at]


def _came_as_written(
    slices: Slices,
    edits: Edits,
    note: TreeNote,
    read_now: set[str],
    slice_at: SliceAt,
    declared_in: Mapping[str, str],
) -> list[Movement] | None:
    """The objects of new files that are applied as they are written. What is declared in files that are built is known
    of some, by their names."""
    movements: list[Movement] = []
    for name, file in edits.came.items():
        if name in read_now:
            if is_known_elsewhere(file, deploys=slices.deploys, but=declared_in.get(name, "")):
                return None
            continue
        if posixpath.dirname(name) in edits.folders or posixpath.basename(name) in KUSTOMIZATION_NAMES:
            return None
        if _is_left_out(name, file, slices, edits, note):
            continue
        siblings = _written_beside(name, slices, edits.went)
        noted = {slices.files.names[number] for number in _files_beside(name, slices, ())} | {name}
        for document in file.reading.documents:
            for obj in objects(document.value, Place(name, document.index)):
                movement = _movement_beside(obj, siblings, slice_at)
                if movement is None or not _is_order_known(movement, noted, slice_at):
                    return None
                movements.append(movement)
    return movements


def _is_left_out(name: str, file: File, slices: Slices, edits: Edits, note: TreeNote) -> bool:
    """Whether a kustomization says what of its folder is applied, and a new file is not, nor anything that decides
    more."""
    beside = _files_beside(name, slices, edits.went)
    if not any(posixpath.basename(slices.files.names[number]) in KUSTOMIZATION_NAMES for number in beside):
        return False
    if folder_of(name) in note.unread or not are_unasked([name], (), note, in_taken=False):
        return False
    came = (obj for document in file.reading.documents for obj in objects(document.value, Place(name)))
    return _are_quiet(came, slices)


def _are_quiet(came: Iterable[Object], slices: Slices) -> bool:
    """Whether these are of kinds of which nothing knows but who applies them."""
    return all(is_local_coming(obj.body, deploys=slices.deploys) and not limits_namespace(obj) for obj in came)


def _movement_beside(obj: Object, siblings: Mapping[str, Sequence[Home]], slice_at: SliceAt) -> Movement | None:
    """An object that comes to a folder; None where nothing there shows where it is applied."""
    name = obj.place.source
    of_namespace = {
        sibling: near
        for sibling, homes in siblings.items()
        if (near := [home for home in homes if _is_beside(obj, home, slice_at)])
    }
    namespace = _only_namespace(of_namespace.values(), lambda number: slice_at(number).namespace)
    if not namespace:
        return None
    earlier = [sibling for sibling in of_namespace if sibling < name]
    sibling = earlier[-1] if earlier else next(iter(of_namespace))
    last: dict[int, int] = {}
    for number, at in of_namespace[sibling]:
        last[number] = (max if earlier else min)(at, last.get(number, at))
    homes = tuple((number, at + bool(earlier)) for number, at in last.items())
    placed = obj._replace(namespace=namespace)
    companions = [_object_at((home,), slice_at) for near in of_namespace.values() for home in near]
    return Movement(
        placed, homes, tuple(last.items()), frozenset((name,)), is_new=True, source=sibling, companions=companions
    )


def _is_order_known(movement: Movement, noted: Collection[str], slice_at: SliceAt) -> bool:
    """Whether nothing of its namespace is written in a file beside it but what is `noted`: of any other it is not known
    whether it stands before it or behind it."""
    (name,) = movement.files
    sources = {obj.place.source for number, _ in movement.homes for obj in slice_at(number).objects}
    return all(source in noted for source in sources if folder_of(source) == folder_of(name))


def _is_beside(obj: Object, home: Home, slice_at: SliceAt) -> bool:
    """Whether an object is of the namespace that another one names, or names none either."""
    namespace = slice_at(home[0]).namespace
    if obj.namespace or not namespace:
        return namespace == obj.namespace != ""
    return not _written_namespace(_object_at((home,), slice_at))


def _written_namespace(obj: Object) -> str:
    return text(obj.metadata.get("namespace"))


def _went_as_written(slices: Slices, edits: Edits, read_now: set[str], slice_at: SliceAt) -> list[Movement] | None:
    """The objects of files that are gone, which were applied as they were written."""
    movements: list[Movement] = []
    for number in sorted(edits.went):
        name = slices.files.names[number]
        if name in read_now:
            return None
        for homes in slices.files.written[number]:
            beside = _written_beside(name, slices, edits.went)
            if not homes or not beside:
                return None
            obj = _object_at(homes, slice_at)
            near = {slice_at(of).namespace for own in beside.values() for of, _ in own}
            if obj.namespace not in near:
                return None
            movements.append(Movement(obj, homes, (), frozenset((name,)), is_new=False, source=name))
    return movements


def _written_beside(name: str, slices: Slices, went: Collection[int]) -> dict[str, tuple[Home, ...]]:
    """The other files of a folder that are still there, in order, with the homes of what is written in them; none where
    a kustomization says what of them is applied."""
    beside: dict[str, tuple[Home, ...]] = {}
    for number in _files_beside(name, slices, went):
        other = slices.files.names[number]
        if posixpath.basename(other) in KUSTOMIZATION_NAMES:
            return {}
        homes = tuple(home for homes in slices.files.written[number] for home in homes)
        if homes:
            beside[other] = homes
    return dict(sorted(beside.items()))


def _files_beside(name: str, slices: Slices, went: Collection[int]) -> list[int]:
    """The numbers of the other files of a folder that are still there."""
    folder, names = folder_of(name), slices.files.names
    return [
        number
        for number, other in enumerate(names)
        if folder_of(other) == folder and other != name and number not in went
    ]
