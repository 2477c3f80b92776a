"""A unit as it was noted and what it comes to now → which of its objects are which."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.cache.packing import split_bytes
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.slices.kept import Deploying, Homes, Unit
from quotalint.slices.outline import ObjectDigests
from quotalint.slices.told_lines import lines_digests
from quotalint.transcript import DIGEST


class Alignment(NamedTuple):
    """Which of the objects that a unit comes to are those that it came to."""

    numbers: tuple[int | None, ...]
    """Of each, the number that it had; None of a new one."""
    went: frozenset[int]
    """The numbers of those that are no more."""
    edited: frozenset[int]
    """The numbers that those have now which say something else."""

    @property
    def is_same(self) -> bool:
        """Whether none came and none went."""
        return not self.went and None not in self.numbers

    def homes(self, unit: Unit) -> tuple[Homes | None, ...]:
        """Where each of the objects is, as far as it was there."""
        return tuple(() if number is None else unit.homes[number] for number in self.numbers)


def alignment_of(
    unit: Unit, made: Sequence[Object], *, deploys: Deploying, may_shift: bool = False
) -> Alignment | None:
    """Which objects are which; None where something that decides more than a namespace is another, where some stand in
    another order, or where lines are told of one that is written elsewhere now: by which lines of kustomizations it
    comes from there may be another where these `may_shift`."""
    digests = ObjectDigests(deploys=deploys)
    before, now = (split_bytes(packed, DIGEST) for packed in (unit.outlines, digests.outlines(made)))
    number_of = {outline: number for number, outline in enumerate(before)}
    if len(number_of) < len(before) or len(set(now)) < len(now):
        return None if before != now else _alignment(unit, made, range(len(now)), digests, may_shift=may_shift)
    return _alignment(unit, made, [number_of.get(outline) for outline in now], digests, may_shift=may_shift)


def _alignment(
    unit: Unit, made: Sequence[Object], numbers: Sequence[int | None], digests: ObjectDigests, *, may_shift: bool
) -> Alignment | None:
    known = [number for number in numbers if number is not None]
    if known != sorted(known):
        return None
    now_at = {number: at for at, number in enumerate(numbers) if number is not None}
    told = dict(zip(unit.told_objects, split_bytes(unit.lines, 2 * DIGEST), strict=True))
    told_now = {number: lines for number, lines in told.items() if number in now_at}
    counted = DIGEST if may_shift else 2 * DIGEST
    lines_now = lines_digests(made[now_at[number]] for number in told_now)
    if any(lines[:counted] != now[:counted] for lines, now in zip(told_now.values(), lines_now, strict=True)):
        return None
    before, now = (split_bytes(packed, DIGEST) for packed in (unit.contents, digests.contents(made)))
    edited = frozenset(at for number, at in now_at.items() if before[number] != now[at])
    return Alignment(tuple(numbers), frozenset(range(len(before))).difference(known), edited)
