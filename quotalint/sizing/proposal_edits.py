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


def edits_of(quota_proposal: QuotaProposal) -> Fix:
    """The repair that gives a quota the amounts that are proposed for it."""
    if quota_proposal.instead is not None:
        return Fix((quota_proposal.instead,), safe=False, words=f"take the size {quota_proposal.size}")
    changed = [entry for entry in quota_proposal.entries if entry.changes and entry.after is not None]
    words = ", ".join(f"{entry.name} {quantity.show(entry.after)}" for entry in changed if entry.after is not None)
    inside = next((entry.name for entry in changed if is_inside(quota_proposal.quota, entry.name)), "")
    obstacle = f"{inside} is not written there by itself" if inside else ""
    return Fix(tuple(_edits(quota_proposal)), safe=False, words=f"write {words}", obstacle=obstacle)


def _edits(quota_proposal: QuotaProposal) -> Iterator[Edit]:
    for entry in quota_proposal.entries:
        if not entry.changes or entry.after is None:
            continue
        place, shown = quota_proposal.quota.entry(entry.name), quantity.show(entry.after)
        if entry.before is None:
            yield Add(
                quota_proposal.quota.object.at(*quota_proposal.quota.way(entry.name)[:-1]),
                entry.name,
                shown,
                size=entry.after.nano,
            )
        else:
            before = dig(quota_proposal.quota.object.body, *quota_proposal.quota.way(entry.name))
            yield Replace(place, before, shown, entry.after.nano)


def is_inside(quota: Quota, name: str) -> bool:
    """Whether the amount is a part of a longer text: an annotation of Rancher holds all of them."""
    if name not in quota.hard:
        return False
    parsed = amount(dig(quota.object.body, *quota.way(name)))
    return not isinstance(parsed, Quantity) or parsed.nano != quota.hard[name].nano
