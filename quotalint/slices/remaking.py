"""Files that have changed → the objects that say something else, by the slices that they are in."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping, Sequence

from quotalint.checks.unfilled import unfilled_fields
from quotalint.deployed import Recipe, Rendering, missing_field, rebuilt
from quotalint.kube.fields import Body
from quotalint.kube.objects import Object, objects
from quotalint.slices.kept import Deploying, Homes, Slice, Slices, Unit, digest_at, unpack_slice, unpack_unit
from quotalint.slices.outline import ObjectDigests
from quotalint.slices.told_lines import lines_digest
from quotalint.text.place import Place
from quotalint.text.reading import File
from quotalint.transcript import digest

Bodies = dict[int, dict[int, Body]]
"""What objects say, by the number of their slice, and their own in that."""


def changed_bodies(slices: Slices, files: Mapping[int, File]) -> Bodies | None:
    """What objects say now that files, by their numbers, say something else, as far as it may be something else; None
    where more than that may be different. Raises what building takes too much for."""
    changed: Bodies = {}
    for number, file in files.items():
        written = slices.files.written[number]
        for homes, document in zip(written, file.reading.documents, strict=True) if written else ():
            if homes and not _are_noted(homes, objects(document.value, Place("")), changed, deploys=slices.deploys):
                return None
    numbers = sorted({user for number in files for user in slices.files.users[number]})
    units = [unpack_unit(slices.files.units[number]) for number in numbers]
    renderings = rebuilt((Recipe(*unit.recipe) for unit in units), slices.settings) if units else ()
    for unit, rendering in zip(units, renderings, strict=True):
        if rest_of(rendering) != unit.rest or not _is_alike(unit, rendering.objects, changed, deploys=slices.deploys):
            return None
    return changed


def changed_slices_of(slices: Slices, changed: Bodies) -> tuple[dict[int, Slice], Bodies]:
    """The slices, by their numbers, in which an object says something else than before, and what these objects say: of
    a file with several objects most may be as they were."""
    concerned: dict[int, Slice] = {}
    different: Bodies = {}
    for number, bodies in changed.items():
        of = unpack_slice(slices.slices[number])
        others = {at: body for at, body in bodies.items() if not _is_same_body(of.objects[at].body, body)}
        if others:
            concerned[number], different[number] = of, others
    return concerned, different


def _is_same_body(before: Body, now: Body) -> bool:
    # True and 1 are equal, and not the same.
    return before == now and marshal.dumps(dict(before), 2) == marshal.dumps(dict(now), 2)


def rest_of(rendering: Rendering) -> bytes:
    """What stands for all that came of a unit beside objects."""
    others = rendering.problems, rendering.unseen, sorted(rendering.units), sorted(rendering.used), rendering.denied
    return digest(repr(others).encode("utf-8", "surrogatepass"))


def _is_alike(unit: Unit, made: Sequence[Object], changed: Bodies, *, deploys: Deploying) -> bool:
    """Whether a unit comes to the same objects as before, of which some say something else, which is noted."""
    digests = ObjectDigests(deploys=deploys)
    contents = digests.contents(made)
    if len(contents) != len(unit.contents) or digests.outline(made) != unit.outline:
        return False
    if lines_digest(made, unit.told_objects) != unit.lines:
        return False
    return all(
        digest_at(contents, number) == digest_at(unit.contents, number)
        or _are_noted(homes, [obj], changed, deploys=deploys)
        for number, (obj, homes) in enumerate(zip(made, unit.homes, strict=True))
    )


def _are_noted(homes: Homes | None, now: Iterable[Object], changed: Bodies, *, deploys: Deploying) -> bool:
    """Whether it is known where all of these are that are as they were before, where something `deploys` or not."""
    for obj in now:
        if homes is None or missing_field(obj):  # half an object nobody applies
            return False
        if next(unfilled_fields(obj), None) is not None or (deploys.others and b"${" in marshal.dumps(dict(obj.body))):
            return False  # something may fill this in
        for slice_number, own_number in homes:
            changed.setdefault(slice_number, {})[own_number] = obj.body
    return True
