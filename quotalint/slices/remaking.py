"""Files that have changed → the objects that say something else, by the slices that they are in."""

from __future__ import annotations

import marshal
import posixpath
from collections.abc import Callable, Iterable, Mapping

from quotalint.checks.unfilled import unfilled_fields
from quotalint.deployed import KUSTOMIZATION_NAMES, Rebuilding, Recipe, Rendering, missing_field
from quotalint.kube.objects import Object, objects
from quotalint.named_tuples import NamedTuple
from quotalint.slices.aligned_units import Alignment, alignment_of
from quotalint.slices.edits import Edits
from quotalint.slices.kept import Deploying, Homes, Slices, Unit, unpack_unit
from quotalint.slices.slice_changes import SliceChanges, change_of
from quotalint.text.place import Place
from quotalint.transcript import DIGEST, digest


class RemadeUnit(NamedTuple):
    """A unit that reads an edited file."""

    unit: Unit
    rendering: Rendering
    """What it comes to now."""
    read: tuple[str, ...]
    """What is a part of it now (`read_for`)."""
    alignment: Alignment


class Remaking(NamedTuple):
    """What edits do."""

    changes: SliceChanges
    """To objects, as far as it may be something else."""
    units: Mapping[int, RemadeUnit]
    """Those that read an edited file, by their numbers."""
    slices: Slices
    """Those that there were, and those of new namespaces, in which nothing was."""
    rebuilding: Rebuilding
    """Has built the units, and can do so in another state."""


def remaking_of(slices: Slices, edits: Edits) -> Remaking | None:
    """What the edits do; None where more than that may be different. Raises what building takes too much for."""
    changes: SliceChanges = {}
    for number, file in edits.files.items():
        written = slices.files.written[number]
        for homes, document in zip(written, file.reading.documents, strict=True) if written else ():
            if not _are_noted(homes, objects(document.value, Place("")), changed=changes, of=slices):
                return None
    remade: dict[int, RemadeUnit] = {}
    # What is generated of data may be called by its content.
    relisted = {number: edits.files[number] for number in edits.relisted}
    listing = Edits(relisted, edits.changed, data=edits.data).users(slices.files)
    numbers = sorted(edits.users(slices.files))
    is_same = not (edits.came or edits.went)
    units = [unpack_unit(slices.files.units[number]) for number in numbers]
    rebuilding = Rebuilding(slices.settings, slices.folders, edits.changed)
    renderings = rebuilding.built(Recipe(*unit.recipe) for unit in units) if units else ()
    for number, unit, rendering in zip(numbers, units, renderings, strict=True):
        alignment = alignment_of(unit, rendering.objects, deploys=slices.deploys, may_shift=edits.may_shift)
        counted = DIGEST if edits.may_shift else 2 * DIGEST
        if rest_of(rendering)[:counted] != unit.rest[:counted] or alignment is None:
            return None
        read = read_for(rendering)
        is_unit_same = alignment.is_same and read == unit.read
        if not (is_unit_same or number in listing):
            return None
        is_same = is_same and is_unit_same
        of_objects = alignment.homes(unit)
        edited = ((of_objects[at], [rendering.objects[at]]) for at in alignment.edited)
        if not all(_are_noted(*edit, changed=changes, of=slices) for edit in edited):
            return None
        remade[number] = RemadeUnit(unit, rendering, read, alignment)
    if is_same:
        return Remaking(changes, remade, slices, rebuilding)
    if not edits.may_move:
        return None
    from quotalint.slices.comings import add_comings

    all_slices = add_comings(slices, edits, remade, changes)
    return None if all_slices is None else Remaking(changes, remade, all_slices, rebuilding)


Remake = Callable[[Slices, Edits], Remaking | None]
"""Finds out what edits do (`remaking_of`)."""


def remaking_once() -> Remake:
    """Finds it out once for edits of the same files, whoever asks: of the same slices and the same state."""
    known: dict[tuple[object, ...], Remaking | None] = {}

    def remake(slices: Slices, edits: Edits) -> Remaking | None:
        names = edits.relisted, edits.data, edits.went, edits.folders
        key = (frozenset(edits.files), frozenset(edits.came), *names)
        if key not in known:
            known[key] = remaking_of(slices, edits)
        return known[key]

    return remake


def read_again(slices: Slices, edits: Edits) -> set[str]:
    """The files that are read to make the units again of which files have changed, as far as they are known."""
    numbers = edits.users(slices.files)
    units = (unpack_unit(slices.files.units[number]) for number in numbers)
    by_file = zip(slices.files.names, slices.files.users, strict=True)
    looked_at = {name for name, users in by_file if not numbers.isdisjoint(users)}
    return looked_at.union(name for unit in units for name in unit.files)


def rest_of(rendering: Rendering) -> bytes:
    """Two digests: of all that came of a unit beside objects and what was read for it, and of the places in
    kustomizations by which it comes to what is wrong with that."""
    ways = [problem.via for problem in rendering.problems]
    problems = [(problem._replace(via=()), [way.source for way in problem.via]) for problem in rendering.problems]
    rest = problems, rendering.unseen, rendering.denied
    return b"".join(digest(repr(part).encode("utf-8", "surrogatepass")) for part in (rest, ways))


def read_for(rendering: Rendering) -> tuple[str, ...]:
    """The files that are a part of a unit, and the folders that are kustomizations, which end in `/`; in order."""
    names = rendering.units | rendering.used
    folders = {posixpath.dirname(name) for name in names if posixpath.basename(name) in KUSTOMIZATION_NAMES}
    return (*sorted(f"{folder}/" for folder in folders), *sorted(names - folders))


def _are_noted(homes: Homes | None, now: Iterable[Object], *, changed: SliceChanges, of: Slices) -> bool:
    """Whether it is known where all of these are that are as they were before."""
    for obj in now:
        if homes is None or is_unfinished(obj, deploys=of.deploys):
            return False
        for slice_number, own_number in homes:
            change_of(changed, slice_number).bodies[own_number] = obj.body
    return True


def is_unfinished(obj: Object, *, deploys: Deploying) -> bool:
    """Whether nobody applies an object, as it is half one, or something may fill anything in, where something `deploys`
    or not."""
    if missing_field(obj) or next(unfilled_fields(obj), None) is not None:
        return True
    return deploys.others and b"${" in marshal.dumps(dict(obj.body))
