"""Proposals → what is to be edited where they are written: a base, an overlay's patch, values of a chart."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.fixes.fix import Add, Edit, Fix, Replace
from quotalint.kube import quantity
from quotalint.kube.amounts import amount
from quotalint.kube.fields import dig
from quotalint.kube.quantity import Quantity
from quotalint.quota.quotas import Quota
from quotalint.sizing.proposed import QuotaProposal


def edits_of(one: QuotaProposal) -> Fix:
    """The repair that gives a quota the amounts that are proposed for it."""
    if one.instead is not None:
        return Fix((one.instead,), safe=False, words=f"take the size {one.size}")
    changed = [entry for entry in one.entries if entry.changes and entry.after is not None]
    words = ", ".join(f"{entry.name} {quantity.show(entry.after)}" for entry in changed if entry.after is not None)
    inside = next((entry.name for entry in changed if is_inside(one.quota, entry.name)), "")
    obstacle = f"{inside} is not written there by itself" if inside else ""
    return Fix(tuple(_edits(one)), safe=False, words=f"write {words}", obstacle=obstacle)


def _edits(one: QuotaProposal) -> Iterator[Edit]:
    for entry in one.entries:
        if not entry.changes or entry.after is None:
            continue
        place, shown = one.quota.entry(entry.name), quantity.show(entry.after)
        if entry.before is None:
            yield Add(one.quota.object.at(*one.quota.way(entry.name)[:-1]), entry.name, shown, size=entry.after.nano)
        else:
            before = dig(one.quota.object.body, *one.quota.way(entry.name))
            yield Replace(place, before, shown, entry.after.nano)


def is_inside(one: Quota, name: str) -> bool:
    """Whether the amount is a part of a longer text: an annotation of Rancher holds all of them."""
    if name not in one.hard:
        return False
    parsed = amount(dig(one.object.body, *one.way(name)))
    return not isinstance(parsed, Quantity) or parsed.nano != one.hard[name].nano
