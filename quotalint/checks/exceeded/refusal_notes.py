"""Notes on the pods that a quota refuses: for a change those of growing workloads, else those that are created last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts
from quotalint.checks.exceeded.quota_words import owner_words
from quotalint.checks.exceeded.stopped_rollouts import verdict_of
from quotalint.checks.hit import Note
from quotalint.kube import quantity
from quotalint.quota.charges import Charge
from quotalint.quota.projection import EntryCharge, Projection
from quotalint.quota.refusals import Refusal
from quotalint.quota.sequences import RolloutVerdict
from quotalint.settings import Scenario

_SHOWN = 8  # refused workloads that are listed


def refusal_notes(projection: Projection, refused: Sequence[Refusal], facts: Facts) -> Iterator[Note]:
    """Notes on the objects that a quota entry refuses when everything is created."""
    requested_before = facts.admissions.asked_before
    if requested_before is not None:
        yield from _change_notes(projection, refused, facts)
        return
    own_entries = [
        (entry, number)
        for entry in projection.entries
        if entry.owner is not None and not entry.owner.foreign and entry.each.nano and (number := entry.charge.number)
    ]
    never, contested = _split_never_fitting(projection, own_entries)
    remaining = _without(projection, never)
    owners = {entry.owner.identity for entry, _ in contested if entry.owner is not None}
    is_known = all(refusal.is_change for refusal in refused)  # existing objects stay admitted
    is_deferred = facts.settings.enforcement == "deferred"
    if not is_deferred:
        yield from _never_notes(projection, never, refused, facts)
        refused = _refusals_of_others(refused, never)
    if len(owners) > 1 and not is_known and not is_deferred:
        if remaining.exceeds(Scenario.STEADY) and refused:
            whichever = _whichever_words(remaining, contested, facts)
            yield Note("so", f"{whichever} will be refused: {refused[0].message}")
        yield from (note._replace(of_order=True) for note in _named_refusals(projection, refused, facts))
    else:
        yield from _named_refusals(projection, refused, facts)


def _split_never_fitting(
    projection: Projection, numbers: Sequence[tuple[EntryCharge, int]]
) -> tuple[list[tuple[EntryCharge, int]], list[tuple[EntryCharge, int]]]:
    """The entries whose single object is larger than the whole limit, and all others. The former are refused in every
    order, and leave their room to the others."""
    hard = projection.hard.nano if projection.hard is not None else 0
    never = [(entry, number) for entry, number in numbers if entry.each.nano > hard > 0]
    never_ids = {entry.charge.identity for entry, _ in never}
    return never, [(entry, number) for entry, number in numbers if entry.charge.identity not in never_ids]


def _refusals_of_others(refused: Sequence[Refusal], never: Sequence[tuple[EntryCharge, int]]) -> list[Refusal]:
    identities = {entry.charge.identity for entry, _ in never}
    return [refusal for refusal in refused if refusal.charge.identity not in identities]


def _without(projection: Projection, refused: Sequence[tuple[EntryCharge, int]]) -> Projection:
    """The projection without objects that are refused in every order."""
    identities = {entry.charge.identity for entry, _ in refused}
    return projection.with_entries(
        tuple(entry for entry in projection.entries if entry.charge.identity not in identities)
    )


def _never_notes(
    projection: Projection, never: Sequence[tuple[EntryCharge, int]], refused: Sequence[Refusal], facts: Facts
) -> Iterator[Note]:
    """A note on each workload whose single pod is larger than the quota."""
    refusals = {refusal.charge.identity: refusal for refusal in refused}
    for entry, number in never[:_SHOWN]:
        owner, kind = entry.owner, entry.charge.kind
        refusal = refusals.get(entry.charge.identity)
        if owner is None or refusal is None:
            continue
        words = owner_words(owner, projection.quota)
        objects = "" if kind == owner.kind else f"{number} of {number} {'pod' if kind == 'Pod' else kind}s of "
        yield Note("so", f"{objects}{words} will be refused: {refusal.message}")
        each = "each" if number > 1 else "it"
        asked = f"{each} asks for {projection.name} {quantity.show(entry.each)}"
        yield Note("then", f"{asked}, so it never fits, whatever else runs")
        yield from _waiting_notes(refusal, facts, words)


def _change_notes(projection: Projection, refused: Sequence[Refusal], facts: Facts) -> Iterator[Note]:
    """Notes on the refused objects that a change adds. Existing objects stay, and which ones were missing before is
    unknown."""
    grown = [refusal for refusal in refused if new_refusals(refusal, facts)]
    never, _ = _split_never_fitting(projection, [(entry, entry.charge.number) for entry in projection.entries])
    yield from _never_notes(projection, never, grown, facts)
    grown = _refusals_of_others(grown, never)
    contested = contested_growth(projection, refused, facts)
    if contested:
        number = sum(new_refusals(refusal, facts) for refusal in grown)
        whichever = _whichever_words(projection, contested, facts, " new", number)
        yield Note("so", f"{whichever} will be refused: {grown[0].message}")
        yield from (note._replace(of_order=True) for note in _named_refusals(projection, grown, facts))
    else:
        yield from _named_refusals(projection, grown, facts)
    is_bound = facts.settings.enforcement != "deferred"  # otherwise they exist and stay Pending
    existing = [(entry, number) for entry in projection.entries if entry.each.nano and (number := entry.charge.number)]
    # If there are more objects than before, other entries of the quota refuse some of them first.
    is_unchanged = not grown and all(new_number(entry.charge, facts) <= 0 for entry, _ in existing)
    if is_unchanged and is_bound and projection.hard is not None and projection.exceeds(Scenario.STEADY):
        whichever = _whichever_words(projection, existing, facts)
        if {entry.charge.kind for entry, _ in existing} == {"Pod"}:
            yield Note("so", f"what runs stays, but {whichever} will not start again after a restart")
        else:
            yield Note("so", f"what is there stays, but {whichever} would be refused if created again")


def new_refusals(refusal: Refusal, facts: Facts) -> int:
    """How many of the refused objects are new in a change; without an earlier state all."""
    before = facts.admissions.asked_before
    if before is None:
        return refusal.refused
    return max(0, min(refusal.refused, new_number(refusal.charge, facts)))


def new_number(charge: Charge, facts: Facts) -> int:
    """How many more objects of a charge a change requests than the earlier state."""
    return charge.number - (facts.admissions.asked_before or {}).get(charge.identity, 0)


def depends_on_earlier(projection: Projection, facts: Facts) -> bool:
    """Whether the number of new refused objects depends on which objects were refused before.
    Which ones were is unknown, and it matters if objects of different sizes leave different room."""
    charged_entries = [entry for entry in projection.entries if entry.each.nano and entry.charge.number]
    was_short = any(entry.charge.identity in facts.admissions.missing_before for entry in charged_entries)
    return was_short and len({entry.each.nano for entry in charged_entries}) > 1


def contested_growth(
    projection: Projection, refused: Sequence[Refusal], facts: Facts
) -> Sequence[tuple[EntryCharge, int]]:
    """The growing entries and their growth, if several workloads grow and only some of their new objects are refused;
    the order of creation decides which. Empty if the order does not matter."""
    growing = [
        (entry, number)
        for entry in projection.entries
        if entry.each.nano and entry.owner is not None and (number := new_number(entry.charge, facts)) > 0
    ]
    never, growing = _split_never_fitting(projection, growing)
    owners = {entry.owner.identity for entry, _ in growing if entry.owner is not None}
    refused_number = sum(new_refusals(refusal, facts) for refusal in _refusals_of_others(refused, never))
    is_contested = len(owners) > 1 and 0 < refused_number < sum(number for _, number in growing)
    return growing if is_contested else ()


def _named_refusals(projection: Projection, refused: Sequence[Refusal], facts: Facts) -> Iterator[Note]:
    quota = projection.quota
    for position, refusal in enumerate(refused[:_SHOWN]):
        demand = refusal.charge.demand
        owner = owner_words(demand.owner, quota) if demand.owner else demand.name
        if demand.owner and demand.kind == demand.owner.kind:
            text = f"{'the change of ' * refusal.is_change}{owner} will be refused"
        else:
            kind_words = "pods" if demand.kind == "Pod" else f"{demand.kind}s"
            text = f"{new_refusals(refusal, facts)} of {demand.number} {kind_words} of {owner} will be refused"
            if depends_on_earlier(projection, facts):
                new = new_number(refusal.charge, facts)
                which = (
                    f"the new {kind_words.removesuffix('s')}"
                    if new == 1
                    else f"some or all of the {new} new {kind_words}"
                )
                text = f"{which} of {owner} may be refused"
        if position == 0:
            text += f": {refusal.message}"
        yield Note("so", text)
        yield from _waiting_notes(refusal, facts, owner)
        if demand.owner and demand.kind == "Pod" and verdict_of(demand.owner, facts) is RolloutVerdict.AFTER:
            yield Note("then", f"a rollout of {owner} ends only after there is room for all of its pods")


def _waiting_notes(refusal: Refusal, facts: Facts, owner: str) -> Iterator[Note]:
    """Notes on pods that are not created because an object that they need is refused."""
    for fate in facts.admissions.waiting.get(refusal.charge.identity, ()):
        demand = fate.charge.demand
        if demand.kind == "Pod" and demand.owner is not None and demand.owner.kind != "Pod":
            needed = refusal.charge.kind
            yield Note(
                "so", f"{fate.refused} of {demand.number} pods of {owner} will be refused: each needs its {needed}"
            )


def _whichever_words(
    projection: Projection,
    numbers: Sequence[tuple[EntryCharge, int]],
    facts: Facts,
    new: str = "",
    most: int | None = None,
) -> str:
    """`4 of these 14 pods, whichever come last,`; with different sizes `some of these 14 pods, …`; with one pod `the
    pod`. `most` limits the number, because some may have been refused before."""
    kinds = {entry.charge.kind for entry, _ in numbers}
    kind = "pod" if kinds == {"Pod"} else next(iter(kinds)) if len(kinds) == 1 else "object"
    total = sum(number for _, number in numbers)
    if total == 1:
        return f"the{new} {kind}"
    refused = _refused_number(projection, [entry for entry, _ in numbers], facts)
    number = "some" if refused is None else str(min(total if most is None else most, refused))
    verb = "comes" if number == "1" else "come"
    return f"{number} of these {total}{new} {kind}s, whichever {verb} last,"


def _refused_number(projection: Projection, entries: Sequence[EntryCharge], facts: Facts) -> int | None:
    """How many of equal objects are refused by all exceeded entries that count them; None if their sizes differ, so
    that the order decides."""
    identities = {entry.charge.identity for entry in entries}
    numbers = [_short_number(projection, entries)]
    for other in facts.projections_of(projection.quota).values():
        if other.name != projection.name and other.exceeds(Scenario.STEADY):
            common = [entry for entry in other.entries if entry.each.nano and entry.charge.identity in identities]
            if common:
                numbers.append(_short_number(other, common) if len(common) == len(entries) else None)
    known_numbers = [number for number in numbers if number is not None]
    return max(known_numbers) if len(known_numbers) == len(numbers) else None


def _short_number(projection: Projection, entries: Sequence[EntryCharge]) -> int | None:
    """How many of equal objects make up the shortage of an entry; None if their sizes differ."""
    sizes = {entry.each.nano for entry in entries}
    if len(sizes) > 1 or projection.hard is None:
        return None
    return -(-(projection.steady.nano - projection.hard.nano) // sizes.pop())
