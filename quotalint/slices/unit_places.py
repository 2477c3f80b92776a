"""A unit that is built again → where all that comes with it is applied, by where the rest of it is."""

from __future__ import annotations

from quotalint.deployed import Unseen
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import SliceAt, Slices
from quotalint.slices.local_kinds import decides_nothing
from quotalint.slices.movements import is_allowed, is_marked, may_go
from quotalint.slices.moving_namespaces import NewSlices, Vicinity
from quotalint.slices.remaking import RemadeUnit, is_unfinished
from quotalint.slices.slice_changes import SliceChanges, change_of
from quotalint.slices.tree_notes import TreeNote, ref_digest


class IdleObjects(NamedTuple):
    """Objects of no namespace that decide nothing, and that come or go with a unit."""

    came: frozenset[int] = frozenset()
    """The numbers that the new ones have now."""
    went: frozenset[int] = frozenset()
    """The numbers that those had which are no more."""


def vicinity_of(remade: RemadeUnit, slice_at: SliceAt) -> Vicinity | None:
    """Where a unit is applied; None where some of it is elsewhere, or may be."""
    unseen: dict[int, tuple[Unseen, ...]] = {}
    limits: dict[int, int] = {}
    everywhere: list[set[int]] = []
    for homes in remade.alignment.homes(remade.unit):
        if not homes:
            continue  # it is new, or nobody knows what rests on it
        everywhere.append({slice_at(number).surroundings for number, _ in homes})
        for number, at in homes:
            of = slice_at(number)
            if of.objects[at].guesses or of.objects[at].homeless:
                return None
            if of.namespace:
                unseen[of.surroundings] = tuple(gap for gap in of.unseen if not gap.namespace)
            else:
                limits[of.surroundings] = number
    is_known = everywhere and all(own == everywhere[0] for own in everywhere)
    return Vicinity(unseen, limits) if is_known else None


def companions_in(remade: RemadeUnit) -> list[Object]:
    """What of a unit was there before."""
    numbers = remade.alignment.numbers
    return [obj for obj, earlier in zip(remade.rendering.objects, numbers, strict=True) if earlier is not None]


def take_idle_objects(
    remade: RemadeUnit, slices: Slices, note: TreeNote, slice_at: SliceAt, changes: SliceChanges, new: NewSlices
) -> IdleObjects:
    """Those of a unit, which are added to the changes; none where it is not known where it is applied, or more than
    that may depend on them."""
    unit, rendering, _, alignment = remade
    came = [at for at, obj in enumerate(rendering.objects) if alignment.numbers[at] is None and decides_nothing(obj)]
    went = [old for old in alignment.went if _was_idle(old, remade, slice_at)]
    near = vicinity_of(remade, slice_at) if came or went else None
    if near is None or not near.limits or not near.unseen.keys() <= near.limits.keys():
        return IdleObjects()
    coming = [rendering.objects[at] for at in came]
    companions = companions_in(remade)
    if not all(_stands_alone(obj, companions, slices, note) for obj in coming):
        return IdleObjects()
    going = [(number, at) for old in went for number, at in unit.homes[old] or ()]
    if not all(may_go(slice_at(number).objects[at], note) for number, at in going):
        return IdleObjects()
    if not all(new.take(obj.ref, near.limits) for obj in coming):
        return IdleObjects()
    for number in near.limits.values():
        last = len(slice_at(number).objects)
        change_of(changes, number).came.extend((last, obj) for obj in coming)
    for number, at in going:
        change_of(changes, number).went.add(at)
    return IdleObjects(frozenset(came), frozenset(went))


def _was_idle(old: int, remade: RemadeUnit, slice_at: SliceAt) -> bool:
    homes = remade.unit.homes[old]
    return bool(homes) and all(decides_nothing(slice_at(number).objects[at]) for number, at in homes or ())


def _stands_alone(obj: Object, companions: list[Object], slices: Slices, note: TreeNote) -> bool:
    """Whether nobody else has an object of that name, and nothing refuses it or is told what to do with it."""
    if is_unfinished(obj, deploys=slices.deploys) or is_marked(obj) or obj.guesses or not obj.name:
        return False
    return ref_digest(obj.ref) not in note.refs and is_allowed(obj, companions, note)
