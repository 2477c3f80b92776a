"""What a change does to the objects of slices: some say something else, some come, and some go."""

from __future__ import annotations

import marshal
from collections.abc import Iterator

from quotalint.checks.container_neighbours import extreme_amounts
from quotalint.checks.seldom.made_elsewhere import namespaces_named_in
from quotalint.kube.fields import Body
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.settings import Settings
from quotalint.slices.images import runs_other_images_alone
from quotalint.slices.kept import Slice, Slices, unpack_slice


class SliceChange(NamedTuple):
    """What a change does to one slice."""

    bodies: dict[int, Body]
    """What objects say now, by their numbers."""
    went: set[int]
    """The numbers of those that are no more."""
    came: list[tuple[int, Object]]
    """New ones in their order, each with the number of the object that it stands before now."""


SliceChanges = dict[int, SliceChange]
"""By the number of the slice."""
NO_CHANGE = SliceChange({}, set(), [])


def change_of(changes: SliceChanges, number: int) -> SliceChange:
    """That of a slice, which can be added to."""
    return changes.setdefault(number, SliceChange({}, set(), []))


def changed_slices_of(slices: Slices, changes: SliceChanges) -> tuple[dict[int, Slice], SliceChanges]:
    """The slices, by their numbers, in which anything is not as before that matters, and what that is: of a file with
    several objects most may say what they said."""
    concerned: dict[int, Slice] = {}
    different: SliceChanges = {}
    for number, change in changes.items():
        of = unpack_slice(slices.slices[number])
        is_calm = number in slices.calm
        others = {
            at: body
            for at, body in change.bodies.items()
            if not _is_same_body(of.objects[at].body, body)
            and not (is_calm and runs_other_images_alone(of.objects[at], body))
        }
        if others or change.went or change.came:
            concerned[number], different[number] = of, change._replace(bodies=others)
    return concerned, different


def _is_same_body(before: Body, now: Body) -> bool:
    # True and 1 are equal, and not the same.
    return before == now and marshal.dumps(dict(before), 2) == marshal.dumps(dict(now), 2)


def numbered_after(of: Slice, change: SliceChange) -> Iterator[tuple[int | None, Object]]:
    """The objects of a slice since a change, with their numbers before it; those that stay as they were."""
    came: dict[int, list[Object]] = {}
    for before, obj in change.came:
        came.setdefault(before, []).append(obj)
    for at, obj in enumerate(of.objects):
        yield from ((None, new) for new in came.get(at, ()))
        if at not in change.went:
            yield at, obj
    yield from ((None, new) for new in came.get(len(of.objects), ()))


def objects_after(of: Slice, change: SliceChange) -> tuple[Object, ...]:
    """The objects of a slice since a change."""
    return tuple(
        obj if at is None or at not in change.bodies else obj._replace(body=change.bodies[at])
        for at, obj in numbered_after(of, change)
    )


def reaches_further(of: Slice, change: SliceChange, settings: Settings) -> bool:
    """Whether what a change does to a slice may decide more than what is said of the slice."""
    edited = {at: of.objects[at]._replace(body=body) for at, body in change.bodies.items()}
    came = [obj for _, obj in change.came]
    if extreme_amounts((*edited.values(), *came), settings.workloads):
        return True
    if any(namespaces_named_in(obj) for obj in (*came, *(of.objects[at] for at in change.went))):
        return True
    return any(namespaces_named_in(of.objects[at]) != namespaces_named_in(now) for at, now in edited.items())
