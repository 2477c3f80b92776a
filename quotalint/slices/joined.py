"""The slices that a change concerns, and those of the same namespaces elsewhere → what is known of them in each state,
with the places of all that is made in them.

What is said of a namespace may be said of the same one in several environments at once, and may make room for something
else that is said of it there: all of these are looked at together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from quotalint import budget
from quotalint.deployed import Rebuilding, Recipe, Rendering
from quotalint.facts import Facts
from quotalint.kube.fields import Body
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.edits import Edits
from quotalint.slices.kept import (
    Home,
    Homes,
    Slice,
    Slices,
    Unit,
    unpack_slice,
    unpack_slice_name,
    unpack_surroundings,
    unpack_unit,
)
from quotalint.slices.namespace_surroundings import NO_SUMS, sums_digests
from quotalint.slices.outline import ObjectDigests
from quotalint.slices.remaking import RemadeUnit, Remake, remaking_of
from quotalint.slices.slice_changes import (
    NO_CHANGE,
    SliceChanges,
    changed_slices_of,
    numbered_after,
    reaches_further,
)
from quotalint.slices.slice_facts import slice_facts
from quotalint.slices.trial import MOST_OBJECTS, are_compared_alike
from quotalint.text.reading import File


class JoinedSlices(NamedTuple):
    """Whole namespaces, in all environments in which they change or anything is said of them."""

    slices: Slices
    members: Mapping[int, Slice]
    """By their numbers."""
    changed: SliceChanges
    """What the change does to them."""
    within: frozenset[int]
    """Their numbers, those of the same namespaces of which nothing is said, and those of what compares the quotas and
    LimitRanges of all namespaces."""
    units: Mapping[int, Unit]
    """Those that anything in them is made in, by their numbers."""
    remade: Mapping[int, RemadeUnit]
    """Those that read an edited file, by their numbers."""
    rebuilding: Rebuilding
    """Has built these, and can build others in another state."""

    @property
    def new_namespaces(self) -> frozenset[str]:
        """Those in which nothing was in some environment."""
        return frozenset(of.namespace for of in self.members.values() if of.namespace and not of.objects)

    @property
    def documents(self) -> frozenset[tuple[str, int]]:
        """Of files that are applied as they are: the documents that no other slice has, by file and number."""
        noted = self.slices.files
        alone = (
            home
            for written, users in zip(noted.written, noted.users, strict=True)
            for homes in written
            if not users and all(number in self.within for number, _ in homes)
            for home in homes
        )
        objects = (self.members[number].objects[at] for number, at in alone if number in self.members)
        return frozenset((obj.place.source, obj.place.document) for obj in objects)


class KnownSlices(NamedTuple):
    """What is known of joined slices in one state."""

    environments: tuple[Facts, ...]
    made: Mapping[int, Rendering]
    """What the units come to, by their numbers."""
    inexact: frozenset[str]
    """The files that something is made of of which it is not known where all of it is written."""


def joined_slices(
    slices: Slices, edits: Edits, is_spoken_of: Callable[[str, str], bool], remake: Remake = remaking_of
) -> JoinedSlices | None:
    """The slices that edits concern, and those of the same namespaces elsewhere of which anything is said, by their
    environments and names; None where more than that may be another."""
    budget.renew()
    remaking = remake(slices, edits)
    if remaking is None:
        return None
    slices = remaking.slices
    concerned, changed = changed_slices_of(slices, remaking.changes)
    namespaces = {of.namespace for of in concerned.values() if of.namespace}
    if not slices.apart.isdisjoint(namespaces):
        return None
    for number, of in concerned.items():
        if not of.namespace and not are_compared_alike(of, changed[number], slices):
            return None
        if of.namespace and reaches_further(of, changed[number], slices.settings):
            return None
    of_each = {number: unpack_slice_name(packed) for number, packed in enumerate(slices.slices) if packed}
    names = environment_names(slices)
    members = {
        number: unpack_slice(slices.slices[number])
        for number, (around, namespace) in of_each.items()
        if namespace in namespaces and (number in concerned or is_spoken_of(names[around], namespace))
    }
    if sum(len(of.objects) for of in members.values()) > MOST_OBJECTS:
        return None
    units = {number: unpack_unit(packed) for number, packed in enumerate(slices.files.units) if packed}
    used = {number: unit for number, unit in units.items() if any(home in members for home, _ in _homes_of(unit))}
    within = frozenset(number for number, (_, namespace) in of_each.items() if namespace in ("", *namespaces))
    return JoinedSlices(slices, members, changed, within, used, remaking.units, remaking.rebuilding)


def slices_before(of: JoinedSlices, files: tuple[File, ...], units: Collection[int]) -> KnownSlices | None:
    """What is known of them before the change, of which `files` are as they were, with the places of all that is made
    in these units; None where that is not what was noted. Raises what building takes too much for."""
    made = _built_units(of, units)
    for number, rendering in made.items():
        if ObjectDigests(deploys=of.slices.deploys).contents(rendering.objects) != of.units[number].contents:
            return None
    homes = {number: of.units[number].homes for number in made}
    known = _known_slices(of, {}, made, homes, files)
    if any(facts.problems for facts in known.environments):
        return None
    names = environment_names(of.slices)
    sums = {facts.environment: sums_digests(facts) for facts in known.environments}
    is_as_noted = all(
        sums[names[member.surroundings]].get(member.namespace, NO_SUMS) == member.sums for member in of.members.values()
    )
    return known if is_as_noted else None


def slices_after(of: JoinedSlices, before: KnownSlices, edits: Edits) -> KnownSlices:
    """What is known of them since the edits."""
    again = {number: unit for number, unit in of.remade.items() if number in of.units}
    homes = {number: of.units[number].homes for number in before.made}
    homes.update((number, unit.alignment.homes(unit.unit)) for number, unit in again.items())
    made = {**before.made, **{number: unit.rendering for number, unit in again.items()}}
    return _known_slices(of, of.changed, made, homes, (*edits.files.values(), *edits.came.values()))


def environment_names(slices: Slices) -> tuple[str, ...]:
    """Those of the environments, in their order, by the number of what is around their namespaces."""
    return tuple(unpack_surroundings(packed).environment for packed in slices.surroundings)


def _homes_of(unit: Unit) -> Iterator[Home]:
    return (home for homes in unit.homes for home in homes or ())


def _built_units(of: JoinedSlices, numbers: Iterable[int]) -> dict[int, Rendering]:
    order = sorted(numbers)
    recipes = (Recipe(*of.units[number].recipe) for number in order)
    return dict(zip(order, of.rebuilding.built(recipes) if order else (), strict=True))


def _known_slices(
    of: JoinedSlices,
    changes: SliceChanges,
    made: Mapping[int, Rendering],
    homes_of_made: Mapping[int, Sequence[Homes | None]],
    files: tuple[File, ...],
) -> KnownSlices:
    by_home = {
        home: obj
        for number, rendering in sorted(made.items())
        for obj, homes in zip(rendering.objects, homes_of_made[number], strict=True)
        for home in homes or ()
    }
    by_surroundings: dict[int, list[tuple[int, Slice]]] = {}
    for number, member in of.members.items():
        by_surroundings.setdefault(member.surroundings, []).append((number, member))
    environments = []
    for surroundings, members in sorted(by_surroundings.items()):
        around = unpack_surroundings(of.slices.surroundings[surroundings])
        objects = tuple(
            obj if at is None else _as_in_state(obj, by_home.get((number, at)), change.bodies.get(at))
            for number, member in members
            for change in (changes.get(number, NO_CHANGE),)
            for at, obj in numbered_after(member, change)
        )
        unseen = tuple(dict.fromkeys(gap for _, member in members for gap in member.unseen))
        joined = Slice(surroundings, "", objects, unseen, NO_SUMS)
        environments.append(slice_facts(joined, (*around.objects, *objects), around, of.slices.settings, files))
    came = (obj for change in changes.values() for _, obj in change.came)
    exact = {obj.place.made for obj in (*by_home.values(), *came)}
    inexact = (
        obj.place.file
        for facts in environments
        for obj in facts.cluster.objects
        if obj.place.made is not None and obj.place.made not in exact
    )
    return KnownSlices(tuple(environments), made, frozenset(inexact))


def _as_in_state(obj: Object, made: Object | None, body: Body | None) -> Object:
    """An object of a slice with what it says in a state, and where that is written."""
    if made is not None:
        return obj._replace(body=made.body, place=made.place)
    return obj if body is None else obj._replace(body=body)
